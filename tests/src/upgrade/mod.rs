//! What an older release has left: databases as its SIGKILL found them, and what it answers over them.
//!
//! The program `upgrade-fixture` writes these files, the tests read them; docs of both: `tests/upgrade/README.md`.

mod answers;
mod fixture;
mod words;

pub use answers::Answers;
pub use fixture::{Fixture, MOMENT, Older};
