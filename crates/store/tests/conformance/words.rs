//! Whose word ends a job: what was given back and what comes late, places that agree, places where a job has failed.

use weevil_queue::batch::{Change, Verdict};
use weevil_queue::decide::complete::LATE_MS;
use weevil_queue::{AttemptEnd, Batch, Ended, Failure, NewJob, Release, Report};

use crate::bed::{Bed, LEASE_MS, boom, number, worker};
use crate::databases::{Kind, on_each_database};

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
            bed.release(Release { key, end }).await;
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

/// Workers 1 and 2 share a place, worker 3 has another one.
async fn one_place_alone_ends_no_job_while_another_is_there(kind: Kind) {
    for (there, by, messages, ended) in [
        (&[(1, 1), (2, 1)][..], [1, 2, 1], ["same"; 3], true),
        (&[(1, 1), (2, 1), (3, 2)], [1, 2, 1], ["same"; 3], false),
        (&[(1, 1), (2, 1), (3, 2)], [1, 2, 3], ["x", "y", "z"], true),
        (&[(1, 1), (2, 1), (3, 2)], [1, 4, 5], ["same"; 3], false),
    ] {
        let mut bed = Bed::new(kind).await;
        bed.meet(there);
        bed.enqueue(&[("a", 0)]).await;
        let mut last = None;
        for (worker, message) in by.iter().zip(messages) {
            assert!(!matches!(last, Some(Change::Ended(_))), "{there:?} {by:?}");
            let key = bed.claim_one(*worker).await.unwrap().key;
            last = bed.report(key, boom(message)).await.1;
        }
        assert_eq!(matches!(last, Some(Change::Ended(Ended::Failed(_)))), ended, "{there:?} {by:?}");
    }
}

async fn the_same_error_at_two_places_ends_a_job_where_it_speaks_of_the_code(kind: Kind) {
    for (error, by, ended) in [
        ("thrown", [1, 3], true),
        ("thrown", [1, 2], false),
        ("timeout", [1, 3], false),
        ("crashed", [1, 3], false),
    ] {
        let mut bed = Bed::new(kind).await;
        bed.meet(&[(1, 1), (2, 1), (3, 2)]);
        bed.enqueue(&[("a", 0)]).await;
        let mut last = None;
        for worker in by {
            let key = bed.claim_one(worker).await.unwrap().key;
            let failure = Failure { kind: error.into(), message: "same".into(), stack: worker.to_string() };
            last = bed.report(key, Report::Error(failure)).await.1;
        }
        assert_eq!(matches!(last, Some(Change::Ended(_))), ended, "{error} {by:?}");
    }
}

async fn what_is_always_failed_at_one_place_ends_after_three_times_its_attempts(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    bed.meet(&[(1, 1), (3, 2)]);
    bed.enqueue(&[("a", 0)]).await;
    for number in 1..=9 {
        let key = bed.claim_one(1).await.unwrap().key;
        let (_, change) = bed.report(key, boom("same")).await;
        assert_eq!(matches!(change, Some(Change::Ended(_))), number == 9, "{number}");
    }
}

async fn what_has_failed_goes_to_another_place_while_it_asks(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    bed.meet(&[(1, 1), (2, 1), (3, 2)]);
    bed.enqueue(&[("a", 0), ("b", 0)]).await;
    let failed = bed.claim_one(1).await.unwrap();
    bed.report(failed.key, boom("x")).await;
    let claimed = bed.claim(&[(2, 1), (1, 1), (3, 1)]).await;
    let holders: Vec<_> = claimed.iter().map(|job| (job.path.as_str(), job.worker)).collect();
    assert_eq!(holders, [("a", worker(3)), ("b", worker(2))]);
    bed.release(Release { key: claimed[0].key, end: AttemptEnd::Yielded }).await;
    assert_eq!(bed.claim_one(1).await.unwrap().path, "a", "while nobody asks elsewhere");
}

async fn silences_of_one_place_end_nothing_and_wait_like_errors_from_the_second_on(kind: Kind) {
    for (there, ended_by) in [(&[(1, 1)][..], 3), (&[(1, 1), (3, 2)], 9)] {
        let mut bed = Bed::new(kind).await;
        bed.meet(there);
        let job = NewJob { retry_ms: 1_000, ..bed.job("a", 0) };
        bed.apply(Batch { enqueue: vec![job], ..Batch::default() }).await;
        for silence in 1..=ended_by {
            bed.claim_one(1).await.unwrap();
            bed.now = bed.now.plus_ms(LEASE_MS);
            let expired = bed.apply(Batch { look: true, ..Batch::default() }).await;
            let ended = matches!(expired.returned[0].job.change, Change::Ended(Ended::Failed(_)));
            assert_eq!(ended, silence == ended_by, "{there:?} {silence}");
            assert_eq!(expired.due.is_some(), !ended && silence > 1, "{there:?} {silence}");
            if let Some(due) = expired.due {
                assert_eq!(bed.claim_one(1).await, None);
                bed.now = due;
                bed.apply(Batch { look: true, ..Batch::default() }).await;
            }
        }
    }
}

on_each_database! {
    silences_of_one_place_end_nothing_and_wait_like_errors_from_the_second_on,
    one_place_alone_ends_no_job_while_another_is_there,
    the_same_error_at_two_places_ends_a_job_where_it_speaks_of_the_code,
    what_is_always_failed_at_one_place_ends_after_three_times_its_attempts,
    what_has_failed_goes_to_another_place_while_it_asks,
    what_was_given_back_decides_nothing_and_what_was_taken_away_for_a_day,
}
