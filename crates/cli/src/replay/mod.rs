//! `weevil replay`: a job again on this machine, with its code, input and seed, and what comes of it beside what came of it there.
//! The server that has the job is only read.

mod again;
mod command;
mod kit;
mod outcome;
mod subject;

pub(crate) use command::Replay;
