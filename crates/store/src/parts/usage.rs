//! What projects have: counted in the transaction that changes it, and read again. Never decides whether there is room.
//!
//! Counted anew by the audit (`usage_audit.rs`), which says what counts.

use std::collections::BTreeMap;

use weevil_access::Usage;
use weevil_model::{ProjectId, RunState};
use weevil_queue::batch::Change;
use weevil_queue::{Ended, NewJob};

use crate::{Columns, Fault, Sql, Tx, both};

/// By the primary key. Last in its transaction, after all that is locked in other orders (ADR 0039); the rows are there, so that
/// nothing between two of them is locked.
const ADD: Sql = both!("counting what projects have", project_usage by project, [project int, jobs int, bytes int], "
update {TARGET} set open_jobs = open_jobs + s.jobs, stored_bytes = stored_bytes + s.bytes{SOURCE}{AND}replica = 0");

const STARTED: &str = RunState::Started.as_str();

/// By the primary key, and for the runs by the index of projects and states: as many entries as runs are open.
const USED: Sql = both!("reading what a project has", "
select cast(coalesce(sum(open_jobs), 0) as {INTEGER}) as jobs, cast(coalesce(sum(stored_bytes), 0) as {INTEGER}) as bytes,
    (select count(*) from runs r where r.project = ? and r.state = '{STARTED}') as runs
from project_usage where project = ?");

/// What a transaction adds to what each project has. Who makes one writes it, last in the transaction.
#[derive(Debug, Default)]
pub(crate) struct UsageChanges(BTreeMap<ProjectId, Added>);

#[derive(Debug, Default)]
struct Added {
    open_jobs: i64,
    stored_bytes: i64,
}

impl UsageChanges {
    /// So many more jobs of it are open.
    pub(crate) fn open(&mut self, project: ProjectId, jobs: u64) {
        self.of(project).open_jobs += signed(jobs);
    }

    /// So many of its jobs have ended, or are gone before they have.
    pub(crate) fn end(&mut self, project: ProjectId, jobs: u64) {
        self.of(project).open_jobs -= signed(jobs);
    }

    pub(crate) fn keep(&mut self, project: ProjectId, bytes: u64) {
        self.of(project).stored_bytes += signed(bytes);
    }

    pub(crate) fn give_back(&mut self, project: ProjectId, bytes: u64) {
        self.of(project).stored_bytes -= signed(bytes);
    }

    /// A job is put in.
    pub(crate) fn put_in(&mut self, job: &NewJob) {
        self.open(job.project, 1);
        self.keep(job.project, job.input.size() as u64);
    }

    /// What becomes of an open job.
    pub(crate) fn change(&mut self, project: ProjectId, change: &Change) {
        let Change::Ended(ended) = change else { return };
        self.end(project, 1);
        if let Ended::Value(value) = ended {
            self.keep(project, value.as_bytes().len() as u64);
        }
    }

    fn of(&mut self, project: ProjectId) -> &mut Added {
        self.0.entry(project).or_default()
    }

    /// Nothing is written where nothing has changed. In the order of the projects, in which every server locks them.
    pub(crate) async fn write<T: Tx>(&self, tx: &mut T) -> Result<(), Fault> {
        let changed = self.0.iter().filter(|(_, added)| added.open_jobs != 0 || added.stored_bytes != 0);
        let rows: Vec<_> =
            changed.map(|(project, added)| (project.number(), added.open_jobs, added.stored_bytes)).collect();
        tx.change(&ADD, &rows, &[]).await.map(drop)
    }
}

fn signed(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

pub(crate) async fn read<T: Tx>(tx: &mut T, project: ProjectId) -> Result<Usage, Fault> {
    let key = project.number().into();
    let Some(row) = tx.one(&USED, &[key, key]).await? else { return Ok(Usage::default()) };
    // A count that has gone wrong below nothing shuts nobody out: the audit tells of it.
    let count = |column| Ok::<_, Fault>(row.number(column)?.max(0).unsigned_abs());
    Ok(Usage { open_jobs: count("jobs")?, open_runs: count("runs")?, stored_bytes: count("bytes")? })
}
