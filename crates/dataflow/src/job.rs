//! The job executor, also for processors: waits until every port is CLOSED, then has its job computed (thesis 3.6.4).

use std::sync::Arc;

use weevil_model::{Arguments, Encoded, NodeState};

use crate::work::{Effect, Event, Work};
use crate::{NodeFailure, Unexpected};

#[derive(Debug)]
pub struct JobExecutor {
    node: Arc<str>,
    phase: Phase,
}

#[derive(Debug)]
enum Phase {
    /// A port without data is OPEN.
    Waiting {
        ports: Vec<Option<Encoded>>,
        open: usize,
    },
    /// What came does not fit.
    Oversized,
    Working(Work),
}

impl JobExecutor {
    /// STARTED, and `PARAM_NOT_FULFILLED`; a node without ports goes straight to the queue.
    pub fn start(node: Arc<str>, ports: usize) -> (Self, Vec<Effect>) {
        let waiting = Phase::Waiting { ports: vec![None; ports], open: ports };
        let mut executor = Self { node, phase: waiting };
        let mut effects = vec![Effect::State(NodeState::Started)];
        if ports == 0 {
            effects.extend(executor.enqueue(Vec::new()));
        } else {
            effects.push(Effect::State(NodeState::ParamNotFulfilled));
        }
        (executor, effects)
    }

    pub const fn state(&self) -> NodeState {
        match &self.phase {
            Phase::Waiting { .. } | Phase::Oversized => NodeState::ParamNotFulfilled,
            Phase::Working(work) => work.state(),
        }
    }

    pub fn handle(&mut self, event: Event) -> Result<Vec<Effect>, Unexpected> {
        let state = self.state();
        match (&mut self.phase, event) {
            (Phase::Waiting { ports, open }, Event::Input { port, value }) => {
                let unexpected = Unexpected { state, event: "input" };
                let slot = ports.get_mut(port).filter(|slot| slot.is_none()).ok_or(unexpected)?;
                *slot = Some(value);
                *open -= 1;
                if *open > 0 {
                    return Ok(Vec::new());
                }
                let inputs: Vec<Encoded> = ports.drain(..).flatten().collect();
                Ok(self.enqueue(inputs))
            }
            (Phase::Waiting { .. } | Phase::Oversized, Event::Cancel) => Ok(self.end(NodeState::Cancelled)),
            (Phase::Oversized, Event::Failed(failure)) => {
                let mut effects = self.end(NodeState::Failed);
                effects.push(Effect::Fail(failure));
                Ok(effects)
            }
            // News of the job that gives another value: whoever asked for it begins anew once it is there.
            (Phase::Oversized, Event::Claimed | Event::Answered | Event::Requeued | Event::Completed(_)) => {
                Ok(Vec::new())
            }
            (Phase::Waiting { .. } | Phase::Oversized, other) => {
                Err(Unexpected { state, event: other.name() })
            }
            (Phase::Working(work), event) => work.handle(event),
        }
    }

    fn enqueue(&mut self, inputs: Vec<Encoded>) -> Vec<Effect> {
        let sizes = inputs.iter().map(|input| input.as_bytes().len()).enumerate();
        let largest = sizes.max_by_key(|(_, bytes)| *bytes).map_or(0, |(port, _)| port);
        match Arguments::each(inputs) {
            Ok(input) => {
                let (work, effects) = Work::enqueue(input);
                self.phase = Phase::Working(work);
                effects
            }
            Err(error) => {
                self.phase = Phase::Oversized;
                let failure = NodeFailure::internal(&self.node, "inputTooLarge", error.to_string());
                vec![Effect::Oversized { port: largest, failure }]
            }
        }
    }

    fn end(&mut self, state: NodeState) -> Vec<Effect> {
        let (work, effects) = Work::ended(state);
        self.phase = Phase::Working(work);
        effects
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use NodeState::{
        Answered, Cancelled, Enqueued, Failed, Finished, ParamFulfilled, ParamNotFulfilled, Running, Started,
    };
    use weevil_model::{TypedArrayKind, Value};

    fn number(n: f64) -> Encoded {
        Encoded::of(&Value::Number(n)).unwrap()
    }

    fn input(port: usize, n: f64) -> Event {
        Event::Input { port, value: number(n) }
    }

    fn states(effects: &[Effect]) -> Vec<NodeState> {
        effects.iter().filter_map(|e| if let Effect::State(s) = e { Some(*s) } else { None }).collect()
    }

    fn failure() -> NodeFailure {
        NodeFailure::internal("add", "thrown", "boom".into())
    }

    #[test]
    fn each_transition_of_the_thesis() {
        let done = Event::Completed(number(3.0));
        for (name, ports, events, expected) in [
            ("no ports", 0, vec![], vec![Started, ParamFulfilled, Enqueued]),
            ("waits for all", 2, vec![input(1, 2.0)], vec![Started, ParamNotFulfilled]),
            (
                "runs",
                1,
                vec![input(0, 1.0), Event::Claimed, done.clone()],
                vec![Started, ParamNotFulfilled, ParamFulfilled, Enqueued, Running, Finished],
            ),
            (
                "goes back",
                0,
                vec![Event::Claimed, Event::Requeued, Event::Claimed],
                vec![Started, ParamFulfilled, Enqueued, Running, Enqueued, Running],
            ),
            (
                "late result while queued",
                0,
                vec![Event::Claimed, Event::Requeued, done.clone(), Event::Claimed],
                vec![Started, ParamFulfilled, Enqueued, Running, Enqueued, Finished],
            ),
            (
                "answered, then believed",
                0,
                vec![Event::Claimed, Event::Answered, Event::Claimed, Event::Answered, done.clone()],
                vec![Started, ParamFulfilled, Enqueued, Running, Answered, Answered, Finished],
            ),
            (
                "answered late and wrongly",
                0,
                vec![Event::Answered, Event::Requeued, Event::Claimed, Event::Answered],
                vec![Started, ParamFulfilled, Enqueued, Answered, Enqueued, Running, Answered],
            ),
            (
                "answered and failed",
                0,
                vec![Event::Answered, Event::Failed(failure()), Event::Requeued],
                vec![Started, ParamFulfilled, Enqueued, Answered, Failed],
            ),
            (
                "answered and cancelled",
                0,
                vec![Event::Answered, Event::Cancel, done.clone()],
                vec![Started, ParamFulfilled, Enqueued, Answered, Cancelled],
            ),
            ("cancelled while waiting", 1, vec![Event::Cancel], vec![Started, ParamNotFulfilled, Cancelled]),
            (
                "failed",
                0,
                vec![Event::Failed(failure()), done],
                vec![Started, ParamFulfilled, Enqueued, Failed],
            ),
        ] {
            let (mut executor, mut effects) = JobExecutor::start("add".into(), ports);
            for event in events {
                effects.extend(executor.handle(event).unwrap());
            }
            assert_eq!(states(&effects), expected, "{name}");
        }
    }

    #[test]
    fn arguments_keep_the_order_of_the_ports() {
        let (mut executor, _) = JobExecutor::start("add".into(), 2);
        executor.handle(input(1, 2.0)).unwrap();
        let effects = executor.handle(input(0, 1.0)).unwrap();
        let expected = Encoded::array(&[number(1.0), number(2.0)]).unwrap();
        assert_eq!(effects.last(), Some(&Effect::Enqueue(expected.into())));
    }

    #[test]
    fn the_largest_of_arguments_that_do_not_fit_is_named() {
        for (sizes, largest) in [([9, 8], 0), ([8, 9], 1)] {
            let large = |port: usize| {
                let bytes = vec![0; sizes[port] << 20];
                Event::Input {
                    port,
                    value: Encoded::of(&Value::Typed(TypedArrayKind::Uint8, bytes)).unwrap(),
                }
            };
            let (mut executor, _) = JobExecutor::start("add".into(), 2);
            executor.handle(large(0)).unwrap();
            let effects = executor.handle(large(1)).unwrap();
            let [Effect::Oversized { port, failure }] = &effects[..] else { panic!("{effects:?}") };
            assert_eq!((*port, failure.attempts[0].kind.as_str()), (largest, "inputTooLarge"));
            for event in [Event::Claimed, Event::Requeued, Event::Completed(number(1.0))] {
                assert_eq!(executor.handle(event), Ok(Vec::new()));
            }
            assert!(executor.handle(input(0, 1.0)).is_err());
            let failed = executor.handle(Event::Failed(failure.clone())).unwrap();
            assert_eq!(failed, [Effect::State(Failed), Effect::Fail(failure.clone())]);
        }
    }

    #[test]
    fn a_port_takes_data_once() {
        let (mut executor, _) = JobExecutor::start("add".into(), 2);
        executor.handle(input(0, 1.0)).unwrap();
        for event in [input(0, 1.0), input(7, 1.0), Event::Claimed, Event::Answered] {
            assert!(executor.handle(event).is_err());
        }
    }
}
