//! How a command ended, and the one place in which exit codes stand.

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
    /// Somebody pressed Ctrl-C while it waited.
    Interrupted,
}

/// Every exit code, and what it means whatever the command.
pub const CODES: [(u8, &str); 4] = [
    (0, "done: what was asked for was read, kept, started or finished"),
    (1, "the run or job failed or was cancelled, problems were found, or what was compared differs"),
    (
        2,
        "could not: the command line is wrong, or nothing could be asked, read, written or served; stderr says why",
    ),
    (130, "Ctrl-C while it waited; what it waited for goes on"),
];

impl Exit {
    pub const fn code(&self) -> u8 {
        match self {
            Self::Done => 0,
            Self::RunFailed | Self::ProblemsFound => 1,
            Self::CouldNot(_) => 2,
            // 128 and the number of SIGINT, as shells have it.
            Self::Interrupted => 130,
        }
    }

    pub(crate) const fn of(state: RunState) -> Self {
        match state {
            RunState::Started | RunState::Finished => Self::Done,
            RunState::Failed | RunState::Cancelled => Self::RunFailed,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_end_has_a_code_that_is_explained() {
        for (exit, code) in [
            (Exit::Done, 0),
            (Exit::RunFailed, 1),
            (Exit::ProblemsFound, 1),
            (Exit::CouldNot(String::new()), 2),
            (Exit::Interrupted, 130),
        ] {
            assert_eq!(exit.code(), code, "{exit:?}");
            assert!(CODES.iter().any(|(known, _)| *known == code), "{exit:?}");
        }
    }
}
