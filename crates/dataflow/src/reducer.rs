//! The reducer executor: started when every processor has finished, so its data is there from the first moment.

use weevil_model::{Encoded, NodeState};

use crate::Unexpected;
use crate::work::{Effect, Event, Work};

#[derive(Debug)]
pub struct ReducerExecutor(Work);

impl ReducerExecutor {
    /// `input` is the array of arguments: one Array with the processors' results in the order of the pool's input.
    pub fn start(input: Encoded) -> (Self, Vec<Effect>) {
        let (work, effects) = Work::enqueue(input.into());
        (Self(work), effects)
    }

    pub const fn state(&self) -> NodeState {
        self.0.state()
    }

    pub fn handle(&mut self, event: Event) -> Result<Vec<Effect>, Unexpected> {
        self.0.handle(event)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn starts_fulfilled_and_ends_with_its_value() {
        let input = Encoded::array(&[Encoded::array(&[]).unwrap()]).unwrap();
        let (mut executor, effects) = ReducerExecutor::start(input.clone());
        let expected = [
            Effect::State(NodeState::ParamFulfilled),
            Effect::State(NodeState::Enqueued),
            Effect::Enqueue(input.clone().into()),
        ];
        assert_eq!(effects, expected);
        executor.handle(Event::Claimed).unwrap();
        assert_eq!(executor.state(), NodeState::Running);
        let effects = executor.handle(Event::Completed(input.clone())).unwrap();
        assert_eq!(effects, [Effect::State(NodeState::Finished), Effect::Deliver(input.clone())]);
        assert_eq!(executor.handle(Event::Cancel), Ok(vec![]), "news after the end changes nothing");
    }
}
