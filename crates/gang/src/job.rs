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
    /// Which answers were void when it was accepted: what was accepted stays as it was.
    pub(crate) void_then: Vec<bool>,
    /// A gang has lied on it.
    pub(crate) lie: bool,
    /// Whether its answer will be checked, where that is chosen before.
    pub(crate) known_choice: Option<bool>,
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Given {
    pub(crate) device: usize,
    pub(crate) passed: bool,
    /// Another answer was found to be right.
    pub(crate) refuted: bool,
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
            void_then: Vec::new(),
            lie: false,
            known_choice: None,
        }
    }

    /// With the value of this answer.
    pub(crate) fn accept(&mut self, answer: usize) {
        if self.state != State::Accepted(answer) {
            self.state = State::Accepted(answer);
            self.void_then = self.answers.iter().map(|answer| answer.is_void).collect();
        }
    }
}

/// All lies about a job are the same.
pub(crate) fn said(lies: bool) -> Said {
    Said::Value(ContentHash::from_bytes([u8::from(lies); 32]))
}
