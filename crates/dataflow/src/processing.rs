//! The processors of a pool while it has some: which elements have none yet, which compute, which have answered.
//!
//! Counts, and never says what the pool becomes. Processors that have answered have no executor any more: how each stands
//! is kept here, a few bytes each, since thousands may wait to be believed.

use std::collections::BTreeMap;

use weevil_model::limits::MAX_VALUE_BYTES;
use weevil_model::{Elements, Encoded, EncodedError, NodeState};

use crate::pool::{PoolEffect, PoolTerms};
use crate::results::{Refused, Results, Size};
use crate::work::{Effect, Event, Work};

#[derive(Debug)]
pub(crate) struct Processing {
    /// The whole input.
    elements: Elements,
    /// Elements without a processor yet.
    waiting: Elements,
    /// Index of the first of them.
    next: usize,
    /// Processors without a result, in the window.
    running: usize,
    /// Processors without a result that have answered, out of the window.
    answered: usize,
    /// By the index of their elements, those that have answered at least once. One whose answer was wrong is in the window
    /// again.
    handed_over: BTreeMap<usize, Work>,
    /// No more first answers will come, and that was said after the newest answer.
    closed: bool,
    results: Results,
}

impl Processing {
    pub(crate) fn of(elements: Elements) -> Self {
        let (waiting, results) = (elements.clone(), Results::of(elements.len()));
        let handed_over = BTreeMap::new();
        Self { elements, waiting, next: 0, running: 0, answered: 0, handed_over, closed: false, results }
    }

    /// What follows once an event is counted: new processors, or that no more answers will come.
    pub(crate) fn go_on(&mut self, terms: PoolTerms) -> Vec<PoolEffect> {
        let mut effects = self.refill(terms);
        let closes = self.running == 0 && self.answered > 0;
        effects.extend((closes && !self.closed).then_some(PoolEffect::Close));
        self.closed = closes;
        effects
    }

    /// New processors once half of the window is free, so that they reach the queue in batches.
    fn refill(&mut self, terms: PoolTerms) -> Vec<PoolEffect> {
        let free = if self.running * 2 > terms.window { 0 } else { terms.window - self.running };
        let room = terms.most_answered.saturating_sub(self.running + self.answered);
        let processors = self.waiting.by_ref().take(free.min(room)).enumerate();
        let next = self.next;
        let effects: Vec<_> =
            processors.map(|(at, element)| PoolEffect::Process { index: next + at, element }).collect();
        self.next += effects.len();
        self.running += effects.len();
        effects
    }

    /// A processor has answered, and its executor has nothing to do with it any more. Answers whether there was one.
    pub(crate) fn hand_over(&mut self, index: usize) -> bool {
        let has_executor = self.has_executor(index);
        if has_executor {
            self.handed_over.insert(index, Work::answered());
            self.running -= 1;
            self.answered += 1;
        }
        has_executor
    }

    pub(crate) fn is_handed_over(&self, index: usize) -> bool {
        self.handed_over.contains_key(&index)
    }

    fn has_executor(&self, index: usize) -> bool {
        index < self.next && self.results.miss(index) && !self.is_handed_over(index)
    }

    /// News of a processor that was handed over: the state that it had, and what follows. One that ends is counted into the
    /// window for the moment, as any other that is about to bring its result.
    pub(crate) fn hear(&mut self, index: usize, event: Event) -> Option<(NodeState, Vec<Effect>)> {
        // It may be the first answer of a lot, which the last closing has not seen.
        self.closed &= event != Event::Answered;
        let work = self.handed_over.get_mut(&index)?;
        let from = work.state();
        let effects = work.handle(event).ok()?;
        let to = work.state();
        match (from == NodeState::Answered, to == NodeState::Answered) {
            (true, false) => (self.answered, self.running) = (self.answered - 1, self.running + 1),
            (false, true) => (self.answered, self.running) = (self.answered + 1, self.running - 1),
            _ => {}
        }
        if to.is_terminal() {
            self.handed_over.remove(&index);
        }
        Some((from, effects))
    }

    /// A processor in the window has returned. Answers what is to be computed again.
    pub(crate) fn put(&mut self, index: usize, value: &Encoded) -> Result<Vec<PoolEffect>, Refused> {
        if !self.has_executor(index) {
            return Err(Refused::Unexpected);
        }
        let odd = self.results.put(index, value)?;
        self.running -= 1;
        Ok(odd.into_iter().filter_map(|size| self.again(size)).collect())
    }

    fn again(&mut self, size: Size) -> Option<PoolEffect> {
        let element = self.elements.clone().nth(size.index)?;
        self.running += 1;
        Some(PoolEffect::Again { index: size.index, element, message: does_not_fit(size) })
    }

    /// All results, once they are there.
    pub(crate) fn all(&self) -> Option<Result<Encoded, EncodedError>> {
        self.results.are_complete().then(|| self.results.array())
    }
}

pub(crate) fn does_not_fit(Size { index, bytes }: Size) -> String {
    format!(
        "the results of the pool do not fit its reducer: element {index} has returned {bytes} bytes, all together may \
         have {MAX_VALUE_BYTES}"
    )
}
