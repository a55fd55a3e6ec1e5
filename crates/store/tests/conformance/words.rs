//! Whose word ends a job: what was given back and what comes late, places that agree, places where a job has failed.

use weevil_queue::batch::Verdict;
use weevil_queue::decide::complete::LATE_MS;
use weevil_queue::{AttemptEnd, Batch, Release, Report};

use crate::bed::{Bed, LEASE_MS, number};
use crate::place::{Kind, on_each_database};

async fn what_was_given_back_decides_nothing_and_what_was_taken_away_for_a_day(kind: Kind) {
    for (end, late_ms, expected) in [
        (AttemptEnd::Yielded, 0, Verdict::Superseded),
        (AttemptEnd::Lost, LATE_MS, Verdict::Accepted),
        (AttemptEnd::Lost, LATE_MS + 1, Verdict::Superseded),
        (AttemptEnd::Expired, LATE_MS, Verdict::Accepted),
        (AttemptEnd::Expired, LATE_MS + 1, Verdict::Superseded),
    ] {
        let mut bed = Bed::new(kind).await;
        bed.enqueue(&[("a", 0)]).await;
        let key = bed.claim_one(1).await.unwrap().key;
        if end == AttemptEnd::Expired {
            bed.now = bed.now.plus_ms(LEASE_MS);
            bed.apply(Batch { look: true, ..Batch::default() }).await;
        } else {
            bed.release(Release::One { key, end }).await;
        }
        bed.now = bed.now.plus_ms(late_ms);
        let (verdict, change) = bed.report(key, Report::Value(number(1.0))).await;
        assert_eq!(
            (verdict, change.is_some()),
            (expected, expected == Verdict::Accepted),
            "{end:?} {late_ms}"
        );
        assert_eq!(bed.claim_one(2).await.is_some(), expected == Verdict::Superseded, "{end:?} {late_ms}");
    }
}

on_each_database! {
    what_was_given_back_decides_nothing_and_what_was_taken_away_for_a_day,
}
