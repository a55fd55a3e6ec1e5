//! `weevil top`: fleet, queue and runs, live.

mod command;
mod keys;
mod look;
mod screen;
mod view;

pub(crate) use command::Top;
