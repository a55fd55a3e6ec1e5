//! The feeder at work: takes asks, makes a batch of them, has it committed.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use actix::Addr;
use weevil_failpoint::{Point, pass};
use weevil_model::{RunId, Timestamp, WorkerId};
use weevil_protocol::api::Fleet;
use weevil_queue::{AttemptEnd, AttemptKey, Batch, Cancel, Claim, Outcomes, Release, Renew};

use super::clients::Clients;
use super::dispatch::Dispatch;
use super::lines::{Lines, Named};
use super::vain::Vain;
use super::{Ask, Feeder};
use crate::actors::job::JobActor;
use crate::budget::Permit;
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
    /// Who would ask in vain until something comes.
    pub(super) vain: Vain,
    /// When the next delayed job is due.
    due: Option<Timestamp>,
    pub(super) ended: bool,
    gathered: Batch,
    /// Each attempt once, however often it is named: the last word on its progress.
    renewed: HashMap<AttemptKey, Renew>,
    /// For the bytes of its reports.
    waiting: Vec<Permit>,
    /// Who sent each report of `gathered.complete`.
    reporters: Vec<WorkerId>,
    /// Who waits for the batch to be durable.
    clients: Clients,
}

impl Desk {
    pub(super) fn new(feeder: Feeder) -> Self {
        Self {
            feeder,
            executors: HashMap::new(),
            lines: Lines::default(),
            dispatch: Dispatch::default(),
            vain: Vain::default(),
            due: None,
            ended: false,
            gathered: Batch::default(),
            renewed: HashMap::new(),
            waiting: Vec::new(),
            reporters: Vec::new(),
            clients: Clients::default(),
        }
    }

    /// Is there anybody to hand a job to, and perhaps a job?
    pub(super) fn can_claim(&self) -> bool {
        self.lines.hungry(&self.vain) && self.feeder.health.serving()
    }

    pub(super) fn take(&mut self, ask: Ask) {
        self.feeder.metrics.queue.asks.dec();
        match ask {
            Ask::Enqueue { job, executor } => {
                if let Some(run) = job.origin.run() {
                    self.executors.entry(run).or_default().insert(job.path.clone(), executor);
                }
                self.gathered.enqueue.push(*job);
            }
            Ask::Join(newcomer) => self.lines.join(newcomer, self.feeder.clock.now()),
            Ask::Identified { worker, device } => self.lines.identify(worker, device),
            Ask::Complete { worker, submissions, capacity, waiting } => {
                self.waiting.extend(waiting);
                self.lines.set_capacity(worker, capacity);
                self.dispatch.reported(worker);
                self.reporters.extend(submissions.iter().map(|_| worker));
                self.gathered.complete.extend(submissions);
            }
            Ask::Heartbeat { worker, holding, slots, capacity } => {
                self.lines.set_slots(worker, slots);
                self.lines.set_capacity(worker, capacity);
                self.renew(worker, holding);
            }
            Ask::Yield { worker, attempts, capacity } => {
                self.lines.set_capacity(worker, capacity);
                let end = AttemptEnd::Yielded;
                let given = self.lines.given_back(worker, attempts);
                self.gathered.release.extend(given.into_iter().map(|key| Release { key, end }));
            }
            Ask::Leave { worker, end } => {
                self.dispatch.left(worker);
                let held = self.lines.leave(worker);
                self.gathered.release.extend(held.into_iter().map(|key| Release { key, end }));
            }
            Ask::CancelRun(run) => {
                self.executors.remove(&run);
                self.gathered.cancel.push(Cancel::Run(run));
            }
            Ask::Submit { jobs, reply } => {
                self.clients.submitted(&jobs, reply);
                self.gathered.enqueue.extend(jobs);
            }
            Ask::CancelJob { job, reply } => {
                self.gathered.cancel.push(Cancel::Job(job));
                self.clients.cancelled(reply);
            }
            Ask::Resumed => self.vain.forget(),
            Ask::Tick => self.tick(),
            Ask::Probe => self.gathered.probe = true,
            Ask::End => self.ended = true,
        }
    }

    fn renew(&mut self, worker: WorkerId, holding: Vec<Renew>) {
        let heartbeat_ms = self.feeder.pacer.now().heartbeat_ms;
        let Named { held, doubted } =
            self.lines.named(worker, holding, self.feeder.clock.now(), heartbeat_ms);
        self.gathered.doubted.extend(doubted.into_iter().map(|key| (worker, key)));
        for renew in held {
            let known = self.renewed.entry(renew.key).or_insert(renew);
            known.progress = renew.progress.or(known.progress);
        }
    }

    fn tick(&mut self) {
        self.gathered.look = true;
        self.feeder.ends.sweep();
        self.post_fleet();
        self.feeder.pacer.follow(self.lines.count(), self.feeder.clock.now());
        self.dispatch.idle(|worker| self.lines.has(worker).is_none_or(|has| self.vain.is(has)));
    }

    /// How long nothing happens by itself.
    pub(super) fn until_due(&self) -> Duration {
        let Some(due) = self.due else { return Duration::MAX };
        Duration::from_millis(due.since(self.feeder.clock.now()).max(0).unsigned_abs())
    }

    fn post_fleet(&self) {
        let workers = self.lines.views();
        let slots = workers.iter().map(|worker| worker.slots).sum();
        self.feeder.board.post_fleet(Fleet { workers, slots });
    }

    /// Commits what was gathered and tells everybody what came of it.
    pub(super) async fn work(&mut self) {
        if !self.gathered.enqueue.is_empty() {
            self.vain.forget();
        }
        self.gathered.look |= self.until_due().is_zero();
        let mut batch = Batch {
            lease_ms: self.feeder.pacer.now().lease_ms.into(),
            claim: self.claim(),
            renew: self.renewed.drain().map(|(_, renew)| renew).collect(),
            ..std::mem::take(&mut self.gathered)
        };
        if batch.is_empty() {
            return;
        }
        let (reporters, clients) = (std::mem::take(&mut self.reporters), std::mem::take(&mut self.clients));
        let _until_durable = std::mem::take(&mut self.waiting);
        pass(Point::BatchGathered);
        let watch = Stopwatch::start();
        let (outcomes, now) = self.commit(&mut batch).await;
        self.feeder.metrics.queue.committed(&batch, &outcomes, watch.elapsed());
        pass(Point::BatchCommitted);
        self.vain.learn(&batch.claim.asks, &outcomes.claimed, batch.claim.tokens.len(), outcomes.cut);
        if batch.look || outcomes.due.is_some() {
            self.due = outcomes.due;
        }
        clients.answer(&outcomes.duplicates);
        self.tell(reporters, outcomes, now);
        if !self.feeder.health.serving() {
            self.feeder.health.holding(self.lines.held());
        }
    }

    fn claim(&mut self) -> Claim {
        if !self.can_claim() {
            return Claim::default();
        }
        let asks = self.lines.appetites(&self.vain);
        let wanted: usize = asks.iter().map(|ask| ask.wants as usize).sum();
        match seeds::tokens(wanted.min(MAX_CLAIM)) {
            Ok(tokens) => Claim { asks, tokens },
            Err(error) => {
                tracing::error!(%error, "no randomness for tokens: nothing is handed out until the next job comes");
                self.vain.learn(&asks, &[], 1, false);
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
                    batch.look = false;
                }
            }
            tokio::time::sleep(RETRY_AFTER).await;
        }
    }
}
