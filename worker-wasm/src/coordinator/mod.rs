//! What the volunteer's machine does next: events in, effects out. Knows no browser, so every rule has a native test.
//!
//! Owns the wish of the volunteer, the connection's state, the jobs held and the slots. Never unpacks a value.

mod aside;
mod connection;
mod gpu;
mod idle;
mod outcome;
mod quiet;
mod rests;
mod standstill;
mod status;
mod supply;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use weevil_protocol::frame::{AttemptResult, ClientFrame, Identity, ServerFrame};
use weevil_protocol::page::{PageCommand, PageEvent, WorkState};
use weevil_protocol::slot::{SlotCommand, SlotReport};

use crate::capacity::Pace;
use crate::code::{Codes, GpuParts};
use crate::job::Jobs;
use crate::link::{Backoff, Link};
use crate::meter::Meter;
use crate::slot::{Realm, Slot};
use rests::Rests;

/// Something happened. Moments are milliseconds of a clock that only grows.
#[derive(Debug)]
pub(crate) enum Event {
    Command(PageCommand),
    Connected,
    Disconnected,
    Frame(ServerFrame),
    /// A code has come, or cannot be had.
    Code {
        code: u32,
        bytes: Result<Vec<u8>, String>,
    },
    /// What GPU code needs besides has come, or cannot be had.
    Kernels {
        code: u32,
        parts: Result<GpuParts, String>,
    },
    Report {
        slot: u32,
        generation: u32,
        report: SlotReport,
    },
    /// A job worker sent what is no report, or too large for one.
    Nonsense {
        slot: u32,
        generation: u32,
    },
    /// The device has signed what it was asked to.
    Signed(Identity),
    Tick,
}

/// Something to do.
#[derive(Debug, PartialEq)]
pub(crate) enum Effect {
    Connect {
        url: String,
    },
    Disconnect,
    Send(ClientFrame),
    /// Have the device key sign this.
    Sign(Vec<u8>),
    FetchCode {
        code: u32,
        hash: [u8; 32],
    },
    /// The GPU runtime, and the kernels of a workflow where its JavaScript may ask for them.
    FetchKernels {
        code: u32,
        workflow: Option<[u8; 32]>,
    },
    /// To the job worker of this generation.
    ToSlot {
        generation: u32,
        command: SlotCommand,
    },
    ToPage(PageEvent),
}

impl Effect {
    const fn to(slot: &Slot, command: SlotCommand) -> Self {
        Self::ToSlot { generation: slot.generation, command }
    }

    const fn close(at: u32, slot: &Slot) -> Self {
        Self::ToPage(PageEvent::CloseSlot { slot: at, generation: slot.generation })
    }
}

/// What the volunteer wants.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Wish {
    Nothing,
    Work,
    Pause,
    /// End what runs, then stop.
    Finish,
    Stop,
}

#[derive(Debug)]
pub(crate) struct State {
    wish: Wish,
    origin: String,
    agent: String,
    /// For how much of the time jobs may use the GPU, percent; 0 where no GPU job is wanted.
    gpu: u32,
    gpu_lost_at: Option<f64>,
    link: Link,
    backoff: Backoff,
    max_value_bytes: u32,
    /// Why the server or the connection said no, until it says yes.
    trouble: Option<(WorkState, String)>,
    jobs: Jobs,
    codes: Codes,
    slots: BTreeMap<u32, Slot>,
    /// Job workers of modules beside slots that work for scripts.
    aside: BTreeMap<u32, Slot>,
    /// New slots open in the realm that the latest work needed.
    realm: Realm,
    /// What slots have rested from, whichever job worker stands behind them.
    rests: Rests,
    generation: u32,
    pace: Pace,
    /// Reports that the server has not answered: sent again after a reconnect.
    unanswered: Vec<AttemptResult>,
    meter: Meter,
    /// A code could not be fetched: nothing more is wanted until then.
    hold_until: Option<f64>,
    /// When anything happened last.
    seen_at: Option<f64>,
    /// The server is about to end; the next one says welcome.
    draining: bool,
    done: u32,
    failed: u32,
    current: Option<u32>,
    started_at: f64,
    first_job_ms: Option<f64>,
    told: (Option<WorkState>, f64),
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
            aside: BTreeMap::new(),
            realm: Realm::default(),
            rests: Rests::default(),
            generation: 0,
            pace: Pace::default(),
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
        let aside = std::mem::take(&mut self.aside);
        for (at, slot) in std::mem::take(&mut self.slots).into_iter().chain(aside) {
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
