//! Where an executor's result goes: along its edges, or to the pool that it is a part of. Knows executors by what they are
//! told, and none by its kind.

use std::rc::Rc;
use std::sync::Arc;

use actix::{Actor, Addr, Context, Handler, Recipient};
use weevil_dataflow::NodeFailure;
use weevil_model::Encoded;

use crate::job_news::{ElementUpdate, JobUpdate};
use crate::listeners::{Listener, Pool};
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

/// A pool, for the executors below it, which share this.
pub(crate) struct Whole {
    parts: Recipient<Part>,
    failures: Recipient<PartFailed>,
    news: Pool,
}

impl Whole {
    pub(crate) fn of<A>(pool: Addr<A>) -> Rc<Self>
    where
        A: Actor<Context = Context<A>> + Handler<Part> + Handler<PartFailed> + Handler<ElementUpdate>,
    {
        let (parts, failures) = (pool.clone().recipient(), pool.clone().recipient());
        Rc::new(Self { parts, failures, news: Arc::new(pool.recipient()) })
    }
}

pub(crate) enum Outlet {
    /// Consumers with the index of their port; the run itself, if this is the final node.
    Edges { targets: Vec<(Consumer, usize)>, last: Option<Recipient<FinalResult>> },
    /// The pool that has the processor with this index, or the reducer, as a part.
    Pool { whole: Rc<Whole>, index: Option<u32> },
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
            Self::Pool { whole, index: Some(index) } => {
                whole.parts.do_send(Part::Processed(*index, value.clone()));
            }
            Self::Pool { whole, index: None } => whole.parts.do_send(Part::Reduced(value.clone())),
        }
    }

    /// Its job has an answer. A processor's pool takes over from it, other executors stay.
    pub(crate) fn answer(&self) {
        if let Self::Pool { whole, index: Some(index) } = self {
            whole.parts.do_send(Part::Answered(*index));
        }
    }

    /// How the executor that delivers here listens for its job.
    pub(crate) fn listener(&self, executor: Recipient<JobUpdate>) -> Listener {
        match self {
            Self::Pool { whole, index: Some(index) } => {
                Listener::Processor { executor, pool: whole.news.clone(), index: *index }
            }
            Self::Pool { index: None, .. } | Self::Edges { .. } => Listener::Executor(executor),
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
