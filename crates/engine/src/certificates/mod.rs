//! Certificates of what has ended, written while they are read: so many lines at a time, from what is stored.
//!
//! Never judges: what is believed was decided when it was. The lines: docs/certificate.md.

mod certificate;
mod digests;
mod head;
mod lines;
mod names;
mod notary;
mod reader;

pub use certificate::{Certificate, Certificates};
pub use notary::Notary;
