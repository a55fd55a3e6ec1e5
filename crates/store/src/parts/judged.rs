//! What the answers of a job come to: here alone the rules of the queue and those of trust meet.
//!
//! Reads nothing and writes nothing: see `answers.rs` and `lots.rs`. What a ruling has to say of other jobs goes into the docket.

use std::collections::BTreeMap;

use weevil_model::trust::{Policy, Votes};
use weevil_model::witness::Rank;
use weevil_model::{ContentHash, JobId, RunId};
use weevil_queue::Failure;
use weevil_records::AnswerFate;
use weevil_trust::limits::MAX_ANSWERS;
use weevil_trust::{
    Answer, Basis, Case, Chance, Decision, EnginePair, Groups, OpenFleet, Plan, Ruling, Said, Standard, rule,
    scatters, subject,
};

use super::asked::Standing;
use super::comparisons::{Comparisons, Difference};
use super::docket::{Docket, Finding};
use super::judged_job::{JudgedJob, told};
use super::judgements::Judgements;
use super::left_out::Split;
use super::lots::LotBook;
use super::ranks::Ranks;
use crate::json::hex;

/// Stable name of the error of a job with many answers and no decision.
const DISPUTED: &str = "disputed";
/// What becomes of a job once an answer more is there, or one less counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Judged {
    /// What the report at hand says is believed.
    Believed,
    /// What stands for the job is believed, and its value is kept beside it.
    Stands,
    /// The answer that stands for it waits for the end of its lot, or another one for what a module says.
    Waits,
    /// One more is needed.
    Wants,
    /// So many answers and no decision.
    Disputed,
}

/// What rulings of one batch are made by, and what they change besides their jobs.
pub(crate) struct Bench<'b> {
    pub(crate) ranks: Ranks<'b>,
    pub(crate) lots: LotBook,
    pub(crate) docket: Docket,
    pub(crate) comparisons: Comparisons,
    /// Passes that devices have got.
    pub(crate) passes: BTreeMap<i64, u32>,
    pub(crate) judgements: Judgements,
}

impl<'b> Bench<'b> {
    pub(crate) fn new(ranks: Ranks<'b>) -> Self {
        let (lots, docket, comparisons) = (LotBook::default(), Docket::default(), Comparisons::default());
        let (passes, judgements) = (BTreeMap::new(), Judgements::new(ranks.liars()));
        Self { ranks, lots, docket, comparisons, passes, judgements }
    }

    /// Decides about a job whose answers have changed; what is proved stands in no lot. `at_hand`: the place of the answer that is being reported.
    pub(crate) fn settle(&mut self, id: JobId, job: &mut JudgedJob, at_hand: Option<usize>) -> Judged {
        self.disprove(job);
        if job.awaits_module() {
            return Judged::Waits;
        }
        let plan = self.ranks.plan(job);
        loop {
            let answers = job.answers();
            let groups = job.groups(&answers);
            let is_proved = answers.iter().any(|answer| answer.is_proved && !answer.is_void);
            if let Some(plan) = plan.as_ref().filter(|_| !is_proved) {
                self.stand(id, job, plan, (&answers, &groups));
            }
            let decision = rule(&self.case(job, plan.as_deref(), (&answers, &groups)));
            if let Some(run) = job.run.filter(|_| scatters(&answers, &groups)) {
                self.docket.scatter((run, hex(job.comparing.code.as_bytes()), id));
            }
            self.confirm(job, &answers, &groups, decision.ruling);
            if !self.refute(id, job, &groups, &decision) || matches!(decision.ruling, Ruling::Accepted { .. })
            {
                return self.carry_out(id, job, decision.ruling, at_hand);
            }
        }
    }

    /// What no plan is enough for takes as many who agree as may be asked for.
    fn case<'c>(
        &self,
        job: &JudgedJob,
        plan: Option<&'c Plan>,
        (answers, groups): (&'c [Answer], &'c Groups),
    ) -> Case<'c> {
        let standing = job.standing().and_then(|place| job.asked[place].standing);
        let devices = standing.map_or(1, |standing| standing.devices);
        let (standard, fleet) = match (job.trust, plan) {
            (_, Some(plan)) => (Standard::Credible(plan), self.ranks.opens(job.needs)),
            (Policy::Quorum(votes), None) => (Standard::Quorum(votes), OpenFleet(false)),
            (_, None) => (Standard::Quorum(Votes::MOST), OpenFleet(false)),
        };
        Case { standard, answers, groups, fleet, devices }
    }

    /// Whatever answer stands for the job now joins its device's lot, or is one by itself. An error is checked always, since it
    /// ends a whole run.
    fn stand(
        &mut self,
        id: JobId,
        job: &mut JudgedJob,
        plan: &Plan,
        (answers, groups): (&[Answer], &Groups),
    ) {
        let found = subject(answers, groups);
        let stands = found.map(|found| found.answer);
        for left in (0..answers.len()).filter(|place| Some(*place) != stands) {
            self.end_check(job, left);
        }
        let Some(found) = found.filter(|found| job.asked[found.answer].standing.is_none()) else { return };
        let asked = &job.asked[found.answer];
        let is_doubted =
            found.is_contested || asked.worth.is_crowded || answers[found.answer].said.is_error();
        let standing = match job.pool().zip(asked.witness.device) {
            Some(((run, node), device)) => {
                self.join((id, asked.number), (run, node, device), plan, is_doubted)
            }
            None => Standing { lot: None, devices: plan.alone(), is_chosen: true, is_checking: true },
        };
        let asked = &mut job.asked[found.answer];
        (asked.standing, asked.is_changed) = (Some(standing), true);
    }

    fn join(
        &mut self,
        (id, number): (JobId, u32),
        place: (RunId, &str, i64),
        plan: &Plan,
        is_doubted: bool,
    ) -> Standing {
        let (chance, now) = (self.ranks.chance(), self.ranks.now());
        let (job, answer) = (id.number().to_le_bytes(), number.to_le_bytes());
        let parts = [("lot", chance.as_slice()), ("job", &job), ("answer", &answer)];
        let new = ContentHash::of_parts(parts).seed().cast_signed() & i64::MAX;
        let (number, lot) = self.lots.open(place, new, now);
        let is_chosen = lot.join(is_doubted, &mut Chance::of_answer(chance, id.number()));
        if lot.is_full(plan) {
            self.lots.fill(number);
            self.docket.close(number);
        }
        let is_checking = is_chosen || is_doubted;
        Standing { lot: Some(number), devices: 1 + u32::from(is_checking), is_chosen, is_checking }
    }

    /// Whoever agrees with somebody who is known, or with what is believed, has one pass more.
    fn confirm(&mut self, job: &mut JudgedJob, answers: &[Answer], groups: &Groups, ruling: Ruling) {
        let believed = |place: &usize| matches!(ruling, Ruling::Accepted { answer, .. } if answer == *place);
        let known = |place: &usize| answers[*place].rank != Rank::Newcomer;
        for group in groups.all() {
            let vouched = group.members.iter().any(believed)
                || group.members.len() > 1 && group.members.iter().any(known);
            let first = answers[group.members[0]].witness.engine;
            for place in group.members.iter().filter(|_| vouched) {
                let asked = &mut job.asked[*place];
                let Some(device) = asked.witness.device.filter(|_| !asked.is_confirmed) else { continue };
                (asked.is_confirmed, asked.is_changed) = (true, true);
                *self.passes.entry(device).or_default() += 1;
                if known(place) && group.members.len() > 1 {
                    self.comparisons.vouch(job.comparing.code, asked.witness.engine, device);
                }
                if *place != group.members[0] {
                    self.comparisons.agree(&job.comparing, EnginePair::new(first, asked.witness.engine));
                }
            }
        }
    }

    /// What a proof has found wrong is so, whoever gave it, whatever others say and by whatever policy.
    fn disprove(&mut self, job: &mut JudgedJob) {
        for place in job.disproved() {
            self.end_check(job, place);
            let asked = &mut job.asked[place];
            asked.end_as(AnswerFate::Refuted);
            self.judgements.refute(job.run, asked.witness.device);
            if let Some(device) = asked.witness.device {
                let lie = Finding { should_agree: true, is_error: false };
                self.docket.refuse(job.run, device, lie);
            }
        }
    }

    /// Notes what was found wrong, and which engines differ. Answers whether anything was. It costs a device something where jobs are
    /// judged by what is kept of devices, and a rest only where somebody who is known says otherwise.
    fn refute(&mut self, id: JobId, job: &mut JudgedJob, groups: &Groups, decision: &Decision) -> bool {
        let (Ruling::Accepted { answer, .. } | Ruling::Waits { answer, .. }) = decision.ruling else {
            return false;
        };
        let group = groups.all().iter().find(|group| group.members.contains(&answer));
        let members = group.map(|group| group.members.as_slice()).unwrap_or_default();
        let is_vouched = members.iter().any(|place| job.asked[*place].rank() != Rank::Newcomer);
        let (believed, here) = (job.asked[answer].witness.engine, job.compared(members));
        let says = job.told(answer);
        for place in &decision.refuted {
            let told = job.told(*place);
            let asked = &mut job.asked[*place];
            asked.end_as(AnswerFate::Refuted);
            self.judgements.refute(job.run, asked.witness.device);
            let is_error = matches!(asked.given.as_ref().map(|given| &given.said), Some(Said::Error(_)));
            let pair = EnginePair::new(believed, asked.witness.engine);
            let times = here.iter().filter(|compared| **compared == pair).count();
            let times = u32::try_from(times).unwrap_or(u32::MAX);
            if self.comparisons.differ(&job.comparing, pair) {
                self.docket.weigh(Split { comparing: job.comparing.clone(), pair, run: job.run });
            }
            let should_agree = is_vouched && self.comparisons.should_agree(&job.comparing, pair, times);
            if let Some(run) = job.run {
                let said = [(believed, says.clone()), (asked.witness.engine, told)];
                let comparing = job.comparing.clone();
                self.comparisons.show(Difference { run, job: id, comparing, said });
            }
            if let Some(device) = asked.witness.device.filter(|_| job.trust.is_by_lots()) {
                self.docket.refuse(job.run, device, Finding { should_agree, is_error });
            }
        }
        !decision.refuted.is_empty()
    }

    fn carry_out(
        &mut self,
        id: JobId,
        job: &mut JudgedJob,
        ruling: Ruling,
        at_hand: Option<usize>,
    ) -> Judged {
        match ruling {
            Ruling::Wants(_) => {
                if let Some(standing) = job.standing() {
                    job.keep(standing, at_hand);
                    self.begin_check(job, standing);
                }
                Judged::Wants
            }
            Ruling::Waits { answer, .. } => {
                job.keep(answer, at_hand);
                let in_lot = job.asked[answer].standing.is_some_and(|standing| standing.lot.is_some());
                match (in_lot, job.keeps_value_of(answer)) {
                    (false, _) => self.believe(id, job, (answer, Basis::Agreed), at_hand),
                    (true, true) => {
                        self.end_check(job, answer);
                        Judged::Waits
                    }
                    (true, false) => {
                        self.begin_check(job, answer);
                        Judged::Wants
                    }
                }
            }
            Ruling::Accepted { answer, basis } => self.believe(id, job, (answer, basis), at_hand),
            Ruling::Disputed => {
                job.values.bring(None);
                job.standing().into_iter().for_each(|place| self.end_check(job, place));
                Judged::Disputed
            }
        }
    }

    /// By itself: no lot carries it any more. Where nobody has kept what it says, whoever computes it once more brings it.
    fn believe(
        &mut self,
        id: JobId,
        job: &mut JudgedJob,
        (answer, basis): (usize, Basis),
        at_hand: Option<usize>,
    ) -> Judged {
        let judged = if at_hand.is_some_and(|at_hand| job.says_the_same(at_hand, answer)) {
            job.values.bring(None);
            Judged::Believed
        } else {
            job.keep(answer, at_hand);
            if !job.keeps_value_of(answer) {
                return Judged::Wants;
            }
            self.docket.deliver(id);
            Judged::Stands
        };
        job.standing().into_iter().for_each(|place| self.end_check(job, place));
        job.end();
        self.judgements.believed.insert(id.number());
        self.judgements.accept(job.run, basis, self.ranks.plan(job).as_deref());
        judged
    }

    /// The job has another input from now on. Lots that are decided stay as they were, the others are without these answers.
    pub(crate) fn outdate(&mut self, job: &mut JudgedJob) {
        for place in 0..job.asked.len() {
            self.end_check(job, place);
            let asked = &mut job.asked[place];
            asked.outdate();
            let left = asked
                .standing
                .filter(|standing| standing.lot.is_none_or(|lot| self.lots.leave(lot, standing.is_chosen)));
            if left.is_some() {
                asked.standing = None;
            }
        }
    }

    /// Whatever an answer in a lot wants one more for, the lot waits for it.
    fn begin_check(&mut self, job: &mut JudgedJob, place: usize) {
        let asked = &mut job.asked[place];
        let Some(standing) = asked.standing.as_mut().filter(|standing| !standing.is_checking) else { return };
        (standing.is_checking, asked.is_changed) = (true, true);
        if let Some(known) = standing.lot.and_then(|number| self.lots.change(number)) {
            known.lot.open_checks += 1;
        }
    }

    /// What checks the answer at this place has come to an end.
    fn end_check(&mut self, job: &mut JudgedJob, place: usize) {
        let asked = &mut job.asked[place];
        let Some(standing) = asked.standing.as_mut().filter(|standing| standing.is_checking) else { return };
        (standing.is_checking, asked.is_changed) = (false, true);
        if let Some((number, known)) =
            standing.lot.and_then(|number| Some((number, self.lots.change(number)?)))
        {
            known.lot.open_checks -= 1;
            self.docket.look_at(number);
        }
    }
}

/// May the next answer end the job without a value?
pub(crate) fn may_fail(job: &JudgedJob) -> bool {
    job.answers().len() + 1 >= MAX_ANSWERS
}

/// The error of a job whose answers have come to nothing, with what they said.
pub(crate) fn disputed(job: &JudgedJob) -> Failure {
    let answers = job.answers();
    let groups = job.groups(&answers);
    let group = |group: &weevil_trust::Group| {
        let many = group.members.len();
        format!("{} from {many}", told(&answers[group.members[0]].said))
    };
    let groups: Vec<String> = groups.all().iter().map(group).collect();
    let message = format!(
        "Not enough of {many} answers agree that came from independent witnesses: {}",
        groups.join(", "),
        many = answers.len()
    );
    Failure { kind: DISPUTED.to_owned(), message, stack: String::new() }
}
