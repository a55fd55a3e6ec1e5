//! The tests of this crate's public face: each way to read a value against the plain one that makes all of it.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod canonical;
mod check;
mod corpus;
mod json;
mod values;
