//! The tests of this crate's public face, in one binary: tables of modules and what is said of them.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod abi;
mod arithmetic;
mod common;
mod examples;
mod generated;
mod hostile;
mod limits;
mod pairs;
mod smith;
mod uploads;
