//! The reasons, each with its numbers. Only data.

use std::sync::Arc;

use weevil_model::{Capabilities, JobId, QueuePause, RunPause, Timestamp};

use super::ahead::Ahead;
use super::facts::{Others, WaitingClass};
use super::graph::OpenPort;
use crate::decide::complete::WRONG_TYPE;
use crate::job::AttemptEnd;

/// Why something stands as it does.
#[derive(Debug, Clone, PartialEq)]
pub enum Reason {
    /// The server is about to end and hands nothing out.
    ServerEnding,
    DatabaseNotWriting {
        since: Option<Timestamp>,
    },
    QueuePaused(QueuePause),
    RunPaused(RunPause),
    /// Its code fails wherever it runs, and was stopped in its queue.
    CodeStopped {
        example: JobId,
    },
    /// It has failed before, and is tried again at this moment.
    PauseAfterError {
        failures: u32,
        until: Timestamp,
        left_ms: u64,
    },
    DelayedUntil {
        until: Timestamp,
        left_ms: u64,
    },
    NoWorker,
    /// Workers are connected, and no single one has what is needed.
    NoneMeets(Lack),
    /// Those that meet the needs were paused or banned by a person.
    OnlySuspended {
        paused: u32,
        banned: u32,
    },
    /// Those that meet the needs pause by themselves.
    NoneWants {
        workers: u32,
    },
    /// Those that meet the needs may not have it, since it is judged.
    NobodyElse(Others),
    AllBusy {
        slots: u32,
        ahead: Option<Ahead>,
        rate: Option<f64>,
        seconds: Option<f64>,
    },
    /// Nothing keeps it: it is handed out when its turn comes.
    SlotsFree {
        free: u32,
        slots: u32,
        ahead: Option<Ahead>,
    },
    /// Its answer waits for the checks of its lot.
    Lot,
    /// It waits for what a module of its workflow says of an answer.
    Module,
    Running {
        copies: u32,
        since: Timestamp,
        progress: Option<f64>,
    },

    /// Nobody took it within its longest wait.
    Overdue {
        waited_ms: Option<u64>,
    },
    Cancelled,
    /// The same error from several workers: it is the code, not a machine.
    SameError {
        workers: u32,
        fault: Fault,
    },
    /// What the attempt that decided ended with.
    Failed {
        attempt: u32,
        fault: Fault,
    },
    /// Which attempt decided, and how many counted.
    Decided {
        attempt: u32,
        failures: u32,
        max_attempts: u32,
    },

    /// A node has no values yet at these ports; `more` are not named.
    PortsOpen {
        ports: Vec<OpenPort>,
        more: u32,
    },

    NotConnected,
    WorkerBanned {
        since: Timestamp,
        note: Option<Arc<str>>,
    },
    WorkerPaused {
        until: Timestamp,
        left_ms: u64,
        note: Option<Arc<str>>,
    },
    /// It wants no jobs: it pauses by itself.
    OwnPause,
    HoldsEnough {
        holds: u32,
        wants: u32,
    },
    /// No job waits for a worker.
    NothingWaits,
    /// Jobs wait, and it meets the needs of no one; `more` classes are not named.
    MeetsNone {
        classes: Vec<WaitingClass>,
        more: u32,
    },
    /// It gets no judged jobs for a while, since an answer of its device differed.
    Rests {
        until: Timestamp,
        left_ms: u64,
    },
    JustJoined {
        ms: u64,
    },

    /// What could not be told.
    Unknown(Unknown),
}

/// What no single connected worker has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lack {
    pub connected: u32,
    pub needed: Capabilities,
    /// What none of them has; nothing where each is there, but not together.
    pub missing: Capabilities,
    /// 2^20 bytes that none of them offers; 0 where memory is not what is missing.
    pub memory_mb: u32,
    /// Those that have it all, but for an engine that the job is not for.
    pub left_out: u32,
    /// Those without `webcl` whose machine has a GPU, where that is missing.
    pub keep_gpu: u32,
}

/// How an attempt went wrong.
#[derive(Debug, Clone, PartialEq)]
pub enum Fault {
    Thrown,
    NoMain,
    Syntax,
    /// The value is of another type than the job returns.
    ReturnType,
    TooLarge,
    NotAValue,
    /// Terminated after its time was over; how much was done by then.
    Timeout {
        progress: Option<f64>,
    },
    /// The job worker ended by itself.
    Crashed,
    /// No heartbeat came in time.
    Expired {
        progress: Option<f64>,
    },
    /// Its many answers do not agree.
    Disputed,
    /// The database would not take it.
    NotStored,
    /// A kind that only another release knows.
    Other(Arc<str>),
}

/// Facts that nobody had.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unknown {
    Database,
    QueuePause,
    /// It is held, and neither by a known pause nor by a stopped code.
    Hold,
    Workers,
    Attempts,
    /// It has failed, and no attempt of it tells why.
    Failure,
    Suspension,
    WaitingJobs,
    /// Nothing that is known keeps it.
    Cause,
}

impl Fault {
    /// Its stable name: the kind of the error, as attempts tell it.
    pub fn kind(&self) -> &str {
        match self {
            Self::Thrown => "thrown",
            Self::NoMain => "noMain",
            Self::Syntax => "syntax",
            Self::ReturnType => WRONG_TYPE,
            Self::TooLarge => "tooLarge",
            Self::NotAValue => "notAValue",
            Self::Timeout { .. } => "timeout",
            Self::Crashed => "crashed",
            Self::Expired { .. } => AttemptEnd::Expired.as_str(),
            Self::Disputed => "disputed",
            Self::NotStored => "notStored",
            Self::Other(kind) => kind,
        }
    }

    /// How much was done, 0 to 1, where that was told and matters.
    pub const fn progress(&self) -> Option<f64> {
        match self {
            Self::Timeout { progress } | Self::Expired { progress } => *progress,
            _ => None,
        }
    }
}

impl Unknown {
    /// Its stable name.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Database => "database",
            Self::QueuePause => "queuePause",
            Self::Hold => "hold",
            Self::Workers => "workers",
            Self::Attempts => "attempts",
            Self::Failure => "failure",
            Self::Suspension => "suspension",
            Self::WaitingJobs => "waitingJobs",
            Self::Cause => "cause",
        }
    }
}
