//! Stand-alone jobs: queues and keys, paging, cancelling, forgetting.

use weevil_model::{ContentHash, JobId, NodeState, ProjectId, RunId, RunState, Timestamp};
use weevil_queue::batch::{Change, Verdict};
use weevil_queue::{
    AttemptEnd, Batch, Cancel, Claimed, Duplicate, Ended, NewJob, Origin, Outcomes, Release, Report,
};
use weevil_records::{Blob, Forgotten, Order, RunEnd, RunFacts, StoredWorkflow};

use crate::bed::{Bed, number, second_project, submission, worker, workflow};
use crate::databases::{Kind, on_each_database};

impl Bed {
    pub(crate) fn alone(&mut self, queue: &str, key: &str) -> NewJob {
        let job = self.job("same", 0);
        NewJob { origin: Origin::Queue(queue.into()), path: key.into(), returns: None, ..job }
    }

    pub(crate) async fn put(&self, jobs: Vec<NewJob>) -> Outcomes {
        self.apply(Batch { enqueue: jobs, ..Batch::default() }).await
    }

    async fn keys(&self, queue: &str) -> Vec<String> {
        let jobs = self.store.queued(ProjectId::DEFAULT, queue, Order::Oldest, None, 100).await.unwrap();
        jobs.into_iter().map(|job| job.path).collect()
    }
}

async fn a_key_is_taken_once_in_its_queue(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    let [first, again, other_queue, upper, spaced] =
        [("q", "k"), ("q", "k"), ("p", "k"), ("q", "K"), ("q", "k ")]
            .map(|(queue, key)| bed.alone(queue, key));
    let different = NewJob { input: number(8.0).into(), ..bed.alone("q", "k") };
    assert_eq!(bed.put(vec![first.clone()]).await, Outcomes::default());
    let asked = vec![again.clone(), different.clone(), other_queue.clone(), upper, spaced];
    let duplicate = |asked: &NewJob, equal| Duplicate { asked: asked.id, kept: first.id, equal };
    let mut found = bed.put(asked).await.duplicates;
    found.sort_by_key(|duplicate| duplicate.asked);
    assert_eq!(found, [duplicate(&again, true), duplicate(&different, false)]);
    assert_eq!(bed.keys("q").await, ["k", "K", "k "]);
    let twice = [("r", "k"), ("r", "k")].map(|(queue, key)| bed.alone(queue, key));
    let found = bed.put(twice.to_vec()).await.duplicates;
    assert_eq!(found, [Duplicate { asked: twice[1].id, kept: twice[0].id, equal: true }], "within one batch");
}

async fn the_same_key_in_two_projects_is_two_jobs(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    bed.add_project().await;
    let [mine, again] = ["k", "k"].map(|key| bed.alone("q", key));
    let [theirs, later] = ["k", "l"].map(|key| NewJob { project: second_project(), ..bed.alone("q", key) });
    let asked = vec![mine.clone(), theirs.clone(), later.clone()];
    assert_eq!(bed.put(asked).await, Outcomes::default());
    let duplicate = Duplicate { asked: again.id, kept: mine.id, equal: true };
    assert_eq!(bed.put(vec![again]).await.duplicates, [duplicate]);
    for (project, after, expected) in [
        (ProjectId::DEFAULT, None, vec![mine.id]),
        (second_project(), None, vec![theirs.id, later.id]),
        (second_project(), Some(theirs.id), vec![later.id]),
        (second_project(), Some(mine.id), vec![theirs.id, later.id]),
    ] {
        let page = bed.store.queued(project, "q", Order::Oldest, after, 100).await.unwrap();
        let found: Vec<_> = page.iter().map(|job| (job.id, job.project)).collect();
        let expected: Vec<_> = expected.into_iter().map(|id| (id, project)).collect();
        assert_eq!(found, expected, "{project} after {after:?}");
    }
    for (ids, most, expected) in [
        (mine.id..=later.id, 9, vec![mine.id, theirs.id, later.id]),
        (mine.id..=later.id, 2, vec![mine.id, theirs.id]),
        (theirs.id..=theirs.id, 9, vec![theirs.id]),
        (later.id..=mine.id, 9, vec![]),
    ] {
        let found = bed.store.jobs_among(ids, most).await.unwrap();
        assert_eq!(found.iter().map(|job| job.id).collect::<Vec<_>>(), expected);
    }
    let all = bed.claim(&[(1, 99)]).await;
    assert_eq!(all.iter().map(Claimed::job).collect::<Vec<_>>(), [mine.id, theirs.id, later.id]);
}

async fn queue_names_are_literal(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    let names = ["a_b", "axb", "a%", "a", "A", "a ", "ä", "a\u{308}", "%", "_", "'; drop table jobs; --"];
    for (number, name) in names.into_iter().enumerate() {
        let job = bed.alone(name, &number.to_string());
        assert_eq!(bed.put(vec![job]).await.duplicates, []);
    }
    for (number, name) in names.into_iter().enumerate() {
        assert_eq!(bed.keys(name).await, [number.to_string()], "{name}");
    }
    let claimed = bed.claim(&[(1, 99)]).await;
    assert_eq!(claimed.iter().map(|job| job.workflow_name.as_str()).collect::<Vec<_>>(), names);
}

async fn a_stand_alone_job_lives_like_any_other(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    let job = bed.alone("q", "k");
    bed.put(vec![job.clone()]).await;
    let claimed = bed.claim_one(1).await.unwrap();
    let Claimed { run, path, workflow, .. } = &claimed;
    assert_eq!((*run, path.as_str(), *workflow), (None, "k", job.code), "its code is what is isolated");
    bed.release(Release { key: claimed.key, end: AttemptEnd::Lost }).await;
    let again = bed.claim_one(2).await.unwrap();
    assert_eq!(bed.store.value(job.id).await.unwrap(), None);
    let (verdict, change) = bed.report(again.key, Report::Value(number(3.0))).await;
    assert_eq!((verdict, change), (Verdict::Accepted, Some(Change::Ended(Ended::Value(number(3.0))))));
    assert_eq!(bed.store.value(job.id).await.unwrap(), Some(number(3.0)));
    let (record, attempts) = bed.store.attempts(job.id).await.unwrap().unwrap();
    assert_eq!((record.state, record.origin), (NodeState::Finished, Origin::Queue("q".into())));
    let ends: Vec<_> = attempts.iter().map(|attempt| attempt.end).collect();
    assert_eq!(ends, [Some(AttemptEnd::Lost), Some(AttemptEnd::Completed)]);
    let again = bed.alone("q", "k");
    assert_eq!(bed.put(vec![again]).await.duplicates.len(), 1, "its key stays taken");
}

async fn a_queue_is_paged_by_age(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    let jobs: Vec<NewJob> = (0..5).map(|n| bed.alone("q", &format!("{}", 9 - n))).collect();
    let ids: Vec<JobId> = jobs.iter().map(|job| job.id).collect();
    bed.put(jobs).await;
    let newest = ids.iter().rev().copied().collect();
    for (order, expected) in [(Order::Oldest, ids), (Order::Newest, newest)] {
        let (mut seen, mut after) = (Vec::new(), None);
        loop {
            let page = bed.store.queued(ProjectId::DEFAULT, "q", order, after, 2).await.unwrap();
            let Some(last) = page.last() else { break };
            after = Some(last.id);
            seen.extend(page.into_iter().map(|job| job.id));
        }
        assert_eq!(seen, expected, "{order:?}");
    }
}

async fn cancelling_races_completing_and_one_wins(kind: Kind) {
    for (cancel_first, in_one_batch) in [(true, false), (false, false), (false, true)] {
        let mut bed = Bed::new(kind).await;
        let job = bed.alone("q", "k");
        bed.put(vec![job.clone()]).await;
        let key = bed.claim_one(1).await.unwrap().key;
        let cancel = || Batch { cancel: vec![Cancel::Job(job.id)], ..Batch::default() };
        let submission = submission(key, Report::Value(number(1.0)));
        let complete = || Batch { complete: vec![submission.clone()], ..Batch::default() };
        let batches = match (cancel_first, in_one_batch) {
            (true, _) => vec![cancel(), complete()],
            (false, false) => vec![complete(), cancel()],
            (false, true) => vec![Batch { complete: vec![submission.clone()], ..cancel() }],
        };
        let mut told = Vec::new();
        for batch in batches {
            let outcomes = bed.apply(batch).await;
            told.push((
                outcomes.completed.first().map(|settled| settled.verdict),
                outcomes.revoked.len(),
                outcomes.cancelled.len(),
            ));
        }
        let expected = match (cancel_first, in_one_batch) {
            (true, _) => vec![(None, 1, 1), (Some(Verdict::Superseded), 0, 0)],
            (false, false) => vec![(Some(Verdict::Accepted), 0, 0), (None, 0, 0)],
            (false, true) => vec![(Some(Verdict::Accepted), 0, 0)],
        };
        assert_eq!(told, expected, "{cancel_first} {in_one_batch}");
        let state = bed.store.attempts(job.id).await.unwrap().unwrap().0.state;
        assert_eq!(state, if cancel_first { NodeState::Cancelled } else { NodeState::Finished });
    }
}

async fn a_waiting_job_is_cancelled_wherever_it_waits(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    let ready = bed.alone("q", "ready");
    let delayed = NewJob { delay_ms: 100, ..bed.alone("q", "delayed") };
    let of_run = bed.job("of_run", 0);
    let ids = [ready.id, delayed.id, of_run.id];
    bed.put(vec![ready, delayed, of_run]).await;
    let cancel = ids.map(Cancel::Job).to_vec();
    let outcomes = bed.apply(Batch { cancel, ..Batch::default() }).await;
    let mut cancelled: Vec<_> = outcomes.cancelled.iter().map(|news| news.id).collect();
    cancelled.sort();
    assert_eq!(cancelled, ids[..2], "a run's job is left to its run");
    bed.now = Timestamp(9_000);
    assert_eq!(bed.apply(Batch { look: true, ..Batch::default() }).await.woken, 0);
    assert_eq!(bed.claim(&[(1, 9)]).await.len(), 1);
}

async fn stand_alone_jobs_that_ended_long_ago_are_forgotten_in_pieces(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    let jobs: Vec<NewJob> = (0..5).map(|n| bed.alone("q", &n.to_string())).collect();
    bed.put(jobs).await;
    let ended = bed.claim(&[(1, 4)]).await;
    for job in &ended[..3] {
        bed.report(job.key, Report::Value(number(1.0))).await;
    }
    bed.now = Timestamp(2_000);
    bed.report(ended[3].key, Report::Value(number(1.0))).await;
    let run =
        RunEnd { state: RunState::Finished, at: Timestamp(3), result: None, facts: RunFacts::default() };
    bed.end_run(bed.run, &run).await;
    let forget = || bed.forget(Timestamp(2_000), 2);
    let alone = |jobs| Forgotten { jobs, run: None::<RunId> };
    assert_eq!(forget().await, Forgotten { jobs: 0, run: Some(bed.run) }, "runs come first");
    assert_eq!(forget().await, alone(2));
    assert_eq!(forget().await, alone(1));
    assert_eq!(forget().await, alone(0), "what ended at that very moment stays, and what has not ended");
    assert_eq!(bed.keys("q").await, ["3", "4"]);
    assert_eq!(bed.claim_one(1).await.unwrap().worker, worker(1));
}

async fn code_is_kept_once_and_read_back(kind: Kind) {
    let bed = Bed::new(kind).await;
    let code = b"function weevil_main() { return 1 }";
    let hash = bed.store.keep_code(ProjectId::DEFAULT, code, bed.now).await.unwrap();
    assert_eq!(bed.store.keep_code(ProjectId::DEFAULT, code, bed.now).await.unwrap(), hash);
    let bytes = code.to_vec();
    assert_eq!(bed.store.blob(hash).await.unwrap(), Some(Blob { bytes: bytes.clone(), code: true }));
    assert_eq!(bed.store.code(hash).await.unwrap(), Some(bytes));
}

/// What volunteers are given is what somebody has named as code, and stays it.
async fn a_file_is_code_once_somebody_has_named_it_so(kind: Kind) {
    let bed = Bed::new(kind).await;
    let (code, data) = (b"function weevil_main() {}".as_slice(), b"[1, 2]".as_slice());
    let files = vec![("Add.js".to_owned(), code.to_vec()), ("data.json".to_owned(), data.to_vec())];
    let hash = ContentHash::of(b"another");
    let kept = StoredWorkflow { hash, files, code: [ContentHash::of(code)].into(), ..workflow() };
    bed.store.keep_workflow(ProjectId::DEFAULT, &kept, bed.now).await.unwrap();
    assert_eq!(bed.store.workflow(hash).await.unwrap(), Some(kept.clone()));
    let nothing = ContentHash::of(b"nothing");
    for (hash, bytes, is_code) in [
        (ContentHash::of(code), Some(code), true),
        (ContentHash::of(data), Some(data), false),
        (nothing, None, false),
    ] {
        let bytes = bytes.map(<[u8]>::to_vec);
        let blob = bytes.clone().map(|bytes| Blob { bytes, code: is_code });
        assert_eq!(bed.store.blob(hash).await.unwrap(), blob);
        assert_eq!(bed.store.code(hash).await.unwrap(), bytes.filter(|_| is_code));
    }
    bed.store.keep_code(ProjectId::DEFAULT, data, bed.now).await.unwrap();
    bed.store.keep_workflow(ProjectId::DEFAULT, &kept, bed.now).await.unwrap();
    assert_eq!(bed.store.code(ContentHash::of(data)).await.unwrap().as_deref(), Some(data));
    assert_eq!(bed.database.sql("select count(*) from code_blobs").await, Some(2));
}

async fn a_job_that_stands_alone_finds_the_kernels_that_it_names(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    let [code, other, workflow] = [b"code".as_slice(), b"other", b"workflow"].map(ContentHash::of);
    assert_eq!(bed.store.kernels_of(workflow).await.unwrap(), None);
    let set = bed.store.keep_kernels(code, workflow, bed.now).await.unwrap();
    assert_eq!(bed.store.keep_kernels(code, workflow, bed.now).await.unwrap(), set, "kept once");
    assert_ne!(bed.store.keep_kernels(other, workflow, bed.now).await.unwrap(), set, "of another code");
    assert_eq!(bed.store.kernels_of(set).await.unwrap(), Some(workflow));
    let [with, without] = [("a", Some(set)), ("b", None)].map(|(key, kernels)| NewJob {
        kernels,
        copies: 2,
        ..bed.alone("q", key)
    });
    let (plain, jobs) = (without.code, [with.id, without.id]);
    bed.put(vec![with, without]).await;
    for workers in [&[(1, 2)], &[(2, 2)]] {
        let mut claimed = bed.claim(workers).await;
        claimed.sort_by_key(Claimed::job);
        let found: Vec<_> = claimed.iter().map(|claimed| (claimed.job(), claimed.workflow)).collect();
        assert_eq!(found, [(jobs[0], set), (jobs[1], plain)]);
    }
}

on_each_database! {
    a_key_is_taken_once_in_its_queue,
    the_same_key_in_two_projects_is_two_jobs,
    queue_names_are_literal,
    a_stand_alone_job_lives_like_any_other,
    a_queue_is_paged_by_age,
    cancelling_races_completing_and_one_wins,
    a_waiting_job_is_cancelled_wherever_it_waits,
    stand_alone_jobs_that_ended_long_ago_are_forgotten_in_pieces,
    a_file_is_code_once_somebody_has_named_it_so,
    code_is_kept_once_and_read_back,
    a_job_that_stands_alone_finds_the_kernels_that_it_names,
}
