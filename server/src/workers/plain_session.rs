//! Stands for one worker without a connection: keeps what the feeder assigned until the worker fetches it, and what
//! was revoked until it asks. Leaves when nothing was heard for a whole lease.
//!
//! The other end is a stranger: the routes have checked its words, here they are counted. Never touches the store.

use std::time::Duration;

use actix::{Actor, ActorContext, AsyncContext, Context, Handler, Message, SpawnHandle};
use tokio::sync::oneshot;
use weevil_engine::budget::{Peer, Permit};
use weevil_engine::contact::{Answers, Assigned, Contact, Revoked, SentAway};
use weevil_engine::feeder::{Request, WorkerJoined};
use weevil_model::limits::MAX_IN_FLIGHT;
use weevil_model::{Needs, PlaceNumber, Timestamp, WorkerId};
use weevil_protocol::plain::Renewal;
use weevil_queue::batch::Verdict;
use weevil_queue::{AttemptEnd, AttemptKey, Renew, Submission};

use super::allowance::Allowance;
use super::plain_leases::{Handed, PlainLeases};
use super::plain_workers::Entered;
use super::session::SessionContext;
use super::shipment::Watch;
use super::standing::SharedGiven;
use super::unanswered::Unanswered;

/// Where an answer goes. The request may be gone by then.
pub(crate) type Reply<T> = oneshot::Sender<Result<T, TooMuch>>;

/// The worker says more than can be answered.
#[derive(Debug)]
pub(crate) struct TooMuch;

/// Who has come.
pub(crate) struct Arrival {
    pub worker: WorkerId,
    pub place: PlaceNumber,
    pub peer: Peer,
    /// What it was handed, for who reads its reports.
    pub given: SharedGiven,
    pub agent: String,
    pub slots: u32,
    pub has: Needs,
    pub trusted: bool,
}

pub(crate) struct PlainSession {
    context: SessionContext,
    arrival: Arrival,
    _seat: Permit,
    /// Found under its pass until it has stopped.
    entered: Option<Entered>,
    allowance: Allowance,
    leases: PlainLeases,
    /// Large answers on their way.
    shipments: Vec<Watch>,
    heard_at: Timestamp,
    waiting: Option<OpenDequeue>,
    /// Requests whose reports the queue has not answered.
    submits: Unanswered,
    /// How the attempts end that the worker still holds when it leaves.
    leaving: AttemptEnd,
}

/// A dequeue that found nothing yet.
struct OpenDequeue {
    max: u32,
    reply: Reply<Vec<Handed>>,
    timer: SpawnHandle,
}

/// Wants at most `max` jobs, and waits at most so long for the first.
#[derive(Message)]
#[rtype(result = "()")]
pub(crate) struct SessionDequeue {
    pub max: u32,
    pub wait: Duration,
    pub reply: Reply<Vec<Handed>>,
}

#[derive(Message)]
#[rtype(result = "()")]
pub(crate) struct SessionSubmit {
    pub submissions: Vec<Submission>,
    /// For their bytes.
    pub waiting: Permit,
    pub reply: Reply<Vec<(AttemptKey, Verdict)>>,
}

#[derive(Message)]
#[rtype(result = "()")]
pub(crate) struct SessionHeartbeat {
    pub holding: Vec<Renew>,
    pub reply: Reply<Vec<(AttemptKey, Renewal)>>,
}

/// A large answer is on its way.
#[derive(Message)]
#[rtype(result = "()")]
pub(crate) struct Shipped(pub Watch);

/// The worker leaves for good.
#[derive(Message)]
#[rtype(result = "()")]
pub(crate) struct SessionLeave;

impl PlainSession {
    pub(super) fn new(context: SessionContext, arrival: Arrival, seat: Permit, entered: Entered) -> Self {
        let heard_at = context.common.clock.now();
        Self {
            context,
            arrival,
            _seat: seat,
            entered: Some(entered),
            allowance: Allowance::default(),
            leases: PlainLeases::default(),
            shipments: Vec::new(),
            heard_at,
            waiting: None,
            submits: Unanswered::default(),
            leaving: AttemptEnd::Lost,
        }
    }

    fn now(&self) -> Timestamp {
        self.context.common.clock.now()
    }

    fn ask(&self, ask: Request) {
        self.context.common.feeder.ask(ask);
    }

    /// How many jobs the feeder may let the worker hold: no further ones unless a dequeue waits for them.
    fn capacity(&self) -> u32 {
        let wanted = |waiting: &OpenDequeue| self.leases.count().saturating_add(waiting.max);
        self.waiting.as_ref().map_or(0, wanted).min(MAX_IN_FLIGHT)
    }

    /// Has these leases renewed, and tells the capacity as it is now.
    fn renew(&self, holding: Vec<Renew>) {
        let Arrival { worker, slots, .. } = self.arrival;
        self.ask(Request::Heartbeat { worker, holding, slots, capacity: self.capacity(), duty: None });
    }

    fn hand_out(&mut self, max: u32, reply: Reply<Vec<Handed>>) {
        let jobs = self.leases.fetch(max);
        if !jobs.is_empty() {
            self.allowance.worthwhile();
        }
        if let Err(Ok(unheard)) = reply.send(Ok(jobs)) {
            self.leases.put_back(unheard);
        }
    }

    /// Answers the dequeue that waits, with what there is.
    fn answer_waiting(&mut self, ctx: &mut Context<Self>) {
        if let Some(waiting) = self.waiting.take() {
            ctx.cancel_future(waiting.timer);
            self.hand_out(waiting.max, waiting.reply);
            self.renew(Vec::new());
        }
    }

    fn watch(&mut self, ctx: &mut Context<Self>) {
        self.allowance.renew();
        let now = self.now();
        self.leases.forget_expired(now);
        self.give_up_overdue(now);
        let attempts = self.leases.give_back();
        if !attempts.is_empty() {
            self.ask(Request::Yield { worker: self.arrival.worker, attempts, capacity: self.capacity() });
        }
        if self.context.is_silent(self.heard_at) && self.submits.is_empty() {
            tracing::info!(worker = %self.arrival.worker, "nothing was heard for a whole lease: the worker has left");
            ctx.stop();
        }
    }

    /// What nobody takes is sent no longer.
    fn give_up_overdue(&mut self, now: Timestamp) {
        self.shipments.retain(Watch::is_under_way);
        for overdue in self.shipments.iter().filter(|shipment| shipment.is_overdue(now)) {
            tracing::warn!(worker = %self.arrival.worker, "the worker does not read its jobs: the answer ends");
            overdue.give_up();
        }
    }
}

impl Actor for PlainSession {
    type Context = Context<Self>;

    fn started(&mut self, ctx: &mut Context<Self>) {
        let Arrival { worker, place, peer, slots, has, trusted, .. } = self.arrival;
        let agent = std::mem::take(&mut self.arrival.agent);
        let contact = Contact::of(ctx.address()).that_can_leave(ctx.address().recipient());
        let network = self.context.networks.pseudonym(peer);
        self.ask(Request::Join(
            WorkerJoined {
                worker,
                place,
                network,
                contact,
                agent,
                slots,
                capacity: 0,
                has,
                adapter: None,
                keeps_gpu: false,
                trusted,
            },
            peer,
        ));
        ctx.run_interval(self.context.watch_every(), Self::watch);
    }

    fn stopped(&mut self, _: &mut Context<Self>) {
        self.entered = None;
        self.shipments.iter().for_each(Watch::give_up);
        self.ask(Request::Leave { worker: self.arrival.worker, end: self.leaving });
    }
}

impl Handler<SessionDequeue> for PlainSession {
    type Result = ();

    fn handle(&mut self, SessionDequeue { max, wait, reply }: SessionDequeue, ctx: &mut Context<Self>) {
        self.heard_at = self.now();
        // Only one dequeue waits: whoever asks again has given the first one up.
        self.answer_waiting(ctx);
        if !self.allowance.aside(0) {
            let _gone = reply.send(Err(TooMuch));
        } else if self.leases.is_ready() {
            self.hand_out(max, reply);
        } else {
            let timer = ctx.run_later(wait, Self::answer_waiting);
            self.waiting = Some(OpenDequeue { max, reply, timer });
            self.renew(Vec::new());
        }
    }
}

impl Handler<SessionSubmit> for PlainSession {
    type Result = ();

    fn handle(
        &mut self,
        SessionSubmit { submissions, waiting, reply }: SessionSubmit,
        _: &mut Context<Self>,
    ) {
        self.heard_at = self.now();
        let reports = submissions.len();
        if !self.allowance.reports(reports) {
            self.allowance.answered(reports);
            let _gone = reply.send(Err(TooMuch));
            return;
        }
        let attempts: Vec<AttemptKey> = submissions.iter().map(|submission| submission.key).collect();
        self.leases.end(&attempts);
        self.submits.asked(&attempts, reply);
        self.ask(Request::Complete {
            worker: self.arrival.worker,
            submissions,
            capacity: self.capacity(),
            waiting: Some(waiting),
        });
    }
}

impl Handler<SessionHeartbeat> for PlainSession {
    type Result = ();

    fn handle(&mut self, SessionHeartbeat { holding, reply }: SessionHeartbeat, _: &mut Context<Self>) {
        self.heard_at = self.now();
        if !self.allowance.aside(holding.len()) {
            let _gone = reply.send(Err(TooMuch));
            return;
        }
        let keys: Vec<AttemptKey> = holding.iter().map(|renew| renew.key).collect();
        let told = self.leases.renew(&keys, self.heard_at, self.context.pacer.now().lease_ms);
        // What is told of those that were named comes first, in their order.
        let renewed = holding.into_iter().zip(&told).filter(|(_, (_, renewal))| *renewal == Renewal::Renewed);
        self.renew(renewed.map(|(renew, _)| renew).collect());
        let _gone = reply.send(Ok(told));
    }
}

impl Handler<Shipped> for PlainSession {
    type Result = ();

    fn handle(&mut self, Shipped(watch): Shipped, _: &mut Context<Self>) {
        self.shipments.push(watch);
    }
}

impl Handler<SessionLeave> for PlainSession {
    type Result = ();

    fn handle(&mut self, SessionLeave: SessionLeave, ctx: &mut Context<Self>) {
        self.leaving = AttemptEnd::Yielded;
        ctx.stop();
    }
}

/// Its pass is good no more.
impl Handler<SentAway> for PlainSession {
    type Result = ();

    fn handle(&mut self, _: SentAway, ctx: &mut Context<Self>) {
        ctx.stop();
    }
}

impl Handler<Assigned> for PlainSession {
    type Result = ();

    fn handle(&mut self, Assigned(jobs, parcel): Assigned, ctx: &mut Context<Self>) {
        self.arrival.given.give(&jobs);
        let now = self.now();
        self.leases.assign(jobs, &parcel, now);
        self.answer_waiting(ctx);
    }
}

impl Handler<Answers> for PlainSession {
    type Result = ();

    fn handle(&mut self, Answers(answers): Answers, _: &mut Context<Self>) {
        self.allowance.answered(answers.len());
        for answer in answers {
            self.submits.answered(answer.key, answer.verdict);
        }
    }
}

impl Handler<Revoked> for PlainSession {
    type Result = ();

    fn handle(&mut self, Revoked(attempts): Revoked, _: &mut Context<Self>) {
        self.leases.revoke(attempts);
    }
}
