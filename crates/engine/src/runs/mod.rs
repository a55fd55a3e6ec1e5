//! A run while it goes on: the workflow executor, the executors of its nodes, and what people see of them.

mod context;
mod messages;
mod outlet;
mod run;
mod start;
mod tally;
mod times;

pub(crate) mod nodes;

pub(crate) use messages::{Cancel, Paused};
pub(crate) use run::Run;
