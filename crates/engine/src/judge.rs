//! The server as one more worker, whom everybody trusts: it computes modules again whose answers are to be checked (ADR 0068).
//!
//! The feeder hands it jobs as to any worker, the first in turn, and takes what it says as any report; so whatever a crash leaves
//! is asked for again. It takes no more of a core than it is allowed, and what has waited too long goes to volunteers. Decides
//! nothing about anybody.

mod allowance;
mod court;

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::mpsc::{SyncSender, TrySendError};
use std::time::Duration;

use actix::{Actor, ActorFutureExt, AsyncContext, Context, Handler, WrapFuture};
use weevil_failpoint::{Point, pass};
use weevil_model::{ContentHash, Timestamp};
use weevil_queue::decide::server::SERVER;
use weevil_queue::{AttemptKey, Claimed, ClaimedEffort, Renew, Report, Reporter, Submission};
use weevil_records::{Blobs, StoreError};
use weevil_referee::Outcome;

use self::allowance::Allowance;
use self::court::{Computed, Task};
use crate::clock::SharedClock;
use crate::common::Common;
use crate::contact::{Answers, Assigned, Contact, Revoked};
use crate::feeder::{FeederHandle, Request, ServerRequest};
use crate::metrics::Metrics;

/// Jobs that wait here at most; more wait in the database.
const MAX_JUDGING: u32 = 256;
/// How long a job waits for its turn, milliseconds.
const MAX_WAIT_MS: i64 = 10_000;
/// So many jobs are taken as are likely to be computed within this time, milliseconds.
const AHEAD_MS: i64 = 2000;
/// How often leases are renewed, and overdue jobs given back.
const EVERY: Duration = Duration::from_secs(1);

struct JudgeContext {
    feeder: FeederHandle,
    code: Arc<dyn Blobs>,
    clock: SharedClock,
    metrics: Arc<Metrics>,
}

struct Judge {
    context: JudgeContext,
    allowance: Allowance,
    waiting: VecDeque<Waiting>,
    /// On its way to the thread, or there.
    busy: Option<AttemptKey>,
    /// The code of the newest job, since the next one is likely to have the same.
    code: Option<(ContentHash, Arc<Vec<u8>>)>,
    /// How long jobs took lately.
    each: Duration,
    tasks: Option<SyncSender<Task>>,
    /// It will look for the next job by itself.
    sleeps: bool,
}

struct Waiting {
    job: Box<Claimed>,
    since: Timestamp,
}

/// Has the server compute as well, for as long as it runs. Nothing where it may take nothing of a core.
pub fn employ(common: &Common, percent: u8) {
    if percent > 0 {
        let Common { feeder, store, clock, metrics, .. } = common.clone();
        Judge::new(JudgeContext { feeder, code: store, clock, metrics }, percent).start();
    }
}

impl Judge {
    fn new(context: JudgeContext, percent: u8) -> Self {
        let allowance = Allowance::new(percent, context.clock.now());
        let each = Duration::from_millis(10);
        let (waiting, tasks) = (VecDeque::new(), None);
        Self { context, allowance, waiting, busy: None, code: None, each, tasks, sleeps: false }
    }

    fn now(&self) -> Timestamp {
        self.context.clock.now()
    }

    fn ask(&self, request: Request) {
        self.context.feeder.ask(request);
    }

    /// With what is here already.
    fn capacity(&mut self) -> u32 {
        let (now, each) = (self.now(), self.each);
        let held = u32::from(self.busy.is_some());
        if self.allowance.wait_ms(now) > AHEAD_MS {
            return held;
        }
        (held + self.allowance.affords(each, AHEAD_MS, now)).min(MAX_JUDGING)
    }

    fn give_back(&mut self, attempts: Vec<AttemptKey>) {
        if !attempts.is_empty() {
            let capacity = self.capacity();
            self.ask(Request::Yield { worker: SERVER, attempts, capacity });
        }
    }

    /// Renews what is here, and gives back what volunteers would have begun by now.
    fn watch(&mut self, _: &mut Context<Self>) {
        let now = self.now();
        let is_overdue = |waiting: &Waiting| now.since(waiting.since) >= MAX_WAIT_MS;
        let (overdue, waiting): (VecDeque<_>, VecDeque<_>) = self.waiting.drain(..).partition(is_overdue);
        self.waiting = waiting;
        self.give_back(overdue.into_iter().map(|waiting| waiting.job.key).collect());
        let holding = self.waiting.iter().map(|waiting| waiting.job.key).chain(self.busy);
        let holding = holding.map(Renew::from).collect();
        let capacity = self.capacity();
        self.ask(Request::Heartbeat { worker: SERVER, holding, slots: 1, capacity, duty: None });
    }

    /// The next job, once it may be computed.
    fn next(&mut self, ctx: &mut Context<Self>) {
        let now = self.now();
        if self.busy.is_some() || self.sleeps || self.waiting.is_empty() {
            return;
        }
        let wait_ms = self.allowance.wait_ms(now);
        if wait_ms > 0 {
            self.sleeps = true;
            ctx.run_later(Duration::from_millis(wait_ms.unsigned_abs()), Self::wake);
            return;
        }
        let Some(Waiting { job, .. }) = self.waiting.pop_front() else { return };
        self.busy = Some(job.key);
        if let Some((_, module)) = self.code.clone().filter(|(hash, _)| *hash == job.code) {
            return self.compute(Task { job, module }, ctx);
        }
        let (store, hash) = (self.context.code.clone(), job.code);
        let fetch = async move { store.code(hash).await };
        ctx.spawn(fetch.into_actor(self).map(|code, judge, ctx| judge.fetched(job, code, ctx)));
    }

    fn fetched(
        &mut self,
        job: Box<Claimed>,
        code: Result<Option<Vec<u8>>, StoreError>,
        ctx: &mut Context<Self>,
    ) {
        match code {
            Ok(Some(bytes)) => {
                let module = Arc::new(bytes);
                self.code = Some((job.code, module.clone()));
                self.compute(Task { job, module }, ctx);
            }
            Ok(None) => self.cannot_say(&job, "its code is gone", ctx),
            Err(error) => self.cannot_say(&job, &error.to_string(), ctx),
        }
    }

    fn compute(&mut self, task: Task, ctx: &mut Context<Self>) {
        let Some(tasks) = &self.tasks else { return };
        // There is room, since one job at a time is sent; without a thread there is none.
        if let Err(TrySendError::Full(task) | TrySendError::Disconnected(task)) = tasks.try_send(task) {
            self.cannot_say(&task.job, "there is no thread to compute on", ctx);
        }
    }

    fn wake(&mut self, ctx: &mut Context<Self>) {
        self.sleeps = false;
        self.next(ctx);
    }

    fn cannot_say(&mut self, job: &Claimed, why: &str, ctx: &mut Context<Self>) {
        tracing::debug!(job = %job.key.job, why, "the server cannot say: volunteers are asked");
        self.busy = None;
        self.ask(Request::OfServer(ServerRequest::Unsaid(job.code)));
        self.give_back(vec![job.key]);
        self.next(ctx);
    }
}

impl Actor for Judge {
    type Context = Context<Self>;

    fn started(&mut self, ctx: &mut Context<Self>) {
        self.tasks = Some(court::begin(ctx.address().recipient()));
        self.ask(Request::OfServer(ServerRequest::Employ(Contact::of(ctx.address()))));
        self.watch(ctx);
        ctx.run_interval(EVERY, Self::watch);
    }
}

impl Handler<Assigned> for Judge {
    type Result = ();

    fn handle(&mut self, Assigned(jobs, _taken): Assigned, ctx: &mut Context<Self>) {
        let since = self.now();
        self.waiting.extend(jobs.into_iter().map(|job| Waiting { job: Box::new(job), since }));
        self.next(ctx);
    }
}

impl Handler<Revoked> for Judge {
    type Result = ();

    fn handle(&mut self, Revoked(attempts): Revoked, _: &mut Context<Self>) {
        self.waiting.retain(|waiting| !attempts.contains(&waiting.job.key));
    }
}

impl Handler<Answers> for Judge {
    type Result = ();

    /// What was superseded was computed for nothing.
    fn handle(&mut self, _: Answers, _: &mut Context<Self>) {}
}

impl Handler<Computed> for Judge {
    type Result = ();

    fn handle(&mut self, Computed { job, outcome, took }: Computed, ctx: &mut Context<Self>) {
        pass(Point::Judged);
        let now = self.now();
        self.allowance.spend(took, now);
        self.each = (self.each * 3 + took) / 4;
        self.context.metrics.queue.judged(took);
        let (value, digest) = match outcome {
            Outcome::Value(value, digest) => (value, digest),
            Outcome::CannotSay(why) => return self.cannot_say(&job, &why.to_string(), ctx),
        };
        self.busy = None;
        let compute_us = u64::try_from(took.as_micros()).unwrap_or(u64::MAX);
        let submission = Submission {
            key: job.key,
            reporter: Reporter { worker: SERVER, device: None },
            report: Report::Value(value),
            digest: Some(digest),
            claimed: ClaimedEffort { slot: 0, compute_us, flops: 0.0 },
            slots: 1,
            log: None,
        };
        let capacity = self.capacity();
        let submissions = vec![submission];
        self.ask(Request::Complete { worker: SERVER, submissions, capacity, waiting: None });
        self.next(ctx);
    }
}

#[cfg(test)]
mod tests {
    use tempfile::TempDir;
    use weevil_store::SqliteStore;

    use super::*;
    use crate::feeder;
    use crate::testing::ManualClock;

    #[tokio::test]
    async fn however_quick_jobs_are_a_bounded_number_waits() {
        let folder = TempDir::new().unwrap();
        let code = Arc::new(SqliteStore::open(&folder.path().join("weevil.db")).await.unwrap());
        let metrics = Arc::<Metrics>::default();
        let (feeder, _inbox) = feeder::channel(metrics.queue.asks.clone());
        let context = JudgeContext { feeder, code, clock: Arc::new(ManualClock::default()), metrics };
        let mut judge = Judge::new(context, 100);
        for (each, is_full) in [
            (Duration::from_secs(1), false),
            (Duration::from_millis(100), false),
            (Duration::from_micros(1), true),
        ] {
            judge.each = each;
            let capacity = judge.capacity();
            assert!((1..=MAX_JUDGING).contains(&capacity), "{each:?}: {capacity}");
            assert_eq!(capacity == MAX_JUDGING, is_full, "{each:?}: {capacity}");
        }
    }
}
