//! The traits of `weevil-records` over a driver: a line for each method, a part for what it does.

use std::ops::RangeInclusive;

use async_trait::async_trait;
use weevil_model::witness::Witness;
use weevil_model::{
    ContentHash, Encoded, JobId, PauseWords, ProjectId, QueuePause, RunId, RunPause, Timestamp,
};
use weevil_queue::profile::{Profile, ProfileFacts};
use weevil_queue::{Batch, Depth, Outcomes, RunJudgement};
use weevil_records::{
    AttemptRecord, Batches, Certificates, Device, DeviceList, DeviceStanding, Devices, FinalNode, Forgotten,
    JobFacts, JobRecord, JobTimes, JobValues, Jobs, KnownDevice, LeftOutEngine, ListedRun, ListedWorkflow,
    LotFacts, NameSearch, NamedVersion, NodeStates, Order, Pauses, Question, QuestionKey, Questions,
    RunCourse, RunEnd, RunInput, RunList, RunRecord, Runs, Scope, SlotTotals, StoppedSince, StoreError,
    StoredWorkflow, Turned, VersionMark, Workflows,
};

use crate::driver::Driver;
use crate::fault::{Fault, retried};
use crate::mysql::MySql;
use crate::parts::{
    apply, certified, courses, depth, device_lists, devices, forget, history, judgements, left_out, overlaps,
    pause, questions, release, run_ends, run_lists, runs, versions, workflow_names, workflows,
};
use crate::sqlite::Sqlite;

/// Durable truth in one database.
#[derive(Debug)]
pub struct Db<D>(pub(crate) D);

/// Durable truth in one file of the data folder.
pub type SqliteStore = Db<Sqlite>;
/// Durable truth in one database of a MySQL or MariaDB server.
pub type MySqlStore = Db<MySql>;

/// One transaction, tried again where that may help. Each try begins anew, so a part may run several times and must
/// leave nothing outside of its transaction. A crash before the commit leaves nothing of it either.
macro_rules! writes {
    ($db:ident, $what:literal at $now:expr, $tx:ident => $part:expr) => {{
        let mut writer = $db.0.writer().lock().await;
        retried!(async {
            let mut writing = D::begin(&mut writer, concat!("beginning ", $what)).await?;
            let $tx = D::tx(&mut writing);
            let done = $part.await?;
            D::commit(writing, concat!("committing ", $what), $now).await?;
            Ok::<_, Fault>(done)
        })
    }};
}
pub(crate) use writes;

/// One look at what is committed. Without a transaction around it: a part of two statements may meet a commit
/// between them.
macro_rules! reads {
    ($db:ident, $tx:ident => $part:expr) => {
        retried!(async {
            let mut reading = $db.0.read().await?;
            let $tx = &mut *reading;
            $part.await
        })
    };
}
pub(crate) use reads;

#[async_trait]
impl<D: Driver> Batches for Db<D> {
    async fn apply(&self, batch: &Batch, now: Timestamp) -> Result<Outcomes, StoreError> {
        writes!(self, "a batch" at now, tx => apply::apply(tx, batch, now))
    }

    async fn depth(&self) -> Result<Depth, StoreError> {
        reads!(self, tx => depth::depth(tx))
    }

    async fn tidy_up(&self, now: Timestamp) -> Result<u64, StoreError> {
        writes!(self, "a release" at now, tx => release::tidy_up(tx, now))
    }
}

#[async_trait]
impl<D: Driver> Jobs for Db<D> {
    async fn jobs(&self, run: RunId, after: Option<&str>, most: u32) -> Result<Vec<JobRecord>, StoreError> {
        reads!(self, tx => history::jobs(tx, run, after, most))
    }

    async fn jobs_at(&self, run: RunId, paths: &[String]) -> Result<Vec<JobRecord>, StoreError> {
        reads!(self, tx => history::at(tx, run, paths))
    }

    async fn queued(
        &self,
        project: ProjectId,
        queue: &str,
        order: Order,
        after: Option<JobId>,
        most: u32,
    ) -> Result<Vec<JobRecord>, StoreError> {
        reads!(self, tx => history::queued(tx, project, queue, order, after, most))
    }

    async fn jobs_among(&self, ids: RangeInclusive<JobId>, most: u32) -> Result<Vec<JobRecord>, StoreError> {
        reads!(self, tx => history::among(tx, &ids, most))
    }

    async fn job_at(&self, run: RunId, path: &str) -> Result<Option<JobId>, StoreError> {
        reads!(self, tx => history::job_at(tx, run, path))
    }

    async fn value(&self, job: JobId) -> Result<Option<Encoded>, StoreError> {
        reads!(self, tx => history::value(tx, job))
    }

    async fn attempts_before(
        &self,
        job: JobId,
        number: u32,
    ) -> Result<Option<(JobRecord, Vec<AttemptRecord>)>, StoreError> {
        reads!(self, tx => history::attempts(tx, job, number))
    }

    async fn overlaps(
        &self,
        job: JobId,
        run: Option<RunId>,
        witnesses: &[Witness],
    ) -> Result<Vec<bool>, StoreError> {
        reads!(self, tx => overlaps::of_job(tx, job, run, witnesses))
    }
}

#[async_trait]
impl<D: Driver> Runs for Db<D> {
    async fn create_run(
        &self,
        workflow: &StoredWorkflow,
        run: &RunRecord,
        inputs: &[RunInput],
    ) -> Result<(), StoreError> {
        writes!(self, "a run" at run.created_at, tx => runs::create(tx, workflow, run, inputs))
    }

    async fn end_run(&self, run: RunId, end: &RunEnd, course: &RunCourse) -> Result<bool, StoreError> {
        writes!(self, "the end of a run" at end.at, tx => run_ends::end(tx, run, end, course))
    }

    async fn node_states(&self, run: RunId) -> Result<Option<NodeStates>, StoreError> {
        reads!(self, tx => courses::node_states(tx, run))
    }

    async fn profile(&self, run: RunId) -> Result<Option<ProfileFacts>, StoreError> {
        reads!(self, tx => courses::profile(tx, run))
    }

    async fn computed(&self, run: RunId) -> Result<Profile, StoreError> {
        reads!(self, tx => courses::computed(tx, run))
    }

    async fn retrace(&self, run: RunId, now: Timestamp) -> Result<(), StoreError> {
        writes!(self, "a run that begins anew" at now, tx => run_ends::retrace(tx, run))
    }

    async fn forget(&self, before: Timestamp, most: u32, now: Timestamp) -> Result<Forgotten, StoreError> {
        let oldest = reads!(self, tx => forget::oldest(tx, before))?;
        writes!(self, "what is forgotten" at now, tx => forget::forget(tx, oldest, before, most))
    }

    async fn run(&self, run: RunId) -> Result<Option<RunRecord>, StoreError> {
        reads!(self, tx => runs::one(tx, run))
    }

    async fn runs(&self, list: &RunList, most: u32) -> Result<Vec<ListedRun>, StoreError> {
        reads!(self, tx => run_lists::list(tx, list, most))
    }

    async fn runs_named(
        &self,
        list: &RunList,
        search: &NameSearch,
        most: u32,
    ) -> Result<Vec<ListedRun>, StoreError> {
        reads!(self, tx => run_lists::named(tx, list, search, most))
    }

    async fn open_runs(&self) -> Result<Vec<RunId>, StoreError> {
        reads!(self, tx => runs::open(tx))
    }

    async fn turn_views(
        &self,
        after: Option<RunId>,
        most: u32,
        now: Timestamp,
    ) -> Result<Turned, StoreError> {
        let views = reads!(self, tx => run_ends::old_views(tx, after, most))?;
        if views.is_empty() {
            return Ok(Turned::default());
        }
        writes!(self, "facts of old runs" at now, tx => run_ends::turn(tx, &views))
    }

    async fn left_out(&self, run: RunId) -> Result<Vec<LeftOutEngine>, StoreError> {
        reads!(self, tx => left_out::of_run(tx, run))
    }

    async fn judgement(&self, run: RunId) -> Result<RunJudgement, StoreError> {
        reads!(self, tx => judgements::of_run(tx, run))
    }

    async fn inputs(&self, run: RunId) -> Result<Vec<RunInput>, StoreError> {
        reads!(self, tx => runs::inputs(tx, run))
    }

    async fn slot_totals(&self, run: RunId) -> Result<Vec<SlotTotals>, StoreError> {
        reads!(self, tx => runs::totals(tx, run))
    }

    async fn job_times(&self, run: RunId) -> Result<Vec<JobTimes>, StoreError> {
        reads!(self, tx => runs::times(tx, run))
    }
}

#[async_trait]
impl<D: Driver> Pauses for Db<D> {
    async fn pause(
        &self,
        scope: Scope,
        paused: Option<&PauseWords>,
        now: Timestamp,
    ) -> Result<bool, StoreError> {
        writes!(self, "a pause" at now, tx => pause::pause(tx, scope, paused, now))
    }

    async fn queue_pause(&self) -> Result<Option<QueuePause>, StoreError> {
        reads!(self, tx => pause::of_queue(tx))
    }

    async fn run_pause(&self, run: RunId) -> Result<Option<RunPause>, StoreError> {
        reads!(self, tx => pause::of_run(tx, run))
    }

    async fn stopped_codes(
        &self,
        project: Option<ProjectId>,
        most: u32,
    ) -> Result<Vec<StoppedSince>, StoreError> {
        reads!(self, tx => pause::stopped(tx, project, most))
    }
}

#[async_trait]
impl<D: Driver> Workflows for Db<D> {
    async fn keep_workflow(
        &self,
        project: ProjectId,
        workflow: &StoredWorkflow,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        writes!(self, "a workflow" at now, tx => workflows::keep(tx, project, workflow, now))
    }

    async fn workflow_projects(&self, hash: ContentHash) -> Result<Vec<ProjectId>, StoreError> {
        reads!(self, tx => workflow_names::projects(tx, hash))
    }

    async fn workflow_name(
        &self,
        project: ProjectId,
        hash: ContentHash,
    ) -> Result<Option<String>, StoreError> {
        reads!(self, tx => workflow_names::oldest(tx, project, hash))
    }

    async fn workflow(&self, hash: ContentHash) -> Result<Option<StoredWorkflow>, StoreError> {
        reads!(self, tx => workflows::one(tx, hash))
    }

    async fn workflow_files(&self, hash: ContentHash) -> Result<Option<ListedWorkflow>, StoreError> {
        reads!(self, tx => workflows::files(tx, hash))
    }

    async fn keep_final_node(
        &self,
        hash: ContentHash,
        node: &FinalNode,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        writes!(self, "a final node" at now, tx => workflows::keep_final_node(tx, hash, node))
    }

    async fn workflows(
        &self,
        project: Option<ProjectId>,
        after: Option<&VersionMark>,
        most: u32,
    ) -> Result<Vec<NamedVersion>, StoreError> {
        reads!(self, tx => versions::listed(tx, project, after, most))
    }
}

#[async_trait]
impl<D: Driver> Devices for Db<D> {
    async fn device(&self, fingerprint: ContentHash) -> Result<Option<Device>, StoreError> {
        reads!(self, tx => devices::one(tx, fingerprint))
    }

    async fn devices(&self, list: &DeviceList, most: u32) -> Result<Vec<KnownDevice>, StoreError> {
        reads!(self, tx => device_lists::list(tx, list, most))
    }

    async fn standings(&self, devices: &[i64], now: Timestamp) -> Result<Vec<DeviceStanding>, StoreError> {
        reads!(self, tx => device_lists::standings(tx, devices, now))
    }
}

#[async_trait]
impl<D: Driver> Questions for Db<D> {
    async fn questions(&self, after: Option<ProjectId>, most: u32) -> Result<Vec<QuestionKey>, StoreError> {
        reads!(self, tx => questions::next(tx, after, most))
    }

    async fn question(&self, key: &QuestionKey) -> Result<Option<Question>, StoreError> {
        reads!(self, tx => questions::one(tx, key))
    }

    async fn answer_value(&self, job: JobId, digest: ContentHash) -> Result<Option<Encoded>, StoreError> {
        reads!(self, tx => questions::value(tx, job, digest))
    }
}

#[async_trait]
impl<D: Driver> Certificates for Db<D> {
    async fn is_judged(&self, run: RunId) -> Result<bool, StoreError> {
        reads!(self, tx => certified::is_judged(tx, run))
    }

    async fn by_path(&self, run: RunId) -> Result<Vec<JobId>, StoreError> {
        reads!(self, tx => certified::by_path(tx, run))
    }

    async fn job_facts(&self, jobs: &[JobId]) -> Result<Vec<JobFacts>, StoreError> {
        reads!(self, tx => certified::job_facts(tx, jobs))
    }

    async fn job_values(&self, jobs: &[JobId]) -> Result<Vec<JobValues>, StoreError> {
        reads!(self, tx => certified::job_values(tx, jobs))
    }

    async fn lot_facts(
        &self,
        run: RunId,
        after: Option<i64>,
        most: u32,
    ) -> Result<Vec<LotFacts>, StoreError> {
        reads!(self, tx => certified::lots(tx, run, after, most))
    }
}
