//! Answers of judged jobs as rows: whose each is, what it says and what became of it.
//!
//! Decides nothing: see `judged.rs`. A job that nobody judges has none, and no statement here is carried out for it.

use std::collections::HashMap;

use const_format::formatcp;
use serde::Serialize;
use weevil_failpoint::{Point, pass};
use weevil_model::witness::{Engine, Witness};
use weevil_model::{JobId, ProjectId, Within};
use weevil_queue::{Copies, Proof};
use weevil_records::{AnswerFate, StoreError};
use weevil_trust::Said;

use super::alike::Values;
use super::asked::{Asked, Given, Standing, Worth};
use super::comparisons::Comparing;
use super::facts::each;
use super::judged_job::JudgedJob;
use super::values;
use crate::json::{corrupt, hex};
use crate::words::{
    CHECKING, CHOSEN, CONFIRMED, CROWDED, DISPROVED, KEPT, PROVED, STALE, proof, rank, rank_code,
};
use crate::{Columns, Fault, Sql, Tx, both};

/// Answer `a` is one for the input that its job has.
pub(crate) const COUNTS: &str = formatcp!("(a.fate is null or a.fate <> '{STALE}')");

/// By the primary keys of both. Locks the jobs, in the order of their ids, and with them their answers.
const OF_JOBS: Sql = both!("reading answers", [job int], "
select {LEAD}a.job, a.number, a.device, a.network, a.engine, a.`rank`, a.points, a.marks, a.devices, a.lot, a.digest, a.kind,
    a.given_at, a.handed_out as after, a.fate, j.project, j.run, j.path, j.fingerprint, j.code, j.needs, j.trust, j.assumed, j.agree, j.proof, j.agree_within, j.delivery, j.wanted, j.open_attempts,
    j.handed_out, j.max_wait_ms, {RESULT_SIZE} as stored
from {ROWS} join jobs j on j.id = s.job join answers a{BY_KEY} on a.job = s.job where {COUNTS} order by a.job, a.number{LOCK}");

/// A row for each copy that is handed out: its witness is what the worker is now.
const ASK: Sql = both!("asking for answers",
    [job int, number int, device int, network int, engine word, rated int, worth int, told int], "
insert into answers (job, number, device, network, engine, `rank`, points, marks)
select {LEAD}s.job, s.number, s.device, s.network, s.engine, s.rated, s.worth, s.told from {ROWS}");

/// By the primary key.
const KEEP: Sql = both!("keeping answers", answers through BY_KEY by job and number,
    [job int, number int, said hash, error word, at int, after int, become word, worth int, told int, many int, among int], "
update {TARGET} set digest = unhex(s.said), kind = s.error, given_at = s.at, handed_out = s.after, fate = s.become, points = s.worth,
    marks = s.told, devices = s.many, lot = s.among{SOURCE}");

/// By the primary key: a job waits in the line that its answers say, for the engine that they say.
const MOVE: Sql = both!("keeping answers", jobs by id, [id int, class int], "
update {TARGET} set needs = s.class{SOURCE}");

/// By the primary key: that of a job which ended alone says nothing about the next one.
const SEAL: Sql = both!("keeping answers", answers through BY_KEY by job, [job int], "
update {TARGET} set network = number{SOURCE}{AND}network is not null");

/// Judged jobs, each with all that was asked of it.
pub(crate) type AnswerBook = HashMap<JobId, JudgedJob>;

/// job, number, digest, kind of error, moment, hand-outs, fate, points, marks, devices, lot
#[derive(Serialize)]
struct Kept<'a>(
    i64,
    u32,
    Option<String>,
    Option<&'a str>,
    Option<i64>,
    Option<u32>,
    Option<&'static str>,
    u32,
    u8,
    Option<u32>,
    Option<i64>,
);

impl<'a> Kept<'a> {
    fn of(job: JobId, asked: &'a Asked) -> Self {
        let (digest, kind) = match asked.given.as_ref().map(|given| &given.said) {
            Some(Said::Value(digest)) => (Some(hex(digest.as_bytes())), None),
            Some(Said::Error(kind)) => (None, Some(kind.as_str())),
            None => (None, None),
        };
        Self(
            job.number(),
            asked.number,
            digest,
            kind,
            asked.given.as_ref().map(|given| given.at.0),
            asked.given.as_ref().map(|given| given.after),
            asked.given.as_ref().and_then(|given| given.fate).map(AnswerFate::as_str),
            asked.worth.points,
            marks(asked),
            asked.standing.map(|standing| standing.devices),
            asked.standing.and_then(|standing| standing.lot),
        )
    }
}

fn marks(asked: &Asked) -> u8 {
    let mark = |is: bool, mark| if is { mark } else { 0 };
    let stands = |is: fn(&Standing) -> bool| asked.standing.as_ref().is_some_and(is);
    mark(stands(|standing| standing.is_chosen), CHOSEN)
        | mark(stands(|standing| standing.is_checking), CHECKING)
        | mark(asked.is_kept, KEPT)
        | mark(asked.is_confirmed, CONFIRMED)
        | mark(asked.worth.is_crowded, CROWDED)
        | mark(asked.proof == Some(Proof::Right), PROVED)
        | mark(asked.proof == Some(Proof::Wrong), DISPROVED)
}

/// job, number, device, network, engine, rank, points, marks
#[derive(Serialize)]
pub(crate) struct AskedRow(i64, u32, Option<i64>, Option<i64>, &'static str, u8, u32, u8);

impl AskedRow {
    pub(crate) const fn new(job: i64, number: u32, witness: &Witness, worth: Worth) -> Self {
        let Worth { rank, points, is_crowded } = worth;
        let marks = if is_crowded { CROWDED } else { 0 };
        let (engine, rank) = (witness.engine.as_str(), rank_code(rank));
        Self(job, number, witness.device, witness.network, engine, rank, points, marks)
    }
}

/// Asks the database nothing where `jobs` is empty.
pub(crate) async fn of<T: Tx>(tx: &mut T, jobs: &[JobId]) -> Result<AnswerBook, Fault> {
    let mut book = AnswerBook::new();
    for row in tx.rows(&OF_JOBS, &each(jobs)).await? {
        let id = row.job_id("job")?;
        let asked = asked(&row)?;
        match book.get_mut(&id) {
            Some(job) => job.asked.push(asked),
            None => {
                book.insert(id, job(&row, asked)?);
            }
        }
    }
    book.values_mut().for_each(JudgedJob::sort);
    values::read(tx, &mut book).await?;
    Ok(book)
}

pub(crate) async fn ask<T: Tx>(tx: &mut T, rows: &[AskedRow]) -> Result<(), Fault> {
    tx.change(&ASK, rows, &[]).await.map(drop)
}

/// Writes what has changed, in the order of the jobs' ids, in which every server locks them.
pub(crate) async fn keep<T: Tx>(tx: &mut T, book: &AnswerBook) -> Result<(), Fault> {
    let mut changed: Vec<_> = book.iter().filter(|(_, job)| job.has_changed()).collect();
    changed.sort_unstable_by_key(|(id, _)| id.number());
    if changed.is_empty() {
        return Ok(());
    }
    let mut rows = Vec::new();
    for (id, job) in &changed {
        rows.extend(job.asked.iter().filter(|asked| asked.is_changed).map(|asked| Kept::of(**id, asked)));
    }
    tx.change(&KEEP, &rows, &[]).await?;
    let moved = |(id, job): &(&JobId, &JudgedJob)| {
        let (lane, needs) = job.moves()?;
        Some((id.number(), lane.class(needs)))
    };
    let moved: Vec<_> = changed.iter().filter_map(moved).collect();
    tx.change(&MOVE, &moved, &[]).await?;
    pass(Point::AnswerWritten);
    Ok(())
}

/// For jobs that stood alone and have ended.
pub(crate) async fn seal<T: Tx>(tx: &mut T, jobs: &[JobId]) -> Result<(), Fault> {
    tx.change(&SEAL, &each(jobs), &[]).await.map(drop)
}

fn job<R: Columns>(row: &R, asked: Asked) -> Result<JudgedJob, StoreError> {
    let (lane, needs) = row.class()?;
    Ok(JudgedJob {
        project: row.id("project", ProjectId::from_number)?,
        run: row.maybe_run_id("run")?,
        path: row.text("path")?,
        fingerprint: row.number("fingerprint")?,
        comparing: Comparing { code: row.hash("code")?, agree: row.agree()?.to_string() },
        agree: row.agree()?,
        proof: row.maybe_hash("proof")?,
        within: row.word("agree_within", Within::parse)?,
        values: Values::default(),
        trust: row.trust()?,
        assumed: row.assumed()?,
        in_pool: row.is_in_pool()?,
        delivery: row.delivery()?,
        copies: Copies { wanted: row.small("wanted")?, open: row.small("open_attempts")? },
        needs,
        lane,
        handed_out: row.small("handed_out")?,
        max_wait_ms: row.maybe_small("max_wait_ms")?,
        stored: row.unsigned("stored")?,
        asked: vec![asked],
    })
}

fn asked<R: Columns>(row: &R) -> Result<Asked, StoreError> {
    let marks = row.small("marks")?;
    let is = |mark: u8| marks & u32::from(mark) != 0;
    let standing = row.maybe_small("devices")?.map(|devices| {
        let lot = row.maybe_number("lot")?;
        Ok::<_, StoreError>(Standing { lot, devices, is_chosen: is(CHOSEN), is_checking: is(CHECKING) })
    });
    Ok(Asked {
        number: row.small("number")?,
        witness: witness(row)?,
        worth: Worth {
            rank: rank(row.small("rank")?).ok_or_else(|| corrupt("an unknown rank"))?,
            points: row.small("points")?,
            is_crowded: is(CROWDED),
        },
        given: given(row)?,
        standing: standing.transpose()?,
        is_kept: is(KEPT),
        is_confirmed: is(CONFIRMED),
        proof: proof(marks),
        is_changed: false,
    })
}

fn given<R: Columns>(row: &R) -> Result<Option<Given>, StoreError> {
    let Some(at) = row.maybe_moment("given_at")? else { return Ok(None) };
    let said = match row.maybe_text("kind")? {
        Some(kind) => Said::Error(kind),
        None => Said::Value(row.hash("digest")?),
    };
    Ok(Some(Given { said, at, after: row.small("after")?, fate: row.word("fate", AnswerFate::parse)? }))
}

/// Whose an answer is.
pub(crate) fn witness<R: Columns>(row: &R) -> Result<Witness, StoreError> {
    let engine = row.word("engine", Engine::parse)?.ok_or_else(|| corrupt("a witness without an engine"))?;
    let (device, network) = (row.maybe_number("device")?, row.maybe_number("network")?);
    Ok(Witness { device, network, engine })
}
