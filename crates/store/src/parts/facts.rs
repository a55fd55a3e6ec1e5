//! What is known of the jobs and attempts that a batch of reports names, and of their history: for all of them what a value
//! needs, for those that have failed what errors need besides.

use std::collections::{BTreeSet, HashMap};

use weevil_model::trust::Policy;
use weevil_model::{DataType, JobId, ProjectId, RunId};
use weevil_queue::decide::company::Tried;
use weevil_queue::decide::complete::{AttemptFacts, JobFacts};
use weevil_queue::{Attempt, AttemptEnd, AttemptKey, AttemptState, Copies, Delivery, Failure, Submission};
use weevil_records::StoreError;

use crate::json::corrupt;
use crate::{Columns, Fault, Sql, Tx, both};

/// Both tables by their primary keys, led by the rows. MySQL locks the jobs, then the attempts, until the
/// transaction ends. The token needs no index: it is looked for among the attempts of one job, which are few.
const FACTS: Sql = both!("reading reported jobs", [id int, token int], "
select {LEAD}j.id, j.project, j.run, j.path, j.delivery, j.wanted, j.open_attempts, j.`returns`, j.trust, a.token, a.number, a.worker,
    a.started_at, a.due_at, a.ending, a.ended_at
from {ROWS} join jobs j on j.id = s.id left join attempts a on a.job = j.id and a.token = s.token{LOCK}");

/// Apart from the facts, since few jobs fail; without a lock, since these rows are locked with the facts.
const PASTS: Sql = both!("reading failed jobs", [id int], "
select {LEAD}j.id, j.failures, j.max_attempts, j.max_wait_ms, j.retry_ms, j.needs
from {ROWS} join jobs j on j.id = s.id");

/// All but what lies before a job's newest hundred, as many as `MAX_ATTEMPTS_READ`: found from the end of its attempts.
const HISTORIES: Sql = both!("reading attempts", [job int], "
select {LEAD}a.job, a.number, a.worker, a.ending, a.error_kind, a.error_message, a.error_stack
from {ROWS} join attempts a on a.job = s.job
where a.ending in ('error', 'expired') and a.number > coalesce((
    select b.number from attempts b where b.job = s.job and b.ending in ('error', 'expired')
    order by b.number desc limit 1 offset 100), 0)
order by a.job, a.number");

/// In the order of the jobs' ids, in which every server locks them.
pub(crate) async fn read<T: Tx>(tx: &mut T, submissions: &[Submission]) -> Result<FactBook, Fault> {
    let mut keys: Vec<(i64, i64)> = submissions.iter().map(|s| (s.key.job.number(), s.key.token)).collect();
    keys.sort_unstable();
    let mut book = FactBook::default();
    for row in tx.rows(&FACTS, &keys).await? {
        book.enter(&row)?;
    }
    Ok(book)
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

/// A reported job, as the reports of the batch have left it so far.
pub(crate) struct Reported {
    pub(crate) project: ProjectId,
    /// `None` for a stand-alone job.
    pub(crate) run: Option<RunId>,
    pub(crate) path: String,
    /// `None` where any type will do.
    pub(crate) returns: Option<DataType>,
    pub(crate) trust: Policy,
    pub(crate) ended: bool,
    pub(crate) copies: Copies,
    /// Where what becomes of it stands among the batch's rows, once something does.
    pub(crate) row: Option<usize>,
}

impl Reported {
    fn read<R: Columns>(row: &R) -> Result<Self, StoreError> {
        Ok(Self {
            project: row.id("project", ProjectId::from_number)?,
            run: row.maybe_run_id("run")?,
            path: row.text("path")?,
            returns: row.word("returns", DataType::parse)?,
            trust: row.trust()?,
            ended: row.delivery()? == Delivery::Ended,
            copies: row.copies()?,
            row: None,
        })
    }

    /// `answered`: hand-outs when the newest answer came.
    pub(crate) const fn facts(&self, answered: u32) -> JobFacts {
        JobFacts { ended: self.ended, open_attempts: self.copies.open, answered }
    }
}

/// The jobs and attempts that a batch reports: a second report for a job within one batch meets what the first one did.
#[derive(Default)]
pub(crate) struct FactBook {
    jobs: HashMap<JobId, Reported>,
    attempts: HashMap<AttemptKey, AttemptFacts>,
}

impl FactBook {
    /// Leaves out attempts that were never handed out.
    fn enter<R: Columns>(&mut self, row: &R) -> Result<(), StoreError> {
        let Some(token) = row.maybe_number("token")? else { return Ok(()) };
        let attempt = AttemptFacts {
            number: row.small("number")?,
            worker: row.worker_id("worker")?,
            started_at: row.moment("started_at")?,
            state: state(row)?,
        };
        let job = row.job_id("id")?;
        self.attempts.insert(AttemptKey { job, token }, attempt);
        self.jobs.insert(job, Reported::read(row)?);
        Ok(())
    }

    /// `None` where no such attempt was ever handed out.
    pub(crate) fn get(&mut self, key: AttemptKey) -> Option<(&mut Reported, &mut AttemptFacts)> {
        self.jobs.get_mut(&key.job).zip(self.attempts.get_mut(&key))
    }

    /// The jobs whose answers are compared.
    pub(crate) fn judged(&self) -> Vec<JobId> {
        self.jobs.iter().filter(|(_, job)| job.trust.is_judged()).map(|(id, _)| *id).collect()
    }

    /// The job of an attempt; `None` where no such attempt was ever handed out.
    pub(crate) fn job(&self, key: AttemptKey) -> Option<&Reported> {
        self.attempts.get(&key)?;
        self.jobs.get(&key.job)
    }
}

fn state<R: Columns>(row: &R) -> Result<AttemptState, StoreError> {
    Ok(match row.word("ending", AttemptEnd::parse)? {
        Some(end) => AttemptState::Ended { end, at: row.moment("ended_at")? },
        None => AttemptState::Open { due: row.moment("due_at")? },
    })
}

/// What errors are judged by, besides the facts.
pub(crate) struct Past {
    /// With the next error.
    pub(crate) tried: Tried,
    pub(crate) max_wait_ms: Option<u32>,
    pub(crate) retry_ms: u32,
    /// Its newest errors and expiries, oldest first.
    pub(crate) history: Vec<Attempt>,
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
            tried: Tried {
                failures,
                witnesses: None,
                max_attempts: row.small("max_attempts")?,
                needs: row.needs()?,
            },
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
