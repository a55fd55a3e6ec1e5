//! A throw-away server on this machine with one volunteer: a headless browser. Both end with the command, however that ends.

mod browser;
mod command;
mod held;
mod house;
mod scratch;
mod watched;

pub(crate) use command::{Local, Subject, introduce, leave};
pub(crate) use house::{Furnishing, House};
