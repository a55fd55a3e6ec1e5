//! The tests of this crate's public face, in one binary: tables of documents and what becomes of them.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod archives;
mod browser;
mod bundle;
mod checkers;
mod common;
mod corpus;
mod diagnostics;
mod figures;
mod inputs;
mod language_page;
mod layout;
mod literals;
mod pages;
mod plan;
mod properties;
mod shipped;
mod typescript;
mod xsd;
mod zip;
