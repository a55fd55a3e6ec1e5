//! A job of a play, with everything that was said of it.

use weevil_model::ContentHash;
use weevil_trust::{Answer, Said, Taker};

#[derive(Debug)]
pub(crate) struct Job {
    pub(crate) node: usize,
    pub(crate) answers: Vec<Answer>,
    /// Who gave each, and whether it was confirmed to them.
    pub(crate) given: Vec<Given>,
    /// How many devices have to agree on the answer that stands in a lot, and whether chance has chosen it.
    pub(crate) devices: u32,
    pub(crate) is_chosen: bool,
    /// The answer that stands in a lot.
    pub(crate) standing: Option<Standing>,
    pub(crate) state: State,
    /// A gang has lied on it.
    pub(crate) lie: bool,
    /// Whether its answer will be checked, where that is chosen before.
    pub(crate) known_choice: Option<bool>,
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Given {
    pub(crate) device: usize,
    pub(crate) passed: bool,
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Standing {
    pub(crate) answer: usize,
    pub(crate) lot: usize,
    /// Its check has not ended.
    pub(crate) is_checking: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum State {
    First,
    Copy(Taker),
    Waiting,
    /// With the value of this answer.
    Accepted(usize),
    Disputed,
}

impl Job {
    pub(crate) fn of(node: usize) -> Self {
        Self {
            node,
            answers: Vec::new(),
            given: Vec::new(),
            devices: 1,
            is_chosen: false,
            standing: None,
            state: State::First,
            lie: false,
            known_choice: None,
        }
    }
}

/// All lies about a job are the same.
pub(crate) fn said(lies: bool) -> Said {
    Said::Value(ContentHash::from_bytes([u8::from(lies); 32]))
}
