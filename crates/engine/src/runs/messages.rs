//! What the executors of one run tell each other, and the run its overseer.
//!
//! Owns no behaviour: each message is handled where its receiver is.

use actix::Message;
use weevil_dataflow::NodeFailure;
use weevil_model::{Encoded, RunPause, Timestamp};
use weevil_queue::RunJudgement;
use weevil_records::ListedRun;

/// Data for a port of a node executor.
#[derive(Debug, Clone, Message)]
#[rtype(result = "()")]
pub(crate) struct Input {
    pub port: usize,
    pub value: Encoded,
}

/// The run is over for this executor; for a run's own executor, a person wants it to be.
#[derive(Debug, Clone, Copy, Message)]
#[rtype(result = "()")]
pub(crate) struct Cancel;

/// The executors of the run are to begin anew: these tell nobody anything from now on, and the run does not end.
#[derive(Debug, Clone, Copy, Message)]
#[rtype(result = "()")]
pub(crate) struct Stop;

/// A node cannot finish any more.
#[derive(Message)]
#[rtype(result = "()")]
pub(crate) struct NodeFailed(pub NodeFailure);

/// What has become of a run beside its jobs: durable already, this is for its view.
#[derive(Debug, Clone, Message)]
#[rtype(result = "()")]
pub enum RunChange {
    /// An attempt of one of its jobs has ended without a value, at this moment, and the job has not.
    AttemptFailed(Timestamp),
    /// Its jobs are not handed out; `None`: they are again.
    Paused(Option<RunPause>),
    /// Some engine gets no more of one of its codes.
    EngineLeftOut,
    /// What its jobs were believed on so far.
    Judged(RunJudgement),
}

/// The final node has its value.
#[derive(Message)]
#[rtype(result = "()")]
pub(crate) struct FinalResult(pub Encoded);

/// A run looks different.
#[derive(Message)]
#[rtype(result = "()")]
pub(crate) struct Shown(pub ListedRun);

/// A run has ended, which is durable.
#[derive(Message)]
#[rtype(result = "()")]
pub(crate) struct RunEnded(pub ListedRun);

/// What a part of a pool has come to.
#[derive(Message)]
#[rtype(result = "()")]
pub(crate) enum Part {
    /// The processor of this element has an answer that waits to be believed, and goes. The pool hears the rest.
    Answered(u32),
    /// The processor of this element has its result.
    Processed(u32, Encoded),
    /// The reducer has.
    Reduced(Encoded),
}

/// A processor or the reducer cannot finish any more.
#[derive(Message)]
#[rtype(result = "()")]
pub(crate) struct PartFailed(pub NodeFailure);
