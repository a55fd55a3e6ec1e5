//! Runs from their start to the day they are forgotten: what a database does with them.

use async_trait::async_trait;
use weevil_model::{RunId, Timestamp};
use weevil_queue::RunJudgement;
use weevil_queue::profile::{Profile, ProfileFacts};

use crate::run::{
    Forgotten, JobTimes, ListedRun, RunEnd, RunInput, RunRecord, SlotTotals, StoredWorkflow, Turned,
};
use crate::{LeftOutEngine, NameSearch, NodeStates, RunCourse, RunList, StoreError};

/// Runs, and what is left of them.
#[async_trait]
pub trait Runs: Send + Sync {
    /// Keeps a workflow and a new run of it.
    async fn create_run(
        &self,
        workflow: &StoredWorkflow,
        run: &RunRecord,
        inputs: &[RunInput],
    ) -> Result<(), StoreError>;

    /// Answers false, and nothing has changed, where something of the run was reopened and its executors have not begun anew since:
    /// what they would end it with may not be so. It can always be cancelled.
    async fn end_run(&self, run: RunId, end: &RunEnd, course: &RunCourse) -> Result<bool, StoreError>;

    /// How the nodes of a run that has ended stood at its end; `None` where that was not kept.
    async fn node_states(&self, run: RunId) -> Result<Option<NodeStates>, StoreError>;

    /// What a run that has ended computed over time; `None` where that was not kept.
    async fn profile(&self, run: RunId) -> Result<Option<ProfileFacts>, StoreError>;

    /// The same of a run that goes on or has ended, made anew of all its attempts. Looks at each of them.
    async fn computed(&self, run: RunId) -> Result<Profile, StoreError>;

    /// The executors of a run are about to begin anew.
    async fn retrace(&self, run: RunId, now: Timestamp) -> Result<(), StoreError>;

    /// Removes at most `most` jobs, with their attempts, from the run that ended first among those that ended before
    /// `before`; the run as well once it has no job left. Where there is no such run, the stand-alone jobs that ended
    /// before. Workflows stay. Nothing removed: nothing is left that old.
    async fn forget(&self, before: Timestamp, most: u32, now: Timestamp) -> Result<Forgotten, StoreError>;

    async fn run(&self, run: RunId) -> Result<Option<RunRecord>, StoreError>;

    /// At most `most` of a list. Reads neither results nor nodes.
    async fn runs(&self, list: &RunList, most: u32) -> Result<Vec<ListedRun>, StoreError>;

    /// The same of those whose names begin alike, in the order of names. `before` of the list bounds their ids alone.
    async fn runs_named(
        &self,
        list: &RunList,
        search: &NameSearch,
        most: u32,
    ) -> Result<Vec<ListedRun>, StoreError>;

    /// Runs that have not ended, oldest first.
    async fn open_runs(&self) -> Result<Vec<RunId>, StoreError>;

    /// Turns the views that earlier releases have stored of at most `most` ended runs into facts, those with the lowest ids
    /// behind `after` first.
    async fn turn_views(&self, after: Option<RunId>, most: u32, now: Timestamp)
    -> Result<Turned, StoreError>;

    /// Engines that get no more of some code of the run.
    async fn left_out(&self, run: RunId) -> Result<Vec<LeftOutEngine>, StoreError>;

    /// What the jobs of the run were believed on so far.
    async fn judgement(&self, run: RunId) -> Result<RunJudgement, StoreError>;

    async fn inputs(&self, run: RunId) -> Result<Vec<RunInput>, StoreError>;

    async fn slot_totals(&self, run: RunId) -> Result<Vec<SlotTotals>, StoreError>;

    /// How long the completed jobs of a run took, each within half a percent.
    async fn job_times(&self, run: RunId) -> Result<Vec<JobTimes>, StoreError>;
}
