//! What a file of job code says, without running it: its mistakes, its `weevil_main`, and whether it draws or looks at
//! a clock. Job code is a classic script in sloppy mode.
//!
//! Source text in, facts out. Never looks into what `eval` is given, and never knows which node names the file.

mod absent;
mod cursor;
mod entry;
mod function;
mod mistake;
mod nesting;
mod readings;
mod repeatable;
mod script;
#[cfg(test)]
mod tests;
mod tokens;

pub(crate) use absent::Absent;
pub(crate) use function::{Function, Parameter};
pub(crate) use nesting::Obstacle;
pub(crate) use readings::Reading;
use script::range;
pub(crate) use script::{ENTRY, Entry, Script, Unreadable, read};
