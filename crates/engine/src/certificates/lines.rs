//! Lines of jobs and lots, made of what is stored of them.

use std::collections::HashSet;
use std::sync::Arc;

use weevil_model::EncodedError;
use weevil_model::witness::Engine;
use weevil_queue::Outcome;
use weevil_records::{AnswerFacts, AnswerFate, JobFacts, JobValues, LotFacts, StoreError};
use weevil_trust::certificate::{
    AnswerEntry, AnswerFate as Fate, JobLine, LotFacts as Lot, LotFate, Number, Role, StatedBasis, Writer,
};

use super::certificate::corrupt;
use super::names::Names;
use super::{Notary, digests};

/// The kind of error of a job that nobody has taken in its time.
const OVERDUE: &str = "overdue";

/// A writer, and what it needs to know of all lines.
pub(super) struct Pen {
    pub(super) writer: Writer,
    names: Names,
    reducers: HashSet<String>,
}

impl Pen {
    pub(super) fn new(
        writer: Writer,
        notary: Arc<dyn Notary>,
        of: String,
        reducers: HashSet<String>,
    ) -> Self {
        Self { writer, names: Names::new(notary, of), reducers }
    }

    pub(super) fn job(&mut self, facts: JobFacts, values: &JobValues) -> Result<String, StoreError> {
        let unreadable = |error: EncodedError| corrupt(&format!("a value of `{}` ({error})", facts.path));
        let is_reducer = self.reducers.contains(&facts.path);
        let digests = if is_reducer { digests::of_reduced } else { digests::of_arguments };
        let inputs = digests(&values.input).map_err(unreadable)?;
        let digest = values.value.as_ref().map(digests::of_value).transpose().map_err(unreadable)?;
        // One that was cancelled before it was told what is believed has come to nothing.
        let is_believed = matches!(facts.outcome, Some(Outcome::Value | Outcome::Failed));
        let answers = facts.answers.iter().enumerate();
        let answers = answers.map(|(place, answer)| self.answer(place, answer, is_believed)).collect();
        let is_proved = |answer: &AnswerFacts| answer.is_proved && answer.fate == Some(AnswerFate::Agreed);
        let is_proved = is_believed && facts.answers.iter().any(is_proved);
        let mut line = JobLine {
            code: facts.code,
            seed: Number::of(facts.seed),
            inputs,
            returns: facts.returns,
            digest,
            error: error(&facts),
            policy: facts.trust,
            agree: facts.agree,
            proof: facts.proof,
            basis: None,
            doubted: facts.is_doubted,
            answers,
            path: facts.path,
            source: facts.source,
        };
        line.basis = match digest {
            Some(_) if facts.is_reused => Some(StatedBasis::Reused),
            Some(_) if !facts.trust.is_judged() => Some(StatedBasis::None),
            Some(_) if is_proved => Some(StatedBasis::Proved),
            _ if line.answers.iter().any(|answer| answer.fate == Fate::Agreed) => self.writer.basis(&line),
            _ => None,
        };
        Ok(self.writer.job(line))
    }

    pub(super) fn lot(&mut self, facts: LotFacts) -> String {
        let LotFacts { id, node, device, answers, is_accepted } = facts;
        let fate = match is_accepted {
            Some(true) => LotFate::Accepted,
            Some(false) => LotFate::Refused,
            None => LotFate::Open,
        };
        let (lot, device) = (Number::of(id.cast_unsigned()), self.names.device(device));
        self.writer.lot(Lot { lot, device, node, answers, fate })
    }

    fn answer(&mut self, place: usize, answer: &AnswerFacts, is_believed: bool) -> AnswerEntry {
        AnswerEntry {
            device: answer.witness.device.map(|device| self.names.device(device)),
            network: answer.witness.network.map(|network| self.names.network(network)),
            engine: answer.witness.engine,
            rank: answer.rank,
            points: answer.points,
            role: role(place, answer.witness.engine),
            digest: answer.digest,
            error: answer.error.clone(),
            at: answer.at.0,
            lot: answer.lot.map(|lot| Number::of(lot.cast_unsigned())),
            chosen: answer.is_chosen && answer.lot.is_some(),
            fate: match answer.fate {
                Some(AnswerFate::Agreed) if is_believed => Fate::Agreed,
                Some(AnswerFate::Refuted) => Fate::Refuted,
                Some(AnswerFate::Void) => Fate::Void,
                Some(AnswerFate::Stale) => Fate::Stale,
                Some(AnswerFate::Agreed) | None => Fate::Open,
            },
        }
    }
}

/// What an answer at this place was asked for.
fn role(place: usize, engine: Engine) -> Role {
    match (engine, place) {
        (Engine::Server, _) => Role::Referee,
        (_, 0) => Role::First,
        _ => Role::Check,
    }
}

/// The kind of the error that a job has come to: what its answers agree on, else what the last attempt has failed with.
fn error(facts: &JobFacts) -> Option<String> {
    let agreed = |answer: &&AnswerFacts| answer.fate == Some(AnswerFate::Agreed);
    match facts.outcome? {
        Outcome::Failed => {
            let said = facts.answers.iter().find(agreed).and_then(|answer| answer.error.clone());
            said.or_else(|| facts.error.clone())
        }
        Outcome::Overdue => Some(OVERDUE.to_owned()),
        Outcome::Value | Outcome::Cancelled => None,
    }
}
