//! What attempts cost: claims beyond what was seen, rows of earlier releases that hold such, rows with unknown words.

use weevil_model::limits::MAX_SLOTS;
use weevil_queue::{Batch, ClaimedEffort, Report, Submission};
use weevil_records::{JobTimes, RunList};

use crate::bed::{Bed, COST, number, submission, worker};
use crate::databases::{Kind, on_each_database};

const ALL: ClaimedEffort = ClaimedEffort { slot: u32::MAX, compute_us: u64::MAX, flops: f64::MAX };
/// From hand-out to report.
const SPAN_MS: i64 = 50;
/// What that allows.
const MOST_US: u64 = 51_000;

/// Three jobs of one worker, each handed out and reported with this claim.
async fn three_jobs(kind: Kind, claimed: ClaimedEffort) -> Bed {
    let mut bed = Bed::new(kind).await;
    bed.enqueue(&[("a", 0), ("b", 0), ("c", 0)]).await;
    let keys: Vec<_> = bed.claim(&[(1, 3)]).await.iter().map(|claimed| claimed.key).collect();
    bed.now = bed.now.plus_ms(SPAN_MS);
    let report = Report::Value(number(1.0));
    let claim = |key| Submission { claimed, slots: 2, ..submission(key, report.clone()) };
    let complete = keys.into_iter().map(claim).collect();
    for settled in bed.apply(Batch { complete, ..Batch::default() }).await.completed {
        let effort = settled.effort.unwrap();
        assert!(effort.slot() < 2 && effort.compute_us() <= MOST_US, "{effort:?}");
    }
    bed
}

async fn a_claim_is_stored_as_far_as_it_was_seen(kind: Kind) {
    let bed = three_jobs(kind, ALL).await;
    let totals = bed.store.slot_totals(bed.run).await.unwrap();
    let [only] = totals.as_slice() else { panic!("{totals:?}") };
    assert_eq!((only.worker, only.slot, only.jobs, only.compute_us), (worker(1), 1, 3, 3 * MOST_US));
    assert!((only.flops / 153e12 - 1.0).abs() < 1e-9, "{only:?}");
    let first = bed.store.jobs(bed.run, None, 1).await.unwrap()[0].id;
    let (_, attempts) = bed.store.attempts(first).await.unwrap().unwrap();
    assert_eq!(attempts[0].compute_us, MOST_US);
}

async fn rows_of_earlier_releases_are_added_up_within_their_spans(kind: Kind) {
    let bed = three_jobs(kind, COST).await;
    for rows in [
        "update attempts set compute_us = 9223372036854775807, flops = 1.7e308, slot = 4000000000",
        "update attempts set compute_us = 9223372036854775807, flops = -1.7e308, slot = 255",
    ] {
        bed.database.sql(rows).await;
        let totals = bed.store.slot_totals(bed.run).await.unwrap();
        let [only] = totals.as_slice() else { panic!("{rows}: {totals:?}") };
        assert_eq!((only.slot, only.jobs, only.compute_us), (MAX_SLOTS - 1, 3, 3 * MOST_US), "{rows}");
        assert!(only.flops >= 0.0 && only.flops <= 153.1e12, "{rows}: {only:?}");
    }
    assert_eq!(bed.store.job_times(bed.run).await.unwrap(), [JobTimes { compute_us: 51_050, jobs: 3 }]);
    bed.database.sql("update attempts set started_at = 0, ended_at = 9000000000000000").await;
    let totals = bed.store.slot_totals(bed.run).await.unwrap();
    assert_eq!(totals[0].compute_us, 3 * weevil_queue::decide::effort::MAX_COMPUTE_US);
}

async fn short_times_are_told_as_they_are(kind: Kind) {
    let bed = three_jobs(kind, COST).await;
    for (compute_us, told) in [(0, 0), (7, 7), (999, 999), (1_234, 1_235), (12_345, 12_350)] {
        bed.database.sql(&format!("update attempts set compute_us = {compute_us}")).await;
        let expected = [JobTimes { compute_us: told, jobs: 3 }];
        assert_eq!(bed.store.job_times(bed.run).await.unwrap(), expected, "{compute_us}");
    }
}

async fn a_run_that_cannot_be_read_is_listed_and_says_so(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    let other = bed.add_run().await;
    bed.database.sql("insert into workflows (hash, name, created_at) values (x'00', 'short', 1)").await;
    // MySQL makes it longer.
    let short = (kind == Kind::Sqlite).then_some("a hash that is not 32 bytes long");
    for (change, unread) in [
        ("state = 'LATER'", Some("the state `LATER`")),
        ("state = 'STARTED', reuse = 'some'", Some("the reuse `some`")),
        ("reuse = 'never'", None),
        ("workflow = x'00'", short),
    ] {
        bed.database.sql(&format!("update runs set {change} where id = {}", bed.run.number())).await;
        assert_eq!(bed.store.open_runs().await.unwrap(), [bed.run, other], "{change}");
        let record = bed.store.run(bed.run).await.unwrap().unwrap();
        assert_eq!(record.unread.as_deref(), unread, "{change}");
        assert_eq!(bed.store.runs(&RunList::default(), 9).await.unwrap().len(), 2);
    }
}

on_each_database! {
    a_claim_is_stored_as_far_as_it_was_seen,
    rows_of_earlier_releases_are_added_up_within_their_spans,
    short_times_are_told_as_they_are,
    a_run_that_cannot_be_read_is_listed_and_says_so,
}
