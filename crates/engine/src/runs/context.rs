//! What every node executor of one run shares with the others. All live on one thread.

use std::cell::Cell;
use std::rc::Rc;
use std::sync::Arc;

use actix::Recipient;
use weevil_model::trust::{AssumedShare, Policy};
use weevil_model::{ProjectId, Reuse, RunId};
use weevil_workflow::{JobSpec, NodeBody, Plan, PlanNode};

use crate::common::Common;
use crate::runs::messages::{FinalResult, NodeFailed};
use crate::runs::tally::SharedTally;

pub(crate) type SharedContext = Rc<RunContext>;

pub(crate) struct RunContext {
    /// False once the run has ended: executors that hear of it late enqueue nothing more.
    pub open: Cell<bool>,
    pub run: RunId,
    pub project: ProjectId,
    pub seed: u64,
    pub reuse: Reuse,
    pub plan: Arc<Plan>,
    /// From which answers on values are believed, whatever the workflow says.
    pub policy: Option<Policy>,
    /// The share of all work that liars are assumed to do, from the start of the run to its end.
    pub assumed: AssumedShare,
    /// Something of the run was reopened, and its pools may have had other inputs before.
    pub begins_anew: bool,
    /// Where the final node's value goes.
    pub results: Recipient<FinalResult>,
    /// Where it is told that a node cannot finish.
    pub failures: Recipient<NodeFailed>,
    pub common: Common,
    pub tally: SharedTally,
}

impl RunContext {
    /// What the run was started with, else what its workflow says, else what the server does.
    pub(crate) fn trust(&self, spec: &JobSpec) -> Policy {
        policy(self.policy, spec, self.common.trust)
    }

    /// The path of the job whose value this port of this node takes; `None` where no job gives it, or answers have agreed on it.
    pub(crate) fn feeding(&self, node: usize, port: usize) -> Option<Arc<str>> {
        let feeds = |source: &&PlanNode| {
            source.outgoing.iter().any(|edge| edge.node.index() == node && edge.port == port)
        };
        let source = self.plan.nodes().iter().find(feeds)?;
        let (spec, path) = match &source.body {
            NodeBody::Value(_) => return None,
            NodeBody::Job(spec) => (spec, source.path.clone()),
            NodeBody::Pool { reducer, .. } => (reducer, reducer_path(&source.path, &reducer.id)),
        };
        Some(path).filter(|_| !self.trust(spec).is_judged())
    }
}

/// What a run was `asked` for, else what its workflow says, else what is `usual`.
pub(crate) fn policy(asked: Option<Policy>, spec: &JobSpec, usual: Policy) -> Policy {
    asked.or(spec.trust).unwrap_or(usual)
}

/// Where the reducer of a pool is.
pub(crate) fn reducer_path(pool: &str, reducer: &str) -> Arc<str> {
    format!("{pool}/{reducer}").into()
}
