//! What is known of the jobs and attempts that a batch of reports names, and of their history: for all of them what a value
//! needs, for those that have failed what errors need besides.

use std::collections::{BTreeSet, HashMap};

use weevil_model::{DataType, JobId, RunId};
use weevil_queue::decide::company::Tried;
use weevil_queue::decide::complete::{AttemptFacts, Decision};
use weevil_queue::{Attempt, AttemptEnd, AttemptKey, Delivery, Failure, Lease, Submission};
use weevil_records::StoreError;

use crate::columns::Columns;
use crate::fault::Fault;
use crate::json::corrupt;
use crate::sql::Sql;
use crate::tx::Tx;

/// Both tables by their primary keys, led by the rows. MySQL locks the jobs until the transaction ends.
const FACTS: Sql = Sql {
    doing: "reading reported jobs",
    sqlite: "
select j.id, j.run, j.path, j.delivery, j.lease_token, j.returns, a.token, a.number, a.worker, a.started_at,
       a.ending, a.ended_at as attempt_ended_at
from json_each(?1) s join jobs j on j.id = s.value ->> 0
left join attempts a on a.job = j.id and a.token = s.value ->> 1",
    mysql: "
select straight_join j.id, j.run, j.path, j.delivery, j.lease_token, j.`returns`, a.token, a.number, a.worker, a.started_at,
       a.ending, a.ended_at as attempt_ended_at
from json_table(?, '$[*]' columns (id bigint path '$[0]', token bigint path '$[1]')) s
join jobs j on j.id = s.id
left join attempts a on a.job = j.id and a.token = s.token
for update",
};

/// Apart from the facts, since few jobs fail.
const PASTS: Sql = Sql {
    doing: "reading failed jobs",
    sqlite: "
select j.id, j.failures, j.max_attempts, j.max_wait_ms, j.retry_ms, j.needs
from json_each(?1) s join jobs j on j.id = s.value",
    mysql: "
select straight_join j.id, j.failures, j.max_attempts, j.max_wait_ms, j.retry_ms, j.needs
from json_table(?, '$[*]' columns (id bigint path '$')) s join jobs j on j.id = s.id",
};

/// All but what lies before a job's newest hundred, as many as `MAX_ATTEMPTS_READ`: found from the end of its attempts.
const HISTORIES: Sql = Sql {
    doing: "reading attempts",
    sqlite: "
select a.job, a.number, a.worker, a.ending, a.error_kind, a.error_message, a.error_stack
from json_each(?1) s join attempts a on a.job = s.value
where a.ending in ('error', 'expired') and a.number > coalesce((
    select b.number from attempts b where b.job = s.value and b.ending in ('error', 'expired')
    order by b.number desc limit 1 offset 100), 0)
order by a.job, a.number",
    mysql: "
select straight_join a.job, a.number, a.worker, a.ending, a.error_kind, a.error_message, a.error_stack
from json_table(?, '$[*]' columns (job bigint path '$')) s join attempts a on a.job = s.job
where a.ending in ('error', 'expired') and a.number > coalesce((
    select b.number from attempts b where b.job = s.job and b.ending in ('error', 'expired')
    order by b.number desc limit 1 offset 100), 0)
order by a.job, a.number",
};

/// In the order of the jobs' ids, in which every server locks them.
pub(crate) async fn read<T: Tx>(tx: &mut T, submissions: &[Submission]) -> Result<FactBook, Fault> {
    let mut keys: Vec<(i64, i64)> = submissions.iter().map(|s| (s.key.job.number(), s.key.token)).collect();
    keys.sort_unstable();
    let mut known = HashMap::new();
    for row in tx.rows(&FACTS, &keys).await? {
        known.extend(Facts::read(&row)?);
    }
    Ok(FactBook::new(known))
}

/// What the rules read of jobs that have failed.
pub(crate) async fn pasts<T: Tx>(tx: &mut T, jobs: &[JobId]) -> Result<HashMap<JobId, Past>, Fault> {
    let mut histories = histories(tx, jobs).await?;
    let mut pasts = HashMap::new();
    for row in tx.rows(&PASTS, &each(jobs)).await? {
        let job = row.job_id("id")?;
        pasts.insert(job, Past::read(&row, histories.remove(&job).unwrap_or_default())?);
    }
    Ok(pasts)
}

pub(crate) async fn histories<T: Tx>(tx: &mut T, jobs: &[JobId]) -> Result<Histories, Fault> {
    let mut histories = Histories::new();
    for row in tx.rows(&HISTORIES, &each(jobs)).await? {
        histories.entry(row.job_id("job")?).or_default().push(attempt(&row)?);
    }
    Ok(histories)
}

#[derive(Clone)]
pub(crate) struct Facts {
    /// `None` for a stand-alone job.
    pub(crate) run: Option<RunId>,
    pub(crate) path: String,
    /// `None` where any type will do.
    pub(crate) returns: Option<DataType>,
    pub(crate) lease: Lease,
    pub(crate) attempt: AttemptFacts,
}

/// What errors are judged by.
pub(crate) struct Past {
    /// With the error that is judged.
    pub(crate) tried: Tried,
    pub(crate) max_wait_ms: Option<u32>,
    pub(crate) retry_ms: u32,
    /// Its newest errors and expiries, oldest first.
    pub(crate) history: Vec<Attempt>,
}

impl Facts {
    /// `None` where no such attempt was ever handed out.
    pub(crate) fn read<R: Columns>(row: &R) -> Result<Option<(AttemptKey, Self)>, StoreError> {
        let Some(token) = row.maybe_number("token")? else { return Ok(None) };
        let attempt = AttemptFacts {
            number: row.small("number")?,
            worker: row.worker_id("worker")?,
            started_at: row.moment("started_at")?,
            end: row.word("ending", AttemptEnd::parse)?,
            ended_at: row.maybe_moment("attempt_ended_at")?,
        };
        let facts = Self {
            run: row.maybe_run_id("run")?,
            path: row.text("path")?,
            returns: row.word("returns", DataType::parse)?,
            lease: lease(row)?,
            attempt,
        };
        Ok(Some((AttemptKey { job: row.job_id("id")?, token }, facts)))
    }
}

fn lease<R: Columns>(row: &R) -> Result<Lease, StoreError> {
    Ok(match row.delivery()? {
        Delivery::Ended => Lease::Ended,
        Delivery::Leased => Lease::Token(row.number("lease_token")?),
        Delivery::Ready | Delivery::Delayed | Delivery::Held => Lease::Nobody,
    })
}

/// What rules read of the attempts of each job: its newest errors and expiries, oldest first.
pub(crate) type Histories = HashMap<JobId, Vec<Attempt>>;

/// Jobs on their way into a query that reads each once.
pub(crate) fn each(jobs: &[JobId]) -> Vec<i64> {
    let numbers: BTreeSet<i64> = jobs.iter().map(|job| job.number()).collect();
    numbers.into_iter().collect()
}

impl Past {
    fn read<R: Columns>(row: &R, history: Vec<Attempt>) -> Result<Self, StoreError> {
        let failures = row.small("failures")?.saturating_add(1);
        Ok(Self {
            tried: Tried { failures, max_attempts: row.small("max_attempts")?, needs: row.needs()? },
            max_wait_ms: row.maybe_small("max_wait_ms")?,
            retry_ms: row.small("retry_ms")?,
            history,
        })
    }
}

/// One ended attempt.
fn attempt<R: Columns>(row: &R) -> Result<Attempt, StoreError> {
    Ok(Attempt {
        number: row.small("number")?,
        worker: row.worker_id("worker")?,
        end: row.word("ending", AttemptEnd::parse)?.ok_or_else(|| corrupt("an attempt without an end"))?,
        failure: failure(row)?,
    })
}

/// The error of an attempt, if it ended with one.
pub(crate) fn failure<R: Columns>(row: &R) -> Result<Option<Failure>, StoreError> {
    let Some(kind) = row.maybe_text("error_kind")? else { return Ok(None) };
    Ok(Some(Failure { kind, message: row.text("error_message")?, stack: row.text("error_stack")? }))
}

/// Facts as they were at the start of the batch, with the batch's own decisions on top: a second report for a job
/// within one batch meets what the first one did.
pub(crate) struct FactBook {
    read: HashMap<AttemptKey, Facts>,
    changed: HashMap<JobId, Lease>,
}

impl FactBook {
    pub(crate) fn new(read: HashMap<AttemptKey, Facts>) -> Self {
        Self { read, changed: HashMap::new() }
    }

    /// `None` where no such attempt was ever handed out.
    pub(crate) fn get(&self, key: AttemptKey) -> Option<Facts> {
        let mut facts = self.read.get(&key)?.clone();
        if let Some(lease) = self.changed.get(&key.job) {
            facts.lease = *lease;
        }
        Some(facts)
    }

    /// As `get`, but as it was at the start of the batch.
    pub(crate) fn first(&self, key: AttemptKey) -> Option<&Facts> {
        self.read.get(&key)
    }

    pub(crate) fn note(&mut self, key: AttemptKey, decision: Decision) {
        let (lease, end) = match decision {
            Decision::Finish => (Lease::Ended, AttemptEnd::Completed),
            Decision::Fail => (Lease::Ended, AttemptEnd::Error),
            Decision::Retry => (Lease::Nobody, AttemptEnd::Error),
            Decision::Ignore(_) => return,
        };
        self.changed.insert(key.job, lease);
        if let Some(facts) = self.read.get_mut(&key) {
            facts.attempt.end = Some(end);
        }
    }
}
