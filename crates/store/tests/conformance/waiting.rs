//! Delays, pauses after errors, longest waits: what changes by itself, and when.

use weevil_model::{NodeState, Timestamp};
use weevil_queue::batch::{Change, Verdict};
use weevil_queue::decide::retry::pause;
use weevil_queue::{AttemptEnd, Batch, Depth, Ended, NewJob, Outcomes, Release, Report, Waiting};

use crate::bed::{Bed, boom, number, paths};
use crate::databases::{Kind, on_each_database};

async fn put(bed: &mut Bed, job: NewJob) -> Outcomes {
    bed.apply(Batch { enqueue: vec![job], ..Batch::default() }).await
}

async fn look(bed: &mut Bed, at: i64) -> Outcomes {
    bed.now = Timestamp(at);
    bed.apply(Batch { look: true, ..Batch::default() }).await
}

async fn a_delayed_job_starts_when_its_moment_comes(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    let later = NewJob { delay_ms: 500, ..bed.job("later", 0) };
    assert_eq!(put(&mut bed, later).await.due, Some(Timestamp(1_500)));
    let latest = NewJob { delay_ms: 900, ..bed.job("latest", 0) };
    assert_eq!(put(&mut bed, latest).await.due, Some(Timestamp(1_500)), "the nearest moment is told");
    bed.enqueue(&[("now", 0)]).await;
    assert_eq!(bed.store.depth().await.unwrap(), Depth { ready: 1, delayed: 2, ..Depth::default() });
    assert_eq!(paths(&bed.claim(&[(1, 9)]).await), ["now"]);
    let too_early = look(&mut bed, 1_499).await;
    assert_eq!((too_early.woken, too_early.due), (0, Some(Timestamp(1_500))));
    let in_time = look(&mut bed, 1_500).await;
    assert_eq!((in_time.woken, in_time.due), (1, Some(Timestamp(1_900))));
    assert_eq!(paths(&bed.claim(&[(1, 9)]).await), ["later"]);
}

/// One that was put in an hour ago to start now does not overtake what has waited for a minute.
async fn a_delayed_job_takes_its_place_by_when_it_may_start(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    let later = NewJob { delay_ms: 500, ..bed.job("later", 0) };
    put(&mut bed, later).await;
    bed.now = Timestamp(1_400);
    bed.enqueue(&[("older", 0)]).await;
    look(&mut bed, 2_000).await;
    bed.enqueue(&[("younger", 0)]).await;
    assert_eq!(paths(&bed.claim(&[(1, 9)]).await), ["older", "later", "younger"]);
}

async fn errors_are_followed_by_pauses_that_grow(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    let job = NewJob { retry_ms: 1_000, ..bed.job("a", 0) };
    let id = job.id;
    put(&mut bed, job).await;
    for failures in 1..=2 {
        let key = bed.claim_one(1).await.unwrap().key;
        assert_eq!(bed.report(key, boom(&failures.to_string())).await.1, Some(Change::Requeued));
        let due = bed.now.plus_ms(pause(1_000, failures, id).into());
        let (record, _) = bed.store.attempts(id).await.unwrap().unwrap();
        assert_eq!((record.state, record.waiting), (NodeState::Enqueued, Some(Waiting::Until(due))));
        assert_eq!(look(&mut bed, due.0 - 1).await.due, Some(due));
        assert_eq!(bed.claim_one(1).await, None, "failure {failures}: it waits");
        assert_eq!(look(&mut bed, due.0).await.woken, 1);
    }
    let key = bed.claim_one(1).await.unwrap().key;
    assert!(
        matches!(bed.report(key, boom("3")).await.1, Some(Change::Ended(Ended::Failed(all))) if all.len() == 3)
    );
}

async fn what_is_given_back_or_lost_is_ready_at_once(kind: Kind) {
    for end in [AttemptEnd::Yielded, AttemptEnd::Lost] {
        let mut bed = Bed::new(kind).await;
        let job = NewJob { retry_ms: 60_000, ..bed.job("a", 0) };
        put(&mut bed, job).await;
        let key = bed.claim_one(1).await.unwrap().key;
        bed.release(Release { key, end }).await;
        assert!(bed.claim_one(2).await.is_some(), "{end:?}");
    }
}

/// Nobody else has it: the answer of the attempt that expired before is as good as ever.
async fn a_late_result_is_used_while_the_job_is_delayed(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    let job = NewJob { retry_ms: 60_000, ..bed.job("a", 0) };
    put(&mut bed, job).await;
    let late = bed.claim_one(1).await.unwrap().key;
    bed.release(Release { key: late, end: AttemptEnd::Lost }).await;
    let failed = bed.claim_one(2).await.unwrap().key;
    bed.report(failed, boom("x")).await;
    let (verdict, change) = bed.report(late, Report::Value(number(1.0))).await;
    assert_eq!((verdict, change), (Verdict::Accepted, Some(Change::Ended(Ended::Value(number(1.0))))));
    let end = bed.now.0 + 100_000;
    assert_eq!((look(&mut bed, end).await.woken, bed.claim_one(3).await), (0, None));
}

async fn a_job_that_nobody_takes_in_time_ends(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    let job = NewJob { max_wait_ms: Some(100), delay_ms: 50, ..bed.job("a", 0) };
    let id = job.id;
    put(&mut bed, job).await;
    look(&mut bed, 1_050).await;
    assert_eq!(look(&mut bed, 1_149).await.overdue, []);
    let overdue = look(&mut bed, 1_150).await.overdue;
    assert_eq!(
        overdue.iter().map(|news| (news.id, &news.change)).collect::<Vec<_>>(),
        [(id, &Change::Ended(Ended::Overdue))]
    );
    let (record, attempts) = bed.store.attempts(id).await.unwrap().unwrap();
    assert_eq!(
        (record.state, record.waiting, attempts.len()),
        (NodeState::Failed, Some(Waiting::Overdue), 0)
    );
    assert_eq!((bed.claim_one(1).await, look(&mut bed, 9_999).await.overdue), (None, vec![]));
}

async fn the_longest_wait_begins_anew_when_a_job_comes_back(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    let job = NewJob { max_wait_ms: Some(100), ..bed.job("a", 0) };
    put(&mut bed, job).await;
    bed.now = Timestamp(1_090);
    let key = bed.claim_one(1).await.unwrap().key;
    assert_eq!(look(&mut bed, 5_000).await, Outcomes::default(), "somebody has it");
    bed.release(Release { key, end: AttemptEnd::Yielded }).await;
    assert_eq!(look(&mut bed, 5_099).await.overdue, []);
    assert_eq!(look(&mut bed, 5_100).await.overdue.len(), 1);
}

async fn a_look_takes_a_bounded_number_and_the_next_the_rest(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    let paths: Vec<String> = (0..5_000).map(|n| n.to_string()).collect();
    let enqueue = paths.iter().map(|path| NewJob { delay_ms: 1, ..bed.job(path, 0) }).collect();
    bed.apply(Batch { enqueue, ..Batch::default() }).await;
    let first = look(&mut bed, 2_000).await;
    assert_eq!((first.woken, first.due), (4_096, Some(Timestamp(1_001))), "the rest is due already");
    let second = look(&mut bed, 2_000).await;
    assert_eq!((second.woken, second.due), (904, None));
}

on_each_database! {
    a_delayed_job_starts_when_its_moment_comes,
    a_delayed_job_takes_its_place_by_when_it_may_start,
    errors_are_followed_by_pauses_that_grow,
    what_is_given_back_or_lost_is_ready_at_once,
    a_late_result_is_used_while_the_job_is_delayed,
    a_job_that_nobody_takes_in_time_ends,
    the_longest_wait_begins_anew_when_a_job_comes_back,
    a_look_takes_a_bounded_number_and_the_next_the_rest,
}
