//! Looking back: jobs page by page, the attempts and the value of one.

use std::ops::RangeInclusive;

use const_format::formatcp;
use weevil_model::witness::{Engine, Rank};
use weevil_model::{AnswerRole, Encoded, JobId, ProjectId, RunId};
use weevil_queue::decide::standing::standing;
use weevil_queue::{AttemptEnd, Origin, Waiting};
use weevil_records::history::MAX_ATTEMPTS_READ;
use weevil_records::{AnswerFate, AnswerRecord, AttemptRecord, JobRecord, LotRecord, Order, StoreError};

use super::facts::failure;
use crate::json::corrupt;
use crate::words::{LOT_ACCEPTED, VALUE, proof, rank};
use crate::{Arg, Columns, Fault, Sql, Tx, both};

/// What people see of a job; the rest of its row, value and input, stays where it is.
pub(super) const SEEN: &str = "id, project, run, path, code, delivery, outcome, open_attempts, due_at, needs, reused, handed_out, failures, \
    max_attempts, trust, enqueued_at, ended_at, (select count(*) from doubts d where d.job = jobs.id) as doubts, \
    (select count(*) from questions q where q.job = jobs.id) as questions";

/// By the unique index, which MySQL knows paths by their hash in: as far into a long run as at its start.
const PAGE: Sql = Sql {
    doing: "listing jobs",
    sqlite: formatcp!(
        "
select {SEEN} from jobs where run = ?1 and (?2 is null or path > ?2) order by path limit ?3"
    ),
    mysql: formatcp!(
        "
select {SEEN} from jobs
where run = ? and identity > coalesce(unhex(sha2(?, 256)), '') order by identity limit ?"
    ),
};

/// By the index of projects and queues, whose entries end with the id. MySQL hopes to find the first ones along the primary key.
const QUEUED: Sql = both!(
    "listing a queue",
    "
select {SEEN}, {QUEUE} as queue from jobs{BY_QUEUE} where project = ? and queue = ? and id > ? order by id limit ?"
);
/// The same index backwards.
const QUEUED_LAST: Sql = both!(
    "listing a queue",
    "
select {SEEN}, {QUEUE} as queue from jobs{BY_QUEUE} where project = ? and queue = ? and id < ? order by id desc limit ?"
);

/// Along the primary key.
const AMONG: Sql = both!(
    "looking for jobs by their ids",
    "select {SEEN}, {QUEUE} as queue from jobs where id >= ? and id <= ? order by id limit ?"
);

/// By the unique index.
const AT_PATH: Sql = Sql {
    doing: "looking for a job",
    sqlite: "select id from jobs where run = ? and path = ?",
    mysql: "select id from jobs where run = ? and identity = unhex(sha2(?, 256))",
};

/// By the primary key.
const ONE: Sql = both!("reading a job", "select {SEEN}, {QUEUE} as queue from jobs where id = ?");

/// By the unique index.
const AT: Sql = both!("reading jobs by their places", [within int, at text], "
select {LEAD}{SEEN} from {ROWS} join jobs{BY_RUN} on run = s.within and {AT_PATH}");

/// Backwards along the primary key: an early page costs what a late one does. Each answer with those of its job that came before, and
/// with its lot.
const ATTEMPTS: Sql = both!("reading attempts", "
select a.number, a.worker, a.started_at, a.ended_at, a.ending, a.error_kind, a.error_message, a.error_stack, a.compute_us,
       a.progress, a.log, x.digest, x.device, x.engine, x.`rank`, x.points, x.marks, x.given_at, x.fate, l.answers, l.chosen, l.checking,
       l.closed_at, l.fate as lot_fate,
       (select count(*) from answers y where y.job = x.job and y.handed_out < x.handed_out) as earlier
from attempts a left join answers x on x.job = a.job and x.number = a.number left join lots l{BY_KEY} on l.id = x.lot
where a.job = ? and a.number < ? order by a.number desc limit ?");

/// By the primary key. What is kept beside a job that goes on is not its value yet.
const VALUE_OF: Sql = both!(
    "reading a job's value",
    "
select {RESULT} as result from jobs j where j.id = ? and j.outcome = '{VALUE}'"
);

pub(crate) async fn jobs<T: Tx>(
    tx: &mut T,
    run: RunId,
    after: Option<&str>,
    most: u32,
) -> Result<Vec<JobRecord>, Fault> {
    let rows = tx.found(&PAGE, &[run.number().into(), Arg::Text(after), most.into()]).await?;
    Ok(rows.iter().map(job).collect::<Result<_, _>>()?)
}

/// Those of a run that are at these paths, in no order.
pub(crate) async fn at<T: Tx>(tx: &mut T, run: RunId, paths: &[String]) -> Result<Vec<JobRecord>, Fault> {
    let places: Vec<(i64, &str)> = paths.iter().map(|path| (run.number(), path.as_str())).collect();
    let rows = tx.rows(&AT, &places).await?;
    Ok(rows.iter().map(job).collect::<Result<_, _>>()?)
}

pub(crate) async fn queued<T: Tx>(
    tx: &mut T,
    project: ProjectId,
    queue: &str,
    order: Order,
    after: Option<JobId>,
    most: u32,
) -> Result<Vec<JobRecord>, Fault> {
    let (sql, start) = match order {
        Order::Oldest => (&QUEUED, -1),
        Order::Newest => (&QUEUED_LAST, i64::MAX),
    };
    let after = after.map_or(start, JobId::number);
    let args = [project.number().into(), Arg::Key(queue), after.into(), most.into()];
    let rows = tx.found(sql, &args).await?;
    Ok(rows.iter().map(job).collect::<Result<_, _>>()?)
}

pub(crate) async fn among<T: Tx>(
    tx: &mut T,
    ids: &RangeInclusive<JobId>,
    most: u32,
) -> Result<Vec<JobRecord>, Fault> {
    let args = [ids.start().number().into(), ids.end().number().into(), most.into()];
    let rows = tx.found(&AMONG, &args).await?;
    Ok(rows.iter().map(job).collect::<Result<_, _>>()?)
}

/// Oldest first, of those before this number.
pub(crate) async fn attempts<T: Tx>(
    tx: &mut T,
    id: JobId,
    before: u32,
) -> Result<Option<(JobRecord, Vec<AttemptRecord>)>, Fault> {
    let Some(row) = tx.one(&ONE, &[id.number().into()]).await? else { return Ok(None) };
    let attempts =
        tx.found(&ATTEMPTS, &[id.number().into(), before.into(), MAX_ATTEMPTS_READ.into()]).await?;
    Ok(Some((job(&row)?, attempts.iter().rev().map(attempt).collect::<Result<_, _>>()?)))
}

pub(crate) async fn job_at<T: Tx>(tx: &mut T, run: RunId, path: &str) -> Result<Option<JobId>, Fault> {
    let row = tx.one(&AT_PATH, &[run.number().into(), path.into()]).await?;
    Ok(row.map(|row| row.job_id("id")).transpose()?)
}

pub(crate) async fn value<T: Tx>(tx: &mut T, id: JobId) -> Result<Option<Encoded>, Fault> {
    let row = tx.one(&VALUE_OF, &[id.number().into()]).await?;
    Ok(row.map(|row| row.bytes("result")).transpose()?.map(Encoded::trusted))
}

pub(crate) fn job<R: Columns>(row: &R) -> Result<JobRecord, StoreError> {
    let (open, due) = (row.small("open_attempts")?, row.maybe_moment("due_at")?);
    let (lane, needs) = row.class()?;
    let (state, waiting) = standing(row.delivery()?, row.outcome()?, open, due, lane.is_answered())
        .ok_or_else(|| corrupt("an outcome that does not fit the delivery"))?;
    let is_asked_about = waiting == Some(Waiting::Lot) && row.small("questions")? > 0;
    let waiting = if is_asked_about { Some(Waiting::Module) } else { waiting };
    Ok(JobRecord {
        id: row.job_id("id")?,
        project: row.id("project", ProjectId::from_number)?,
        origin: match row.maybe_run_id("run")? {
            Some(run) => Origin::Run(run),
            None => Origin::Queue(row.text("queue")?.into()),
        },
        path: row.text("path")?,
        code: row.hash("code")?,
        state,
        waiting,
        needs,
        reused: row.maybe_number("reused")?.and_then(JobId::from_number),
        handed_out: row.small("handed_out")?,
        failures: row.small("failures")?,
        max_attempts: row.small("max_attempts")?,
        trust: row.trust()?,
        is_doubted: row.small("doubts")? > 0,
        enqueued_at: row.moment("enqueued_at")?,
        ended_at: row.maybe_moment("ended_at")?,
    })
}

pub(crate) fn attempt<R: Columns>(row: &R) -> Result<AttemptRecord, StoreError> {
    Ok(AttemptRecord {
        number: row.small("number")?,
        worker: row.worker_id("worker")?,
        started_at: row.moment("started_at")?,
        ended_at: row.maybe_moment("ended_at")?,
        end: row.word("ending", AttemptEnd::parse)?,
        failure: failure(row)?,
        compute_us: row.unsigned("compute_us")?,
        progress: row.maybe_real("progress")?,
        log: row.maybe_text("log")?,
        answer: answer(row)?,
    })
}

fn answer<R: Columns>(row: &R) -> Result<Option<AnswerRecord>, StoreError> {
    if row.maybe_moment("given_at")?.is_none() {
        return Ok(None);
    }
    let engine = row.word("engine", Engine::parse)?.ok_or_else(|| corrupt("a witness without an engine"))?;
    let rank = rank(row.small("rank")?).ok_or_else(|| corrupt("an unknown rank"))?;
    Ok(Some(AnswerRecord {
        digest: row.maybe_hash("digest")?,
        device: row.maybe_number("device")?,
        engine,
        rank: if row.small("points")? == 0 { Rank::Newcomer } else { rank },
        role: AnswerRole::after(row.small("earlier")? as usize),
        lot: lot(row)?,
        proof: proof(row.small("marks")?),
        fate: row.word("fate", AnswerFate::parse)?,
    }))
}

fn lot<R: Columns>(row: &R) -> Result<Option<LotRecord>, StoreError> {
    let Some(answers) = row.maybe_small("answers")? else { return Ok(None) };
    Ok(Some(LotRecord {
        answers,
        chosen: row.small("chosen")?,
        checking: row.small("checking")?,
        is_closed: row.maybe_number("closed_at")?.is_some(),
        is_accepted: row.maybe_text("lot_fate")?.as_deref() == Some(LOT_ACCEPTED),
    }))
}
