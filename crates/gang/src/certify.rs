//! A play as a certificate: the same histories as a server's, gangs and all, so that none that is honest is ever refused.

use std::collections::HashMap;

use weevil_model::trust::Policy;
use weevil_model::{Agree, ContentHash, RunId, RunState, job_seed};
use weevil_trust::certificate::{
    AnswerEntry, AnswerFate, Format, HeadLine, Hex, JobLine, LotFacts, LotFate, Number, PlanEntry, Role,
    StatedBasis, Writer,
};
use weevil_trust::{Answer, Said};

use crate::fleet::Fleet;
use crate::job::{Given, Job, State};
use crate::ledger::Ledger;

const SEED: u64 = 1;
/// Digits of the number of an element, so that their order is that of their paths.
const DIGITS: usize = 6;

/// Lots by job and device, and whether chance has chosen the answer.
type LotsOfJobs = HashMap<(usize, usize), (Number, bool)>;

pub(crate) fn certify(ledger: &Ledger<'_>, fleet: &Fleet<'_>) -> String {
    let lots: LotsOfJobs = ledger
        .lots
        .all()
        .zip(0_u64..)
        .flat_map(|((device, _, jobs, chosen), lot)| {
            jobs.iter().map(move |job| ((*job, device), (Number::of(lot), chosen.contains(job))))
        })
        .collect();
    let (mut writer, mut text) = Writer::begin(head(ledger));
    let mut networks = HashMap::new();
    for (place, job) in ledger.jobs.iter().enumerate() {
        text += &writer.job(line(ledger, (place, job), &lots, &mut networks));
    }
    for ((device, node, jobs, _), lot) in ledger.lots.all().zip(0_u64..) {
        let is_refuted = fleet.devices[device].record.refuted > 0;
        let answers = u32::try_from(jobs.len()).unwrap_or(u32::MAX);
        let fate = if is_refuted { LotFate::Refused } else { LotFate::Accepted };
        let (lot, device) = (Number::of(lot), Number::of(device as u64));
        text += &writer.lot(LotFacts { lot, device, node: format!("pool{node}"), answers, fate });
    }
    text + &writer.end(RunState::Failed, None).signed(Hex([0; 64]))
}

fn head(ledger: &Ledger<'_>) -> HeadLine {
    HeadLine {
        format: Format,
        key: Hex([0; 32]),
        run: RunId::from_number(1),
        workflow: Some(ContentHash::of(b"play")),
        document: Some("play.xml".to_owned()),
        seed: Some(Number::of(SEED)),
        inputs: Vec::new(),
        policy: Some(Policy::Credible(ledger.setting.error)),
        assumed: ledger.setting.assumed,
        plan: Some(PlanEntry::of(&ledger.plan)),
        started: 0,
        ended: 0,
    }
}

fn line(
    ledger: &Ledger<'_>,
    (place, job): (usize, &Job),
    lots: &LotsOfJobs,
    networks: &mut HashMap<usize, u32>,
) -> JobLine {
    let path = format!("pool{}/{place:0DIGITS$}/x", job.node);
    let accepted = match job.state {
        State::Accepted(answer) => Some(answer),
        _ => None,
    };
    let by_lot = accepted.and_then(|answer| lots.get(&(place, job.given[answer].device)));
    let basis = if by_lot.is_some() { StatedBasis::Lot } else { StatedBasis::Agreed };
    let answers = job.answers.iter().zip(&job.given).enumerate().map(|(turn, (answer, given))| {
        let next = u32::try_from(networks.len() + 1).unwrap_or(u32::MAX);
        let network = *networks.entry(given.device).or_insert(next);
        let lot = lots.get(&(place, given.device)).copied();
        AnswerEntry {
            lot: lot.map(|(lot, _)| lot),
            chosen: lot.is_some_and(|(_, chosen)| chosen),
            ..entry(turn, (answer, *given), network, is_void(job, turn), accepted.is_some())
        }
    });
    let answers = answers.collect();
    JobLine {
        code: ContentHash::of(b"code"),
        source: "x.js".to_owned(),
        seed: Number::of(job_seed(SEED, &path)),
        path,
        inputs: Vec::new(),
        returns: None,
        digest: accepted.and_then(|answer| digest(&job.answers[answer])),
        error: accepted.is_none().then(|| "disputed".to_owned()),
        policy: Policy::Credible(ledger.setting.error),
        agree: Agree::Exact,
        proof: None,
        basis: accepted.map(|_| basis),
        doubted: false,
        answers,
    }
}

fn is_void(job: &Job, place: usize) -> bool {
    match job.state {
        State::Accepted(_) => job.void_then[place],
        _ => job.answers[place].is_void,
    }
}

fn entry(
    turn: usize,
    (answer, given): (&Answer, Given),
    network: u32,
    is_void: bool,
    is_accepted: bool,
) -> AnswerEntry {
    let fate = match (given.refuted, is_void) {
        (true, _) => AnswerFate::Refuted,
        (false, true) => AnswerFate::Void,
        (false, false) if is_accepted => AnswerFate::Agreed,
        (false, false) => AnswerFate::Open,
    };
    AnswerEntry {
        device: Some(Number::of(given.device as u64)),
        network: Some(network),
        engine: answer.witness.engine,
        rank: answer.rank,
        points: answer.points,
        role: if turn == 0 { Role::First } else { Role::Check },
        digest: digest(answer),
        error: None,
        at: 0,
        lot: None,
        chosen: false,
        fate,
    }
}

const fn digest(answer: &Answer) -> Option<ContentHash> {
    match &answer.said {
        Said::Value(digest) => Some(*digest),
        Said::Error(_) => None,
    }
}
