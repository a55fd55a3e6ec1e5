//! Why something stands as it does, in the server's sentences.

use std::fmt::Display;

use weevil_api::explain::Explanation;
use weevil_api::routes::Operation;

use crate::Server;

impl Server {
    /// Why a job waits, runs or has failed.
    ///
    /// # Errors
    /// There is no such job; or the server is older than the route, as for the others here.
    pub fn explain_job(&self, job: &dyn Display) -> Result<Explanation, String> {
        self.get(&Operation::ExplainJob.path(&[job]))
    }

    /// Why a run goes no further, or how it ended.
    ///
    /// # Errors
    /// There is no such run.
    pub fn explain_run(&self, run: &dyn Display) -> Result<Explanation, String> {
        self.get(&Operation::ExplainRun.path(&[run]))
    }

    /// Why a node of a run stands as it does.
    ///
    /// # Errors
    /// There is no such run, or no such node in it.
    pub fn explain_node(&self, run: &dyn Display, node: &dyn Display) -> Result<Explanation, String> {
        self.get(&Operation::ExplainNode.path(&[run, node]))
    }

    /// Why a worker gets nothing.
    ///
    /// # Errors
    /// There is no such worker.
    pub fn explain_worker(&self, worker: &dyn Display) -> Result<Explanation, String> {
        self.get(&Operation::ExplainWorker.path(&[worker]))
    }
}
