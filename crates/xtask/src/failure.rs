//! The one error of xtask: what went wrong and what to do about it, in words for a person.
//! It never carries a code to be matched on; a command that can go on decides that before failing.

use std::fmt;
use std::io;
use std::path::Path;

/// Why a command could not be carried out, and the cure.
#[derive(Debug)]
pub(crate) struct Failure {
    what: String,
    cure: String,
}

/// The outcome of a step.
pub(crate) type Done<T = ()> = Result<T, Failure>;

impl Failure {
    pub(crate) fn new(what: impl Into<String>, cure: impl Into<String>) -> Self {
        Self { what: what.into(), cure: cure.into() }
    }

    /// A file or folder that could not be `doing` (read, written, ...).
    pub(crate) fn file(doing: &str, path: &Path, error: &io::Error) -> Self {
        Self::new(
            format!("could not {doing} {}: {error}", path.display()),
            "look at the path's rights and at the free space of the disk",
        )
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}\n  cure: {}", self.what, self.cure)
    }
}
