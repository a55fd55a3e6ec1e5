//! The feeder at work: takes asks, makes a batch of them, has it committed (`commit.rs`).

use std::collections::HashMap;
use std::future::pending;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::mpsc;
use weevil_failpoint::{Point, pass};
use weevil_model::{JobId, RunId, Timestamp, WorkerId};
use weevil_queue::decide::claim::Left;
use weevil_queue::{
    Appetite, AttemptEnd, AttemptKey, Cancel, Claim, Closing, Duplicate, NewJob, QueueCode, Release, Renew,
    Reopen,
};

use super::context::{MAX_BATCH, MAX_BATCH_BYTES};
use crate::budget::Permit;
use crate::clock::Stopwatch;
use crate::feeder::commit::Done;
use crate::feeder::crowding::Crowding;
use crate::feeder::dispatch::Dispatch;
use crate::feeder::fruitless::FruitlessNeeds;
use crate::feeder::pieces::SetAside;
use crate::feeder::replies::{Replies, Reply};
use crate::feeder::server::ServerDesk;
use crate::feeder::spares::SpareDesk;
use crate::feeder::stopped::StopDesk;
use crate::feeder::suspensions::Suspensions;
use crate::feeder::work::Work;
use crate::feeder::workers::{ConnectedWorkers, Named};
use crate::feeder::{FeederContext, Request};
use crate::seeds;

/// Jobs that one transaction hands out.
pub(super) const MAX_CLAIM: usize = 1024;

pub(super) struct Feeder {
    pub(super) context: FeederContext,
    pub(super) workers: ConnectedWorkers,
    pub(super) dispatch: Dispatch,
    /// What places let it hand out.
    pub(super) crowding: Crowding,
    /// Who would ask in vain until something comes.
    pub(super) fruitless: FruitlessNeeds,
    pub(super) spares: SpareDesk,
    pub(super) server: ServerDesk,
    pub(super) stops: StopDesk,
    pub(super) suspensions: Suspensions,
    /// When the next delayed job is due.
    due: Option<Timestamp>,
    pub(super) ended: bool,
    pub(super) gathered: Work,
    /// Bytes of what is gathered.
    bytes: usize,
    /// Asked already, but too much for the batch that was gathered then.
    next: Option<Request>,
    /// Each attempt once, however often it is named: the last word on its progress.
    renewed: HashMap<AttemptKey, Renew>,
    /// For the bytes of its reports.
    waiting: Vec<Permit>,
    /// Who waits for the batch to be durable.
    pub(super) replies: Replies,
    /// How often, one after the other, the database has refused what trying again cannot cure.
    pub(super) refusals: u32,
    pub(super) aside: SetAside,
}

impl Feeder {
    pub(super) fn new(mut context: FeederContext) -> Self {
        Self {
            crowding: Crowding::new(context.budget.clone()),
            spares: SpareDesk::new(context.spares),
            stops: StopDesk::default(),
            suspensions: Suspensions::new(std::mem::take(&mut context.suspended)),
            context,
            workers: ConnectedWorkers::default(),
            dispatch: Dispatch::default(),
            fruitless: FruitlessNeeds::default(),
            server: ServerDesk::default(),
            due: None,
            ended: false,
            gathered: Work::default(),
            bytes: 0,
            next: None,
            renewed: HashMap::new(),
            waiting: Vec::new(),
            replies: Replies::default(),
            refusals: 0,
            aside: SetAside::default(),
        }
    }

    /// Is there anybody to hand a job to, and perhaps a job?
    pub(super) fn can_claim(&self) -> bool {
        let is_somebody = self.workers.hungry(&self.fruitless, &self.crowding)
            || self.server.would_ask(self.workers.server_wants());
        is_somebody && self.context.health.serving()
    }

    /// Ends when more may be handed out than a moment ago.
    pub(super) fn room(&self) -> impl Future<Output = ()> + use<> {
        let bell = self.crowding.bell();
        async move { bell.rung().await }
    }

    /// Is there something to be done before anybody asks for more?
    pub(super) fn is_busy(&self) -> bool {
        self.can_claim() || self.next.is_some() || !self.gathered.batch.is_empty()
    }

    /// Has the last batch been committed, with all that was left before it?
    pub(super) fn has_ended(&self) -> bool {
        self.ended && self.gathered.batch.is_empty()
    }

    /// Takes what has been asked meanwhile: as much as one transaction may carry, the rest stays in line.
    pub(super) fn fill(&mut self, inbox: &mut mpsc::UnboundedReceiver<Request>) {
        for _ in 1..MAX_BATCH {
            let Some(ask) = self.next.take().or_else(|| inbox.try_recv().ok()) else { return };
            if self.bytes > 0 && self.bytes.saturating_add(ask.bytes()) > MAX_BATCH_BYTES {
                self.next = Some(ask);
                return;
            }
            self.take(ask);
        }
    }

    pub(super) fn take(&mut self, ask: Request) {
        self.context.metrics.queue.asks.dec();
        self.bytes = self.bytes.saturating_add(ask.bytes());
        match ask {
            Request::Enqueue(job) => self.enqueue(*job),
            Request::Reopen { job, message } => self.reopen(*job, message),
            Request::Anew(reopen) => self.gathered.batch.reopen.push(reopen),
            Request::Shorten(shortened) => self.gathered.batch.shorten.push(shortened),
            Request::Close(closing) => self.close(closing),
            Request::Join(newcomer, peer) => {
                self.crowding.join(newcomer.worker, peer);
                self.welcome(newcomer);
            }
            Request::OfServer(ask) => self.take_of_server(ask),
            Request::Identified { worker, device } => self.identified(worker, device),
            Request::Marked(device) => self.marked(device),
            Request::Suspend(who, suspension) => self.suspend(who, &suspension),
            Request::LetGoOn(who) => self.let_go_on(who),
            Request::SendAway(worker) => self.send_away(worker),
            Request::Complete { worker, submissions, capacity, waiting } => {
                self.waiting.extend(waiting);
                self.heard(worker, capacity);
                self.dispatch.reported(worker);
                self.gathered.batch.complete.extend(submissions);
            }
            Request::Heartbeat { worker, holding, slots, capacity, duty } => {
                self.workers.set_slots(worker, slots, duty);
                self.heard(worker, capacity);
                self.renew(worker, holding);
            }
            Request::Yield { worker, attempts, capacity } => {
                self.heard(worker, capacity);
                let given = self.workers.given_back(worker, attempts);
                self.crowding.returned(worker, given.len());
                self.release(given, AttemptEnd::Yielded);
            }
            Request::Leave { worker, end } => self.leave(worker, end),
            Request::CancelRun(run) => self.cancel_run(run),
            Request::Submit { jobs, reply } => self.submit(jobs, reply),
            Request::CancelJob { job, reply } => self.cancel_job(job, reply),
            Request::Resumed => self.resumed(None),
            Request::CodeResumed(code) => self.resumed(Some(&code)),
            Request::Tick => self.tick(),
            Request::Probe => self.gathered.batch.probe = true,
            Request::End => self.ended = true,
        }
    }

    /// Everybody may find something again, the server too.
    fn resumed(&mut self, code: Option<&QueueCode>) {
        if let Some(code) = code {
            self.stops.resumed(code);
        }
        self.fruitless.forget();
        self.server.look();
    }

    fn cancel_run(&mut self, run: RunId) {
        self.context.listeners.forget_run(run);
        self.gathered.batch.cancel.push(Cancel::Run(run));
    }

    fn cancel_job(&mut self, job: JobId, reply: Reply<()>) {
        self.gathered.batch.cancel.push(Cancel::Job(job));
        self.replies.cancelled(job, reply);
    }

    /// The next batch reads what is kept of it, and it may have what it might not before.
    fn marked(&mut self, device: i64) {
        self.workers.forget_record(device);
        self.fruitless.forget();
    }

    /// Its value does not fit: it is computed anew.
    fn reopen(&mut self, job: NewJob, message: String) {
        let path = job.path.clone();
        self.gathered.batch.reopen.extend(job.origin.run().map(|run| Reopen {
            run,
            path,
            message,
            anew: false,
        }));
        self.enqueue(job);
    }

    /// Once in a batch is as good as twice.
    fn close(&mut self, closing: Closing) {
        if !self.gathered.batch.close.contains(&closing) {
            self.gathered.batch.close.push(closing);
        }
    }

    fn submit(&mut self, jobs: Vec<NewJob>, reply: Reply<Vec<Duplicate>>) {
        self.replies.submitted(&jobs, reply);
        self.gathered.together.push(jobs.len());
        self.gathered.batch.enqueue.extend(jobs);
    }

    pub(super) fn release(&mut self, keys: Vec<AttemptKey>, end: AttemptEnd) {
        self.gathered.batch.release.extend(keys.into_iter().map(|key| Release { key, end }));
    }

    /// A job that is there already stays as it is; its executor hears of it again.
    fn enqueue(&mut self, job: NewJob) {
        self.gathered.together.push(1);
        self.gathered.batch.enqueue.push(job);
    }

    fn renew(&mut self, worker: WorkerId, holding: Vec<Renew>) {
        let heartbeat_ms = self.context.pacer.now().heartbeat_ms;
        let Named { held, mut doubted } =
            self.workers.named(worker, holding, self.context.clock.now(), heartbeat_ms);
        doubted.truncate(self.crowding.doubts(worker, doubted.len()));
        self.gathered.batch.doubted.extend(doubted.into_iter().map(|key| (worker, key)));
        for renew in held {
            let known = self.renewed.entry(renew.key).or_insert(renew);
            known.progress = renew.progress.or(known.progress);
        }
    }

    /// Whoever was handed nothing may be asked for again.
    pub(super) fn look_again(&mut self) {
        self.crowding.look_again();
    }

    fn tick(&mut self) {
        self.gathered.batch.look = true;
        self.crowding.look_again();
        self.fruitless.ask_holders_again();
        self.context.listeners.sweep();
        self.look_at_suspensions();
        self.post_fleet();
        self.context.pacer.follow(self.workers.count(), self.context.clock.now());
        self.dispatch
            .idle(|worker| self.workers.has(worker).is_none_or(|has| self.fruitless.is(worker, has)));
    }

    /// Ends when the next delayed job is due, or spares are to be looked for; never where there is none.
    pub(super) fn something_due(&self) -> impl Future<Output = ()> + use<> {
        let time = [self.until_due(), self.until_spares()].into_iter().flatten().min();
        let sleep = time.map(|time| self.context.clock.sleep(time));
        async move {
            match sleep {
                Some(sleep) => sleep.await,
                None => pending().await,
            }
        }
    }

    /// How long until the next delayed job is due.
    fn until_due(&self) -> Option<Duration> {
        let left_ms = self.due?.since(self.context.clock.now());
        Some(Duration::from_millis(left_ms.max(0).unsigned_abs()))
    }

    /// Commits what was gathered and tells everybody what came of it.
    pub(super) async fn work(&mut self) {
        // Jobs are put in, or answers chosen to be checked: something may be ready.
        if !(self.gathered.batch.enqueue.is_empty() && self.gathered.batch.close.is_empty()) {
            self.fruitless.forget();
        }
        self.gathered.batch.look |= self.until_due() == Some(Duration::ZERO);
        let mut work = std::mem::take(&mut self.gathered);
        self.bytes = 0;
        work.batch.lease_ms = self.context.pacer.now().lease_ms.into();
        work.batch.claim = self.claim();
        work.batch.company = self.workers.company();
        work.batch.judging = self.context.judging;
        work.batch.chance = seeds::chance();
        work.batch.renew.extend(self.renewed.drain().map(|(_, renew)| renew));
        if work.batch.is_empty() {
            return;
        }
        pass(Point::BatchGathered);
        let watch = Stopwatch::start();
        let done = self.commit(work).await;
        self.bytes = self.gathered.bytes();
        if self.gathered.batch.is_empty() {
            self.waiting.clear();
        }
        self.committed(done, watch.elapsed());
        self.rest().await;
    }

    /// Everybody hears what came of it.
    fn committed(&mut self, done: Done, took: Duration) {
        let Done { work: Work { mut batch, .. }, outcomes, now } = done;
        if batch.is_empty() {
            return;
        }
        // Let go of, so that it is changed in place.
        batch.company = Arc::default();
        self.context.metrics.queue.committed(&batch, &outcomes, took);
        self.context.board.throughput.committed(&batch, &outcomes);
        pass(Point::BatchCommitted);
        let left = Left { cut: outcomes.cut, kept: outcomes.kept };
        self.fruitless.learn(&batch.claim.asks, &outcomes.claimed, batch.claim.tokens.len(), left);
        self.server.learn(batch.claim.server.as_ref(), &outcomes.claimed);
        self.spares.learn(&batch.claim.spares, &outcomes.claimed);
        if batch.look || outcomes.due.is_some() {
            self.due = outcomes.due;
        }
        self.replies.answer(&outcomes.duplicates, &self.gathered.batch);
        self.tell(&batch.complete, outcomes, now);
        for asks in [&batch.claim.asks, &batch.claim.spares.asks] {
            self.crowding.settle(asks, |worker| self.workers.held_by(worker));
        }
        if !self.context.health.serving() {
            self.context.health.holding(self.workers.held());
        }
    }

    fn claim(&mut self) -> Claim {
        let asks = self.asks();
        let spares = self.due_spares(&asks);
        let server = self.server_asks();
        let wanted: usize = asks.iter().chain(&spares.asks).map(|ask| ask.wants as usize).sum();
        let wanted = wanted + server.as_ref().map_or(0, |ask| ask.wants as usize);
        match seeds::tokens(wanted.min(MAX_CLAIM)) {
            Ok(tokens) => Claim { asks, tokens, bytes: self.crowding.room(), spares, server },
            Err(error) => {
                tracing::error!(%error, "no randomness for tokens: nothing is handed out until the next job comes");
                self.fruitless.learn(&asks, &[], 1, Left::default());
                Claim::default()
            }
        }
    }

    fn asks(&mut self) -> Vec<Appetite> {
        if !self.can_claim() {
            return Vec::new();
        }
        let asks = self.workers.appetites(&self.fruitless);
        self.crowding.allowed(asks, MAX_CLAIM, |worker| self.workers.held_by(worker))
    }
}
