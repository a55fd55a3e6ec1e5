//! What waits, counted for people: jobs before one, classes of needs, and queues.

use weevil_model::{Capabilities, JobId, Needs, ProjectId, Timestamp};
use weevil_queue::explain::{Ahead, WaitingClass};
use weevil_queue::{Batch, NewJob, Origin, QueueCode, StoppedCode};
use weevil_records::WaitingQueue;

use crate::bed::{Bed, ask, second_project};
use crate::databases::{Kind, on_each_database};

const GPU: Needs =
    Needs { capabilities: Capabilities(Capabilities::JAVASCRIPT.0 | Capabilities::WEBCL.0), memory_mb: 0 };

impl Bed {
    async fn put_waiting(&mut self, job: NewJob) -> JobId {
        let id = job.id;
        self.apply(Batch { enqueue: vec![job], ..Batch::default() }).await;
        id
    }

    fn queued(&mut self, project: ProjectId, queue: &str, key: &str) -> NewJob {
        self.now = self.now.plus_ms(1);
        NewJob { project, origin: Origin::Queue(queue.into()), ..self.job(key, 0) }
    }
}

async fn jobs_before_one_are_counted_in_the_classes_that_its_workers_meet(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    let mut ids = Vec::new();
    for (path, priority, needs) in [
        ("first", 0, Needs::JAVASCRIPT),
        ("gpu", 0, GPU),
        ("urgent", 5, Needs::JAVASCRIPT),
        ("last", 0, Needs::JAVASCRIPT),
    ] {
        let job = NewJob { needs, ..bed.job(path, priority) };
        ids.push(bed.put_waiting(job).await);
    }
    let (plain, all) = (&[Needs::JAVASCRIPT][..], &[Needs::JAVASCRIPT, GPU][..]);
    for (job, workers, jobs) in
        [(0, plain, 1), (1, all, 2), (2, all, 0), (3, plain, 2), (3, all, 3), (3, &[], 0)]
    {
        let found = bed.store.ahead(ids[job], workers).await.unwrap();
        assert_eq!(found, Some(Ahead { jobs, more: false }), "{job} {workers:?}");
    }
    bed.claim_with(vec![ask(1, 1, Needs::JAVASCRIPT)]).await;
    assert_eq!(bed.store.ahead(ids[2], plain).await.unwrap(), None, "it is out");
    assert_eq!(bed.store.ahead(ids[3], plain).await.unwrap(), Some(Ahead { jobs: 1, more: false }));
    let nobody = JobId::from_number(5).unwrap();
    assert_eq!(bed.store.ahead(nobody, plain).await.unwrap(), None);
}

async fn counting_what_comes_first_stops_at_a_bound(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    for part in 0..21 {
        let jobs = (0..500).map(|at| bed.job(&format!("{part}/{at}"), 0)).collect();
        bed.store.apply(&Batch { enqueue: jobs, ..Batch::default() }, bed.now).await.unwrap();
    }
    let job = bed.job("last", -1);
    let last = bed.put_waiting(job).await;
    let found = bed.store.ahead(last, &[Needs::JAVASCRIPT]).await.unwrap();
    assert_eq!(found, Some(Ahead { jobs: 10_000, more: true }));
}

async fn ready_jobs_are_counted_by_what_they_need(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    assert_eq!(bed.store.waiting_classes().await.unwrap(), []);
    for (at, path, needs, delay_ms) in [
        (1_000, "a", GPU, 0),
        (1_001, "b", Needs::JAVASCRIPT, 0),
        (1_002, "c", Needs::JAVASCRIPT, 0),
        (1_003, "d", Needs::JAVASCRIPT, 9),
    ] {
        bed.now = Timestamp(at);
        let job = NewJob { needs, delay_ms, ..bed.job(path, 0) };
        bed.put_waiting(job).await;
    }
    let class = |needs, jobs, oldest| WaitingClass { needs, jobs, oldest: Some(Timestamp(oldest)) };
    let expected = [class(Needs::JAVASCRIPT, 2, 1_001), class(GPU, 1, 1_000)];
    assert_eq!(bed.store.waiting_classes().await.unwrap(), expected);
}

async fn stand_alone_jobs_are_counted_by_queue(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    bed.add_project().await;
    let stopped = bed.queued(ProjectId::DEFAULT, "q", "stopped");
    let code = QueueCode { project: stopped.project, queue: "q".into(), code: stopped.code };
    let stop = vec![StoppedCode { code, example: stopped.id }];
    bed.put_waiting(stopped).await;
    let oldest = bed.now;
    bed.apply(Batch { stop, ..Batch::default() }).await;
    assert_eq!(bed.claim(&[(1, 1)]).await, [], "it is met, and held");
    bed.enqueue(&[("of a run", 0)]).await;
    for (project, queue, key, delay_ms) in [
        (ProjectId::DEFAULT, "q", "one", 0),
        (ProjectId::DEFAULT, "q", "two", 0),
        (ProjectId::DEFAULT, "q", "later", 99),
        (ProjectId::DEFAULT, "Q", "one", 0),
        (second_project(), "q", "one", 0),
    ] {
        let job = NewJob { delay_ms, ..bed.queued(project, queue, key) };
        bed.put_waiting(job).await;
    }
    let queues = bed.store.waiting_queues().await.unwrap();
    let fullest = WaitingQueue {
        project: ProjectId::DEFAULT,
        queue: "q".into(),
        ready: 2,
        delayed: 1,
        held: 1,
        oldest: Some(oldest),
    };
    assert_eq!(queues[0], fullest);
    let told = |queue: &WaitingQueue| (queue.project.number(), queue.queue.clone(), queue.ready);
    let mut rest: Vec<_> = queues[1..].iter().map(told).collect();
    rest.sort_unstable();
    assert_eq!(rest, [(1, "Q".to_owned(), 1), (2, "q".to_owned(), 1)]);
}

on_each_database! {
    jobs_before_one_are_counted_in_the_classes_that_its_workers_meet,
    counting_what_comes_first_stops_at_a_bound,
    ready_jobs_are_counted_by_what_they_need,
    stand_alone_jobs_are_counted_by_queue,
}
