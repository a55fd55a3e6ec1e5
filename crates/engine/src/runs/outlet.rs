//! Where an executor's result goes: along its edges, or to the pool that it is a part of. Knows executors by what they are
//! told, and none by its kind.

use std::rc::Rc;

use actix::{Actor, Addr, Context, Handler, Recipient};
use weevil_dataflow::NodeFailure;
use weevil_model::Encoded;

use crate::runs::messages::{Cancel, FinalResult, Input, NodeFailed, Part, PartFailed};

/// An executor with ports. Cheap to clone: all executors of a run live on one thread.
#[derive(Clone)]
pub(crate) struct Consumer(Rc<Ports>);

struct Ports {
    inputs: Recipient<Input>,
    cancel: Recipient<Cancel>,
}

impl Consumer {
    pub(crate) fn of<A>(executor: Addr<A>) -> Self
    where
        A: Actor<Context = Context<A>> + Handler<Input> + Handler<Cancel>,
    {
        Self(Rc::new(Ports { inputs: executor.clone().recipient(), cancel: executor.recipient() }))
    }

    fn take(&self, input: Input) {
        self.0.inputs.do_send(input);
    }

    pub(crate) fn cancel(&self) {
        self.0.cancel.do_send(Cancel);
    }
}

/// A pool, for the executors below it.
pub(crate) struct Whole {
    parts: Recipient<Part>,
    failures: Recipient<PartFailed>,
}

impl Whole {
    pub(crate) fn of<A>(pool: Addr<A>) -> Self
    where
        A: Actor<Context = Context<A>> + Handler<Part> + Handler<PartFailed>,
    {
        Self { parts: pool.clone().recipient(), failures: pool.recipient() }
    }
}

pub(crate) enum Outlet {
    /// Consumers with the index of their port; the run itself, if this is the final node.
    Edges { targets: Vec<(Consumer, usize)>, last: Option<Recipient<FinalResult>> },
    /// The pool that has the processor with this index, or the reducer, as a part.
    Pool { whole: Whole, index: Option<usize> },
}

impl Outlet {
    pub(crate) fn deliver(&self, value: &Encoded) {
        match self {
            Self::Edges { targets, last } => {
                for (target, port) in targets {
                    target.take(Input { port: *port, value: value.clone() });
                }
                if let Some(run) = last {
                    run.do_send(FinalResult(value.clone()));
                }
            }
            Self::Pool { whole, index } => whole.parts.do_send(Part { index: *index, value: value.clone() }),
        }
    }

    /// A node's own failure is its run's; that of a part, its pool's.
    pub(crate) fn fail(&self, failure: NodeFailure, run: &Recipient<NodeFailed>) {
        match self {
            Self::Edges { .. } => run.do_send(NodeFailed(failure)),
            Self::Pool { whole, .. } => whole.failures.do_send(PartFailed(failure)),
        }
    }
}
