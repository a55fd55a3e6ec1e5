//! Codes that are stopped in a queue: what is held of them, and what goes on.

use weevil_access::audit::Action;
use weevil_model::ProjectId;
use weevil_queue::decide::stopped::MAX_STOPPED;
use weevil_queue::{Batch, Cancel, NewJob, QueueCode, StoppedCode};

use crate::bed::{Bed, paths, second_project};
use crate::databases::{Kind, on_each_database};

impl Bed {
    async fn stop(&self, job: &NewJob) -> QueueCode {
        let queue = job.origin.queue().unwrap().into();
        let code = QueueCode { project: job.project, queue, code: job.code };
        let stop = vec![StoppedCode { code: code.clone(), example: job.id }];
        self.apply(Batch { stop, ..Batch::default() }).await;
        code
    }

    async fn let_go(&self, code: &QueueCode) -> bool {
        let gone = self.store.resume_code(code, &self.entry(Action::CodeResumed)).await.unwrap();
        self.audit().await;
        gone
    }

    async fn stopped(&self, project: Option<ProjectId>) -> Vec<QueueCode> {
        let stopped = self.store.stopped_codes(project, 100).await.unwrap();
        stopped.into_iter().map(|stopped| stopped.code).collect()
    }
}

async fn a_stopped_code_is_held_in_its_queue_alone(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    bed.add_project().await;
    let [first, second, third, elsewhere] =
        [("q", "a"), ("q", "b"), ("q", "c"), ("p", "elsewhere")].map(|(queue, key)| bed.alone(queue, key));
    let theirs = NewJob { project: second_project(), ..bed.alone("q", "theirs") };
    bed.put(vec![first.clone(), second.clone(), elsewhere, theirs]).await;
    let code = bed.stop(&first).await;
    bed.enqueue(&[("of a run", 0)]).await;
    assert_eq!(paths(&bed.claim(&[(1, 9)]).await), ["elsewhere", "theirs", "of a run"]);
    assert_eq!(bed.store.depth().await.unwrap().held, 2);
    bed.put(vec![third]).await;
    bed.store = bed.database.open().await;
    assert_eq!(bed.claim(&[(1, 9)]).await, [], "new ones are held as well, over a restart too");
    assert_eq!(bed.store.depth().await.unwrap().stopped, 1);
    bed.apply(Batch { cancel: vec![Cancel::Job(second.id)], ..Batch::default() }).await;
    assert!(bed.let_go(&code).await);
    assert!(!bed.let_go(&code).await, "once more changes nothing");
    assert_eq!(paths(&bed.claim(&[(1, 9)]).await), ["a", "c"]);
}

async fn stopped_codes_are_listed_within_bounds(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    let job = bed.alone("q", "a");
    let code = bed.stop(&job).await;
    assert_eq!(bed.stop(&job).await, code, "twice is once");
    assert_eq!(bed.stopped(Some(ProjectId::DEFAULT)).await, std::slice::from_ref(&code));
    assert_eq!(bed.stopped(None).await, [code]);
    assert_eq!(bed.stopped(Some(second_project())).await, []);
    for queue in 0..=MAX_STOPPED {
        let job = bed.alone(&queue.to_string(), "a");
        bed.stop(&job).await;
    }
    assert_eq!(bed.stopped(None).await.len(), usize::try_from(MAX_STOPPED).unwrap());
}

on_each_database! {
    a_stopped_code_is_held_in_its_queue_alone,
    stopped_codes_are_listed_within_bounds,
}
