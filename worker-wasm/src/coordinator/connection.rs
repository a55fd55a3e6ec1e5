//! The way to the server: hello, heartbeats, what comes in and what is given back.

use std::collections::HashSet;

use weevil_model::Capabilities;
use weevil_model::limits::MAX_IN_FLIGHT;
use weevil_protocol::frame::{
    Assignment, AttemptKey, ClientFrame, CodeKind, CodeRef, Hello, Identity, ServerFrame, Verdict, Welcome,
};
use weevil_protocol::identity::signed_text;
use weevil_protocol::page::WorkState;
use weevil_protocol::{PROTOCOL_VERSION, WORKER_SOCKET_PATH};

use super::{Effect, State, Wish};
use crate::job::Job;
use crate::link::{LeaseTerms, Link};

/// What every browser of today can run: this is WebAssembly itself, and the job runtime stops a job's clock.
const ABLE: Capabilities = Capabilities::JAVASCRIPT.and(Capabilities::WASM).and(Capabilities::DETERMINISTIC);
/// How long a tab that cannot fetch a code takes no jobs: others may have better luck.
const HOLD_MS: f64 = 30_000.0;

impl State {
    pub(super) fn connect(&mut self, now: f64, out: &mut Vec<Effect>) {
        self.link = Link::Connecting { since: now };
        out.push(Effect::Connect { url: format!("{}{WORKER_SOCKET_PATH}", self.origin) });
    }

    pub(super) fn greet(&mut self, now: f64, out: &mut Vec<Effect>) {
        self.link = Link::Greeting { since: now };
        self.draining = false;
        let (agent, slots) = (self.agent.clone(), self.open_slots());
        // What is handed in goes first, or the server would hand the same jobs out once more.
        let capacity = if self.unanswered.is_empty() { self.capacity() } else { 0 };
        let capabilities = if self.gpu > 0 { ABLE.and(Capabilities::WEBCL) } else { ABLE };
        out.push(Effect::Send(ClientFrame::Hello(Hello {
            version: PROTOCOL_VERSION,
            agent,
            slots,
            capacity,
            capabilities: Some(capabilities.0),
            memory_mb: None,
        })));
    }

    pub(super) fn disconnected(&mut self, now: f64) {
        if !matches!(self.link, Link::Off | Link::Down { .. }) {
            self.link = Link::Down { retry_at: self.backoff.next(now) };
            // The server gives them to others now. What runs goes on: its result is still wanted if it is the first.
            self.jobs.give_up(|_| true);
            self.jobs.orphan();
            self.codes.ask_again();
            self.hold_until = None;
        }
    }

    pub(super) fn hear(&mut self, frame: ServerFrame, now: f64, out: &mut Vec<Effect>) {
        self.link.heard(now);
        match frame {
            ServerFrame::Welcome(welcome) => self.welcomed(&welcome, now, out),
            ServerFrame::Assign { codes, jobs } => self.assigned(codes, jobs, now, out),
            ServerFrame::Verdicts(verdicts) => self.judged(&verdicts),
            ServerFrame::Revoke(keys) => self.revoked(&keys, now, out),
            ServerFrame::Refused { message, reload: true } => {
                self.trouble = Some((WorkState::Outdated, message));
                self.link = Link::Off;
                out.push(Effect::Disconnect);
            }
            ServerFrame::Refused { message, reload: false } => {
                self.trouble = Some((WorkState::Connecting, message));
            }
            ServerFrame::Drain { .. } => self.drain(out),
            ServerFrame::Pace { heartbeat_ms } => self.link.set_pace(heartbeat_ms.into(), now),
            ServerFrame::Heard => {}
        }
    }

    /// What a slot holds is finished and handed in; the rest goes back while there is somebody to take it.
    fn drain(&mut self, out: &mut Vec<Effect>) {
        self.draining = true;
        self.trouble = Some((WorkState::Connecting, "the server is about to restart".into()));
        self.give_back(out);
    }

    pub(super) fn welcomed(&mut self, welcome: &Welcome, now: f64, out: &mut Vec<Effect>) {
        self.backoff.reset();
        self.trouble = None;
        self.max_value_bytes = u32::try_from(welcome.max_value_bytes).unwrap_or(u32::MAX);
        self.link = Link::Up(LeaseTerms::new(welcome.lease_ms, welcome.heartbeat_ms, now));
        self.send_results(self.unanswered.clone(), out);
        // The server answers with what has become somebody else's.
        if self.jobs.holds_any() {
            self.heartbeat(now, out);
        }
        if let (Some(nonce), Some((_, host))) = (&welcome.nonce, self.origin.split_once("://")) {
            out.push(Effect::Sign(signed_text(nonce, host)));
        }
    }

    /// A signature that comes after the connection has ended is of an old nonce.
    pub(super) fn identify(&self, identity: Identity, out: &mut Vec<Effect>) {
        if matches!(self.link, Link::Up(_)) {
            out.push(Effect::Send(ClientFrame::Identity(identity)));
        }
    }

    pub(super) fn assigned(
        &mut self,
        codes: Vec<CodeRef>,
        jobs: Vec<Assignment>,
        now: f64,
        out: &mut Vec<Effect>,
    ) {
        let known: Vec<u32> = codes
            .into_iter()
            .map(|code| {
                let CodeRef { workflow, code: hash, .. } = code;
                let kind = code.kind();
                let workflow = (kind == CodeKind::WebCl).then_some(workflow);
                let (code, new) = self.codes.add(code);
                out.extend(new.then_some(Effect::FetchCode { code, hash }));
                out.extend((new && kind.uses_gpu()).then_some(Effect::FetchKernels { code, workflow }));
                code
            })
            .collect();
        let mut unwanted = Vec::new();
        for job in jobs {
            match known.get(job.code as usize) {
                Some(_) if self.jobs.adopt(job.key) => {}
                Some(code) if self.takes_jobs() => self.jobs.add(Job::new(job, *code, now)),
                _ => unwanted.push(job.key),
            }
        }
        self.yield_back(unwanted, out);
    }

    pub(super) fn judged(&mut self, verdicts: &[(AttemptKey, Verdict)]) {
        let answered: HashSet<AttemptKey> = verdicts.iter().map(|verdict| verdict.0).collect();
        self.unanswered.retain(|result| !answered.contains(&result.key));
    }

    pub(super) fn code_failed(&mut self, code: u32, why: String, now: f64, out: &mut Vec<Effect>) {
        // Asked for more than once, or the way to the server is what failed.
        if self.codes.is_there(code) || !matches!(self.link, Link::Up(_)) {
            return;
        }
        self.trouble = Some((WorkState::Waiting, why));
        self.hold_until = Some(now + HOLD_MS);
        let keys = self.jobs.give_up(|job| job.code == code);
        self.codes.forget(code);
        self.yield_back(keys, out);
    }

    pub(super) fn heartbeat(&mut self, now: f64, out: &mut Vec<Effect>) {
        if !matches!(self.link, Link::Up(_)) {
            return;
        }
        self.link.beat(now);
        let (holding, slots, capacity) = (self.jobs.keys(), self.open_slots(), self.capacity());
        let progress = self.jobs.told();
        out.push(Effect::Send(ClientFrame::Heartbeat { holding, slots, capacity, progress }));
    }

    /// What has waited for minutes without beginning may begin sooner elsewhere.
    pub(super) fn give_stale_back(&mut self, now: f64, out: &mut Vec<Effect>) {
        let keys = self.jobs.give_up(|job| job.is_stale(now));
        if !keys.is_empty() {
            self.yield_back(keys, out);
        }
    }

    pub(super) fn give_back(&mut self, out: &mut Vec<Effect>) {
        let keys = self.jobs.give_up(|_| true);
        self.yield_back(keys, out);
    }

    /// Also says that capacity has changed, so it is sent even when there is nothing to give back.
    pub(super) fn yield_back(&self, attempts: Vec<AttemptKey>, out: &mut Vec<Effect>) {
        let nothing_to_say = attempts.is_empty() && self.takes_jobs();
        if matches!(self.link, Link::Up(_)) && !nothing_to_say {
            out.push(Effect::Send(ClientFrame::Yield { attempts, capacity: self.capacity() }));
        }
    }

    pub(super) fn takes_jobs(&self) -> bool {
        self.wish == Wish::Work && !self.draining
    }

    pub(super) fn open_slots(&self) -> u32 {
        u32::try_from(self.slots.values().filter(|slot| !slot.retiring).count()).unwrap_or(u32::MAX)
    }

    pub(super) fn capacity(&self) -> u32 {
        if !self.takes_jobs() || self.hold_until.is_some() {
            return 0;
        }
        (self.open_slots() * self.prefetch.per_slot()).min(MAX_IN_FLIGHT)
    }
}
