//! Workers that were given something, and devices that are given nothing: kept, read back and forgotten.

use weevil_access::audit::Action;
use weevil_access::store::AuditQuery;
use weevil_model::witness::device_number;
use weevil_model::{Capabilities, ContentHash, Needs, Timestamp, WorkerId};
use weevil_records::{AttemptMark, KeptWorker, Suspension, Term, WorkerAttempt, WorkerList, WorkerRecord};

use crate::bed::{Bed, boom, worker};
use crate::databases::{Kind, on_each_database};

fn device(seed: &str) -> ContentHash {
    ContentHash::of(seed.as_bytes())
}

/// Worker `number`, which came and was heard at that moment.
fn record(number: i64) -> WorkerRecord {
    WorkerRecord {
        id: worker(number),
        agent: format!("agent {number}"),
        device: None,
        adapter: None,
        has: Needs::JAVASCRIPT,
        slots: 1,
        connected_at: Timestamp(number),
        heard_at: Timestamp(number),
        done: 0,
        errors: 0,
        expired: 0,
    }
}

fn paused(until: i64) -> Suspension {
    Suspension { term: Term::Paused { until: Timestamp(until) }, note: "too \u{1f525} hot: <b>'\\".into() }
}

fn banned(since: i64) -> Suspension {
    Suspension { term: Term::Banned { since: Timestamp(since) }, note: String::new() }
}

impl Bed {
    async fn keep_these(&self, workers: &[WorkerRecord]) {
        self.store.keep_workers(workers, self.now).await.unwrap();
    }

    async fn kept(&self, list: WorkerList, most: u32) -> Vec<i64> {
        let found = self.store.workers(&list, most).await.unwrap();
        found.iter().map(|kept| kept.worker.id.number()).collect()
    }

    async fn suspend(&self, device: ContentHash, suspension: &Suspension, most: u32) -> bool {
        let entry = self.entry(Action::WorkerPaused);
        self.store.suspend_device(device, suspension, most, &entry).await.unwrap()
    }

    async fn suspended(&self) -> Vec<(ContentHash, Suspension)> {
        self.store.suspended(9, self.now).await.unwrap()
    }

    /// Entries of the audit about suspensions.
    async fn audited(&self, action: Action) -> usize {
        let query = AuditQuery { action: Some(action), ..AuditQuery::default() };
        self.store.audit_page(&query, None, 99).await.unwrap().len()
    }
}

async fn a_worker_is_read_back_as_it_was_kept_last(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    let has = Needs { capabilities: Capabilities(15), memory_mb: u32::MAX };
    let first = WorkerRecord {
        agent: "Fire\u{1f98a}fox \"'\\ <b>".into(),
        device: Some(device("one")),
        adapter: Some("vendor arch".into()),
        has,
        slots: u32::MAX,
        ..record(5)
    };
    bed.keep_these(&[first.clone(), record(7)]).await;
    let again = WorkerRecord { done: u32::MAX, errors: 3, expired: 2, heard_at: Timestamp(99), ..first };
    bed.keep_these(std::slice::from_ref(&again)).await;
    bed.keep_these(&[]).await;
    bed.store = bed.database.open().await;
    let kept = bed.store.worker(worker(5)).await.unwrap();
    assert_eq!(kept, Some(KeptWorker { worker: again, suspension: None }));
    assert_eq!(bed.store.worker(worker(6)).await.unwrap(), None);
    let list = bed.store.workers(&WorkerList::default(), 1).await.unwrap();
    assert_eq!(list, [KeptWorker { worker: record(7), suspension: None }]);
}

async fn kept_workers_are_listed_the_newest_first_and_looked_for(kind: Kind) {
    let bed = Bed::new(kind).await;
    let gpu = WorkerRecord { adapter: Some("AMD rdna-2".into()), ..record(3) };
    let known = WorkerRecord { device: Some(device("one")), ..record(1) };
    let (name, id) = (device("one").to_string(), worker(2).to_string());
    bed.keep_these(&[known, record(2), gpu]).await;
    for (before, text, most, found) in [
        (None, None, 9, &[3, 2, 1][..]),
        (None, None, 2, &[3, 2]),
        (Some(2), None, 9, &[1]),
        (None, Some("agent"), 9, &[3, 2, 1]),
        (None, Some("agent 2"), 9, &[2]),
        (None, Some("amd"), 9, &[3]),
        (None, Some("%"), 9, &[]),
        (Some(3), Some("amd"), 9, &[]),
        (None, Some(&name[..8]), 9, &[1]),
        (None, Some(&*name), 9, &[1]),
        (None, Some(&name[1..8]), 9, &[]),
        (None, Some(&*id), 9, &[2]),
        (None, Some(&id[..id.len() - 1]), 9, &[3, 2, 1]),
        (None, Some("wrk_"), 9, &[]),
    ] {
        let list = WorkerList { before: before.map(worker), text: text.map(str::to_owned) };
        assert_eq!(bed.kept(list.clone(), most).await, found, "{list:?}");
    }
}

async fn a_suspended_device_stays_so_until_its_term_is_over(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    let [one, two, three] = ["one", "two", "three"].map(device);
    bed.now = Timestamp(10);
    bed.keep_these(&[WorkerRecord { device: Some(one), ..record(1) }]).await;
    assert!(bed.suspend(one, &paused(20), 2).await);
    assert!(bed.suspend(two, &banned(10), 2).await);
    assert!(!bed.suspend(three, &banned(10), 2).await, "two are suspended already");
    assert!(bed.suspend(one, &paused(30), 2).await, "the third is no more than the first again");
    bed.store = bed.database.open().await;
    assert_eq!(bed.suspended().await, [(two, banned(10)), (one, paused(30))]);
    assert_eq!(bed.store.suspended(1, bed.now).await.unwrap(), [(two, banned(10))]);
    let kept = bed.store.worker(worker(1)).await.unwrap().unwrap();
    assert_eq!(kept.suspension, Some(paused(30)));
    for (whose, found) in [(one, Some(paused(30))), (two, Some(banned(10))), (three, None)] {
        assert_eq!(bed.store.suspension(whose).await.unwrap(), found, "{whose}");
    }
    bed.now = Timestamp(30);
    assert_eq!(bed.suspended().await, [(two, banned(10))], "the pause is over");
    assert!(bed.suspend(three, &banned(30), 2).await, "what is over counts no more");
    assert_eq!(bed.audited(Action::WorkerPaused).await, 4);
    let entry = bed.entry(Action::WorkerResumed);
    for (lifted, is_new) in [(two, true), (two, false), (device("nobody"), false)] {
        assert_eq!(bed.store.lift_suspension(lifted, &entry).await.unwrap(), is_new, "{lifted}");
    }
    assert_eq!(bed.audited(Action::WorkerResumed).await, 1);
    assert_eq!(bed.suspended().await, [(three, banned(30))]);
    let known = bed.store.device(two).await.unwrap().unwrap();
    assert_eq!((known.accepted, known.first_seen), (0, Timestamp(10)), "{}", device_number(two));
    bed.audit().await;
}

fn mark(attempt: &WorkerAttempt) -> AttemptMark {
    AttemptMark { started_at: attempt.started_at, job: attempt.job }
}

async fn the_history_of_a_worker_is_read_page_by_page(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    bed.enqueue(&[("a", 0), ("b", 0), ("c", 0), ("d", 0), ("e", 0)]).await;
    bed.now = Timestamp(20);
    let first = bed.claim(&[(1, 3)]).await;
    bed.now = Timestamp(30);
    bed.claim(&[(2, 1)]).await;
    let last = bed.claim(&[(1, 1)]).await;
    let long = "\u{fc}".repeat(300);
    bed.report(first[0].key, boom(&long)).await;
    for most in 1..=5 {
        let (mut found, mut before) = (Vec::new(), None);
        loop {
            let page = bed.store.worker_attempts(worker(1), before, most).await.unwrap();
            let Some(end) = page.last() else { break };
            before = Some(mark(end));
            found.extend(page);
        }
        let starts: Vec<i64> = found.iter().map(|attempt| attempt.started_at.0).collect();
        assert_eq!(starts, [30, 20, 20, 20], "{most}");
        let jobs: std::collections::BTreeSet<_> = found.iter().map(|attempt| attempt.job).collect();
        assert_eq!(jobs.len(), 4, "{most}: each once");
        let newest = &found[0];
        assert_eq!((newest.job, newest.run, newest.end), (last[0].key.job, Some(bed.run), None));
        let failed = found.iter().find(|attempt| attempt.job == first[0].key.job).unwrap();
        assert_eq!(failed.error_message.as_deref(), Some(&*"\u{fc}".repeat(200)));
        assert!(failed.ended_at.is_some() && failed.end.is_some() && failed.error_kind.is_some());
    }
    assert_eq!(bed.store.worker_attempts(worker(3), None, 9).await.unwrap(), []);
}

async fn workers_are_forgotten_the_longest_silent_first(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    bed.now = Timestamp(100);
    let all: Vec<WorkerRecord> = (1..=6)
        .map(|number| WorkerRecord { device: (number == 2).then(|| device("bad")), ..record(number) })
        .collect();
    bed.keep_these(&all).await;
    bed.suspend(device("bad"), &banned(50), 9).await;
    for (before, keep, most, forgotten, left) in [
        (1, 9, 9, 0, &[6, 5, 4, 3, 2, 1][..]),
        (4, 9, 1, 1, &[6, 5, 4, 3, 2]),
        (4, 9, 9, 1, &[6, 5, 4, 2]),
        (0, 2, 9, 1, &[6, 5, 2]),
        (99, 2, 9, 2, &[2]),
    ] {
        let many = bed.store.forget_workers(Timestamp(before), keep, most, bed.now).await.unwrap();
        assert_eq!((many, &*bed.kept(WorkerList::default(), 9).await), (forgotten, left), "{before} {keep}");
    }
    bed.store.lift_suspension(device("bad"), &bed.entry(Action::WorkerResumed)).await.unwrap();
    assert_eq!(bed.store.forget_workers(Timestamp(99), 9, 9, bed.now).await.unwrap(), 1);
    assert_eq!(bed.store.worker(WorkerId::from_number(2).unwrap()).await.unwrap(), None);
}

on_each_database! {
    a_worker_is_read_back_as_it_was_kept_last,
    kept_workers_are_listed_the_newest_first_and_looked_for,
    a_suspended_device_stays_so_until_its_term_is_over,
    the_history_of_a_worker_is_read_page_by_page,
    workers_are_forgotten_the_longest_silent_first,
}
