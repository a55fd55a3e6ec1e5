//! Rests that keep the duty: how long one may be, and which of them the coordinator keeps itself, with an unused job
//! worker, because code that goes on unseen would use the time that the volunteer was promised.
//!
//! Short rests and those of modules stay with the job worker (`pacer.ts`); what one that is terminated has worked is rested
//! for here. Nothing is believed that was not owed.

use std::collections::BTreeMap;

use super::quiet::start_over;
use super::slots::Slots;
use super::step::Step;
use super::work::Work;

/// From here on a rest is kept here.
const LONG_MS: f64 = 1_000.0;
/// What a job worker may owe from before, or measure otherwise than it is seen here.
const SLACK_MS: f64 = 100.0;
/// A rest that ended late counts for the next one, up to this.
const MOST_CREDIT_MS: f64 = 150.0;

/// What each slot has rested from, whichever job worker stands behind it.
#[derive(Debug, Default)]
pub(super) struct Rests(BTreeMap<u32, Rest>);

#[derive(Debug, Default, Clone, Copy)]
struct Rest {
    /// `None` once a job has begun after it.
    until: Option<f64>,
    /// What was rested too much before.
    credit_ms: f64,
}

impl Rests {
    fn begin(&mut self, at: u32, ms: f64, now: f64) {
        let rest = self.0.entry(at).or_default();
        rest.until = Some(now + (ms - rest.credit_ms).max(0.0));
        rest.credit_ms = 0.0;
    }

    /// What a job worker that was terminated could not rest for. A rest that has begun already is its own.
    pub(super) fn owe(&mut self, at: u32, ms: f64, now: f64) {
        if ms > 0.0 && !self.hold(at, now) {
            self.begin(at, ms, now);
        }
    }

    /// Does this slot rest?
    pub(super) fn hold(&self, at: u32, now: f64) -> bool {
        self.0.get(&at).and_then(|rest| rest.until).is_some_and(|until| until > now)
    }

    /// A job begins in it.
    pub(super) fn end(&mut self, at: u32, now: f64) {
        if let Some(rest) = self.0.get_mut(&at)
            && let Some(until) = rest.until.take()
        {
            rest.credit_ms = (now - until).clamp(0.0, MOST_CREDIT_MS);
        }
    }

    /// For each millisecond of work so many were owed, and are from here on. A higher duty shortens a rest, a lower one
    /// does not lengthen it.
    pub(super) fn change(&mut self, before: f64, after: f64, now: f64) {
        if after >= before {
            return;
        }
        for until in self.0.values_mut().filter_map(|rest| rest.until.as_mut()) {
            *until = now + (*until - now).max(0.0) * after / before;
        }
    }
}

/// The job worker says that it rests, or that it owes a rest and has nothing to do.
pub(super) fn rest(at: u32, ms: f64, slots: &mut Slots, work: &mut Work, step: &mut Step) {
    let Some(slot) = slots.slots.get_mut(&at) else { return };
    let owed = (step.now - slot.rested_at).max(0.0) * work.prefetch.rest_rate() + SLACK_MS;
    let ms = if ms.is_nan() { 0.0 } else { ms.clamp(0.0, owed) };
    match (slot.realm.strict, slot.jobs.is_empty()) {
        (true, true) => return,
        (true, false) => return slot.rest(ms, step.now),
        (false, false) if ms < LONG_MS => return slot.rest(ms, step.now),
        (false, _) => {}
    }
    slots.rests.begin(at, ms, step.now);
    if ms >= LONG_MS {
        start_over(at, slots, work, step);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rest_that_ended_late_shortens_the_next() {
        let mut rests = Rests::default();
        rests.begin(0, 1_000.0, 0.0);
        assert!(rests.hold(0, 999.0) && !rests.hold(0, 1_000.0) && !rests.hold(1, 0.0));
        rests.end(0, 1_060.0);
        rests.begin(0, 1_000.0, 2_000.0);
        assert!(rests.hold(0, 2_939.0) && !rests.hold(0, 2_940.0));
        rests.end(0, 9_000.0);
        rests.begin(0, 1_000.0, 10_000.0);
        assert!(rests.hold(0, 10_849.0) && !rests.hold(0, 10_850.0), "what came late by chance is no rest");
    }

    #[test]
    fn a_higher_duty_shortens_a_rest_and_a_lower_one_does_not_lengthen_it() {
        let mut rests = Rests::default();
        rests.begin(0, 9_000.0, 0.0);
        rests.change(1.0, 3.0, 1_000.0);
        assert!(rests.hold(0, 8_999.0) && !rests.hold(0, 9_000.0));
        rests.change(1.0, 0.25, 1_000.0);
        assert!(rests.hold(0, 2_999.0) && !rests.hold(0, 3_000.0));
        rests.change(0.25, 0.0, 2_000.0);
        assert!(!rests.hold(0, 2_000.0));
    }
}
