//! A run while it goes on: the workflow executor, the executors of its nodes, and what people see of them.

mod context;
mod earlier;
mod messages;
mod outlet;
mod overseer;
mod places;
#[cfg(test)]
mod profile_test;
mod run;
mod start;
mod tally;
mod times;
mod work_done;

pub(crate) mod nodes;

pub use earlier::Earlier;
pub use messages::RunChange;
pub(crate) use messages::{Cancel, RunEnded, Shown, Stop};
pub(crate) use overseer::Overseer;
pub(crate) use run::Run;
