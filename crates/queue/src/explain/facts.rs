//! What is known when somebody asks why. Only facts; whoever gathers them leaves out what was not to be had.

use std::sync::Arc;

use weevil_model::{JobId, Needs, NodeState, QueuePause, RunPause, Timestamp, WorkerId};

use super::ahead::Ahead;
use crate::decide::standing::Waiting;
use crate::job::{AttemptEnd, Failure};

/// Something that may be so, or not, or that nobody could tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Known<T> {
    Yes(T),
    No,
    #[default]
    Unknown,
}

/// What holds for all jobs and workers.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Scene {
    pub now: Timestamp,
    /// The server hands nothing out any more.
    pub ending: bool,
    pub database: Database,
    pub queue_paused: Known<QueuePause>,
    /// The connected workers; `None` where they are not known.
    pub workers: Option<Vec<WorkerTold>>,
    /// Jobs that end in a second, lately.
    pub rate: Option<f64>,
}

/// Whether the database does what it is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Database {
    Writes,
    /// Since when, where that was noticed.
    DoesNot(Option<Timestamp>),
    #[default]
    Unknown,
}

/// A connected worker, as far as jobs are concerned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WorkerTold {
    pub has: Needs,
    pub slots: u32,
    /// Jobs that it holds.
    pub in_flight: u32,
    /// Jobs that it wants to hold; 0 while it pauses by itself.
    pub capacity: Option<u32>,
    /// A person has paused it.
    pub paused: bool,
    /// A person has banned its device.
    pub banned: bool,
    /// Its machine has a GPU that it does not lend.
    pub keeps_gpu: bool,
}

/// A job that somebody asks about.
#[derive(Debug, Clone, PartialEq)]
pub struct JobCase {
    pub state: NodeState,
    pub waiting: Option<Waiting>,
    pub needs: Needs,
    pub enqueued_at: Timestamp,
    pub ended_at: Option<Timestamp>,
    /// Attempts that counted.
    pub failures: u32,
    pub max_attempts: u32,
    pub run_paused: Known<RunPause>,
    /// Its code is stopped in its queue; with a job of it that has failed.
    pub code_stopped: Known<JobId>,
    /// Oldest first; `None` where they could not be read.
    pub attempts: Option<Vec<AttemptTold>>,
    /// Jobs before it among those that are ready.
    pub ahead: Option<Ahead>,
    /// For a judged job that waits: what its judging makes of the connected workers.
    pub others: Option<Others>,
}

/// An attempt of it.
#[derive(Debug, Clone, PartialEq)]
pub struct AttemptTold {
    pub number: u32,
    pub worker: WorkerId,
    pub started_at: Timestamp,
    /// `None` while it runs.
    pub end: Option<AttemptEnd>,
    pub failure: Option<Failure>,
    /// How much was done, 0 to 1, by the last heartbeat that told.
    pub progress: Option<f64>,
}

/// Workers that judging keeps from a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Others {
    /// Nothing keeps these away.
    pub may: u32,
    /// They could be somebody who has answered it.
    pub answered: u32,
    /// Without a device key, where only known devices are asked.
    pub keyless: u32,
    pub resting: u32,
    /// When the first of these rests ends.
    pub rests_until: Option<Timestamp>,
}

/// Why a person lets a worker have nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Suspended {
    Paused { until: Timestamp, note: Option<Arc<str>> },
    Banned { since: Timestamp, note: Option<Arc<str>> },
}

/// A worker that somebody asks about.
#[derive(Debug, Clone, PartialEq)]
pub struct WorkerCase {
    /// `None` where it is not connected.
    pub told: Option<WorkerTold>,
    pub connected_at: Timestamp,
    /// Jobs that it may hold, whatever it wants (`decide::window`).
    pub window: Option<u32>,
    pub suspended: Known<Suspended>,
    /// Until when its device gets no judged jobs.
    pub rests_until: Option<Timestamp>,
    /// What waits for workers; `None` where that is not known.
    pub classes: Option<Vec<WaitingClass>>,
}

/// Ready jobs of one class.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WaitingClass {
    pub needs: Needs,
    pub jobs: u64,
    /// When the oldest of them was put in.
    pub oldest: Option<Timestamp>,
}
