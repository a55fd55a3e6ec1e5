//! How a device gets a vote, and how it loses it.

use weevil_model::Timestamp;
use weevil_model::witness::Rank;

use crate::points::OpenFleet;
use crate::refute::rest_ms;

/// Answers of a newcomer that have to be confirmed before it counts for anything: the price of an identity.
pub const PASSES: u32 = 10;

/// What is kept of a device.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Record {
    /// Answers that agreed with one of an established or trusted device, or with an accepted one.
    pub passes: u32,
    /// Somebody in charge has marked it.
    pub is_trusted: bool,
    /// How often it had to rest.
    pub refuted: u32,
    pub rests_until: Option<Timestamp>,
}

impl Record {
    /// A device that rests is a newcomer, whoever has marked it.
    pub fn rank(&self, now: Timestamp) -> Rank {
        if self.rests(now) {
            Rank::Newcomer
        } else if self.is_trusted {
            Rank::Trusted
        } else if self.passes >= PASSES {
            Rank::Established
        } else {
            Rank::Newcomer
        }
    }

    /// It gets no judged jobs.
    pub fn rests(&self, now: Timestamp) -> bool {
        self.rests_until.is_some_and(|until| now < until)
    }

    /// How many of its answers may wait for being compared at a time. A newcomer's weigh nothing once others can vouch, so more than
    /// would establish it are of no use to anybody.
    pub fn waiting_answers(&self, now: Timestamp, fleet: OpenFleet) -> u32 {
        let is_of_use = fleet.0 || self.rank(now) != Rank::Newcomer;
        if is_of_use { u32::MAX } else { PASSES.saturating_sub(self.passes) }
    }

    pub fn pass(&mut self) {
        self.passes = self.passes.saturating_add(1);
    }

    /// Found wrong where a difference counts: it begins anew after its rest.
    pub fn refute(&mut self, now: Timestamp) {
        self.refuted = self.refuted.saturating_add(1);
        self.passes = 0;
        self.rests_until = Some(now.plus_ms(rest_ms(self.refuted)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ten_passes_make_a_device_established_and_one_lie_unmakes_it() {
        let mut record = Record::default();
        for passes in 0..PASSES {
            assert_eq!(record.rank(Timestamp(0)), Rank::Newcomer, "{passes}");
            record.pass();
        }
        assert_eq!(record.rank(Timestamp(0)), Rank::Established);
        record.refute(Timestamp(1000));
        let hour = 3_600_000;
        for (now, rests) in [(1000, true), (hour, true), (hour + 999, true), (hour + 1000, false)] {
            let now = Timestamp(now);
            assert_eq!((record.rests(now), record.rank(now)), (rests, Rank::Newcomer), "{now:?}");
        }
        record.refute(Timestamp(0));
        assert_eq!(record.rests_until, Some(Timestamp(6 * hour)));
    }

    #[test]
    fn a_newcomer_may_wait_for_what_would_establish_it() {
        for (passes, opens, waiting) in
            [(0, false, 10), (7, false, 3), (10, false, u32::MAX), (0, true, u32::MAX)]
        {
            let record = Record { passes, ..Record::default() };
            assert_eq!(record.waiting_answers(Timestamp(0), OpenFleet(opens)), waiting, "{passes} {opens}");
        }
    }

    #[test]
    fn a_marked_device_is_trusted_unless_it_rests() {
        let mut record = Record { is_trusted: true, ..Record::default() };
        assert_eq!(record.rank(Timestamp(0)), Rank::Trusted);
        record.refute(Timestamp(0));
        assert_eq!(record.rank(Timestamp(0)), Rank::Newcomer);
        assert_eq!(record.rank(Timestamp(3_600_000)), Rank::Trusted);
    }
}
