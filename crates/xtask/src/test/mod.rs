//! Runs every test there is and counts them; one stage's failure never hides another's result.
//! It never skips: what cannot be run is a failure.

mod burden;
mod changed;
mod command;
mod counts;
mod scratch;
mod slowest;
mod stage;
mod strained;

pub(crate) use burden::{COMMAND as WRITE_WITHOUT_END, write_without_end};
pub(crate) use command::{Options, build_all, run, test_all};
pub(crate) use stage::Stages;
pub(crate) use strained::changes as strained_changes;
