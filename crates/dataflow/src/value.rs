//! The value executor: sends its value along every edge and is done (thesis 3.6.4).
//!
//! The thesis lets children that it does not supervise ask for the value; here every executor of a run exists before
//! the first value moves, so nobody needs to ask.

use weevil_model::{Encoded, NodeState};

use crate::work::Effect;

#[derive(Debug)]
pub struct ValueExecutor;

impl ValueExecutor {
    /// Its whole life.
    pub fn start(value: Encoded) -> Vec<Effect> {
        vec![Effect::State(NodeState::Started), Effect::Deliver(value), Effect::State(NodeState::Finished)]
    }
}
