//! How much one worker may say before it is answered: what bounds the way to the feeder.
//!
//! Only counts. A worker that says more is refused; an honest one never comes near.

use weevil_model::limits::MAX_IN_FLIGHT;

/// Reports without an answer: all that a worker can hold, sent again after a reconnect while as many new ones end.
const MAX_UNANSWERED: usize = 2 * MAX_IN_FLIGHT as usize;
/// Heartbeats, yields and dequeues that bring nothing, in one heartbeat's time.
const MAX_ASIDES: u32 = 200;
/// Attempts that one of them names count as one more: reading them costs more than sending them.
const NAMES_OF_AN_ASIDE: usize = 64;

#[derive(Debug, Default)]
pub(super) struct Allowance {
    unanswered: usize,
    asides: u32,
}

impl Allowance {
    /// May this many reports come in?
    pub(super) const fn reports(&mut self, count: usize) -> bool {
        self.unanswered += count;
        self.unanswered <= MAX_UNANSWERED
    }

    pub(super) const fn answered(&mut self, count: usize) {
        self.unanswered = self.unanswered.saturating_sub(count);
    }

    /// May one more frame that is no report come in, which names so many attempts?
    pub(super) fn aside(&mut self, names: usize) -> bool {
        let weight = u32::try_from(1 + names / NAMES_OF_AN_ASIDE).unwrap_or(u32::MAX);
        self.asides = self.asides.saturating_add(weight);
        self.asides <= MAX_ASIDES
    }

    /// The last of them brought work: such are bounded by the work.
    pub(super) const fn worthwhile(&mut self) {
        self.asides = self.asides.saturating_sub(1);
    }

    /// A heartbeat's time has passed.
    pub(super) const fn renew(&mut self) {
        self.asides = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reports_are_bounded_until_they_are_answered() {
        let mut allowance = Allowance::default();
        assert!(allowance.reports(MAX_UNANSWERED));
        allowance.answered(10);
        assert!(allowance.reports(10) && !allowance.reports(1));
    }

    #[test]
    fn asides_are_bounded_in_time() {
        let mut allowance = Allowance::default();
        assert!((0..MAX_ASIDES).all(|_| allowance.aside(1)) && !allowance.aside(1));
        allowance.renew();
        assert!(allowance.aside(1));
        let mut busy = Allowance::default();
        assert!((0..2 * MAX_ASIDES).all(|_| {
            let allowed = busy.aside(0);
            busy.worthwhile();
            allowed
        }));
    }

    #[test]
    fn frames_that_name_many_attempts_use_the_allowance_up_faster() {
        let most = MAX_IN_FLIGHT as usize;
        for (names, expected) in [(0, 200), (63, 200), (64, 100), (most, 6), (usize::MAX, 0)] {
            let mut allowance = Allowance::default();
            assert_eq!((0..1000).take_while(|_| allowance.aside(names)).count(), expected, "{names}");
        }
    }
}
