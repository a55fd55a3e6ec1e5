//! What the store knows of the jobs and attempts that a batch of reports names, and of their history.

use std::collections::HashMap;

use sqlx::MySqlConnection;
use sqlx::mysql::MySqlRow;
use weevil_model::{DataType, JobId, Timestamp};
use weevil_queue::decide::complete::{AttemptFacts, JobFacts};
use weevil_queue::{Attempt, AttemptEnd, AttemptKey, Delivery, Failure, Lease, Submission};

use super::retry::{Fault, failed};
use super::rows::{get, job_id, parts, run_id, worker_id};
use crate::shared::facts::{FactBook, Facts};
use crate::shared::json::word;

const FACTS: &str = "
select straight_join j.id, j.run, j.path, j.delivery, j.lease_token, j.lease_worker, j.lease_deadline, j.failures,
       j.max_attempts, j.`returns`, a.token, a.number, a.worker, a.ending
from json_table(?, '$[*]' columns (id bigint path '$[0]', token bigint path '$[1]')) s
join jobs j on j.id = s.id
left join attempts a on a.job = j.id and a.token = s.token
for update";

const HISTORY: &str = "
select number, worker, ending, error_kind, error_message, error_stack
from attempts where job = ? and ending is not null order by number";

/// Locks the jobs until the transaction ends, in the order of their ids so that two servers do not block each other.
pub(super) async fn read(tx: &mut MySqlConnection, submissions: &[Submission]) -> Result<FactBook, Fault> {
    let mut keys: Vec<(i64, i64)> = submissions.iter().map(|s| (s.key.job.number(), s.key.token)).collect();
    keys.sort_unstable();
    let mut known = HashMap::new();
    for part in parts(&keys)? {
        let rows = sqlx::query(FACTS).bind(part).fetch_all(&mut *tx).await;
        for row in rows.map_err(failed("reading reported jobs"))? {
            if let Some(token) = get::<Option<i64>>(&row, "token")? {
                known.insert(AttemptKey { job: job_id(&row, "id")?, token }, facts(&row)?);
            }
        }
    }
    Ok(FactBook::new(known))
}

fn facts(row: &MySqlRow) -> Result<Facts, Fault> {
    let delivery = match get::<u8>(row, "delivery")? {
        0 => Delivery::Ready,
        1 => Delivery::Leased(Lease {
            token: get(row, "lease_token")?,
            worker: worker_id(row, "lease_worker")?,
            deadline: Timestamp(get(row, "lease_deadline")?),
        }),
        _ => Delivery::Ended,
    };
    let ending: Option<&str> = get(row, "ending")?;
    let attempt = AttemptFacts {
        number: get(row, "number")?,
        worker: worker_id(row, "worker")?,
        end: ending.map(|text| word(text, AttemptEnd::parse)).transpose()?,
    };
    let job = JobFacts { delivery, failures: get(row, "failures")?, max_attempts: get(row, "max_attempts")? };
    let returns: Option<&str> = get(row, "returns")?;
    let returns = returns.map(|name| word(name, DataType::parse)).transpose()?;
    Ok(Facts { run: run_id(row, "run")?, path: get(row, "path")?, returns, job, attempt: Some(attempt) })
}

/// The ended attempts of a job, oldest first.
pub(super) async fn history(tx: &mut MySqlConnection, job: JobId) -> Result<Vec<Attempt>, Fault> {
    let rows = sqlx::query(HISTORY).bind(job.number()).fetch_all(tx).await;
    rows.map_err(failed("reading attempts"))?.iter().map(attempt).collect()
}

fn attempt(row: &MySqlRow) -> Result<Attempt, Fault> {
    let kind: Option<String> = get(row, "error_kind")?;
    let failure = match kind {
        Some(kind) => {
            Some(Failure { kind, message: get(row, "error_message")?, stack: get(row, "error_stack")? })
        }
        None => None,
    };
    let end = word(get(row, "ending")?, AttemptEnd::parse)?;
    Ok(Attempt { number: get(row, "number")?, worker: worker_id(row, "worker")?, end, failure })
}
