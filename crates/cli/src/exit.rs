//! How a command ended, for the one match to an exit code.

use weevil_model::RunState;

/// How a command ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Exit {
    Done,
    /// The run was asked for and did not finish.
    RunFailed,
    /// The workflow cannot run, or has what was denied.
    ProblemsFound,
    /// Nothing could be asked, read or served.
    CouldNot(String),
}

impl Exit {
    pub(crate) const fn of(state: RunState) -> Self {
        match state {
            RunState::Started | RunState::Finished => Self::Done,
            RunState::Failed | RunState::Cancelled => Self::RunFailed,
        }
    }
}
