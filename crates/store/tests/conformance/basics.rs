//! Order, leases, reports, cancelled and ended runs, looking back.

use std::collections::BTreeSet;

use weevil_model::{ContentHash, DataType, Encoded, JobId, NodeState, RunId, RunState, Timestamp, Value};
use weevil_queue::batch::{Change, Verdict};
use weevil_queue::{
    AttemptEnd, AttemptKey, Batch, Cancel, Depth, Ended, NewJob, Origin, Outcomes, Release, Renew, Report,
};
use weevil_records::{Forgotten, RunEnd, RunFacts, RunList};

use crate::bed::{Bed, LEASE_MS, boom, number, paths, second_project, submission, worker, workflow};
use crate::databases::{Kind, TestDatabase, on_each_database};

async fn claims_follow_priority_then_age_and_are_dealt_round_robin(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    bed.enqueue(&[("a", 0), ("b", 9), ("c", 100), ("d", 0)]).await;
    let claimed = bed.claim(&[(1, 2), (2, 1)]).await;
    assert_eq!(paths(&claimed), ["c", "b", "a"]);
    assert_eq!(claimed.iter().map(|c| c.worker.number()).collect::<Vec<_>>(), [1, 2, 1]);
    let first = &claimed[0];
    assert_eq!((first.seed, first.workflow_name.as_str(), first.timeout_ms), (u64::MAX - 1, "add", 1_000));
    assert_eq!(first.code, ContentHash::of(b"c"));
    assert_eq!(first.input, number(7.0));
    assert_eq!(paths(&bed.claim(&[(3, 5)]).await), ["d"]);
    assert_eq!(bed.claim(&[(3, 5)]).await, []);
}

async fn a_result_is_applied_once_and_answered_again(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    bed.enqueue(&[("a", 0)]).await;
    let claimed = bed.claim_one(1).await.unwrap();
    let value = Report::Value(number(3.0));
    let (verdict, change) = bed.report(claimed.key, value.clone()).await;
    assert_eq!((verdict, change), (Verdict::Accepted, Some(Change::Ended(Ended::Value(number(3.0))))));
    assert_eq!(bed.report(claimed.key, value.clone()).await, (Verdict::Accepted, None), "sent again");
    let forged = AttemptKey { token: 999, ..claimed.key };
    assert_eq!(bed.report(forged, value).await, (Verdict::Unknown, None));
    let totals = bed.store.slot_totals(bed.run).await.unwrap();
    assert_eq!(
        totals.iter().map(|t| (t.worker, t.jobs, t.compute_us)).collect::<Vec<_>>(),
        [(worker(1), 1, 5)]
    );
}

async fn one_batch_with_the_same_report_twice_applies_it_once(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    bed.enqueue(&[("a", 0)]).await;
    let key = bed.claim_one(1).await.unwrap().key;
    let submission = submission(key, Report::Value(number(1.0)));
    let batch = Batch { complete: vec![submission.clone(), submission], ..Batch::default() };
    let settled = bed.apply(batch).await.completed;
    assert_eq!(settled.iter().map(|s| s.job.is_some()).collect::<Vec<_>>(), [true, false]);
    assert_eq!(settled[1].verdict, Verdict::Accepted);
}

async fn an_expired_attempt_is_used_late_until_somebody_else_has_the_job(kind: Kind) {
    for taken in [false, true] {
        let mut bed = Bed::new(kind).await;
        bed.enqueue(&[("a", 0)]).await;
        let old = bed.claim_one(1).await.unwrap();
        bed.now = bed.now.plus_ms(LEASE_MS);
        let expired = bed.apply(Batch { look: true, ..Batch::default() }).await.returned;
        assert_eq!(expired.len(), 1);
        assert_eq!((expired[0].worker, &expired[0].job.change), (worker(1), &Change::Requeued));
        if taken {
            bed.claim_one(2).await.unwrap();
        }
        let (verdict, _) = bed.report(old.key, Report::Value(number(1.0))).await;
        assert_eq!(verdict, if taken { Verdict::Superseded } else { Verdict::Accepted });
        assert_eq!(bed.claim_one(3).await, None);
    }
}

async fn a_renewed_lease_does_not_expire(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    bed.enqueue(&[("a", 0)]).await;
    let key = bed.claim_one(1).await.unwrap().key;
    bed.now = bed.now.plus_ms(LEASE_MS - 1);
    bed.apply(Batch { renew: vec![key.into()], ..Batch::default() }).await;
    bed.now = bed.now.plus_ms(LEASE_MS - 1);
    assert_eq!(bed.apply(Batch { look: true, ..Batch::default() }).await.returned, []);
}

async fn a_heartbeat_for_another_workers_attempt_is_disowned(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    bed.enqueue(&[("held", 0), ("taken", 0), ("waits", 0), ("done", 0)]).await;
    let claimed = bed.claim(&[(1, 4)]).await;
    let [held, taken, waits, done] = [0, 1, 2, 3].map(|at| claimed[at].key);
    for key in [taken, waits] {
        bed.release(Release { key, end: AttemptEnd::Yielded }).await;
    }
    assert_eq!(bed.claim_one(2).await.unwrap().job(), taken.job);
    bed.report(done, Report::Value(number(1.0))).await;
    let unknown = AttemptKey { job: JobId::from_number(1).unwrap(), token: 5 };
    let named = [held, taken, waits, done, unknown];
    let doubted = named.map(|key| (worker(1), key)).to_vec();
    let told = bed.apply(Batch { doubted, ..Batch::default() }).await.disowned;
    assert_eq!(told, [taken, done, unknown].map(|key| (worker(1), key)));
}

async fn the_progress_of_an_attempt_is_told_by_its_holder_alone(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    bed.enqueue(&[("a", 0), ("b", 0)]).await;
    let claimed = bed.claim(&[(1, 2)]).await;
    let [old, silent] = [0, 1].map(|at| claimed[at].key);
    let told = |key, progress| Renew { key, progress };
    let known = async |bed: &Bed, job| {
        let (_, attempts) = bed.store.attempts(job).await.unwrap().unwrap();
        attempts.iter().map(|attempt| attempt.progress).collect::<Vec<_>>()
    };
    let renew =
        vec![silent.into(), told(old, Some(0.1)), told(AttemptKey { token: 999, ..silent }, Some(0.9))];
    bed.apply(Batch { renew, ..Batch::default() }).await;
    assert_eq!((known(&bed, old.job).await, known(&bed, silent.job).await), (vec![Some(0.1)], vec![None]));
    for (progress, kept) in [(Some(0.75), 0.75), (None, 0.75), (Some(1.0), 1.0), (Some(0.0), 0.0)] {
        bed.apply(Batch { renew: vec![told(old, progress)], ..Batch::default() }).await;
        assert_eq!(known(&bed, old.job).await, [Some(kept)], "{progress:?}");
    }
    let renew = [0.9, 0.3, 0.0].map(|progress| told(old, Some(progress))).into();
    bed.apply(Batch { renew, ..Batch::default() }).await;
    assert_eq!(known(&bed, old.job).await, [Some(0.0)], "the last of three heartbeats in one batch");
    bed.release(Release { key: old, end: AttemptEnd::Yielded }).await;
    let new = bed.claim_one(2).await.unwrap().key;
    let renew = vec![told(old, Some(0.9)), told(new, Some(0.5))];
    bed.apply(Batch { renew, ..Batch::default() }).await;
    assert_eq!(known(&bed, old.job).await, [Some(0.0), Some(0.5)], "superseded");
    bed.report(new, Report::Value(number(1.0))).await;
    bed.apply(Batch { renew: vec![told(new, Some(0.6))], ..Batch::default() }).await;
    assert_eq!(known(&bed, old.job).await, [Some(0.0), Some(0.5)], "over");
}

/// Forward, every lease ends at once; back, none does for an hour. Neither takes a result.
async fn a_clock_that_jumps_by_an_hour_loses_nothing(kind: Kind) {
    const HOUR: i64 = 60 * 60 * 1000;
    for (jump, expired) in [(HOUR, 2), (-HOUR, 0)] {
        let mut bed = Bed::new(kind).await;
        bed.now = Timestamp(10 * HOUR);
        bed.enqueue(&[("done", 0), ("held", 0), ("renewed", 0), ("waiting", 0)]).await;
        let claimed = bed.claim(&[(1, 3)]).await;
        let [done, held, renewed] = [0, 1, 2].map(|at| claimed[at].key);
        bed.report(done, Report::Value(number(1.0))).await;
        bed.now = bed.now.plus_ms(jump);
        let returned = bed.apply(Batch { look: true, ..Batch::default() }).await.returned;
        assert_eq!(returned.len(), expired, "{jump}");
        bed.apply(Batch { renew: vec![renewed.into()], ..Batch::default() }).await;
        for key in [held, renewed] {
            assert_eq!(bed.report(key, Report::Value(number(2.0))).await.0, Verdict::Accepted, "{jump}");
        }
        bed.enqueue(&[("later", 0)]).await;
        let left: BTreeSet<_> = bed.claim(&[(1, 9)]).await.into_iter().map(|job| job.path).collect();
        assert_eq!(left, BTreeSet::from(["later".into(), "waiting".into()]), "{jump}");
    }
}

async fn what_is_given_back_keeps_its_place_and_its_attempts(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    bed.enqueue(&[("a", 0), ("b", 0)]).await;
    for _ in 0..150 {
        let key = bed.claim_one(1).await.unwrap().key;
        bed.release(Release { key, end: AttemptEnd::Yielded }).await;
    }
    let claimed = bed.claim(&[(1, 2)]).await;
    assert_eq!(paths(&claimed), ["a", "b"]);
    let release = claimed.iter().map(|c| Release { key: c.key, end: AttemptEnd::Lost }).collect();
    let outcomes = bed.apply(Batch { release, ..Batch::default() }).await;
    let returned: BTreeSet<_> = outcomes.returned.iter().map(|r| r.job.path.as_str()).collect();
    assert_eq!(returned, BTreeSet::from(["a", "b"]));
    assert_eq!(bed.claim(&[(2, 5)]).await.len(), 2);
}

async fn a_poison_job_ends_with_every_error(kind: Kind) {
    for (workers, messages, attempts) in [
        ([1_i64, 1, 1], ["x", "x", "x"], 3),
        ([1, 2, 3], ["x", "y", "z"], 3),
        ([1, 2, 0], ["same", "same", ""], 2),
    ] {
        let mut bed = Bed::new(kind).await;
        for by in BTreeSet::from(workers) {
            bed.meet(&[(by, by.unsigned_abs())]);
        }
        bed.enqueue(&[("a", 0)]).await;
        let mut last = None;
        for at in 0..attempts {
            assert!(!matches!(last, Some(Change::Ended(_))), "ended after {at}");
            let key = bed.claim_one(workers[at]).await.unwrap().key;
            last = bed.report(key, boom(messages[at])).await.1;
        }
        let Some(Change::Ended(Ended::Failed(history))) = last else { panic!("{last:?}") };
        assert_eq!(
            history.iter().map(|a| a.number as usize).collect::<Vec<_>>(),
            (1..=attempts).collect::<Vec<_>>()
        );
        assert_eq!(history[0].failure.as_ref().unwrap().message, messages[0]);
        assert_eq!(bed.claim_one(9).await, None);
    }
}

async fn enqueueing_again_changes_nothing_and_tells_the_outcome(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    bed.enqueue(&[("a", 0), ("b", 0)]).await;
    let key = bed.claim_one(1).await.unwrap().key;
    bed.report(key, Report::Value(number(5.0))).await;
    let enqueue = ["a", "b", "c"].map(|path| bed.job(path, 0)).into();
    let outcomes = bed.apply(Batch { enqueue, ..Batch::default() }).await;
    let known: Vec<_> = outcomes.enqueued.iter().map(|e| (e.path.as_str(), &e.ended)).collect();
    assert_eq!(known, [("a", &Ended::Value(number(5.0)))]);
    assert_eq!(paths(&bed.claim(&[(1, 9)]).await), ["b", "c"]);
}

async fn an_equal_job_takes_the_stored_result_if_it_may(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    bed.add_project().await;
    bed.enqueue(&[("a", 0)]).await;
    let key = bed.claim_one(1).await.unwrap().key;
    bed.report(key, Report::Value(number(5.0))).await;
    bed.run = bed.add_run().await;
    let theirs = Origin::Run(bed.add_run_of(second_project(), &[]).await);
    let equal = NewJob { path: "again".into(), reuse: true, ..bed.job("a", 0) };
    let table = [
        ("equal", equal.clone(), true),
        ("may not", NewJob { reuse: false, ..equal.clone() }, false),
        ("other code", NewJob { code: ContentHash::of(b"other"), ..equal.clone() }, false),
        ("other input", NewJob { input: number(8.0).into(), ..equal.clone() }, false),
        ("other type", NewJob { returns: Some(DataType::String), ..equal.clone() }, false),
        ("other project", NewJob { project: second_project(), origin: theirs, ..equal }, false),
    ];
    for (what, job, reused) in table {
        let job = NewJob { id: bed.minter.job(bed.now), path: what.into(), ..job };
        let outcomes = bed.apply(Batch { enqueue: vec![job], ..Batch::default() }).await;
        let told: Vec<_> = outcomes.enqueued.iter().map(|e| (e.path.as_str(), &e.ended, e.reused)).collect();
        let value = Ended::Value(number(5.0));
        let expected: &[_] = if reused { &[(what, &value, true)] } else { &[] };
        assert_eq!(told, expected, "{what}");
        assert_eq!(bed.claim_one(1).await.is_some(), !reused, "{what}");
    }
}

async fn a_value_of_another_type_is_an_error_of_the_attempt(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    bed.meet(&[(1, 1), (2, 2)]);
    bed.enqueue(&[("a", 0)]).await;
    let text = Report::Value(Encoded::of(&Value::String("5".into())).unwrap());
    let mut changes = Vec::new();
    for attempt in [1, 2] {
        let key = bed.claim_one(attempt).await.unwrap().key;
        let (verdict, change) = bed.report(key, text.clone()).await;
        assert_eq!(verdict, Verdict::Accepted);
        changes.extend(change);
    }
    let [Change::Requeued, Change::Ended(Ended::Failed(history))] = &changes[..] else {
        panic!("{changes:?}")
    };
    let kinds: Vec<_> = history.iter().map(|a| (a.end, a.failure.as_ref().unwrap().kind.as_str())).collect();
    assert_eq!(kinds, [(AttemptEnd::Error, "returnType"); 2], "two places agree: the code is wrong");
    assert!(history[0].failure.as_ref().unwrap().message.contains("returned String"));
}

async fn cancelling_a_run_revokes_its_attempts_and_empties_its_queue(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    bed.enqueue(&[("a", 0), ("b", 0)]).await;
    let held = bed.claim_one(1).await.unwrap();
    let cancelled = bed.run;
    bed.run = bed.add_run().await;
    bed.enqueue(&[("other", 0)]).await;
    let outcomes = bed.apply(Batch { cancel: vec![Cancel::Run(cancelled)], ..Batch::default() }).await;
    assert_eq!(outcomes.revoked, [(worker(1), held.key)]);
    assert_eq!(bed.report(held.key, Report::Value(number(1.0))).await.0, Verdict::Superseded);
    assert_eq!(paths(&bed.claim(&[(1, 9)]).await), ["other"]);
}

async fn a_reopened_store_knows_everything_and_leases_end(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    bed.enqueue(&[("a", 0), ("b", 0)]).await;
    let done = bed.claim_one(1).await.unwrap();
    bed.report(done.key, Report::Value(number(1.0))).await;
    let held = bed.claim_one(1).await.unwrap();
    bed.store = bed.database.open().await;
    assert_eq!(bed.tidy_up().await, 1);
    let open = bed.store.open_runs().await.unwrap();
    assert_eq!(open, [bed.run]);
    assert_eq!(bed.store.run(bed.run).await.unwrap().map(|run| run.seed), Some(u64::MAX));
    assert_eq!(bed.store.workflow(workflow().hash).await.unwrap(), Some(workflow()));
    let code = &workflow().files[0].1;
    assert_eq!(
        bed.store.blob(ContentHash::of(code)).await.unwrap().map(|blob| blob.bytes).as_ref(),
        Some(code)
    );
    assert_eq!(bed.report(held.key, Report::Value(number(2.0))).await.0, Verdict::Accepted, "late but first");
}

async fn an_ended_run_is_read_back_with_its_result(kind: Kind) {
    let bed = Bed::new(kind).await;
    let end = RunEnd {
        state: RunState::Finished,
        at: Timestamp(9),
        result: Some(number(157.0)),
        facts: RunFacts::default(),
    };
    bed.end_run(bed.run, &end).await;
    assert_eq!(bed.store.open_runs().await.unwrap(), []);
    let record = bed.store.run(bed.run).await.unwrap().unwrap();
    assert_eq!((record.state, record.end), (RunState::Finished, Some(end)));
    assert_eq!(bed.store.runs(&RunList::default(), 10).await.unwrap().len(), 1);
    assert_eq!(bed.store.run(RunId::from_number(5).unwrap()).await.unwrap(), None);
}

async fn an_ended_run_takes_no_jobs_and_leaves_none(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    bed.enqueue(&[("left", 0)]).await;
    let end = RunEnd { state: RunState::Failed, at: Timestamp(9), result: None, facts: RunFacts::default() };
    bed.end_run(bed.run, &end).await;
    bed.enqueue(&[("late", 0)]).await;
    bed.tidy_up().await;
    assert_eq!(bed.claim(&[(1, 9)]).await, []);
}

async fn a_schema_from_the_future_is_refused_in_words(kind: Kind) {
    let database = TestDatabase::new(kind);
    drop(database.open().await);
    database
        .sql("insert into _sqlx_migrations values (9999, 'future', current_timestamp, 1, x'00', 0)")
        .await;
    let refused = database.try_open().await.err().unwrap().to_string();
    assert!(refused.contains("schema 9999") && refused.contains("newer binary"), "{refused}");
}

async fn unknown_jobs_are_unknown(kind: Kind) {
    let bed = Bed::new(kind).await;
    let key = AttemptKey { job: JobId::from_number(1).unwrap(), token: 1 };
    assert_eq!(bed.report(key, boom("x")).await, (Verdict::Unknown, None));
}

async fn the_depth_counts_what_waits_and_what_runs(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    bed.enqueue(&[("a", 0), ("b", 0), ("c", 0)]).await;
    let first = bed.claim_one(1).await.unwrap();
    assert_eq!(bed.store.depth().await.unwrap(), Depth { ready: 2, leased: 1, ..Depth::default() });
    bed.report(first.key, Report::Value(number(1.0))).await;
    assert_eq!(bed.store.depth().await.unwrap(), Depth { ready: 2, ..Depth::default() });
}

async fn a_batch_of_nothing_but_a_probe_is_taken(kind: Kind) {
    let bed = Bed::new(kind).await;
    assert_eq!(bed.apply(Batch { probe: true, ..Batch::default() }).await, Outcomes::default());
}

async fn what_ended_long_ago_is_forgotten_piece_by_piece(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    let (old, end) = (bed.run, |at| RunEnd {
        state: RunState::Finished,
        at: Timestamp(at),
        result: None,
        facts: RunFacts::default(),
    });
    bed.enqueue(&[("a", 0), ("b", 0), ("c", 0)]).await;
    let claimed = bed.claim_one(1).await.unwrap();
    bed.report(claimed.key, Report::Value(number(1.0))).await;
    let young = bed.add_run().await;
    bed.run = young;
    bed.enqueue(&[("a", 0)]).await;
    let open = bed.add_run().await;
    bed.end_run(old, &end(10)).await;
    bed.end_run(young, &end(20)).await;
    let forget = || bed.forget(Timestamp(20), 2);
    assert_eq!(forget().await, Forgotten { jobs: 2, run: None });
    assert_eq!(forget().await, Forgotten { jobs: 1, run: Some(old) });
    assert_eq!(forget().await, Forgotten::default(), "what ended at that very moment stays");
    let left: Vec<_> =
        bed.store.runs(&RunList::default(), 10).await.unwrap().iter().map(|run| run.head.id).collect();
    assert_eq!(left, [open, young]);
    assert!(bed.store.workflow(workflow().hash).await.unwrap().is_some(), "workflows stay");
    let key = AttemptKey { job: claimed.job(), token: claimed.key.token };
    assert_eq!(bed.report(key, Report::Value(number(1.0))).await, (Verdict::Unknown, None));
}

async fn jobs_are_paged_and_their_attempts_told(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    let paths = ["a_", "a%", "a/1", "b", "B"];
    bed.enqueue(&paths.map(|path| (path, 0))).await;
    let failed = bed.claim_one(1).await.unwrap();
    bed.report(failed.key, boom("boom")).await;
    let again = bed.claim_one(2).await.unwrap();
    assert_eq!(again.job(), failed.job(), "it is back at its place");
    let mut seen = BTreeSet::new();
    let mut after: Option<String> = None;
    while let Some(last) = {
        let page = bed.store.jobs(bed.run, after.as_deref(), 2).await.unwrap();
        seen.extend(page.iter().map(|job| job.path.clone()));
        page.last().map(|job| job.path.clone())
    } {
        after = Some(last);
    }
    assert_eq!(seen, paths.map(str::to_owned).into());
    let (job, attempts) = bed.store.attempts(failed.job()).await.unwrap().unwrap();
    assert_eq!(
        (job.origin, job.state, job.handed_out, job.failures),
        (Origin::Run(bed.run), NodeState::Running, 2, 1)
    );
    let ends: Vec<_> = attempts.iter().map(|attempt| (attempt.number, attempt.worker, attempt.end)).collect();
    assert_eq!(ends, [(1, worker(1), Some(AttemptEnd::Error)), (2, worker(2), None)]);
    assert_eq!(attempts[0].failure.as_ref().unwrap().message, "boom");
    assert_eq!((attempts[0].ended_at, attempts[1].ended_at), (Some(bed.now), None));
    assert_eq!(bed.store.attempts(JobId::from_number(1).unwrap()).await.unwrap(), None);
}

async fn nothing_begins_after_the_end(kind: Kind) {
    let bed = Bed::new(kind).await;
    bed.store.end().await;
    assert!(bed.store.open_runs().await.is_err(), "nothing is read");
    assert!(bed.store.tidy_up(Timestamp(3)).await.is_err(), "nothing is written");
}

on_each_database! {
    nothing_begins_after_the_end,
    jobs_are_paged_and_their_attempts_told,
    what_ended_long_ago_is_forgotten_piece_by_piece,
    the_depth_counts_what_waits_and_what_runs,
    a_batch_of_nothing_but_a_probe_is_taken,
    claims_follow_priority_then_age_and_are_dealt_round_robin,
    a_result_is_applied_once_and_answered_again,
    one_batch_with_the_same_report_twice_applies_it_once,
    an_expired_attempt_is_used_late_until_somebody_else_has_the_job,
    a_renewed_lease_does_not_expire,
    a_heartbeat_for_another_workers_attempt_is_disowned,
    the_progress_of_an_attempt_is_told_by_its_holder_alone,
    a_clock_that_jumps_by_an_hour_loses_nothing,
    what_is_given_back_keeps_its_place_and_its_attempts,
    a_poison_job_ends_with_every_error,
    enqueueing_again_changes_nothing_and_tells_the_outcome,
    an_equal_job_takes_the_stored_result_if_it_may,
    a_value_of_another_type_is_an_error_of_the_attempt,
    cancelling_a_run_revokes_its_attempts_and_empties_its_queue,
    a_reopened_store_knows_everything_and_leases_end,
    an_ended_run_is_read_back_with_its_result,
    an_ended_run_takes_no_jobs_and_leaves_none,
    a_schema_from_the_future_is_refused_in_words,
    unknown_jobs_are_unknown,
}
