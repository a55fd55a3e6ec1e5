//! How a device gets a vote, and how it loses it.

use weevil_model::Timestamp;
use weevil_model::witness::{Mark, Rank, Record};

use crate::points::OpenFleet;
use crate::refute::rest_ms;

/// Answers of a newcomer that have to be confirmed before it counts for anything: the price of an identity.
pub const PASSES: u32 = 10;

/// A device that rests is a newcomer, whoever has marked it.
pub fn rank(record: &Record, now: Timestamp) -> Rank {
    if rests(record, now) {
        Rank::Newcomer
    } else if record.is_trusted {
        Rank::Trusted
    } else if record.passes >= PASSES {
        Rank::Established
    } else {
        Rank::Newcomer
    }
}

/// It gets no judged jobs.
pub fn rests(record: &Record, now: Timestamp) -> bool {
    record.rests_until.is_some_and(|until| now < until)
}

/// How many of its answers may wait for being compared at a time. A newcomer's weigh nothing once others can vouch, so more than
/// would establish it are of no use to anybody.
pub fn waiting_answers(record: &Record, now: Timestamp, fleet: OpenFleet) -> u32 {
    let is_of_use = fleet.0 || rank(record, now) != Rank::Newcomer;
    if is_of_use { u32::MAX } else { PASSES.saturating_sub(record.passes) }
}

/// It was found wrong where a difference counts: it begins anew after its rest.
pub fn refute(record: &mut Record, now: Timestamp) {
    record.refuted = record.refuted.saturating_add(1);
    record.passes = 0;
    record.refuted_errors = [None; 2];
    record.rests_until = Some(now.plus_ms(rest_ms(record.refuted)));
}

/// An error of it was found wrong, which costs it no rest yet.
pub fn forgive_error(record: &mut Record, now: Timestamp) {
    record.refuted_errors = [Some(now), record.refuted_errors[0]];
}

/// Somebody in charge has said this of it. What it has answered so far, and holds, counts as it did when that was handed out.
pub const fn mark(record: &mut Record, mark: Mark) {
    match mark {
        Mark::Trusted => record.is_trusted = true,
        Mark::Distrusted => (record.is_trusted, record.passes) = (false, 0),
        Mark::Forgiven => {
            (record.refuted, record.rests_until, record.refuted_errors) = (0, None, [None; 2]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ten_passes_make_a_device_established_and_one_lie_unmakes_it() {
        let mut record = Record::default();
        for passes in 0..PASSES {
            assert_eq!(rank(&record, Timestamp(0)), Rank::Newcomer, "{passes}");
            record.passes += 1;
        }
        assert_eq!(rank(&record, Timestamp(0)), Rank::Established);
        refute(&mut record, Timestamp(1000));
        let hour = 3_600_000;
        for (now, resting) in [(1000, true), (hour, true), (hour + 999, true), (hour + 1000, false)] {
            let now = Timestamp(now);
            assert_eq!((rests(&record, now), rank(&record, now)), (resting, Rank::Newcomer), "{now:?}");
        }
        refute(&mut record, Timestamp(0));
        assert_eq!(record.rests_until, Some(Timestamp(6 * hour)));
    }

    #[test]
    fn the_two_newest_errors_are_kept_until_a_rest() {
        let mut record = Record::default();
        for now in 1..=3 {
            forgive_error(&mut record, Timestamp(now));
        }
        assert_eq!(record.refuted_errors, [Some(Timestamp(3)), Some(Timestamp(2))]);
        refute(&mut record, Timestamp(4));
        assert_eq!(record.refuted_errors, [None; 2]);
    }

    #[test]
    fn a_newcomer_may_wait_for_what_would_establish_it() {
        for (passes, opens, waiting) in
            [(0, false, 10), (7, false, 3), (10, false, u32::MAX), (0, true, u32::MAX)]
        {
            let record = Record { passes, ..Record::default() };
            assert_eq!(waiting_answers(&record, Timestamp(0), OpenFleet(opens)), waiting, "{passes} {opens}");
        }
    }

    #[test]
    fn a_marked_device_is_trusted_unless_it_rests() {
        let mut record = Record { is_trusted: true, ..Record::default() };
        assert_eq!(rank(&record, Timestamp(0)), Rank::Trusted);
        refute(&mut record, Timestamp(0));
        assert_eq!(rank(&record, Timestamp(0)), Rank::Newcomer);
        assert_eq!(rank(&record, Timestamp(3_600_000)), Rank::Trusted);
    }

    #[test]
    fn a_mark_changes_its_own_part_of_a_record() {
        let at = Some(Timestamp(7));
        let rested = |passes, is_trusted| Record {
            passes,
            is_trusted,
            refuted: 2,
            rests_until: at,
            refuted_errors: [at, None],
        };
        let forgiven = Record { passes: 4, ..Record::default() };
        for (before, said, after) in [
            (Record::default(), Mark::Trusted, Record { is_trusted: true, ..Record::default() }),
            (rested(4, false), Mark::Trusted, rested(4, true)),
            (rested(4, true), Mark::Trusted, rested(4, true)),
            (rested(12, true), Mark::Distrusted, rested(0, false)),
            (rested(12, false), Mark::Distrusted, rested(0, false)),
            (rested(4, false), Mark::Forgiven, forgiven),
            (rested(4, true), Mark::Forgiven, Record { is_trusted: true, ..forgiven }),
        ] {
            let mut record = before;
            mark(&mut record, said);
            assert_eq!(record, after, "{before:?} {said:?}");
        }
    }
}
