//! One worker with a connection: turns its frames into asks of the feeder, and the feeder's answers into frames.
//!
//! The other end is a stranger: every frame is bounded, typed and checked here; a message that is not a frame ends
//! the connection. Never touches the store; a token, not the connection, says whose an attempt is.

use std::time::Duration;

use actix::{Actor, ActorContext, ActorFutureExt, AsyncContext, Context, Handler, StreamHandler, WrapFuture};
use actix_web::web::Bytes;
use weevil_engine::budget::{Permit, SharedBudget};
use weevil_engine::common::Common;
use weevil_engine::contact::{Answer, Answers, Assigned, Contact, Revoked, SentAway};
use weevil_engine::device_standings::StandingNews;
use weevil_engine::feeder::{Request, WorkerJoined};
use weevil_engine::pace::SharedPacer;
use weevil_model::witness::device_number;
use weevil_model::{ContentHash, Timestamp, WorkerId};
use weevil_peer::limits::LOBBY_MS;
use weevil_protocol::PROTOCOL_VERSION;
use weevil_protocol::frame::{ClientFrame, Hello, Identity, ServerFrame, Token, Welcome};
use weevil_queue::{AttemptEnd, Reporter, Submission};

use super::allowance::Allowance;
use super::device::DeviceIdentity;
use super::networks::Networks;
use super::outbox::{NotRead, Outbox, Outgoing};
use super::repeats::Repeats;
use super::standing::Standing;
use super::{sent_away, wire};
use crate::http::trust_tokens::TokenDesk;
use crate::refusal::Refusal;

const TOO_MUCH: &str = "more comes in than can be answered: slow down";

/// What a session is told by the routes.
pub(crate) struct SessionContext {
    pub common: Common,
    pub pacer: SharedPacer,
    pub budget: SharedBudget,
    pub networks: Networks,
}

impl SessionContext {
    /// How often a session looks after its worker.
    pub(super) fn watch_every(&self) -> Duration {
        Duration::from_millis(self.pacer.calm().heartbeat_ms.into())
    }

    /// Has nothing come from a worker for a whole lease, as long as leases are now?
    pub(super) fn is_silent(&self, heard_at: Timestamp) -> bool {
        self.common.clock.now().since(heard_at) > self.pacer.now().lease_ms.into()
    }
}

pub(crate) struct Session {
    context: SessionContext,
    standing: Standing,
    out: Outbox,
    worker: Option<WorkerId>,
    device: DeviceIdentity,
    /// Where its token is shown.
    desk: Option<TokenDesk>,
    allowance: Allowance,
    repeats: Repeats,
    heard_at: Timestamp,
    /// How the attempts end that the worker still holds when the connection ends.
    leaving: AttemptEnd,
}

/// What has come in over the socket, let in and checked.
pub(crate) enum Heard {
    /// Any but results.
    Frame(ClientFrame),
    Results {
        /// How many there were; some may name nothing.
        sent: usize,
        submissions: Vec<Submission>,
        capacity: u32,
        /// For their bytes.
        waiting: Option<Permit>,
    },
    Ping(Bytes),
    Close,
    /// Why nothing more is read.
    Trouble(String),
}

impl Session {
    /// `host` is how the worker knows the server.
    pub(crate) fn new(
        context: SessionContext,
        host: String,
        desk: Option<TokenDesk>,
        out: Outbox,
        standing: Standing,
    ) -> Self {
        let heard_at = context.common.clock.now();
        Self {
            context,
            standing,
            out,
            worker: None,
            device: DeviceIdentity::new(host),
            desk,
            allowance: Allowance::default(),
            repeats: Repeats::default(),
            heard_at,
            leaving: AttemptEnd::Lost,
        }
    }

    fn send(&self, frame: ServerFrame, ctx: &mut Context<Self>) {
        self.put_out(Outgoing::Frame(frame), ctx);
    }

    fn put_out(&self, message: Outgoing, ctx: &mut Context<Self>) {
        if let Err(NotRead) = self.out.put(message) {
            self.give_up(ctx);
        }
    }

    fn give_up(&self, ctx: &mut Context<Self>) {
        tracing::warn!(worker = ?self.worker, "the worker does not read its frames: its connection ends");
        self.out.give_up();
        ctx.stop();
    }

    /// Once: what is due while the session ends, such as the next look after its worker, adds no second word.
    fn refuse(&self, message: String, reload: bool, ctx: &mut Context<Self>) {
        self.end_with(ServerFrame::Refused { message, reload }, ctx);
    }

    fn end_with(&self, last: ServerFrame, ctx: &mut Context<Self>) {
        if self.out.is_refused() {
            return;
        }
        tracing::info!(worker = ?self.worker, ?last, "a worker is refused");
        self.send(last, ctx);
        self.out.refuse();
        ctx.stop();
    }

    fn receive(&mut self, frame: ClientFrame, ctx: &mut Context<Self>) {
        match (frame, self.worker) {
            (ClientFrame::Hello(hello), None) => self.welcome(&hello, ctx),
            (frame, Some(worker)) => self.obey(frame, worker, ctx),
            (_, None) => self.refuse("the first frame must be hello".into(), false, ctx),
        }
    }

    fn too_much(&self, ctx: &mut Context<Self>) {
        self.refuse(TOO_MUCH.into(), false, ctx);
    }

    fn take_results(
        &mut self,
        sent: usize,
        mut submissions: Vec<Submission>,
        capacity: u32,
        waiting: Option<Permit>,
        ctx: &mut Context<Self>,
    ) {
        let Some(worker) = self.worker else { return };
        self.repeats.leave_out(&mut submissions);
        // What brings nothing still wakes the feeder.
        let brings = !submissions.is_empty() || self.allowance.aside(0);
        if !brings || !self.allowance.reports(sent) {
            return self.too_much(ctx);
        }
        self.context.common.feeder.ask(Request::Complete { worker, submissions, capacity, waiting });
    }

    fn welcome(&mut self, hello: &Hello, ctx: &mut Context<Self>) {
        if hello.version != PROTOCOL_VERSION {
            let message = format!(
                "this page speaks version {} of the protocol, the server {PROTOCOL_VERSION}: reload the page",
                hello.version
            );
            return self.refuse(message, true, ctx);
        }
        let seat = match self.context.budget.seat(self.standing.peer()) {
            Ok(seat) => seat,
            Err(no_seat) => return self.refuse(Refusal::from(no_seat).to_string(), false, ctx),
        };
        let common = &self.context.common;
        let worker = common.ids.worker(common.clock.now());
        self.worker = Some(worker);
        self.standing.welcome(seat, worker);
        self.standing.set_slots(hello.slots);
        let welcome = self.welcome_frame(worker);
        self.send(ServerFrame::Welcome(welcome), ctx);
        let contact = Contact::of(ctx.address()).that_can_leave(ctx.address().recipient()).that_may_prove();
        let newcomer = WorkerJoined {
            worker,
            place: self.context.budget.number(self.standing.peer()),
            network: self.context.networks.pseudonym(self.standing.peer()),
            contact,
            agent: hello.agent.clone(),
            slots: hello.slots,
            capacity: hello.capacity,
            has: hello.has(),
            adapter: hello.adapter.clone(),
            keeps_gpu: hello.keeps_gpu(),
            trusted: false,
        };
        self.context.common.feeder.ask(Request::Join(newcomer, self.standing.peer()));
    }

    /// Who signs wrongly is not who it says, and no worker of ours.
    fn introduce(&mut self, identity: Identity, worker: WorkerId, ctx: &mut Context<Self>) {
        let Some(device) = self.device.hear(&identity) else {
            return self.refuse("the signature is not one of this device key".into(), false, ctx);
        };
        self.standing.prove(device);
        let (standings, now) = (self.context.common.listeners.devices(), self.context.common.clock.now());
        standings.follow(device_number(device), worker, ctx.address().recipient(), now);
        match identity.token {
            Some(token) => self.show(token, worker, device, ctx),
            None => self.context.common.feeder.ask(Request::Identified { worker, device }),
        }
    }

    /// Nothing more is heard until its token is taken: none is trusted less than it thinks.
    fn show(&self, Token(token): Token, worker: WorkerId, device: ContentHash, ctx: &mut Context<Self>) {
        let Some(desk) = self.desk.clone() else {
            return self.refuse("no tokens are taken here".into(), false, ctx);
        };
        let shown = async move { desk.trust_device(&token, device).await };
        ctx.wait(shown.into_actor(self).map(move |shown, session, ctx| match shown {
            Ok(()) => session.context.common.feeder.ask(Request::Identified { worker, device }),
            Err(refusal) => session.refuse(refusal.to_string(), false, ctx),
        }));
    }

    fn welcome_frame(&mut self, worker: WorkerId) -> Welcome {
        let calm = self.context.pacer.calm();
        Welcome {
            version: PROTOCOL_VERSION,
            worker: worker.to_string(),
            lease_ms: calm.lease_ms,
            heartbeat_ms: calm.heartbeat_ms,
            max_value_bytes: weevil_model::limits::MAX_VALUE_BYTES as u64,
            nonce: self.device.ask().map(|nonce| nonce.to_vec().into()),
        }
    }

    fn obey(&mut self, frame: ClientFrame, worker: WorkerId, ctx: &mut Context<Self>) {
        if !self.allowance.aside(frame.names()) {
            return self.too_much(ctx);
        }
        let ask = match frame {
            ClientFrame::Hello(_) => return self.refuse("hello comes once".into(), false, ctx),
            ClientFrame::Identity(identity) => return self.introduce(identity, worker, ctx),
            ClientFrame::Bye => {
                self.leaving = AttemptEnd::Yielded;
                return ctx.stop();
            }
            // They come checked, not as a frame.
            ClientFrame::Results { .. } => return,
            ClientFrame::Heartbeat { holding, slots, capacity, progress, duty } => {
                self.standing.set_slots(slots);
                self.send(ServerFrame::Heard, ctx);
                let holding = wire::renewals(holding, progress);
                Request::Heartbeat { worker, holding, slots, capacity, duty }
            }
            ClientFrame::Yield { attempts, capacity } => {
                self.standing.unasked(attempts.iter().copied());
                Request::Yield { worker, attempts: wire::keys(attempts), capacity }
            }
        };
        self.context.common.feeder.ask(ask);
    }

    /// Who says nothing is no worker.
    fn clear_lobby(&mut self, ctx: &mut Context<Self>) {
        if self.worker.is_none() {
            self.refuse(format!("no hello came within {LOBBY_MS} milliseconds"), false, ctx);
        }
    }

    /// A connection over which nothing comes for a whole lease is dead, whatever TCP thinks.
    fn watch(&mut self, ctx: &mut Context<Self>) {
        self.allowance.renew();
        if self.out.is_overdue(self.context.common.clock.now()) {
            return self.give_up(ctx);
        }
        if self.context.is_silent(self.heard_at) && !self.standing.is_waiting() {
            self.refuse("nothing was heard for a whole lease".into(), false, ctx);
        }
    }
}

impl Actor for Session {
    type Context = Context<Self>;

    fn started(&mut self, ctx: &mut Context<Self>) {
        ctx.run_interval(self.context.watch_every(), Self::watch);
        ctx.run_later(Duration::from_millis(LOBBY_MS), Self::clear_lobby);
    }

    fn stopped(&mut self, _: &mut Context<Self>) {
        self.out.end();
        if let Some(Reporter { worker, device }) = self.standing.reporter() {
            if let Some(device) = device {
                self.context.common.listeners.devices().unfollow(device_number(device), worker);
            }
            self.context.common.feeder.ask(Request::Leave { worker, end: self.leaving });
        }
    }
}

impl StreamHandler<Heard> for Session {
    fn handle(&mut self, heard: Heard, ctx: &mut Context<Self>) {
        if matches!(heard, Heard::Frame(_) | Heard::Results { .. }) {
            self.heard_at = self.context.common.clock.now();
        }
        match heard {
            Heard::Frame(frame) => self.receive(frame, ctx),
            Heard::Results { sent, submissions, capacity, waiting } => {
                self.take_results(sent, submissions, capacity, waiting, ctx);
            }
            Heard::Ping(bytes) => self.put_out(Outgoing::Pong(bytes), ctx),
            Heard::Close => ctx.stop(),
            Heard::Trouble(trouble) => self.refuse(trouble, false, ctx),
        }
    }
}

impl Handler<Assigned> for Session {
    type Result = ();

    fn handle(&mut self, Assigned(jobs, parcel): Assigned, ctx: &mut Context<Self>) {
        self.standing.give(&jobs);
        for frame in wire::assign_frames(jobs) {
            self.put_out(Outgoing::Jobs(frame, parcel.clone()), ctx);
        }
    }
}

impl Handler<Answers> for Session {
    type Result = ();

    fn handle(&mut self, Answers(mut answers): Answers, ctx: &mut Context<Self>) {
        self.repeats.complete(&mut answers);
        self.allowance.answered(answers.len());
        let verdict = |answer: Answer| (wire::key(answer.key), wire::verdict(answer.verdict));
        self.send(ServerFrame::Verdicts(answers.into_iter().map(verdict).collect()), ctx);
    }
}

impl Handler<Revoked> for Session {
    type Result = ();

    fn handle(&mut self, Revoked(keys): Revoked, ctx: &mut Context<Self>) {
        let keys: Vec<_> = keys.into_iter().map(wire::key).collect();
        self.standing.unasked(keys.iter().copied());
        self.send(ServerFrame::Revoke(keys), ctx);
    }
}

impl Handler<SentAway> for Session {
    type Result = ();

    fn handle(&mut self, why: SentAway, ctx: &mut Context<Self>) {
        self.end_with(ServerFrame::SentAway { message: sent_away::words(why).to_owned() }, ctx);
    }
}

impl Handler<StandingNews> for Session {
    type Result = ();

    fn handle(&mut self, StandingNews(standing): StandingNews, ctx: &mut Context<Self>) {
        self.send(wire::standing_frame(&standing), ctx);
    }
}
