//! The pool executor: splits its input, waits for every processor, hands their results to the reducer in input order.

use weevil_model::limits::MAX_POOL_ELEMENTS;
use weevil_model::{Encoded, NodeState};

use crate::{Failure, Unexpected};

#[derive(Debug, Clone, PartialEq)]
pub enum PoolEvent {
    /// The pool's only port has its data.
    Input(Encoded),
    ProcessorDone {
        index: usize,
        value: Encoded,
    },
    ReducerDone(Encoded),
    Cancel,
}

#[derive(Debug, Clone, PartialEq)]
pub enum PoolEffect {
    State(NodeState),
    /// Start a value and a processor executor for each element.
    Split(Vec<Encoded>),
    /// Start the reducer with this array of arguments.
    Reduce(Encoded),
    Deliver(Encoded),
    Fail(Failure),
}

#[derive(Debug)]
pub struct PoolExecutor {
    node: String,
    phase: Phase,
}

#[derive(Debug)]
enum Phase {
    Waiting,
    Processing { results: Vec<Option<Encoded>>, missing: usize },
    Reducing,
    Ended(NodeState),
}

impl PoolExecutor {
    /// STARTED and at once `PARAM_NOT_FULFILLED`: a pool always has one OPEN port.
    pub fn start(node: &str) -> (Self, Vec<PoolEffect>) {
        let effects =
            vec![PoolEffect::State(NodeState::Started), PoolEffect::State(NodeState::ParamNotFulfilled)];
        (Self { node: node.to_owned(), phase: Phase::Waiting }, effects)
    }

    pub const fn state(&self) -> NodeState {
        match self.phase {
            Phase::Waiting => NodeState::ParamNotFulfilled,
            Phase::Processing { .. } | Phase::Reducing => NodeState::ParamFulfilled,
            Phase::Ended(state) => state,
        }
    }

    pub fn handle(&mut self, event: PoolEvent) -> Result<Vec<PoolEffect>, Unexpected> {
        let state = self.state();
        match (&mut self.phase, event) {
            (Phase::Ended(_), _) => Ok(Vec::new()),
            (_, PoolEvent::Cancel) => Ok(self.end(NodeState::Cancelled, None)),
            (Phase::Waiting, PoolEvent::Input(value)) => Ok(self.split(&value)),
            (Phase::Processing { results, missing }, PoolEvent::ProcessorDone { index, value }) => {
                let unexpected = Unexpected { state, event: "processor done" };
                let slot = results.get_mut(index).filter(|slot| slot.is_none()).ok_or(unexpected)?;
                *slot = Some(value);
                *missing -= 1;
                Ok(if *missing == 0 { self.reduce() } else { Vec::new() })
            }
            (Phase::Reducing, PoolEvent::ReducerDone(value)) => {
                Ok(self.end(NodeState::Finished, Some(PoolEffect::Deliver(value))))
            }
            (_, PoolEvent::Input(_)) => Err(Unexpected { state, event: "input" }),
            (_, PoolEvent::ProcessorDone { .. }) => Err(Unexpected { state, event: "processor done" }),
            (_, PoolEvent::ReducerDone(_)) => Err(Unexpected { state, event: "reducer done" }),
        }
    }

    fn split(&mut self, value: &Encoded) -> Vec<PoolEffect> {
        let elements = match value.elements() {
            Ok(elements) => elements,
            Err(error) => return self.fail_with("poolInput", error.to_string()),
        };
        if elements.len() > MAX_POOL_ELEMENTS {
            let message = format!(
                "the pool's input has {} elements; at most {MAX_POOL_ELEMENTS} are allowed",
                elements.len()
            );
            return self.fail_with("poolTooLarge", message);
        }
        let missing = elements.len();
        self.phase = Phase::Processing { results: vec![None; missing], missing };
        let mut effects = vec![PoolEffect::State(NodeState::ParamFulfilled)];
        if missing == 0 {
            effects.extend(self.reduce());
        } else {
            effects.push(PoolEffect::Split(elements));
        }
        effects
    }

    fn reduce(&mut self) -> Vec<PoolEffect> {
        let Phase::Processing { results, .. } = &mut self.phase else { return Vec::new() };
        let results: Vec<Encoded> = results.drain(..).flatten().collect();
        match Encoded::array(&results).and_then(|all| Encoded::array(&[all])) {
            Ok(input) => {
                self.phase = Phase::Reducing;
                vec![PoolEffect::Reduce(input)]
            }
            Err(error) => self.fail_with("inputTooLarge", format!("the reducer's input: {error}")),
        }
    }

    fn fail_with(&mut self, kind: &str, message: String) -> Vec<PoolEffect> {
        self.fail(Failure::internal(&self.node, kind, message))
    }

    fn fail(&mut self, failure: Failure) -> Vec<PoolEffect> {
        self.end(NodeState::Failed, Some(PoolEffect::Fail(failure)))
    }

    fn end(&mut self, state: NodeState, then: Option<PoolEffect>) -> Vec<PoolEffect> {
        self.phase = Phase::Ended(state);
        [PoolEffect::State(state)].into_iter().chain(then).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use weevil_model::Value;

    fn array(numbers: &[f64]) -> Encoded {
        Encoded::of(&Value::Array(numbers.iter().map(|n| Value::Number(*n)).collect())).unwrap()
    }

    fn done(index: usize, n: f64) -> PoolEvent {
        PoolEvent::ProcessorDone { index, value: Encoded::of(&Value::Number(n)).unwrap() }
    }

    #[test]
    fn results_reach_the_reducer_in_input_order() {
        let (mut pool, _) = PoolExecutor::start("p");
        let effects = pool.handle(PoolEvent::Input(array(&[1.0, 2.0, 3.0]))).unwrap();
        assert_eq!(effects[0], PoolEffect::State(NodeState::ParamFulfilled));
        assert!(matches!(&effects[1], PoolEffect::Split(elements) if elements.len() == 3));
        assert_eq!(pool.handle(done(2, 30.0)), Ok(vec![]));
        assert_eq!(pool.handle(done(0, 10.0)), Ok(vec![]));
        let effects = pool.handle(done(1, 20.0)).unwrap();
        let expected = Encoded::array(&[array(&[10.0, 20.0, 30.0])]).unwrap();
        assert_eq!(effects, [PoolEffect::Reduce(expected)]);
        let effects = pool.handle(PoolEvent::ReducerDone(array(&[]))).unwrap();
        assert_eq!(effects, [PoolEffect::State(NodeState::Finished), PoolEffect::Deliver(array(&[]))]);
    }

    #[test]
    fn an_empty_input_goes_straight_to_the_reducer() {
        let (mut pool, _) = PoolExecutor::start("p");
        let effects = pool.handle(PoolEvent::Input(array(&[]))).unwrap();
        assert_eq!(effects[1], PoolEffect::Reduce(Encoded::array(&[array(&[])]).unwrap()));
    }

    #[test]
    fn what_is_no_array_fails_the_pool_in_words() {
        let (mut pool, _) = PoolExecutor::start("p");
        let effects = pool.handle(PoolEvent::Input(Encoded::of(&Value::Null).unwrap())).unwrap();
        let PoolEffect::Fail(failure) = &effects[1] else { panic!("{effects:?}") };
        assert_eq!(failure.attempts[0].message, "an Array is expected, found null");
        assert_eq!(pool.handle(PoolEvent::Cancel), Ok(vec![]));
    }

    #[test]
    fn a_result_counts_once() {
        let (mut pool, _) = PoolExecutor::start("p");
        pool.handle(PoolEvent::Input(array(&[1.0, 2.0]))).unwrap();
        pool.handle(done(0, 1.0)).unwrap();
        for event in [done(0, 1.0), done(9, 1.0), PoolEvent::ReducerDone(array(&[]))] {
            assert!(pool.handle(event).is_err());
        }
    }
}
