//! What jobs tell of a lot before its own line comes: a few numbers for each, whatever it holds.

use std::collections::BTreeMap;
use std::sync::Arc;

use weevil_model::pool_of;
use weevil_model::trust::Policy;

use super::lines::{AnswerEntry, AnswerFate, JobLine, StatedBasis};
use super::word::Number;

/// A lot, as far as the lines of jobs tell.
#[derive(Debug, Clone)]
pub(super) struct Tally {
    pub(super) device: Number,
    /// The path of the pool.
    pub(super) node: Arc<str>,
    pub(super) policy: Policy,
    pub(super) answers: u32,
    /// Chosen answers that were agreed with.
    pub(super) passed: u32,
    /// Chosen answers of jobs in which nothing is believed: they say nothing of their device.
    pub(super) given_up: u32,
    /// The line of an answer that was found wrong, or is void.
    pub(super) wrong: Option<u64>,
    /// The line of a job that is believed by this lot.
    pub(super) believed: Option<u64>,
    /// The answer with the fewest devices behind it, among those that chance has not chosen and those that it has.
    pub(super) unchosen: Option<Standing>,
    pub(super) chosen: Option<Standing>,
}

/// How well an answer of a lot stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Standing {
    /// So many devices are behind it.
    pub(super) devices: u32,
    pub(super) line: u64,
}

/// All lots whose line has not come.
#[derive(Debug, Default)]
pub(super) struct Tallies {
    lots: BTreeMap<Number, Tally>,
    /// The pool of the last job, which the next one most likely has as well.
    node: Option<Arc<str>>,
}

impl Tallies {
    /// Adds the answers of a job that stand in lots. `devices`: how many are behind what is believed.
    pub(super) fn enter(&mut self, line: u64, job: &JobLine, devices: u32) {
        let Some(pool) = pool_of(&job.path) else { return };
        for answer in &job.answers {
            let (Some(lot), Some(device)) = (answer.lot, answer.device) else { continue };
            let node = self.node.take().filter(|node| **node == *pool).unwrap_or_else(|| pool.into());
            self.node = Some(node.clone());
            let tally = self.lots.entry(lot).or_insert_with(|| Tally::new(device, node, job.policy));
            tally.enter(answer, job.basis, Standing { devices, line });
        }
    }

    pub(super) fn get(&self, lot: Number) -> Option<&Tally> {
        self.lots.get(&lot)
    }

    /// The line of a lot has come.
    pub(super) fn take(&mut self, lot: Number) -> Option<Tally> {
        self.lots.remove(&lot)
    }

    /// One whose line has not come.
    pub(super) fn left(&self) -> Option<Number> {
        self.lots.keys().next().copied()
    }
}

impl Tally {
    const fn new(device: Number, node: Arc<str>, policy: Policy) -> Self {
        Self {
            device,
            node,
            policy,
            answers: 0,
            passed: 0,
            given_up: 0,
            wrong: None,
            believed: None,
            unchosen: None,
            chosen: None,
        }
    }

    fn enter(&mut self, answer: &AnswerEntry, basis: Option<StatedBasis>, standing: Standing) {
        self.answers += 1;
        let is_agreed = answer.fate == AnswerFate::Agreed;
        // Nobody can tell from the line of a job with another input whether it has passed: that it was chosen is no reason to doubt it.
        let is_stale = answer.fate == AnswerFate::Stale;
        if matches!(answer.fate, AnswerFate::Refuted | AnswerFate::Void) {
            self.wrong.get_or_insert(standing.line);
        }
        self.passed += u32::from(answer.chosen && is_agreed);
        self.given_up += u32::from(answer.chosen && (basis.is_none() || is_stale));
        if is_agreed && basis == Some(StatedBasis::Lot) {
            self.believed.get_or_insert(standing.line);
            let weakest = if answer.chosen { &mut self.chosen } else { &mut self.unchosen };
            *weakest = Some(weakest.map_or(standing, |weakest| weakest.min(standing)));
        }
    }
}
