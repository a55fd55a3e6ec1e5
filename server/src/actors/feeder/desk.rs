//! The feeder at work: takes asks, makes a batch of them, has it committed.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use actix::Addr;
use weevil_failpoint::{Point, pass};
use weevil_model::{RunId, Timestamp, WorkerId};
use weevil_protocol::api::Fleet;
use weevil_queue::{AttemptEnd, Batch, Claim, Outcomes, Release};

use super::dispatch::Dispatch;
use super::lines::Lines;
use super::{Ask, Feeder};
use crate::actors::job::JobActor;
use crate::clock::Stopwatch;
use crate::seeds;

/// Jobs that one transaction hands out.
const MAX_CLAIM: usize = 1024;
/// How long to wait before a failed batch is tried again.
const RETRY_AFTER: Duration = Duration::from_secs(1);

pub(super) struct Desk {
    pub(super) feeder: Feeder,
    /// Who waits for which job.
    pub(super) executors: HashMap<RunId, HashMap<Arc<str>, Addr<JobActor>>>,
    pub(super) lines: Lines,
    pub(super) dispatch: Dispatch,
    /// False while the last claim found less than was asked for and nothing has come since.
    pub(super) maybe_ready: bool,
    pub(super) ended: bool,
    gathered: Batch,
    /// Who sent each report of `gathered.complete`.
    reporters: Vec<WorkerId>,
}

impl Desk {
    pub(super) fn new(feeder: Feeder) -> Self {
        Self {
            feeder,
            executors: HashMap::new(),
            lines: Lines::default(),
            dispatch: Dispatch::default(),
            maybe_ready: true,
            ended: false,
            gathered: Batch::default(),
            reporters: Vec::new(),
        }
    }

    /// Is there anybody to hand a job to, and perhaps a job?
    pub(super) fn can_claim(&self) -> bool {
        self.maybe_ready && self.lines.hungry() && self.feeder.health.serving()
    }

    pub(super) fn take(&mut self, ask: Ask) {
        self.feeder.metrics.queue.asks.dec();
        match ask {
            Ask::Enqueue { job, executor } => {
                self.executors.entry(job.run).or_default().insert(job.path.clone(), executor);
                self.gathered.enqueue.push(*job);
            }
            Ask::Join(newcomer) => self.lines.join(newcomer, self.feeder.clock.now()),
            Ask::Complete { worker, submissions, capacity } => {
                self.lines.set_capacity(worker, capacity);
                self.dispatch.reported(worker);
                self.reporters.extend(submissions.iter().map(|_| worker));
                self.gathered.complete.extend(submissions);
            }
            Ask::Heartbeat { worker, holding, slots, capacity } => {
                self.lines.set_slots(worker, slots);
                self.lines.set_capacity(worker, capacity);
                self.gathered.renew.extend(holding);
            }
            Ask::Yield { worker, attempts, capacity } => {
                self.lines.set_capacity(worker, capacity);
                let end = AttemptEnd::Yielded;
                self.gathered.release.extend(attempts.into_iter().map(|key| Release::One { key, end }));
            }
            Ask::Leave { worker, end } => {
                self.lines.leave(worker);
                self.dispatch.left(worker);
                self.gathered.release.push(Release::Worker { worker, end });
            }
            Ask::CancelRun(run) => {
                self.executors.remove(&run);
                self.gathered.cancel.push(run);
            }
            Ask::Expire => {
                self.gathered.expire = true;
                self.post_fleet();
                self.feeder.pacer.follow(self.lines.count(), self.feeder.clock.now());
                if !self.maybe_ready {
                    self.dispatch.idle();
                }
            }
            Ask::Probe => self.gathered.probe = true,
            Ask::End => self.ended = true,
        }
    }

    fn post_fleet(&self) {
        let workers = self.lines.views();
        let slots = workers.iter().map(|worker| worker.slots).sum();
        self.feeder.board.post_fleet(Fleet { workers, slots });
    }

    /// Commits what was gathered and tells everybody what came of it.
    pub(super) async fn work(&mut self) {
        self.maybe_ready |= !self.gathered.enqueue.is_empty();
        let mut batch = Batch {
            lease_ms: self.feeder.pacer.now().lease_ms.into(),
            claim: self.claim(),
            ..std::mem::take(&mut self.gathered)
        };
        if batch.is_empty() {
            return;
        }
        let reporters = std::mem::take(&mut self.reporters);
        let asked = batch.claim.tokens.len();
        pass(Point::BatchGathered);
        let watch = Stopwatch::start();
        let (outcomes, now) = self.commit(&mut batch).await;
        self.feeder.metrics.queue.committed(&batch, &outcomes, watch.elapsed());
        pass(Point::BatchCommitted);
        self.maybe_ready &= outcomes.claimed.len() == asked;
        self.tell(reporters, batch.complete, outcomes, now);
        if !self.feeder.health.serving() {
            self.feeder.health.holding(self.lines.held());
        }
    }

    fn claim(&mut self) -> Claim {
        if !self.can_claim() {
            return Claim::default();
        }
        let asks = self.lines.appetites();
        let wanted: usize = asks.iter().map(|ask| ask.1 as usize).sum();
        match seeds::tokens(wanted.min(MAX_CLAIM)) {
            Ok(tokens) => Claim { asks, tokens },
            Err(error) => {
                tracing::error!(%error, "no randomness for tokens: nothing is handed out until the next job comes");
                self.maybe_ready = false;
                Claim::default()
            }
        }
    }

    /// A batch is tried until the database has it: losing it would lose a result or stall a run.
    async fn commit(&self, batch: &mut Batch) -> (Outcomes, Timestamp) {
        let mut wrote = batch.probe;
        loop {
            let now = self.feeder.clock.now();
            match self.feeder.store.apply(batch, now).await {
                Ok(outcomes) => {
                    self.feeder.health.answered(wrote);
                    return (outcomes, now);
                }
                Err(error) => {
                    tracing::error!(%error, "the queue waits for its database");
                    self.feeder.health.refused(&error);
                    self.feeder.metrics.queue.batch_failures.inc();
                    wrote = true;
                    // Heartbeats wait behind this batch: a database that was away is nobody's silence. The next tick asks anew.
                    batch.expire = false;
                }
            }
            tokio::time::sleep(RETRY_AFTER).await;
        }
    }
}
