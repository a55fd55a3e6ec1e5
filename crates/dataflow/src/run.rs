//! The workflow executor: ends the run with its final node, or with the first node that fails (thesis 3.6.4).

use weevil_model::{Encoded, RunState};

use crate::NodeFailure;

#[derive(Debug, Clone, PartialEq)]
pub enum RunEvent {
    /// The final node has its value.
    FinalResult(Encoded),
    NodeFailed(NodeFailure),
    /// A person wants it to end.
    Cancel,
}

#[derive(Debug, Clone, PartialEq)]
pub enum RunEffect {
    /// The run has ended; what is left of it must be cancelled.
    End { state: RunState, result: Option<Encoded>, failure: Option<NodeFailure> },
}

#[derive(Debug, Clone, Copy)]
pub struct RunExecutor {
    state: RunState,
}

impl RunExecutor {
    /// STARTED: the nodes without ports are to be started.
    pub const fn start() -> Self {
        Self { state: RunState::Started }
    }

    pub const fn state(&self) -> RunState {
        self.state
    }

    /// The first end is the end: everything later changes nothing.
    pub fn handle(&mut self, event: RunEvent) -> Option<RunEffect> {
        if self.state.is_terminal() {
            return None;
        }
        let (state, result, failure) = match event {
            RunEvent::FinalResult(value) => (RunState::Finished, Some(value), None),
            RunEvent::NodeFailed(failure) => (RunState::Failed, None, Some(failure)),
            RunEvent::Cancel => (RunState::Cancelled, None, None),
        };
        self.state = state;
        Some(RunEffect::End { state, result, failure })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_end_wins() {
        let value = Encoded::array(&[]).unwrap();
        let failure = NodeFailure::internal("n", "k", "m".into());
        for (first, second, expected) in [
            (RunEvent::FinalResult(value.clone()), RunEvent::NodeFailed(failure.clone()), RunState::Finished),
            (RunEvent::NodeFailed(failure), RunEvent::FinalResult(value.clone()), RunState::Failed),
            (RunEvent::Cancel, RunEvent::FinalResult(value), RunState::Cancelled),
        ] {
            let mut run = RunExecutor::start();
            assert!(matches!(run.handle(first), Some(RunEffect::End { state, .. }) if state == expected));
            assert_eq!(run.handle(second), None);
            assert_eq!(run.state(), expected);
        }
    }
}
