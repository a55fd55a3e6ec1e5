//! The tests of this crate's public face, in one binary: tables of documents and what becomes of them.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod bundle;
mod common;
mod diagnostics;
mod figures;
mod literals;
mod plan;
mod shipped;
