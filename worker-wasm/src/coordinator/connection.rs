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

use super::effect::Effect;
use super::slots::Slots;
use super::step::Step;
use super::supply::revoked;
use super::uplink::Uplink;
use super::wishes::{Wish, Wishes};
use super::work::Work;
use crate::job::Job;
use crate::link::{LeaseTerms, Link};

/// What every browser of today can run: this is WebAssembly itself, and the job runtime stops a job's clock.
const ABLE: Capabilities = Capabilities::JAVASCRIPT.and(Capabilities::WASM).and(Capabilities::DETERMINISTIC);
/// How long a tab that cannot fetch a code takes no jobs: others may have better luck.
const HOLD_MS: f64 = 30_000.0;

impl Uplink {
    pub(super) fn connect(&mut self, wishes: &Wishes, step: &mut Step) {
        self.link = Link::Connecting { since: step.now };
        step.out.push(Effect::Connect { url: format!("{}{WORKER_SOCKET_PATH}", wishes.origin) });
    }

    pub(super) fn greet(&mut self, wishes: &Wishes, slots: &Slots, work: &Work, step: &mut Step) {
        self.link = Link::Greeting { since: step.now };
        self.draining = false;
        // What is handed in goes first, or the server would hand the same jobs out once more.
        let capacity = if self.unanswered.is_empty() { capacity(wishes, self, slots, work) } else { 0 };
        let capabilities = if wishes.gpu > 0 { ABLE.and(Capabilities::WEBCL) } else { ABLE };
        step.out.push(Effect::Send(ClientFrame::Hello(Hello {
            version: PROTOCOL_VERSION,
            agent: wishes.agent.clone(),
            slots: slots.open(),
            capacity,
            capabilities: Some(capabilities.0),
            memory_mb: None,
            adapter: wishes.adapter.clone().filter(|_| wishes.gpu > 0),
            keeps_gpu: (wishes.gpu == 0 && wishes.adapter.is_some()).then_some(true),
        })));
    }

    pub(super) fn disconnected(&mut self, work: &mut Work, now: f64) {
        if !matches!(self.link, Link::Off | Link::Down { .. }) {
            self.link = Link::Down { retry_at: self.backoff.next(now) };
            // The server gives them to others now. What runs goes on: its result is still wanted if it is the first.
            work.jobs.give_up(|_| true);
            work.jobs.orphan();
            work.codes.ask_again();
            work.hold_until = None;
        }
    }

    /// There is no way to the server any more.
    fn end(&mut self, state: WorkState, message: String, step: &mut Step) {
        self.trouble = Some((state, message));
        self.link = Link::Off;
        step.out.push(Effect::Disconnect);
    }

    /// A signature that comes after the connection has ended is of an old nonce.
    pub(super) fn identify(&self, identity: Identity, step: &mut Step) {
        if self.is_up() {
            step.out.push(Effect::Send(ClientFrame::Identity(identity)));
        }
    }

    fn answered(&mut self, verdicts: &[(AttemptKey, Verdict)]) {
        let answered: HashSet<AttemptKey> = verdicts.iter().map(|verdict| verdict.0).collect();
        self.unanswered.retain(|result| !answered.contains(&result.key));
    }
}

pub(super) fn hear(
    frame: ServerFrame,
    wishes: &Wishes,
    uplink: &mut Uplink,
    slots: &mut Slots,
    work: &mut Work,
    step: &mut Step,
) {
    uplink.link.heard(step.now);
    match frame {
        ServerFrame::Welcome(welcome) => welcomed(&welcome, wishes, uplink, slots, work, step),
        ServerFrame::Assign { codes, jobs } => assigned(codes, jobs, wishes, uplink, slots, work, step),
        ServerFrame::Verdicts(verdicts) => uplink.answered(&verdicts),
        ServerFrame::Revoke(keys) => revoked(&keys, slots, work, step),
        ServerFrame::Refused { message, reload: true } => uplink.end(WorkState::Outdated, message, step),
        ServerFrame::SentAway { message } => uplink.end(WorkState::Refused, message, step),
        ServerFrame::Refused { message, reload: false } => {
            uplink.trouble = Some((WorkState::Connecting, message));
        }
        ServerFrame::Drain { .. } => drain(wishes, uplink, slots, work, step),
        ServerFrame::Pace { heartbeat_ms } => uplink.link.set_pace(heartbeat_ms.into(), step.now),
        ServerFrame::Heard => {}
        ServerFrame::Standing(standing) => uplink.standing = Some(standing),
    }
}

/// What a slot holds is finished and handed in; the rest goes back while there is somebody to take it.
fn drain(wishes: &Wishes, uplink: &mut Uplink, slots: &Slots, work: &mut Work, step: &mut Step) {
    uplink.draining = true;
    uplink.trouble = Some((WorkState::Connecting, "the server is about to restart".into()));
    give_back(wishes, uplink, slots, work, step);
}

fn welcomed(
    welcome: &Welcome,
    wishes: &Wishes,
    uplink: &mut Uplink,
    slots: &Slots,
    work: &Work,
    step: &mut Step,
) {
    uplink.backoff.reset();
    uplink.trouble = None;
    uplink.max_value_bytes = u32::try_from(welcome.max_value_bytes).unwrap_or(u32::MAX);
    uplink.link = Link::Up(LeaseTerms::new(welcome.lease_ms, welcome.heartbeat_ms, step.now));
    uplink.send_results(uplink.unanswered.clone(), capacity(wishes, uplink, slots, work), step);
    // The server answers with what has become somebody else's, and hears of the duty.
    if work.jobs.holds_any() || work.prefetch.part_duty().is_some() {
        heartbeat(wishes, uplink, slots, work, step);
    }
    if let (Some(nonce), Some((_, host))) = (&welcome.nonce, wishes.origin.split_once("://")) {
        step.out.push(Effect::Sign(signed_text(nonce, host)));
    }
}

fn assigned(
    codes: Vec<CodeRef>,
    jobs: Vec<Assignment>,
    wishes: &Wishes,
    uplink: &Uplink,
    slots: &Slots,
    work: &mut Work,
    step: &mut Step,
) {
    let known: Vec<u32> = codes.into_iter().map(|code| work.learn_code(code, step)).collect();
    let mut unwanted = Vec::new();
    for job in jobs {
        match known.get(job.code as usize) {
            Some(_) if work.jobs.adopt(job.key) => {}
            Some(code) if takes_jobs(wishes, uplink) => work.jobs.add(Job::new(job, *code, step.now)),
            _ => unwanted.push(job.key),
        }
    }
    yield_back(unwanted, wishes, uplink, slots, work, step);
}

impl Work {
    /// Its index; what is new is fetched.
    fn learn_code(&mut self, code: CodeRef, step: &mut Step) -> u32 {
        let CodeRef { workflow, code: hash, .. } = code;
        let kind = code.kind();
        let workflow = (kind == CodeKind::WebCl).then_some(workflow);
        let (code, new) = self.codes.add(code);
        step.out.extend(new.then_some(Effect::FetchCode { code, hash }));
        step.out.extend((new && kind.uses_gpu()).then_some(Effect::FetchKernels { code, workflow }));
        code
    }
}

pub(super) fn code_failed(
    code: u32,
    why: String,
    wishes: &Wishes,
    uplink: &mut Uplink,
    slots: &Slots,
    work: &mut Work,
    step: &mut Step,
) {
    // Asked for more than once, or the way to the server is what failed.
    if work.codes.is_there(code) || !uplink.is_up() {
        return;
    }
    uplink.trouble = Some((WorkState::Waiting, why));
    work.hold_until = Some(step.now + HOLD_MS);
    let keys = work.jobs.give_up(|job| job.code == code);
    work.codes.forget(code);
    yield_back(keys, wishes, uplink, slots, work, step);
}

pub(super) fn heartbeat(wishes: &Wishes, uplink: &mut Uplink, slots: &Slots, work: &Work, step: &mut Step) {
    if !uplink.is_up() {
        return;
    }
    uplink.link.beat(step.now);
    let capacity = capacity(wishes, uplink, slots, work);
    let (holding, slots, progress) = (work.jobs.keys(), slots.open(), work.jobs.told());
    let duty = work.prefetch.part_duty();
    step.out.push(Effect::Send(ClientFrame::Heartbeat { holding, slots, capacity, progress, duty }));
}

/// What has waited for minutes without beginning may begin sooner elsewhere.
pub(super) fn give_stale_back(
    wishes: &Wishes,
    uplink: &Uplink,
    slots: &Slots,
    work: &mut Work,
    step: &mut Step,
) {
    let keys = work.jobs.give_up(|job| job.is_stale(step.now));
    if !keys.is_empty() {
        yield_back(keys, wishes, uplink, slots, work, step);
    }
}

pub(super) fn give_back(wishes: &Wishes, uplink: &Uplink, slots: &Slots, work: &mut Work, step: &mut Step) {
    let keys = work.jobs.give_up(|_| true);
    yield_back(keys, wishes, uplink, slots, work, step);
}

/// Also says that capacity has changed, so it is sent even when there is nothing to give back.
fn yield_back(
    attempts: Vec<AttemptKey>,
    wishes: &Wishes,
    uplink: &Uplink,
    slots: &Slots,
    work: &Work,
    step: &mut Step,
) {
    let nothing_to_say = attempts.is_empty() && takes_jobs(wishes, uplink);
    if uplink.is_up() && !nothing_to_say {
        let capacity = capacity(wishes, uplink, slots, work);
        step.out.push(Effect::Send(ClientFrame::Yield { attempts, capacity }));
    }
}

pub(super) fn takes_jobs(wishes: &Wishes, uplink: &Uplink) -> bool {
    wishes.wish == Wish::Work && !uplink.draining
}

/// How many jobs this worker would hold, those included that it holds.
pub(super) fn capacity(wishes: &Wishes, uplink: &Uplink, slots: &Slots, work: &Work) -> u32 {
    if !takes_jobs(wishes, uplink) || work.hold_until.is_some() {
        return 0;
    }
    (slots.open() * work.prefetch.per_slot()).min(MAX_IN_FLIGHT)
}
