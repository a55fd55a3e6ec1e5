//! Pause and resume, of a run and of everything.

use weevil_model::{Pause, RunId, RunState, Timestamp};
use weevil_queue::{AttemptEnd, Batch, Cancel, Depth, NewJob, Release, Report};
use weevil_records::{RunEnd, RunFacts, Scope};

use crate::bed::{Bed, boom, number, paths};
use crate::databases::{Kind, on_each_database};

async fn a_paused_run_hands_nothing_out_and_loses_nothing(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    bed.enqueue(&[("done", 0), ("failing", 0), ("yielded", 0), ("waiting", 0)]).await;
    let [done, failing, yielded] = bed.claim(&[(1, 3)]).await.try_into().unwrap();
    let paused = bed.run;
    assert!(bed.pause(Scope::Run(paused), true).await);
    assert_eq!(bed.store.run(paused).await.unwrap().unwrap().paused, Some(Pause::Wanted));
    bed.report(done.key, Report::Value(number(1.0))).await;
    bed.report(failing.key, boom("x")).await;
    bed.release(Release { key: yielded.key, end: AttemptEnd::Yielded }).await;
    bed.enqueue(&[("late", 0)]).await;
    assert_eq!(bed.claim(&[(1, 9)]).await, []);
    assert_eq!(bed.store.depth().await.unwrap(), Depth { held: 4, ..Depth::default() });
    bed.run = bed.add_run().await;
    bed.enqueue(&[("other", 0)]).await;
    assert_eq!(paths(&bed.claim(&[(1, 9)]).await), ["other"], "other runs go on");
    assert!(bed.pause(Scope::Run(paused), true).await, "once more changes nothing");
    assert!(bed.pause(Scope::Run(paused), false).await);
    assert_eq!(paths(&bed.claim(&[(1, 9)]).await), ["failing", "yielded", "waiting", "late"]);
}

async fn a_delay_that_ends_under_a_pause_ends_in_it(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    let job = NewJob { delay_ms: 100, ..bed.job("a", 0) };
    bed.apply(Batch { enqueue: vec![job], ..Batch::default() }).await;
    bed.pause(Scope::Run(bed.run), true).await;
    bed.now = Timestamp(2_000);
    assert_eq!(bed.apply(Batch { look: true, ..Batch::default() }).await.woken, 1);
    assert_eq!(bed.claim(&[(1, 9)]).await, []);
    bed.pause(Scope::Run(bed.run), false).await;
    assert_eq!(paths(&bed.claim(&[(1, 9)]).await), ["a"]);
}

async fn a_paused_queue_hands_nothing_out_and_takes_everything_else(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    bed.enqueue(&[("a", 0), ("b", 0)]).await;
    let held = bed.claim_one(1).await.unwrap();
    assert_eq!(bed.store.paused_since().await.unwrap(), None);
    bed.pause(Scope::Queue, true).await;
    bed.pause(Scope::Queue, true).await;
    assert_eq!(bed.store.paused_since().await.unwrap(), Some(bed.now));
    bed.enqueue(&[("c", 0)]).await;
    bed.report(held.key, Report::Value(number(1.0))).await;
    assert_eq!(bed.claim(&[(1, 9)]).await, []);
    bed.store = bed.database.open().await;
    bed.tidy_up().await;
    assert_eq!(bed.claim(&[(1, 9)]).await, [], "a restart does not end a pause");
    bed.pause(Scope::Queue, false).await;
    assert_eq!(bed.store.paused_since().await.unwrap(), None);
    assert_eq!(paths(&bed.claim(&[(1, 9)]).await), ["b", "c"]);
}

async fn nobody_waits_too_long_for_a_worker_during_a_pause(kind: Kind) {
    for scope in [|_| Scope::Queue, Scope::Run] {
        let mut bed = Bed::new(kind).await;
        let job = NewJob { max_wait_ms: Some(100), ..bed.job("a", 0) };
        bed.apply(Batch { enqueue: vec![job], ..Batch::default() }).await;
        let scope = scope(bed.run);
        bed.pause(scope, true).await;
        bed.now = Timestamp(5_000);
        assert_eq!(bed.apply(Batch { look: true, ..Batch::default() }).await.overdue, [], "{scope:?}");
        bed.pause(scope, false).await;
        bed.now = Timestamp(5_099);
        assert_eq!(bed.apply(Batch { look: true, ..Batch::default() }).await.overdue, [], "{scope:?}");
        bed.now = Timestamp(5_100);
        assert_eq!(bed.apply(Batch { look: true, ..Batch::default() }).await.overdue.len(), 1, "{scope:?}");
    }
}

async fn a_paused_run_that_ends_is_not_paused_any_more(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    bed.enqueue(&[("a", 0)]).await;
    bed.pause(Scope::Run(bed.run), true).await;
    let end =
        RunEnd { state: RunState::Cancelled, at: Timestamp(9), result: None, facts: RunFacts::default() };
    bed.end_run(bed.run, &end).await;
    assert_eq!(bed.store.run(bed.run).await.unwrap().unwrap().paused, None);
    bed.apply(Batch { cancel: vec![Cancel::Run(bed.run)], ..Batch::default() }).await;
    assert_eq!(bed.store.depth().await.unwrap(), Depth::default());
}

async fn what_is_not_there_or_has_ended_cannot_be_paused(kind: Kind) {
    let bed = Bed::new(kind).await;
    let end =
        RunEnd { state: RunState::Finished, at: Timestamp(9), result: None, facts: RunFacts::default() };
    bed.end_run(bed.run, &end).await;
    for run in [bed.run, RunId::from_number(5).unwrap()] {
        assert!(!bed.pause(Scope::Run(run), true).await);
    }
    assert_eq!(bed.store.run(bed.run).await.unwrap().unwrap().paused, None);
}

on_each_database! {
    a_paused_run_hands_nothing_out_and_loses_nothing,
    a_delay_that_ends_under_a_pause_ends_in_it,
    a_paused_queue_hands_nothing_out_and_takes_everything_else,
    nobody_waits_too_long_for_a_worker_during_a_pause,
    a_paused_run_that_ends_is_not_paused_any_more,
    what_is_not_there_or_has_ended_cannot_be_paused,
}
