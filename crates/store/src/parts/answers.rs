//! Answers of judged jobs as rows: whose each is, what it says and what became of it.
//!
//! Decides nothing: see `judged.rs`. A job that nobody judges has none, and no statement here is carried out for it.

use std::collections::HashMap;

use serde::Serialize;
use weevil_failpoint::{Point, pass};
use weevil_model::witness::{Engine, Rank, Witness};
use weevil_model::{JobId, Needs, Timestamp};
use weevil_queue::decide::lane::Lane;
use weevil_records::{AnswerFate, StoreError};
use weevil_trust::{Answer, Said};

use super::facts::each;
use crate::json::{corrupt, hex};
use crate::{Columns, Fault, Sql, Tx, both};

/// By the primary keys of both. The jobs are locked, and with them their answers.
const OF_JOBS: Sql = both!("reading answers", [job int], "
select {LEAD}a.job, a.number, a.device, a.network, a.engine, a.digest, a.kind, a.given_at, a.handed_out as after, a.fate,
    j.needs, j.handed_out, j.max_wait_ms
from {ROWS} join jobs j on j.id = s.job join answers a{BY_KEY} on a.job = s.job order by a.job, a.number");

/// A row for each copy that is handed out: its witness is what the worker is now.
const ASK: Sql = both!("asking for answers", [job int, number int, device int, network int, engine word], "
insert into answers (job, number, device, network, engine)
select {LEAD}s.job, s.number, s.device, s.network, s.engine from {ROWS}");

/// By the primary key.
const KEEP: Sql = both!("keeping answers", answers through BY_KEY by job and number,
    [job int, number int, said hash, error word, at int, after int, become word], "
update {TARGET} set digest = unhex(s.said), kind = s.error, given_at = s.at, handed_out = s.after, fate = s.become{SOURCE}");

/// By the primary key: from the first answer on a job waits in a line of copies.
const MOVE: Sql = both!("keeping answers", jobs by id, [id int, class int], "
update {TARGET} set needs = s.class{SOURCE}");

/// By the primary key: that of a job which ended alone says nothing about the next one.
const SEAL: Sql = both!("keeping answers", answers through BY_KEY by job, [job int], "
update {TARGET} set network = number{SOURCE}{AND}network is not null");

/// Judged jobs, each with all that was asked of it.
pub(crate) type AnswerBook = HashMap<JobId, JudgedJob>;

/// A judged job, as the reports of the batch have left it so far.
#[derive(Debug)]
pub(crate) struct JudgedJob {
    pub(crate) needs: Needs,
    pub(crate) lane: Lane,
    pub(crate) handed_out: u32,
    pub(crate) max_wait_ms: Option<u32>,
    /// By the numbers of their attempts.
    asked: Vec<Asked>,
}

/// An answer, or the place of one that did not come yet.
#[derive(Debug)]
struct Asked {
    number: u32,
    witness: Witness,
    given: Option<Given>,
    /// It is not as its row is any more.
    changed: bool,
}

#[derive(Debug, Clone)]
struct Given {
    said: Said,
    at: Timestamp,
    /// Hand-outs of the job when it came.
    after: u32,
    fate: Option<AnswerFate>,
}

impl JudgedJob {
    /// Hand-outs when the newest answer came; 0 where there is none.
    pub(crate) fn answered(&self) -> u32 {
        self.asked.iter().filter_map(|asked| Some(asked.given.as_ref()?.after)).max().unwrap_or_default()
    }

    /// An attempt has answered. False where it was not asked.
    pub(crate) fn take(&mut self, number: u32, said: Said, now: Timestamp) -> bool {
        let after = self.handed_out;
        let Some(asked) = self.asked.iter_mut().find(|asked| asked.number == number) else { return false };
        asked.given = Some(Given { said, at: now, after, fate: None });
        asked.changed = true;
        true
    }

    /// All answers, the newest last: in the order in which they came.
    pub(crate) fn answers(&self) -> Vec<Answer> {
        self.given().into_iter().map(|(witness, given)| answer(*witness, given.said.clone())).collect()
    }

    /// Who answered first.
    pub(crate) fn first(&self) -> Option<Witness> {
        self.given().first().map(|(witness, _)| **witness)
    }

    fn given(&self) -> Vec<(&Witness, &Given)> {
        let given = self.asked.iter().filter_map(|asked| Some((&asked.witness, asked.given.as_ref()?)));
        let mut all: Vec<_> = given.collect();
        // Each came after a hand-out more.
        all.sort_by_key(|(_, given)| given.after);
        all
    }

    /// Another answer is the job's, or this one: `refuted` are places among the answers.
    pub(crate) fn decide(&mut self, refuted: &[usize]) {
        let given = |asked: &Asked| asked.given.as_ref().map_or(u32::MAX, |given| given.after);
        self.asked.sort_by_key(given);
        for (place, asked) in self.asked.iter_mut().enumerate() {
            let wrong = refuted.contains(&place);
            let Some(given) = asked.given.as_mut() else { break };
            given.fate = Some(if wrong { AnswerFate::Refuted } else { AnswerFate::Agreed });
            asked.changed = true;
        }
    }

    fn rows(&self, job: JobId) -> impl Iterator<Item = Kept<'_>> {
        self.asked.iter().filter(|asked| asked.changed).filter_map(move |Asked { number, given, .. }| {
            let Given { said, at, after, fate } = given.as_ref()?;
            let (digest, kind) = match said {
                Said::Value(digest) => (Some(hex(digest.as_bytes())), None),
                Said::Error(kind) => (None, Some(kind.as_str())),
            };
            Some(Kept(job.number(), *number, digest, kind, at.0, *after, fate.map(AnswerFate::as_str)))
        })
    }
}

/// Under a quorum nobody's word weighs more than another's.
fn answer(witness: Witness, said: Said) -> Answer {
    Answer { witness, rank: Rank::Newcomer, points: 0, said, is_void: false }
}

/// job, number, digest, kind of error, moment, hand-outs, fate
#[derive(Serialize)]
struct Kept<'a>(i64, u32, Option<String>, Option<&'a str>, i64, u32, Option<&'static str>);

/// job, number, device, network, engine
#[derive(Serialize)]
pub(crate) struct AskedRow(i64, u32, Option<i64>, Option<i64>, &'static str);

impl AskedRow {
    pub(crate) const fn new(job: i64, number: u32, witness: &Witness) -> Self {
        Self(job, number, witness.device, witness.network, witness.engine.as_str())
    }
}

/// Asks the database nothing where `jobs` is empty.
pub(crate) async fn of<T: Tx>(tx: &mut T, jobs: &[JobId]) -> Result<AnswerBook, Fault> {
    let mut book = AnswerBook::new();
    for row in tx.rows(&OF_JOBS, &each(jobs)).await? {
        let (lane, needs) = row.class()?;
        let job = book.entry(row.job_id("job")?).or_insert(JudgedJob {
            needs,
            lane,
            handed_out: row.small("handed_out")?,
            max_wait_ms: row.maybe_small("max_wait_ms")?,
            asked: Vec::new(),
        });
        job.asked.push(asked(&row)?);
    }
    Ok(book)
}

pub(crate) async fn ask<T: Tx>(tx: &mut T, rows: &[AskedRow]) -> Result<(), Fault> {
    tx.change(&ASK, rows, &[]).await.map(drop)
}

/// Writes what has changed, in the order of the jobs' ids, in which every server locks them.
pub(crate) async fn keep<T: Tx>(tx: &mut T, book: &AnswerBook) -> Result<(), Fault> {
    let is_changed = |job: &JudgedJob| job.asked.iter().any(|asked| asked.changed);
    let mut changed: Vec<_> = book.iter().filter(|(_, job)| is_changed(job)).collect();
    changed.sort_unstable_by_key(|(id, _)| id.number());
    if changed.is_empty() {
        return Ok(());
    }
    let rows: Vec<Kept<'_>> = changed.iter().flat_map(|(id, job)| job.rows(**id)).collect();
    tx.change(&KEEP, &rows, &[]).await?;
    let moved = |(id, job): &(&JobId, &JudgedJob)| {
        let first = job.first().filter(|_| !job.lane.has_answers())?;
        Some((id.number(), Lane::of_copies(&first).class(job.needs)))
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

fn asked<R: Columns>(row: &R) -> Result<Asked, StoreError> {
    let (number, witness, given) = (row.small("number")?, witness(row)?, given(row)?);
    Ok(Asked { number, witness, given, changed: false })
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
    Ok(Witness { device, network, account: None, engine })
}
