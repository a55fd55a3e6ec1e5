//! The pool executor: hands its input to processors a window at a time, and their results to the reducer in input order.

use weevil_model::limits::{MAX_POOL_ELEMENTS, MAX_VALUE_BYTES};
use weevil_model::{DataType, Elements, Encoded, NodeState};

use crate::results::{Refused, Results, Size};
use crate::{NodeFailure, Unexpected};

#[derive(Debug, Clone, PartialEq)]
pub enum PoolEvent {
    /// The pool's only port has its data.
    Input(Encoded),
    ProcessorDone {
        index: usize,
        value: Encoded,
    },
    ReducerDone(Encoded),
    /// A processor or the reducer has failed.
    PartFailed(NodeFailure),
    Cancel,
}

#[derive(Debug, Clone, PartialEq)]
pub enum PoolEffect {
    State(NodeState),
    /// The input has this many elements.
    Sized(usize),
    /// Start a value and a processor executor for this element.
    Process {
        index: usize,
        element: Encoded,
    },
    /// The result of this element does not fit: have its job computed again.
    Again {
        index: usize,
        element: Encoded,
        /// Why, for people.
        message: String,
    },
    /// Start the reducer with this array of arguments.
    Reduce(Encoded),
    Deliver(Encoded),
    Fail(NodeFailure),
}

/// What a pool is told when it starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PoolTerms {
    /// Type of the processor's port.
    pub element_type: DataType,
    /// Processors that live at a time.
    pub window: usize,
}

#[derive(Debug)]
pub struct PoolExecutor {
    node: String,
    terms: PoolTerms,
    phase: Phase,
}

#[derive(Debug)]
enum Phase {
    Waiting,
    Processing(Processing),
    Reducing,
    Ended(NodeState),
}

#[derive(Debug)]
struct Processing {
    /// The whole input.
    elements: Elements,
    /// Elements without a processor yet.
    waiting: Elements,
    /// Index of the first of them.
    next: usize,
    /// Processors without a result.
    running: usize,
    results: Results,
}

impl Processing {
    /// New processors once half of the window is free, so that they reach the queue in batches.
    fn refill(&mut self, window: usize) -> Vec<PoolEffect> {
        let free = if self.running * 2 > window { 0 } else { window - self.running };
        let processors = self.waiting.by_ref().take(free).enumerate();
        let next = self.next;
        let effects: Vec<_> =
            processors.map(|(at, element)| PoolEffect::Process { index: next + at, element }).collect();
        self.next += effects.len();
        self.running += effects.len();
        effects
    }

    fn again(&mut self, size: Size) -> Option<PoolEffect> {
        let element = self.elements.clone().nth(size.index)?;
        self.running += 1;
        Some(PoolEffect::Again { index: size.index, element, message: does_not_fit(size) })
    }
}

fn does_not_fit(Size { index, bytes }: Size) -> String {
    format!(
        "the results of the pool do not fit its reducer: element {index} has returned {bytes} bytes, all together may \
         have {MAX_VALUE_BYTES}"
    )
}

impl PoolExecutor {
    /// STARTED and at once `PARAM_NOT_FULFILLED`: a pool always has one OPEN port.
    pub fn start(node: &str, terms: PoolTerms) -> (Self, Vec<PoolEffect>) {
        let effects =
            vec![PoolEffect::State(NodeState::Started), PoolEffect::State(NodeState::ParamNotFulfilled)];
        (Self { node: node.to_owned(), terms, phase: Phase::Waiting }, effects)
    }

    pub const fn state(&self) -> NodeState {
        match self.phase {
            Phase::Waiting => NodeState::ParamNotFulfilled,
            Phase::Processing { .. } | Phase::Reducing => NodeState::ParamFulfilled,
            Phase::Ended(state) => state,
        }
    }

    pub fn handle(&mut self, event: PoolEvent) -> Result<Vec<PoolEffect>, Unexpected> {
        let unexpected = Unexpected { state: self.state(), event: event.name() };
        match (&mut self.phase, event) {
            (Phase::Ended(_), _) => Ok(Vec::new()),
            (_, PoolEvent::Cancel) => Ok(self.end(NodeState::Cancelled, None)),
            (_, PoolEvent::PartFailed(failure)) => Ok(self.fail(failure)),
            (Phase::Waiting, PoolEvent::Input(value)) => Ok(self.split(&value)),
            (Phase::Processing(processing), PoolEvent::ProcessorDone { index, value })
                if index < processing.next =>
            {
                match processing.results.put(index, &value) {
                    Ok(odd) => Ok(self.processed(&odd)),
                    Err(Refused::Unexpected) => Err(unexpected),
                    Err(Refused::TooLarge(largest)) => Ok(self.too_large(largest)),
                }
            }
            (Phase::Reducing, PoolEvent::ReducerDone(value)) => {
                Ok(self.end(NodeState::Finished, Some(PoolEffect::Deliver(value))))
            }
            _ => Err(unexpected),
        }
    }

    fn split(&mut self, value: &Encoded) -> Vec<PoolEffect> {
        let elements = match self.checked(value) {
            Ok(elements) => elements,
            Err(failure) => return self.fail(failure),
        };
        let len = elements.len();
        let (waiting, results) = (elements.clone(), Results::of(len));
        let processing = Processing { elements, waiting, next: 0, running: 0, results };
        self.phase = Phase::Processing(processing);
        let mut effects = vec![PoolEffect::State(NodeState::ParamFulfilled), PoolEffect::Sized(len)];
        effects.extend(self.go_on());
        effects
    }

    /// The elements, if they are of a number and a type that the pool takes.
    fn checked(&self, value: &Encoded) -> Result<Elements, NodeFailure> {
        let fail = |kind, message| NodeFailure::internal(&self.node, kind, message);
        let elements = value.elements().map_err(|error| fail("poolInput", error.to_string()))?;
        if elements.len() > MAX_POOL_ELEMENTS {
            let found = elements.len();
            let message =
                format!("the pool's input has {found} elements; at most {MAX_POOL_ELEMENTS} are allowed");
            return Err(fail("poolTooLarge", message));
        }
        let expected = self.terms.element_type;
        let other = elements.clone().enumerate().find_map(|(index, element)| {
            let found = element.data_type().ok().filter(|found| *found != expected)?;
            Some(format!(
                "element {index} of the pool's input is {found}, but its processor takes {expected}"
            ))
        });
        other.map_or(Ok(elements), |message| Err(fail("elementType", message)))
    }

    /// A processor has returned; what is `odd` is computed again.
    fn processed(&mut self, odd: &[Size]) -> Vec<PoolEffect> {
        let Phase::Processing(processing) = &mut self.phase else { return Vec::new() };
        processing.running -= 1;
        let mut effects: Vec<PoolEffect> = odd.iter().filter_map(|size| processing.again(*size)).collect();
        effects.extend(self.go_on());
        effects
    }

    /// The reducer once every result is there, more processors before.
    fn go_on(&mut self) -> Vec<PoolEffect> {
        let Phase::Processing(processing) = &mut self.phase else { return Vec::new() };
        if !processing.results.are_complete() {
            return processing.refill(self.terms.window);
        }
        match processing.results.array().and_then(|all| Encoded::array(&[all])) {
            Ok(input) => {
                self.phase = Phase::Reducing;
                vec![PoolEffect::Reduce(input)]
            }
            // What results may have together leaves room for their heads.
            Err(error) => self.fail(NodeFailure::internal(&self.node, "inputTooLarge", error.to_string())),
        }
    }

    fn too_large(&mut self, largest: Size) -> Vec<PoolEffect> {
        let message = format!("{}, and the others are alike", does_not_fit(largest));
        self.fail(NodeFailure::internal(&self.node, "inputTooLarge", message))
    }

    fn fail(&mut self, failure: NodeFailure) -> Vec<PoolEffect> {
        self.end(NodeState::Failed, Some(PoolEffect::Fail(failure)))
    }

    fn end(&mut self, state: NodeState, then: Option<PoolEffect>) -> Vec<PoolEffect> {
        self.phase = Phase::Ended(state);
        [PoolEffect::State(state)].into_iter().chain(then).collect()
    }
}

impl PoolEvent {
    const fn name(&self) -> &'static str {
        match self {
            Self::Input(_) => "input",
            Self::ProcessorDone { .. } => "processor done",
            Self::ReducerDone(_) => "reducer done",
            Self::PartFailed(_) => "part failed",
            Self::Cancel => "cancel",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use weevil_model::{TypedArrayKind, Value};

    const TERMS: PoolTerms = PoolTerms { element_type: DataType::Number, window: 4 };

    fn pool() -> PoolExecutor {
        PoolExecutor::start("p", TERMS).0
    }

    fn number(n: f64) -> Encoded {
        Encoded::of(&Value::Number(n)).unwrap()
    }

    fn array(numbers: &[f64]) -> Encoded {
        Encoded::of(&Value::Array(numbers.iter().map(|n| Value::Number(*n)).collect())).unwrap()
    }

    fn done(index: usize, n: f64) -> PoolEvent {
        PoolEvent::ProcessorDone { index, value: number(n) }
    }

    fn indices(effects: &[PoolEffect]) -> Vec<usize> {
        let index =
            |effect: &_| if let PoolEffect::Process { index, .. } = effect { Some(*index) } else { None };
        effects.iter().filter_map(index).collect()
    }

    #[test]
    fn results_reach_the_reducer_in_input_order() {
        let mut pool = pool();
        let effects = pool.handle(PoolEvent::Input(array(&[1.0, 2.0, 3.0]))).unwrap();
        assert_eq!(effects[..2], [PoolEffect::State(NodeState::ParamFulfilled), PoolEffect::Sized(3)]);
        assert_eq!(effects[4], PoolEffect::Process { index: 2, element: number(3.0) });
        assert_eq!(pool.handle(done(2, 30.0)), Ok(vec![]));
        assert_eq!(pool.handle(done(0, 10.0)), Ok(vec![]));
        let effects = pool.handle(done(1, 20.0)).unwrap();
        let expected = Encoded::array(&[array(&[10.0, 20.0, 30.0])]).unwrap();
        assert_eq!(effects, [PoolEffect::Reduce(expected)]);
        let effects = pool.handle(PoolEvent::ReducerDone(array(&[]))).unwrap();
        assert_eq!(effects, [PoolEffect::State(NodeState::Finished), PoolEffect::Deliver(array(&[]))]);
    }

    #[test]
    fn processors_come_a_window_at_a_time_and_each_once() {
        let mut pool = pool();
        let input: Vec<f64> = (0..11).map(f64::from).collect();
        let mut started = indices(&pool.handle(PoolEvent::Input(array(&input))).unwrap());
        assert_eq!(started, [0, 1, 2, 3]);
        let mut most = started.len();
        for index in 0..10 {
            started.extend(indices(&pool.handle(done(index, 0.0)).unwrap()));
            most = most.max(started.len() - index - 1);
        }
        assert_eq!(started, (0..11).collect::<Vec<_>>());
        assert_eq!(most, TERMS.window);
        assert!(matches!(pool.handle(done(10, 0.0)).unwrap()[..], [PoolEffect::Reduce(_)]));
    }

    #[test]
    fn an_empty_input_goes_straight_to_the_reducer() {
        let effects = pool().handle(PoolEvent::Input(array(&[]))).unwrap();
        assert_eq!(effects[2], PoolEffect::Reduce(Encoded::array(&[array(&[])]).unwrap()));
    }

    #[test]
    fn what_the_pool_does_not_take_fails_it_in_words() {
        let mixed = Value::Array(vec![Value::Number(1.0), Value::String("x".into())]);
        for (input, message) in [
            (Value::Null, "an Array is expected, found null"),
            (mixed, "element 1 of the pool's input is String, but its processor takes Number"),
        ] {
            let mut pool = pool();
            let effects = pool.handle(PoolEvent::Input(Encoded::of(&input).unwrap())).unwrap();
            let [PoolEffect::State(NodeState::Failed), PoolEffect::Fail(failure)] = &effects[..] else {
                panic!("{effects:?}")
            };
            assert_eq!(failure.attempts[0].message, message);
            assert_eq!(pool.handle(PoolEvent::Cancel), Ok(vec![]));
        }
    }

    #[test]
    fn a_part_that_fails_takes_the_pool_with_it() {
        let mut pool = pool();
        pool.handle(PoolEvent::Input(array(&[1.0, 2.0]))).unwrap();
        let failure = NodeFailure::internal("p/0/x", "thrown", "boom".into());
        let effects = pool.handle(PoolEvent::PartFailed(failure.clone())).unwrap();
        assert_eq!(effects, [PoolEffect::State(NodeState::Failed), PoolEffect::Fail(failure)]);
        assert_eq!(pool.handle(done(1, 1.0)), Ok(vec![]), "old news changes nothing");
    }

    fn bytes(bytes: usize) -> Encoded {
        Encoded::of(&Value::Typed(TypedArrayKind::Uint8, vec![0; bytes])).unwrap()
    }

    #[test]
    fn a_result_that_does_not_fit_is_asked_for_again() {
        let mut pool = pool();
        pool.handle(PoolEvent::Input(array(&[1.0, 2.0, 3.0]))).unwrap();
        let fills = PoolEvent::ProcessorDone { index: 1, value: bytes(MAX_VALUE_BYTES - 20) };
        assert_eq!(pool.handle(fills), Ok(vec![]));
        assert_eq!(pool.handle(done(0, 10.0)), Ok(vec![]));
        let PoolEffect::Again { index, element, message } =
            &pool.handle(PoolEvent::ProcessorDone { index: 2, value: bytes(100) }).unwrap()[0]
        else {
            panic!("it is computed again")
        };
        assert_eq!((*index, element), (1, &number(2.0)));
        assert!(message.contains("element 1 has returned 16777203 bytes"), "{message}");
        let effects = pool.handle(done(1, 20.0)).unwrap();
        let all = [number(10.0), number(20.0), bytes(100)];
        let expected = Encoded::array(&[Encoded::array(&all).unwrap()]).unwrap();
        assert_eq!(effects, [PoolEffect::Reduce(expected)]);
    }

    #[test]
    fn results_that_are_alike_and_too_large_fail_the_pool() {
        let mut pool = pool();
        pool.handle(PoolEvent::Input(array(&[1.0, 2.0]))).unwrap();
        for (index, effects) in [(0, 0), (1, 2)] {
            let value = bytes(MAX_VALUE_BYTES / 2);
            let found = pool.handle(PoolEvent::ProcessorDone { index, value }).unwrap();
            assert_eq!(found.len(), effects, "{found:?}");
            let Some(PoolEffect::Fail(failure)) = found.last() else { continue };
            assert_eq!(failure.attempts[0].kind, "inputTooLarge");
            assert!(failure.attempts[0].message.contains("element 1 has returned"), "{failure:?}");
        }
    }

    #[test]
    fn a_result_counts_once() {
        let mut pool = pool();
        pool.handle(PoolEvent::Input(array(&[1.0, 2.0]))).unwrap();
        pool.handle(done(0, 1.0)).unwrap();
        for event in [done(0, 1.0), done(9, 1.0), PoolEvent::ReducerDone(array(&[]))] {
            assert!(pool.handle(event).is_err());
        }
    }
}
