//! What certificates tell, read piece by piece: jobs in the order of their paths, their answers, their values, lots.
//!
//! Whatever is answered for some jobs is in the order in which these are named.

use std::collections::HashMap;

use const_format::formatcp;
use weevil_model::{DataType, Encoded, JobId, RunId};
use weevil_queue::{AttemptEnd, Proof};
use weevil_records::{AnswerFacts, AnswerFate, JobFacts, JobValues, LotFacts, StoreError};

use super::answers::witness;
use super::facts::each;
use crate::json::corrupt;
use crate::words::{CHOSEN, LOT_ACCEPTED, LOT_REFUSED, VALUE, proof, rank};
use crate::{Columns, Fault, Sql, Tx, both};

/// Bytes of paths by which databases are trusted to order them: MariaDB looks at 1,024 (its `max_sort_length`).
const ORDERED_BYTES: usize = 512;

/// By the index of runs and paths. The first judged one is enough.
const JUDGED: Sql =
    both!("looking for judged jobs", "select id from jobs{BY_RUN} where run = ? and trust <> 0 limit 1");

/// By the unique index, which SQLite has paths in the order of, and MySQL their hashes.
const BY_PATH: Sql = Sql {
    doing: "listing jobs for a certificate",
    sqlite: "select id, path from jobs where run = ? order by path",
    mysql: "
select id, path from jobs force index (jobs_identity) where run = ? order by cast(path as binary)",
};

/// How an attempt ends that counts against its job.
const FAILURES: &str = formatcp!(
    "'{}', '{}', '{}'",
    AttemptEnd::Error.as_str(),
    AttemptEnd::Expired.as_str(),
    AttemptEnd::Lost.as_str()
);

/// By the primary keys.
const FACTS: Sql = both!("reading jobs for a certificate", [job int], "
select {LEAD}j.id, j.path, j.code, j.source, j.seed, j.`returns`, j.outcome, j.trust, j.assumed, j.agree, j.proof, j.reused, {JOB_SIZE} as bytes,
    (select count(*) from doubts d where d.job = j.id) as doubts,
    case when j.outcome = 'failed' then (select coalesce(a.error_kind, a.ending) from attempts a
        where a.job = j.id and a.ending in ({FAILURES}) order by a.number desc limit 1) end as error
from {ROWS} join jobs j{BY_KEY} on j.id = s.job");

/// By the primary key.
const ANSWERS: Sql = both!("reading answers for a certificate", [job int], "
select {LEAD}a.job, a.device, a.network, a.engine, a.`rank`, a.points, a.marks, a.lot, a.digest, a.kind, a.given_at, a.fate
from {ROWS} join answers a{BY_KEY} on a.job = s.job where a.given_at is not null order by a.job, a.handed_out, a.number");

/// By the primary keys.
const VALUES: Sql = both!("reading values for a certificate", [job int], "
select {LEAD}j.id, {INPUT} as input, case when j.outcome = '{VALUE}' then {RESULT} end as result
from {ROWS} join jobs j{BY_KEY} on j.id = s.job");

/// By the index of runs: a run has few lots.
const LOTS: Sql = both!(
    "reading lots for a certificate",
    "
select id, node, device, answers, fate from lots{OF_RUN} where run = ? and id > ? order by id limit ?"
);

pub(crate) async fn is_judged<T: Tx>(tx: &mut T, run: RunId) -> Result<bool, Fault> {
    Ok(tx.one(&JUDGED, &[run.number().into()]).await?.is_some())
}

pub(crate) async fn by_path<T: Tx>(tx: &mut T, run: RunId) -> Result<Vec<JobId>, Fault> {
    let mut order = Order::default();
    tx.walk(&BY_PATH, &[run.number().into()], |row| {
        order.enter(row.text("path")?, row.job_id("id")?);
        Ok(())
    })
    .await?;
    Ok(order.end())
}

/// Jobs as they come, ordered by the beginnings of their paths.
#[derive(Default)]
struct Order {
    ids: Vec<JobId>,
    /// The last ones, whose paths begin alike.
    alike: Vec<(String, JobId)>,
}

impl Order {
    fn enter(&mut self, path: String, id: JobId) {
        let begins = |path: &str| path.as_bytes()[..path.len().min(ORDERED_BYTES)].to_vec();
        if self.alike.first().is_some_and(|(first, _)| begins(first) != begins(&path)) {
            self.settle();
        }
        self.alike.push((path, id));
    }

    fn settle(&mut self) {
        self.alike.sort_unstable();
        self.ids.extend(self.alike.drain(..).map(|(_, id)| id));
    }

    fn end(mut self) -> Vec<JobId> {
        self.settle();
        self.ids
    }
}

pub(crate) async fn job_facts<T: Tx>(tx: &mut T, jobs: &[JobId]) -> Result<Vec<JobFacts>, Fault> {
    let mut answers: HashMap<JobId, Vec<AnswerFacts>> = HashMap::new();
    for row in tx.rows(&ANSWERS, &each(jobs)).await? {
        answers.entry(row.job_id("job")?).or_default().push(answer(&row)?);
    }
    let mut facts = HashMap::new();
    for row in tx.rows(&FACTS, &each(jobs)).await? {
        let id = row.job_id("id")?;
        facts.insert(id, job(&row, answers.remove(&id).unwrap_or_default())?);
    }
    Ok(jobs.iter().filter_map(|id| facts.remove(id)).collect())
}

pub(crate) async fn job_values<T: Tx>(tx: &mut T, jobs: &[JobId]) -> Result<Vec<JobValues>, Fault> {
    let mut values = HashMap::new();
    for row in tx.rows(&VALUES, &each(jobs)).await? {
        let value = row.maybe_bytes("result")?.map(Encoded::trusted);
        values.insert(row.job_id("id")?, JobValues { input: Encoded::trusted(row.bytes("input")?), value });
    }
    Ok(jobs.iter().filter_map(|id| values.remove(id)).collect())
}

pub(crate) async fn lots<T: Tx>(
    tx: &mut T,
    run: RunId,
    after: Option<i64>,
    most: u32,
) -> Result<Vec<LotFacts>, Fault> {
    let rows = tx.found(&LOTS, &[run.number().into(), after.unwrap_or(-1).into(), most.into()]).await?;
    Ok(rows.iter().map(lot).collect::<Result<_, _>>()?)
}

fn job<R: Columns>(row: &R, answers: Vec<AnswerFacts>) -> Result<JobFacts, StoreError> {
    Ok(JobFacts {
        id: row.job_id("id")?,
        path: row.text("path")?,
        code: row.hash("code")?,
        source: row.text("source")?,
        seed: row.unsigned("seed")?,
        returns: row.word("returns", DataType::parse)?,
        outcome: row.outcome()?,
        error: row.maybe_text("error")?,
        trust: row.trust()?,
        assumed: row.assumed()?,
        is_reused: row.maybe_number("reused")?.is_some(),
        is_doubted: row.small("doubts")? > 0,
        agree: row.agree()?,
        proof: row.maybe_hash("proof")?,
        bytes: row.unsigned("bytes")?,
        answers,
    })
}

fn answer<R: Columns>(row: &R) -> Result<AnswerFacts, StoreError> {
    Ok(AnswerFacts {
        witness: witness(row)?,
        rank: rank(row.small("rank")?).ok_or_else(|| corrupt("an unknown rank"))?,
        points: row.small("points")?,
        digest: row.maybe_hash("digest")?,
        error: row.maybe_text("kind")?,
        at: row.moment("given_at")?,
        lot: row.maybe_number("lot")?,
        is_chosen: row.small("marks")? & u32::from(CHOSEN) != 0,
        is_proved: proof(row.small("marks")?) == Some(Proof::Right),
        fate: row.word("fate", AnswerFate::parse)?,
    })
}

fn lot<R: Columns>(row: &R) -> Result<LotFacts, StoreError> {
    let fate = row.maybe_text("fate")?;
    Ok(LotFacts {
        id: row.number("id")?,
        node: row.text("node")?,
        device: row.number("device")?,
        answers: row.small("answers")?,
        is_accepted: match fate.as_deref() {
            Some(LOT_ACCEPTED) => Some(true),
            Some(LOT_REFUSED) => Some(false),
            _ => None,
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_that_begin_alike_are_put_in_order() {
        let long = "x".repeat(ORDERED_BYTES);
        let paths = ["a", "a/b", &format!("{long}/2"), &format!("{long}/1"), &format!("{long}/10"), "y"];
        let mut order = Order::default();
        for (path, number) in paths.iter().zip(0..) {
            order.enter((*path).to_owned(), JobId::from_number(number).unwrap());
        }
        let numbers: Vec<i64> = order.end().into_iter().map(JobId::number).collect();
        assert_eq!(numbers, [0, 1, 3, 4, 2, 5]);
    }
}
