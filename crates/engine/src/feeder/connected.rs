//! One connected worker: what it wants, holds and has done, and what keeps it from being given jobs.
//!
//! Only keeps account. The figures are of what the server saw, and lost with the connection but for what is kept of it.

use std::collections::HashMap;

use weevil_model::limits::{MAX_IN_FLIGHT, MAX_SLOTS};
use weevil_model::witness::{Record, Witness};
use weevil_model::{ContentHash, Needs, Timestamp, WorkerId};
use weevil_queue::AttemptKey;
use weevil_queue::decide::effort::Effort;
use weevil_queue::decide::parties::Party;
use weevil_queue::decide::window::Window;
use weevil_records::{Suspension, WorkerRecord};
use weevil_trust::{rank, rests};

use super::WorkerJoined;
use super::doubts::Doubts;
use super::speed::Speed;
use crate::contact::Contact;
use crate::fleet::FleetWorker;

pub(super) struct ConnectedWorker {
    pub contact: Contact,
    agent: String,
    adapter: Option<String>,
    keeps_gpu: bool,
    pub device: Option<ContentHash>,
    pub slots: u32,
    pub duty: Option<u32>,
    pub capacity: u32,
    pub has: Needs,
    window: Window,
    /// What the worker holds, and the last moment at which a heartbeat renews it.
    pub held: HashMap<AttemptKey, Timestamp>,
    pub doubts: Doubts,
    bar: Option<Bar>,
    /// It was handed something: it is kept when it has left. A banned one may come as often as it likes.
    was_given: bool,
    done: u32,
    errors: u32,
    expired: u32,
    speed: Speed,
    connected_at: Timestamp,
    heard_at: Timestamp,
}

/// Why a worker is given nothing, whatever it wants.
#[derive(Debug)]
enum Bar {
    Suspended(Suspension),
    /// It may still prove that it is a device which is suspended.
    Unproved {
        until: Timestamp,
    },
}

impl Bar {
    fn is_over(&self, now: Timestamp) -> bool {
        match self {
            Self::Suspended(suspension) => suspension.is_over(now),
            Self::Unproved { until } => *until <= now,
        }
    }
}

impl ConnectedWorker {
    pub(super) fn come(newcomer: WorkerJoined, has: Needs, now: Timestamp) -> Self {
        Self {
            agent: newcomer.agent,
            adapter: newcomer.adapter,
            keeps_gpu: newcomer.keeps_gpu,
            slots: newcomer.slots.min(MAX_SLOTS),
            capacity: newcomer.capacity.min(MAX_IN_FLIGHT),
            has,
            window: Window::first(newcomer.slots),
            ..Self::server(newcomer.contact, now)
        }
    }

    /// The server itself, which nobody sees.
    pub(super) fn server(contact: Contact, now: Timestamp) -> Self {
        Self {
            contact,
            agent: String::new(),
            adapter: None,
            keeps_gpu: false,
            device: None,
            slots: 0,
            duty: None,
            capacity: 0,
            has: Needs::default(),
            window: Window::first(0),
            held: HashMap::new(),
            doubts: Doubts::default(),
            bar: None,
            was_given: false,
            done: 0,
            errors: 0,
            expired: 0,
            speed: Speed::default(),
            connected_at: now,
            heard_at: now,
        }
    }

    pub(super) fn appetite(&self) -> u32 {
        if self.bar.is_some() {
            return 0;
        }
        self.capacity.min(self.window.jobs()).saturating_sub(self.in_flight())
    }

    pub(super) fn in_flight(&self) -> u32 {
        u32::try_from(self.held.len()).unwrap_or(u32::MAX)
    }

    pub(super) fn free_slots(&self) -> u32 {
        self.slots.saturating_sub(self.in_flight())
    }

    pub(super) fn hand(&mut self, key: AttemptKey, last_renewal: Timestamp) {
        self.was_given = true;
        self.held.insert(key, last_renewal);
    }

    /// Something has come from it, which has told how much it wants.
    pub(super) fn heard(&mut self, capacity: u32, now: Timestamp) {
        self.capacity = capacity.min(MAX_IN_FLIGHT);
        self.heard_at = now;
    }

    /// An attempt of it has ended with a report.
    pub(super) fn reported(&mut self, delivered: bool, failed: bool) {
        self.done += 1;
        self.errors += u32::from(failed);
        if delivered {
            self.window.delivered();
        }
    }

    /// A lease of it has expired.
    pub(super) fn expired(&mut self) {
        self.expired += 1;
        self.window.expired();
    }

    pub(super) fn worked(&mut self, effort: &Effort, now: Timestamp) {
        self.speed.add(effort, now);
    }

    /// It is given nothing until then, unless it says before who it is.
    pub(super) fn await_identity(&mut self, until: Timestamp) {
        if self.bar.is_none() {
            self.bar = Some(Bar::Unproved { until });
        }
    }

    pub(super) fn suspend(&mut self, suspension: Suspension) {
        self.bar = Some(Bar::Suspended(suspension));
    }

    pub(super) fn let_go_on(&mut self) {
        self.bar = None;
    }

    /// It has said who it is.
    pub(super) fn proved(&mut self) {
        if matches!(self.bar, Some(Bar::Unproved { .. })) {
            self.bar = None;
        }
    }

    pub(super) fn look_at_bar(&mut self, now: Timestamp) {
        if self.bar.as_ref().is_some_and(|bar| bar.is_over(now)) {
            self.bar = None;
        }
    }

    /// What is kept of it; `None` for one that was given nothing.
    pub(super) fn record(&self, id: WorkerId) -> Option<WorkerRecord> {
        self.was_given.then(|| self.shown(id, None, self.heard_at).record())
    }

    pub(super) fn shown(&self, id: WorkerId, party: Option<Party>, now: Timestamp) -> FleetWorker {
        let kept = party.map_or_else(Record::default, |party| party.kept());
        let suspension = match &self.bar {
            Some(Bar::Suspended(suspension)) => Some(suspension.clone()),
            _ => None,
        };
        FleetWorker {
            id,
            agent: self.agent.clone(),
            adapter: self.adapter.clone(),
            keeps_gpu: self.keeps_gpu,
            device: self.device,
            slots: self.slots,
            duty: self.duty,
            in_flight: self.in_flight(),
            capacity: self.capacity,
            window: self.window.jobs(),
            done: self.done,
            errors: self.errors,
            expired: self.expired,
            mflops: self.speed.mflops(self.connected_at, now),
            connected_at: self.connected_at,
            heard_at: self.heard_at,
            rank: rank(&kept, now),
            rests_until: kept.rests_until.filter(|_| rests(&kept, now)),
            witness: party.map_or_else(|| Witness::nobody(&self.agent), |party| party.witness),
            has: self.has,
            suspension,
            was_given: self.was_given,
        }
    }
}
