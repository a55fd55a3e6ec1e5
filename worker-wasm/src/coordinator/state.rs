//! The whole state, and the one way in: every event passes here, and each rule is told what it needs.

use std::collections::BTreeMap;

use weevil_protocol::frame::{AttemptResult, ClientFrame};
use weevil_protocol::page::{PageCommand, WorkState};

use super::effect::Effect;
use super::event::Event;
use super::rests::Rests;
use crate::capacity::Prefetch;
use crate::code::Codes;
use crate::job::Jobs;
use crate::link::{Backoff, Link};
use crate::meter::Meter;
use crate::slot::{Realm, Slot};

/// What the volunteer wants.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wish {
    Nothing,
    Work,
    Pause,
    /// End what runs, then stop.
    Finish,
    Stop,
}

#[derive(Debug)]
pub(crate) struct State {
    pub(super) wish: Wish,
    pub(super) origin: String,
    pub(super) agent: String,
    /// For how much of the time jobs may use the GPU, percent; 0 where no GPU job is wanted.
    pub(super) gpu: u32,
    pub(super) gpu_lost_at: Option<f64>,
    pub(super) link: Link,
    pub(super) backoff: Backoff,
    pub(super) max_value_bytes: u32,
    /// Why the server or the connection said no, until it says yes.
    pub(super) trouble: Option<(WorkState, String)>,
    pub(super) jobs: Jobs,
    pub(super) codes: Codes,
    pub(super) slots: BTreeMap<u32, Slot>,
    /// Job workers of modules beside slots that work for scripts.
    pub(super) standby: BTreeMap<u32, Slot>,
    /// New slots open in the realm that the latest work needed.
    pub(super) realm: Realm,
    /// What slots have rested from, whichever job worker stands behind them.
    pub(super) rests: Rests,
    pub(super) generation: u32,
    pub(super) prefetch: Prefetch,
    /// Reports that the server has not answered: sent again after a reconnect.
    pub(super) unanswered: Vec<AttemptResult>,
    pub(super) meter: Meter,
    /// A code could not be fetched: nothing more is wanted until then.
    pub(super) hold_until: Option<f64>,
    /// When anything happened last.
    pub(super) seen_at: Option<f64>,
    /// The server is about to end; the next one says welcome.
    pub(super) draining: bool,
    pub(super) done: u32,
    pub(super) failed: u32,
    pub(super) current: Option<u32>,
    pub(super) started_at: f64,
    pub(super) first_job_ms: Option<f64>,
    pub(super) told: (Option<WorkState>, f64),
}

impl State {
    pub(crate) fn new() -> Self {
        Self {
            wish: Wish::Nothing,
            origin: String::new(),
            agent: String::new(),
            gpu: 0,
            gpu_lost_at: None,
            link: Link::Off,
            backoff: Backoff::default(),
            max_value_bytes: 0,
            trouble: None,
            jobs: Jobs::default(),
            codes: Codes::default(),
            slots: BTreeMap::new(),
            standby: BTreeMap::new(),
            realm: Realm::default(),
            rests: Rests::default(),
            generation: 0,
            prefetch: Prefetch::default(),
            unanswered: Vec::new(),
            meter: Meter::default(),
            hold_until: None,
            seen_at: None,
            draining: false,
            done: 0,
            failed: 0,
            current: None,
            started_at: 0.0,
            first_job_ms: None,
            told: (None, f64::NEG_INFINITY),
        }
    }

    /// The one way in. `now` in milliseconds.
    pub(crate) fn handle(&mut self, event: Event, now: f64) -> Vec<Effect> {
        let mut out = Vec::new();
        self.notice(now, &mut out);
        match event {
            Event::Command(command) => self.obey(command, now, &mut out),
            Event::Connected if self.link.is_tried() => self.greet(now, &mut out),
            Event::Disconnected => self.disconnected(now),
            Event::Frame(frame) if self.link.is_open() => self.hear(frame, now, &mut out),
            // Of a connection that was given up while they were on their way.
            Event::Connected | Event::Frame(_) => {}
            Event::Code { code, bytes } => {
                if let Err(why) = bytes.and_then(|bytes| self.codes.loaded(code, bytes)) {
                    self.code_failed(code, why, now, &mut out);
                }
            }
            Event::Kernels { code, parts: Ok(parts) } => self.codes.equipped(code, parts),
            Event::Kernels { code, parts: Err(why) } => self.code_failed(code, why, now, &mut out),
            Event::Report { slot, generation, report } => {
                self.reported(slot, generation, report, now, &mut out);
            }
            Event::Nonsense { slot, generation } => {
                self.lost_slot(slot, generation, "it sent what is no report", now, &mut out);
            }
            Event::Signed(identity) => self.identify(identity, &mut out),
            Event::Tick => self.tick(now, &mut out),
        }
        self.fill(now, &mut out);
        if self.wish == Wish::Finish && self.is_finished() {
            self.stop(&mut out);
        }
        self.renew_unused(now, &mut out);
        self.tell(now, &mut out);
        out
    }

    fn obey(&mut self, command: PageCommand, now: f64, out: &mut Vec<Effect>) {
        match command {
            PageCommand::Start { origin, agent, slots } => {
                (self.origin, self.agent) = (origin, agent);
                (self.wish, self.started_at, self.trouble) = (Wish::Work, now, None);
                self.set_slots(slots, now, out);
                if self.link == Link::Off {
                    self.connect(now, out);
                }
            }
            PageCommand::Pause if self.wish == Wish::Work => {
                self.wish = Wish::Pause;
                self.recall(now, out);
                self.give_back(out);
            }
            PageCommand::Finish if matches!(self.wish, Wish::Work | Wish::Pause) => {
                self.wish = Wish::Finish;
                self.recall(now, out);
                self.give_back(out);
            }
            PageCommand::Resume if self.wish == Wish::Pause => {
                self.wish = Wish::Work;
                self.heartbeat(now, out);
            }
            PageCommand::SetSlots { slots } => {
                self.set_slots(slots, now, out);
                self.heartbeat(now, out);
            }
            PageCommand::SetDuty { percent } => {
                self.set_duty(percent, now, out);
                self.heartbeat(now, out);
            }
            PageCommand::SetGpu { percent } => self.set_gpu(percent.min(100), now, out),
            PageCommand::Stop => self.stop(out),
            PageCommand::SlotCrashed { slot, generation, message } => {
                self.lost_slot(slot, generation, &message, now, out);
            }
            PageCommand::Pause | PageCommand::Resume | PageCommand::Finish | PageCommand::SlotPort { .. } => {
            }
        }
    }

    fn tick(&mut self, now: f64, out: &mut Vec<Effect>) {
        self.watch(now, out);
        self.give_stale_back(now, out);
        self.watch_quiet(now, out);
        if self.hold_until.is_some_and(|until| now >= until) {
            self.hold_until = None;
            self.heartbeat(now, out);
        }
        if self.link.is_dead(now) {
            self.let_go(now, out);
        }
        match self.link {
            Link::Down { retry_at } if now >= retry_at && self.wish != Wish::Stop => self.connect(now, out),
            _ if self.link.beats_at(now) => self.heartbeat(now, out),
            _ => {}
        }
    }

    /// No slot holds anything, and the server has answered what was handed in.
    fn is_finished(&self) -> bool {
        self.unanswered.is_empty() && self.slots.values().all(|slot| slot.jobs.is_empty())
    }

    fn stop(&mut self, out: &mut Vec<Effect>) {
        self.wish = Wish::Stop;
        let standby = std::mem::take(&mut self.standby);
        for (at, slot) in std::mem::take(&mut self.slots).into_iter().chain(standby) {
            out.push(Effect::close(at, &slot));
            self.jobs.put_back(slot.jobs.into_iter());
        }
        self.give_back(out);
        if self.link != Link::Off {
            if matches!(self.link, Link::Up(_)) {
                out.push(Effect::Send(ClientFrame::Bye));
            }
            self.link = Link::Off;
            out.push(Effect::Disconnect);
        }
        self.trouble = None;
    }
}
