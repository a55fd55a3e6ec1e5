//! A database that fails where it is told to.

use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use weevil_model::{ContentHash, ProjectId, RunId, Timestamp};
use weevil_queue::RunJudgement;
use weevil_queue::profile::{Profile, ProfileFacts};
use weevil_records::{
    FinalNode, Forgotten, JobTimes, LeftOutEngine, ListedRun, ListedWorkflow, NameSearch, NamedVersion,
    NodeStates, RunCourse, RunEnd, RunInput, RunList, RunRecord, Runs, SlotTotals, StoreError,
    StoredWorkflow, Turned, VersionMark, Workflows,
};
use weevil_store::SqliteStore;

/// What goes wrong.
pub(super) enum Fault {
    /// This run cannot be read before all of these were.
    AwayUntil { run: RunId, others: Vec<RunId> },
    /// What is stored of this run is broken.
    Corrupt { run: RunId },
    /// The next end is not written.
    EndRefused,
    /// The next end is written, which is not answered.
    EndNotAnswered,
}

/// Stands before a database.
pub(super) struct Guard {
    pub store: Arc<SqliteStore>,
    lost: Mutex<(Vec<ContentHash>, Vec<RunId>)>,
    fault: Mutex<Option<Fault>>,
    read: Mutex<Vec<RunId>>,
}

fn away() -> StoreError {
    StoreError::Failed { doing: "testing", cause: "away".into() }
}

impl Guard {
    pub(super) fn new(store: Arc<SqliteStore>) -> Self {
        Self { store, lost: Mutex::default(), fault: Mutex::default(), read: Mutex::default() }
    }

    pub(super) fn lose(&self, workflow: Option<ContentHash>, record: Option<RunId>) {
        let mut lost = self.lost.lock().unwrap();
        lost.0.extend(workflow);
        lost.1.extend(record);
    }

    pub(super) fn fault(&self, fault: Fault) {
        *self.fault.lock().unwrap() = Some(fault);
    }

    /// The runs that were asked for, in that order.
    pub(super) fn read(&self) -> Vec<RunId> {
        self.read.lock().unwrap().clone()
    }

    fn note(&self, run: RunId) -> Result<(), StoreError> {
        let mut read = self.read.lock().unwrap();
        read.push(run);
        match &*self.fault.lock().unwrap() {
            Some(Fault::AwayUntil { run: away_for, others }) if *away_for == run => {
                if others.iter().all(|other| read.contains(other)) { Ok(()) } else { Err(away()) }
            }
            Some(Fault::Corrupt { run: corrupt }) if *corrupt == run => {
                Err(StoreError::Corrupt { what: "an end that is no moment".into() })
            }
            _ => Ok(()),
        }
    }
}

#[async_trait]
impl Runs for Guard {
    async fn create_run(
        &self,
        workflow: &StoredWorkflow,
        run: &RunRecord,
        inputs: &[RunInput],
    ) -> Result<(), StoreError> {
        self.store.create_run(workflow, run, inputs).await
    }

    async fn retrace(&self, run: RunId, now: Timestamp) -> Result<(), StoreError> {
        self.store.retrace(run, now).await
    }

    async fn profile(&self, run: RunId) -> Result<Option<ProfileFacts>, StoreError> {
        self.store.profile(run).await
    }

    async fn computed(&self, run: RunId) -> Result<Profile, StoreError> {
        self.store.computed(run).await
    }

    async fn node_states(&self, run: RunId) -> Result<Option<NodeStates>, StoreError> {
        self.store.node_states(run).await
    }

    async fn end_run(&self, run: RunId, end: &RunEnd, course: &RunCourse) -> Result<bool, StoreError> {
        let fault = self.fault.lock().unwrap().take();
        match fault {
            Some(Fault::EndRefused) => Err(away()),
            Some(Fault::EndNotAnswered) => {
                self.store.end_run(run, end, course).await?;
                Err(away())
            }
            _ => self.store.end_run(run, end, course).await,
        }
    }

    async fn forget(&self, before: Timestamp, most: u32, now: Timestamp) -> Result<Forgotten, StoreError> {
        self.store.forget(before, most, now).await
    }

    async fn run(&self, run: RunId) -> Result<Option<RunRecord>, StoreError> {
        self.note(run)?;
        let record = self.store.run(run).await?;
        let unread = self.lost.lock().unwrap().1.contains(&run).then(|| "the state `LATER`".to_owned());
        Ok(record.map(|record| RunRecord { unread, ..record }))
    }

    async fn runs(&self, list: &RunList, most: u32) -> Result<Vec<ListedRun>, StoreError> {
        self.store.runs(list, most).await
    }

    async fn runs_named(
        &self,
        list: &RunList,
        search: &NameSearch,
        most: u32,
    ) -> Result<Vec<ListedRun>, StoreError> {
        self.store.runs_named(list, search, most).await
    }

    async fn open_runs(&self) -> Result<Vec<RunId>, StoreError> {
        self.store.open_runs().await
    }

    async fn turn_views(
        &self,
        after: Option<RunId>,
        most: u32,
        now: Timestamp,
    ) -> Result<Turned, StoreError> {
        self.store.turn_views(after, most, now).await
    }

    async fn left_out(&self, run: RunId) -> Result<Vec<LeftOutEngine>, StoreError> {
        self.store.left_out(run).await
    }

    async fn judgement(&self, run: RunId) -> Result<RunJudgement, StoreError> {
        self.store.judgement(run).await
    }

    async fn inputs(&self, run: RunId) -> Result<Vec<RunInput>, StoreError> {
        self.store.inputs(run).await
    }

    async fn slot_totals(&self, run: RunId) -> Result<Vec<SlotTotals>, StoreError> {
        self.store.slot_totals(run).await
    }

    async fn job_times(&self, run: RunId) -> Result<Vec<JobTimes>, StoreError> {
        self.store.job_times(run).await
    }
}

#[async_trait]
impl Workflows for Guard {
    async fn keep_workflow(
        &self,
        project: ProjectId,
        workflow: &StoredWorkflow,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        self.store.keep_workflow(project, workflow, now).await
    }

    async fn workflow_projects(&self, hash: ContentHash) -> Result<Vec<ProjectId>, StoreError> {
        self.store.workflow_projects(hash).await
    }

    async fn workflow_name(
        &self,
        project: ProjectId,
        hash: ContentHash,
    ) -> Result<Option<String>, StoreError> {
        self.store.workflow_name(project, hash).await
    }

    async fn workflow(&self, hash: ContentHash) -> Result<Option<StoredWorkflow>, StoreError> {
        let lost = self.lost.lock().unwrap().0.contains(&hash);
        if lost { Ok(None) } else { self.store.workflow(hash).await }
    }

    async fn workflow_files(&self, hash: ContentHash) -> Result<Option<ListedWorkflow>, StoreError> {
        self.store.workflow_files(hash).await
    }

    async fn keep_final_node(
        &self,
        hash: ContentHash,
        node: &FinalNode,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        self.store.keep_final_node(hash, node, now).await
    }

    async fn workflows(
        &self,
        project: Option<ProjectId>,
        after: Option<&VersionMark>,
        most: u32,
    ) -> Result<Vec<NamedVersion>, StoreError> {
        self.store.workflows(project, after, most).await
    }
}
