//! Jobs whose value does not fit where it goes: computed again, up to their attempts.

use std::sync::Arc;

use weevil_model::{Encoded, NodeState, RunState, Timestamp, TypedArrayKind, Value};
use weevil_queue::batch::{Change, Verdict};
use weevil_queue::{AttemptEnd, Batch, Ended, NewJob, Outcomes, Reopen, Report};
use weevil_records::{Retrace, RunEnd, RunFacts};

use crate::bed::{Bed, number, worker};
use crate::databases::{Kind, on_each_database};
use crate::judged::error;

impl Bed {
    /// Reopens a job and enqueues it again, as its executor does; it takes no stored result then.
    async fn reopen(&mut self, path: &str) -> Outcomes {
        let reopen =
            vec![Reopen { run: self.run, path: path.into(), message: "too many bytes".into(), anew: false }];
        let enqueue = vec![self.job(path, 0)];
        self.apply(Batch { reopen, enqueue, ..Batch::default() }).await
    }
}

/// Long enough to lie beside the row.
fn large() -> Encoded {
    Encoded::of(&Value::Typed(TypedArrayKind::Uint8, vec![7; 200_000])).unwrap()
}

async fn a_reopened_job_is_ready_without_its_value_and_its_attempt_an_error(kind: Kind) {
    for value in [number(1.0), large()] {
        let mut bed = Bed::new(kind).await;
        bed.meet(&[(1, 1), (3, 2)]);
        let job = NewJob { returns: None, ..bed.job("a", 0) };
        bed.apply(Batch { enqueue: vec![job], ..Batch::default() }).await;
        let first = bed.claim_one(1).await.unwrap();
        bed.report(first.key, Report::Value(value.clone())).await;
        for _ in 0..2 {
            assert_eq!(bed.reopen("a").await, Outcomes::default(), "once and twice are the same");
        }
        assert_eq!(bed.store.value(first.job()).await.unwrap(), None);
        let (job, attempts) = bed.store.attempts(first.job()).await.unwrap().unwrap();
        assert_eq!((job.state, job.failures, job.ended_at), (NodeState::Enqueued, 1, None));
        let failure = attempts[0].failure.as_ref().unwrap();
        assert_eq!((attempts[0].end, failure.kind.as_str()), (Some(AttemptEnd::Error), "tooLarge"));
        assert_eq!(failure.message, "too many bytes");
        assert_eq!(bed.report(first.key, Report::Value(value)).await.0, Verdict::Superseded);
        let again = bed.claim(&[(1, 1), (3, 1)]).await;
        assert_eq!(again[0].worker, worker(3), "at another place");
        let (_, change) = bed.report(again[0].key, Report::Value(number(2.0))).await;
        assert_eq!(change, Some(Change::Ended(Ended::Value(number(2.0)))));
    }
}

async fn a_job_is_reopened_up_to_its_attempts(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    bed.enqueue(&[("a", 0)]).await;
    for attempt in 1..=3 {
        let key = bed.claim_one(attempt).await.unwrap().key;
        bed.report(key, Report::Value(number(1.0))).await;
        let told = bed.reopen("a").await.enqueued;
        if attempt < 3 {
            assert_eq!(told, []);
        } else {
            let Ended::Failed(history) = &told[0].ended else { panic!("{told:?}") };
            assert_eq!(history.len(), 3);
            assert!(history.iter().all(|each| each.failure.as_ref().unwrap().kind == "tooLarge"));
        }
    }
    assert_eq!(bed.claim_one(9).await, None);
}

async fn what_others_may_have_had_is_computed_once_more_and_its_run_begins_anew(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    bed.enqueue(&[("a", 0)]).await;
    let anew = Reopen { run: bed.run, path: "a".into(), message: "too many bytes".into(), anew: true };
    let key = bed.claim_one(9).await.unwrap().key;
    bed.report(key, error("tooLarge")).await;
    bed.now = bed.now.plus_ms(600_000);
    for times in 1..=2 {
        let key = bed.claim_one(times).await.unwrap().key;
        bed.report(key, Report::Value(number(1.0))).await;
        let outcomes = bed.apply(Batch { reopen: vec![anew.clone()], ..Batch::default() }).await;
        assert_eq!(outcomes.retrace, [bed.run].into());
        assert_eq!(bed.store.run(bed.run).await.unwrap().unwrap().retrace, Retrace::Due);
        assert_eq!(bed.store.value(key.job).await.unwrap(), None);
        let same = bed.apply(Batch { reopen: vec![anew.clone()], ..Batch::default() }).await;
        assert_eq!(same, Outcomes::default(), "once and twice are the same");
        bed.store.retrace(bed.run, bed.now).await.unwrap();
    }
    assert_eq!(bed.claim_one(3).await, None);
    let enqueue = vec![bed.job("a", 0)];
    let told = bed.apply(Batch { enqueue, ..Batch::default() }).await.enqueued;
    let Ended::Failed(history) = &told[0].ended else { panic!("{told:?}") };
    let kinds: Vec<_> = history.iter().map(|each| each.failure.as_ref().unwrap().kind.as_str()).collect();
    assert_eq!(
        kinds,
        ["tooLarge", "inputTooLarge", "inputTooLarge"],
        "what a worker has said is another matter"
    );
}

async fn what_was_taken_over_is_computed(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    bed.enqueue(&[("a", 0)]).await;
    let key = bed.claim_one(1).await.unwrap().key;
    bed.report(key, Report::Value(number(5.0))).await;
    let original = bed.run;
    bed.run = bed.add_run().await;
    let equal = NewJob { reuse: true, ..bed.job("a", 0) };
    let reused = bed.apply(Batch { enqueue: vec![equal], ..Batch::default() }).await.enqueued;
    assert!(reused[0].reused);
    assert_eq!(bed.reopen("a").await, Outcomes::default());
    let again = bed.claim_one(1).await.unwrap();
    assert_eq!(again.run, Some(bed.run));
    bed.report(again.key, Report::Value(number(6.0))).await;
    assert_eq!(bed.store.value(again.job()).await.unwrap(), Some(number(6.0)));
    assert_eq!(bed.store.value(key.job).await.unwrap(), Some(number(5.0)), "{original}");
}

async fn what_others_may_have_had_is_not_taken_over_again(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    bed.enqueue(&[("a", 0)]).await;
    let key = bed.claim_one(1).await.unwrap().key;
    bed.report(key, Report::Value(number(5.0))).await;
    bed.run = bed.add_run().await;
    let equal = NewJob { reuse: true, ..bed.job("a", 0) };
    bed.apply(Batch { enqueue: vec![equal], ..Batch::default() }).await;
    let anew = Reopen { run: bed.run, path: "a".into(), message: "too many bytes".into(), anew: true };
    bed.apply(Batch { reopen: vec![anew], ..Batch::default() }).await;
    let equal = NewJob { reuse: true, ..bed.job("a", 0) };
    let told = bed.apply(Batch { enqueue: vec![equal], ..Batch::default() }).await.enqueued;
    assert_eq!(told, []);
    assert_eq!(bed.claim_one(1).await.map(|claimed| claimed.path).as_deref(), Some("a"));
}

async fn only_values_of_open_runs_are_reopened(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    bed.enqueue(&[("done", 0), ("held", 0), ("waiting", 0)]).await;
    let claimed = bed.claim(&[(1, 2)]).await;
    bed.report(claimed[0].key, Report::Value(number(1.0))).await;
    for path in ["held", "waiting", "unknown"] {
        let reopen = Reopen { run: bed.run, path: Arc::from(path), message: String::new(), anew: false };
        bed.apply(Batch { reopen: vec![reopen], ..Batch::default() }).await;
    }
    let (job, _) = bed.store.attempts(claimed[1].job()).await.unwrap().unwrap();
    assert_eq!((job.state, job.failures), (NodeState::Running, 0));
    let end = RunEnd { state: RunState::Failed, at: Timestamp(9), result: None, facts: RunFacts::default() };
    bed.end_run(bed.run, &end).await;
    let reopen = Reopen { run: bed.run, path: "done".into(), message: String::new(), anew: false };
    bed.apply(Batch { reopen: vec![reopen], ..Batch::default() }).await;
    assert_eq!(bed.store.value(claimed[0].job()).await.unwrap(), Some(number(1.0)));
}

on_each_database! {
    a_reopened_job_is_ready_without_its_value_and_its_attempt_an_error,
    a_job_is_reopened_up_to_its_attempts,
    what_others_may_have_had_is_computed_once_more_and_its_run_begins_anew,
    what_was_taken_over_is_computed,
    what_others_may_have_had_is_not_taken_over_again,
    only_values_of_open_runs_are_reopened,
}
