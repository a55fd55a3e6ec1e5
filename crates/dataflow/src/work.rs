//! The part of life that job, processor and reducer executors share: ENQUEUED, RUNNING, ANSWERED, and the ends.

use weevil_model::{Arguments, Encoded, NodeState};

use crate::{NodeFailure, Unexpected};

/// What can happen to an executor that has a job in the queue.
#[derive(Debug, Clone, PartialEq)]
pub enum Event {
    /// Data has come for the port with this index.
    Input {
        port: usize,
        value: Encoded,
    },
    /// A worker has the job.
    Claimed,
    /// An answer is there, which waits to be believed.
    Answered,
    /// The job is back in the queue: what answers there were are void.
    Requeued,
    Completed(Encoded),
    Failed(NodeFailure),
    Cancel,
}

impl Event {
    pub(crate) const fn name(&self) -> &'static str {
        match self {
            Self::Input { .. } => "input",
            Self::Claimed => "claimed",
            Self::Answered => "answered",
            Self::Requeued => "requeued",
            Self::Completed(_) => "completed",
            Self::Failed(_) => "failed",
            Self::Cancel => "cancel",
        }
    }
}

/// What the shell must carry out, in this order.
#[derive(Debug, Clone, PartialEq)]
pub enum Effect {
    /// Tell whoever watches.
    State(NodeState),
    /// Put the job into the queue with these arguments.
    Enqueue(Arguments),
    /// Send the result along every outgoing edge.
    Deliver(Encoded),
    /// The arguments are too large together, that of this port the largest of them. Without another value there the failure is the end.
    Oversized { port: usize, failure: NodeFailure },
    /// The run cannot succeed any more.
    Fail(NodeFailure),
}

/// The states from ENQUEUED on.
#[derive(Debug)]
pub(crate) struct Work {
    state: NodeState,
}

impl Work {
    /// `PARAM_FULFILLED` and at once ENQUEUED, as the thesis has it: the stop between is where checks belong.
    pub(crate) fn enqueue(input: Arguments) -> (Self, Vec<Effect>) {
        let effects = vec![
            Effect::State(NodeState::ParamFulfilled),
            Effect::State(NodeState::Enqueued),
            Effect::Enqueue(input),
        ];
        (Self { state: NodeState::Enqueued }, effects)
    }

    /// Ended before there was anything to enqueue.
    pub(crate) fn ended(state: NodeState) -> (Self, Vec<Effect>) {
        (Self { state }, vec![Effect::State(state)])
    }

    /// It has an answer, of which another executor knows how it came.
    pub(crate) const fn answered() -> Self {
        Self { state: NodeState::Answered }
    }

    pub(crate) const fn state(&self) -> NodeState {
        self.state
    }

    pub(crate) fn handle(&mut self, event: Event) -> Result<Vec<Effect>, Unexpected> {
        if self.state.is_terminal() {
            return Ok(Vec::new());
        }
        match event {
            // Copies come and go, to compare what they return.
            Event::Claimed if self.state == NodeState::Answered => Ok(Vec::new()),
            Event::Claimed => Ok(self.to(NodeState::Running, None)),
            Event::Answered => Ok(self.to(NodeState::Answered, None)),
            Event::Requeued => Ok(self.to(NodeState::Enqueued, None)),
            Event::Completed(value) => Ok(self.to(NodeState::Finished, Some(Effect::Deliver(value)))),
            Event::Failed(failure) => Ok(self.to(NodeState::Failed, Some(Effect::Fail(failure)))),
            Event::Cancel => Ok(self.to(NodeState::Cancelled, None)),
            Event::Input { .. } => Err(Unexpected { state: self.state, event: event.name() }),
        }
    }

    fn to(&mut self, state: NodeState, then: Option<Effect>) -> Vec<Effect> {
        self.state = state;
        [Effect::State(state)].into_iter().chain(then).collect()
    }
}
