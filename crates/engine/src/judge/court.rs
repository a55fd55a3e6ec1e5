//! The thread on which the server computes modules of strangers: one job at a time, apart from everything that answers anybody.
//!
//! Bytes in, an outcome and its time out; the bounds are `weevil-referee`'s.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::time::Duration;

use actix::{Message, Recipient};
use weevil_queue::Claimed;
use weevil_referee::{Bounds, Outcome, run};

use crate::clock::Stopwatch;

/// A job, and its code.
pub(super) struct Task {
    pub job: Box<Claimed>,
    pub module: Arc<Vec<u8>>,
}

/// What the server has to say of a job.
#[derive(Message)]
#[rtype(result = "()")]
pub(super) struct Computed {
    pub job: Box<Claimed>,
    pub outcome: Outcome,
    pub took: Duration,
}

/// Ends with its last sender. Where no thread can be begun, tasks come back unsent.
pub(super) fn begin(reply: Recipient<Computed>) -> SyncSender<Task> {
    let (tasks, inbox) = sync_channel(1);
    let begun = std::thread::Builder::new().name("judge".to_owned()).spawn(move || work(&inbox, &reply));
    if let Err(error) = begun {
        tracing::error!(%error, "no thread to compute on: volunteers check what the server would have");
    }
    tasks
}

fn work(inbox: &Receiver<Task>, reply: &Recipient<Computed>) {
    while let Ok(Task { job, module }) = inbox.recv() {
        let watch = Stopwatch::start();
        let outcome = run(&module, &job.input, &Bounds::JOB);
        reply.do_send(Computed { job, outcome, took: watch.elapsed() });
    }
}
