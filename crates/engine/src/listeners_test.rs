//! Who hears what of a job, in which order, and who is forgotten.

use std::sync::Arc;

use actix::Actor;
use weevil_model::Timestamp;
use weevil_queue::Ended;

use super::{Listener, Listeners, News, Subject};
use crate::job_news::{Cost, JobChange, JobUpdate};
use crate::testing::{Flush, Log, Recorder, job, run};

fn overdue() -> JobChange {
    JobChange::Ended(Ended::Overdue, Cost::Nothing)
}

/// News of a job of run 1.
fn news(number: i64, path: &str, change: JobChange) -> News {
    let update = JobUpdate { change, at: Timestamp::default() };
    News { job: Some(job(number)), node: Some((run(1), path.to_owned())), update }
}

#[test]
fn everybody_hears_of_the_end_and_nobody_is_kept_who_has_gone() {
    let listeners = Listeners::default();
    let mut heard: Vec<_> = [1, 1, 2].map(|number| listeners.end_of(job(number))).into();
    listeners.tell(vec![
        news(1, "a", JobChange::Claimed),
        news(2, "b", JobChange::Requeued),
        news(1, "a", overdue()),
        news(3, "c", overdue()),
    ]);
    let told: Vec<_> = heard.iter_mut().map(|heard| heard.try_recv().is_ok()).collect();
    assert_eq!(told, [true, true, false]);
    listeners.sweep();
    assert_eq!(listeners.registry().jobs.len(), 1);
    drop(heard);
    listeners.sweep();
    assert!(listeners.registry().jobs.is_empty());
}

#[test]
fn an_executor_hears_of_every_change_until_the_end_or_until_its_run_is_forgotten() {
    let log = Log::default();
    actix::System::new().block_on(async {
        let listeners = Listeners::default();
        let executor = Recorder { name: "it".into(), log: log.clone() }.start();
        let listen = |path: &str| {
            let subject = Subject::Node { run: run(1), path: path.into() };
            listeners.listen(subject, Listener::Executor(executor.clone().recipient()));
        };
        listen("a");
        listeners.tell(vec![
            news(1, "a", JobChange::Claimed),
            news(1, "other", JobChange::Claimed),
            news(1, "a", JobChange::Requeued),
            news(1, "a", overdue()),
            news(1, "a", JobChange::Claimed),
        ]);
        listen("b");
        listeners
            .tell(vec![news(2, "b", JobChange::NotStored("too wide".to_owned())), news(2, "b", overdue())]);
        listen("c");
        listeners.forget_run(run(1));
        listeners.tell(vec![news(3, "c", overdue())]);
        listen("d");
        listeners.tell(vec![news(1, "d", JobChange::Requeued)]);
        executor.send(Flush).await.unwrap();
    });
    let heard = ["claimed", "requeued", "overdue", "not stored: too wide", "requeued"];
    assert_eq!(log.take(), heard.map(|change| format!("it hears {change}")));
}

#[test]
fn an_answer_is_the_last_that_a_processor_hears_and_its_pool_hears_the_rest() {
    use JobChange::{Answered, Claimed, Requeued};
    for (changes, heard) in [
        (vec![overdue(), Claimed], vec!["it hears overdue"]),
        (vec![Claimed, Requeued, Claimed], vec!["it hears claimed", "it hears requeued", "it hears claimed"]),
        (vec![Claimed, Answered], vec!["it hears claimed", "it hears answered"]),
        (
            vec![Answered, Claimed, Answered, Requeued, overdue(), Claimed],
            vec![
                "it hears answered",
                "pool of 7 hears claimed",
                "pool of 7 hears answered",
                "pool of 7 hears requeued",
                "pool of 7 hears overdue",
            ],
        ),
    ] {
        let log = Log::default();
        actix::System::new().block_on(async {
            let listeners = Listeners::default();
            let [executor, pool] =
                ["it", "pool"].map(|name| Recorder { name: name.into(), log: log.clone() }.start());
            let subject = Subject::Node { run: run(1), path: "a".into() };
            let whole = Arc::new(pool.clone().recipient());
            let heard = executor.clone().recipient();
            listeners.listen(subject, Listener::Processor { executor: heard, pool: whole, index: 7 });
            for change in changes {
                listeners.tell(vec![news(1, "a", change)]);
                executor.send(Flush).await.unwrap();
                pool.send(Flush).await.unwrap();
            }
        });
        assert_eq!(log.take(), heard);
    }
}
