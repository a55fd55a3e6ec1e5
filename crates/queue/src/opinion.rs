//! What modules of a workflow say of answers, on its way into the queue. Never asks one.

use std::collections::BTreeSet;
use std::sync::Arc;

use weevil_model::{ContentHash, JobId};

/// What the modules of a workflow say of a value that was asked about. Once that is known it changes nothing more, so it is the same once
/// and twice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Opinion {
    pub job: JobId,
    /// That of the value.
    pub digest: ContentHash,
    /// The fingerprint of the job's code and input when it was asked: what was said for another input is not heard. `None` where nobody
    /// wanted to know any more.
    pub about: Option<i64>,
    /// What the proof says; `None` where there is none, or it cannot say.
    pub proof: Option<Proof>,
    /// Digests of values that agree with it.
    pub alike: BTreeSet<ContentHash>,
    /// A module has failed: what about, for people. What it was asked it has then not said.
    pub failed: Option<Arc<str>>,
}

/// What a proof says of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Proof {
    Right,
    Wrong,
}

impl Proof {
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Right => "right",
            Self::Wrong => "wrong",
        }
    }
}
