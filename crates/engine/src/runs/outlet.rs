//! Where an executor's result goes: along its edges, or to the pool that it is a part of.

use actix::Addr;
use weevil_dataflow::NodeFailure;
use weevil_model::Encoded;

use crate::runs::messages::{Cancel, FinalResult, Input, NodeFailed, Part, PartFailed};
use crate::runs::nodes::job::JobActor;
use crate::runs::nodes::pool::PoolActor;
use crate::runs::run::Run;

/// An executor with ports.
#[derive(Clone)]
pub(crate) enum Consumer {
    Job(Addr<JobActor>),
    Pool(Addr<PoolActor>),
}

impl Consumer {
    fn take(&self, input: Input) {
        match self {
            Self::Job(job) => job.do_send(input),
            Self::Pool(pool) => pool.do_send(input),
        }
    }

    pub(crate) fn cancel(&self) {
        match self {
            Self::Job(job) => job.do_send(Cancel),
            Self::Pool(pool) => pool.do_send(Cancel),
        }
    }
}

pub(crate) enum Outlet {
    /// Consumers with the index of their port; the run itself, if this is the final node.
    Edges { targets: Vec<(Consumer, usize)>, last: Option<Addr<Run>> },
    /// The pool that has the processor with this index, or the reducer, as a part.
    Pool { pool: Addr<PoolActor>, index: Option<usize> },
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
            Self::Pool { pool, index } => pool.do_send(Part { index: *index, value: value.clone() }),
        }
    }

    /// A node's own failure is its run's; that of a part, its pool's.
    pub(crate) fn fail(&self, failure: NodeFailure, run: &Addr<Run>) {
        match self {
            Self::Edges { .. } => run.do_send(NodeFailed(failure)),
            Self::Pool { pool, .. } => pool.do_send(PartFailed(failure)),
        }
    }
}
