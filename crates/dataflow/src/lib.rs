//! The executors of thesis 3.6.4 as pure state machines: an event goes in, effects come out.
//!
//! Owns the transitions, and nothing else: no actors, no queue, no clock, no IO. The server's actors carry the effects
//! out. Events that come after the end change nothing, because a cancelled executor may still be told old news.

mod job;
mod pool;
mod processing;
mod reducer;
mod results;
mod run;
mod table;
mod value;
mod work;

pub use job::JobExecutor;
pub use pool::{PoolEffect, PoolEvent, PoolExecutor, PoolTerms};
pub use reducer::ReducerExecutor;
pub use run::{RunEffect, RunEvent, RunExecutor};
pub use table::tables;
pub use value::ValueExecutor;
pub use work::{Effect, Event};

/// Why a node failed: every attempt's error, oldest first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NodeFailure {
    /// Path of the node below its run.
    pub node: String,
    pub attempts: Vec<AttemptFailure>,
}

/// One attempt's error.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AttemptFailure {
    /// 0 where no worker was involved.
    pub attempt: u32,
    pub worker: String,
    pub kind: String,
    pub message: String,
    pub stack: String,
}

impl NodeFailure {
    /// A failure that no worker reported: the server saw it itself.
    pub fn internal(node: &str, kind: &str, message: String) -> Self {
        let attempt = AttemptFailure {
            attempt: 0,
            worker: String::new(),
            kind: kind.to_owned(),
            message,
            stack: String::new(),
        };
        Self { node: node.to_owned(), attempts: vec![attempt] }
    }
}

/// An event that the executor's state has no answer to: a fault of the caller.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the executor is {state} and cannot take `{event}`")]
pub struct Unexpected {
    pub state: weevil_model::NodeState,
    pub event: &'static str,
}
