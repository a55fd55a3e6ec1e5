//! What every node executor of one run shares with the others. All live on one thread.

use std::cell::Cell;
use std::rc::Rc;

use actix::Addr;
use weevil_model::{Reuse, RunId};

use crate::common::Common;
use crate::runs::run::Run;
use crate::runs::tally::SharedTally;

pub(crate) type SharedContext = Rc<RunContext>;

pub(crate) struct RunContext {
    /// False once the run has ended: executors that hear of it late enqueue nothing more.
    pub open: Cell<bool>,
    pub run: RunId,
    pub seed: u64,
    pub reuse: Reuse,
    pub executor: Addr<Run>,
    pub common: Common,
    pub tally: SharedTally,
}
