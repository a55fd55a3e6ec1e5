//! An answer of a judged job in memory: whose it is, what it says and what it counts for; or the place of one that did not come.
//!
//! Neither reads nor writes: see `answers.rs`; knows nothing of its job: see `judged_job.rs`.

use weevil_model::witness::{Rank, Witness};
use weevil_model::{ContentHash, Timestamp};
use weevil_queue::Proof;
use weevil_records::AnswerFate;
use weevil_trust::Said;

/// An answer, or the place of one that did not come yet.
#[derive(Debug)]
pub(crate) struct Asked {
    /// That of the attempt.
    pub(crate) number: u32,
    pub(crate) witness: Witness,
    pub(crate) worth: Worth,
    pub(crate) given: Option<Given>,
    /// That it stands for the job, or did.
    pub(crate) standing: Option<Standing>,
    /// Its value stands beside the job.
    pub(crate) is_kept: bool,
    /// Its device has one pass more for it.
    pub(crate) is_confirmed: bool,
    /// What the workflow's own proof says of it; `None` where that cannot say, or was not asked.
    pub(crate) proof: Option<Proof>,
    /// It is not as its row is any more.
    pub(crate) is_changed: bool,
}

/// What an answer is worth: fixed when its copy is handed out.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Worth {
    pub(crate) rank: Rank,
    pub(crate) points: u32,
    /// It comes out of a network that holds so much of the fleet that all of its answers are checked.
    pub(crate) is_crowded: bool,
}

#[derive(Debug, Clone)]
pub(crate) struct Given {
    pub(crate) said: Said,
    pub(crate) at: Timestamp,
    /// Hand-outs of the job when it came.
    pub(crate) after: u32,
    pub(crate) fate: Option<AnswerFate>,
}

/// How an answer stands for its job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Standing {
    /// `None` where it is a lot by itself.
    pub(crate) lot: Option<i64>,
    /// So many devices have to agree on it, its own among them.
    pub(crate) devices: u32,
    pub(crate) is_chosen: bool,
    pub(crate) is_checking: bool,
}

impl Asked {
    /// Without points it is only compared, whoever gave it.
    pub(crate) fn rank(&self) -> Rank {
        if self.worth.points == 0 { Rank::Newcomer } else { self.worth.rank }
    }

    pub(crate) fn is_void(&self) -> bool {
        let fate = self.given.as_ref().and_then(|given| given.fate);
        matches!(fate, Some(AnswerFate::Refuted | AnswerFate::Void | AnswerFate::Stale))
    }

    pub(crate) fn end_as(&mut self, fate: AnswerFate) {
        if let Some(given) = self.given.as_mut() {
            given.fate = Some(fate);
            self.is_changed = true;
        }
    }

    /// What it says is the answer to another input. One that never came stays a place.
    pub(crate) fn outdate(&mut self) {
        if self.given.is_some() {
            self.end_as(AnswerFate::Stale);
            self.is_kept = false;
        }
    }

    pub(crate) fn value(&self) -> Option<ContentHash> {
        match &self.given.as_ref()?.said {
            Said::Value(digest) => Some(*digest),
            Said::Error(_) => None,
        }
    }
}
