//! The pool executor: hands its input to processors a window at a time, and their results to the reducer in input order.

use weevil_model::limits::MAX_POOL_ELEMENTS;
use weevil_model::{DataType, Elements, Encoded, NodeState};

use crate::processing::{Processing, does_not_fit};
use crate::results::{Refused, Size};
use crate::work::{Effect, Event};
use crate::{NodeFailure, Unexpected};

#[derive(Debug, Clone, PartialEq)]
pub enum PoolEvent {
    /// The pool's only port has its data.
    Input(Encoded),
    ProcessorDone {
        index: usize,
        value: Encoded,
    },
    /// A processor's answer waits to be believed. Its executor has gone; the pool hears of the job from now on.
    ProcessorAnswered {
        index: usize,
    },
    /// News of the job of a processor that has answered.
    News {
        index: usize,
        event: Event,
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
    /// A processor that has answered goes from one state to another: tell whoever watches.
    Part {
        from: NodeState,
        to: NodeState,
    },
    /// The result of this element does not fit: have its job computed again.
    Again {
        index: usize,
        element: Encoded,
        /// Why, for people.
        message: String,
    },
    /// Everything that has started has answered, and nothing more starts until some of it ends: no more answers will come.
    Close,
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
    /// Processors that live at a time; those that have answered do not count.
    pub window: usize,
    /// Processors that live or have answered: no more start until one ends.
    pub most_answered: usize,
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
            (Phase::Processing(_), PoolEvent::ProcessorDone { index, value }) => {
                self.done(index, &value).ok_or(unexpected)
            }
            (Phase::Processing(processing), PoolEvent::ProcessorAnswered { index }) => {
                processing.hand_over(index).then(|| self.go_on()).ok_or(unexpected)
            }
            (Phase::Processing(_), PoolEvent::News { index, event }) => {
                self.hear(index, event).ok_or(unexpected)
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
        self.phase = Phase::Processing(Processing::of(elements));
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

    /// A processor has returned.
    fn done(&mut self, index: usize, value: &Encoded) -> Option<Vec<PoolEffect>> {
        let Phase::Processing(processing) = &mut self.phase else { return None };
        match processing.put(index, value) {
            Ok(again) => Some(again.into_iter().chain(self.go_on()).collect()),
            Err(Refused::Unexpected) => None,
            Err(Refused::TooLarge(largest)) => Some(self.too_large(largest)),
        }
    }

    /// What news of a processor that has answered come to.
    fn hear(&mut self, index: usize, event: Event) -> Option<Vec<PoolEffect>> {
        let Phase::Processing(processing) = &mut self.phase else { return None };
        let (from, heard) = processing.hear(index, event)?;
        let mut effects = Vec::new();
        for effect in heard {
            match effect {
                Effect::State(to) if to != from => effects.push(PoolEffect::Part { from, to }),
                Effect::State(_) | Effect::Enqueue(_) | Effect::Oversized { .. } => {}
                Effect::Deliver(value) => effects.extend(self.done(index, &value)?),
                Effect::Fail(failure) => effects.extend(self.fail(failure)),
            }
        }
        effects.extend(self.go_on());
        Some(effects)
    }

    /// Whether the pool hears of this processor's job itself.
    pub fn has_answered(&self, index: usize) -> bool {
        matches!(&self.phase, Phase::Processing(processing) if processing.is_handed_over(index))
    }

    /// The reducer once every result is there, more processors before.
    fn go_on(&mut self) -> Vec<PoolEffect> {
        let Phase::Processing(processing) = &mut self.phase else { return Vec::new() };
        let Some(all) = processing.all() else { return processing.go_on(self.terms) };
        match all.and_then(|all| Encoded::array(&[all])) {
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
            Self::ProcessorAnswered { .. } => "processor answered",
            Self::News { .. } => "news",
            Self::ReducerDone(_) => "reducer done",
            Self::PartFailed(_) => "part failed",
            Self::Cancel => "cancel",
        }
    }
}

#[cfg(test)]
#[path = "pool_test.rs"]
mod tests;
