//! What every node executor of one run shares with the others. All live on one thread.

use std::cell::Cell;
use std::rc::Rc;

use actix::Recipient;
use weevil_model::trust::{AssumedShare, Policy};
use weevil_model::{ProjectId, Reuse, RunId};

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
    /// From which answers on values are believed, whatever the workflow says.
    pub trust: Option<Policy>,
    /// The share of all work that liars are assumed to do, from the start of the run to its end.
    pub assumed: AssumedShare,
    /// Where the final node's value goes.
    pub results: Recipient<FinalResult>,
    /// Where it is told that a node cannot finish.
    pub failures: Recipient<NodeFailed>,
    pub common: Common,
    pub tally: SharedTally,
}
