//! Workers that were given something: kept all at once, read for people, forgotten when nothing was heard of them for long.

use const_format::formatcp;
use weevil_model::{Capabilities, Needs, ProjectId, Timestamp, WorkerId};
use weevil_queue::AttemptEnd;
use weevil_records::{
    AttemptMark, KeptWorker, MAX_TOLD_CHARS, StoreError, WorkerAttempt, WorkerList, WorkerRecord,
};

use super::suspensions::{SUSPENSION, suspension};
use crate::json::hex;
use crate::{Arg, Columns, Fault, Sql, Tx, both};

const COLUMNS: &str = "w.id, w.agent, w.device, w.adapter, w.capabilities, w.memory_mb, w.slots, w.connected_at, w.heard_at, w.done, \
    w.errors, w.expired";

/// All that is known of a worker is written anew.
const KEEP: Sql = both!("keeping workers", [
    id int, agent text, device hash, adapter text, capabilities int, memory_mb int, slots int, connected_at int, heard_at int,
    done int, errors int, expired int
], "
replace into workers (id, agent, device, adapter, capabilities, memory_mb, slots, connected_at, heard_at, done, errors, expired)
select s.id, s.agent, unhex(s.device), s.adapter, s.capabilities, s.memory_mb, s.slots, s.connected_at, s.heard_at, s.done,
    s.errors, s.expired
from {ROWS}");

/// By the primary keys.
const ONE: Sql = Sql::of(
    "reading a worker",
    formatcp!(
        "select {COLUMNS}, {SUSPENSION} from workers w left join devices d on d.fingerprint = w.device where w.id = ?"
    ),
);

/// Backwards along the primary key. Where a text is looked for, at most over all that are kept (`MAX_KEPT_WORKERS`).
const PAGE: Sql = both!(
    "listing workers",
    "
select {COLUMNS}, {SUSPENSION} from workers w{BY_KEY} left join devices d on d.fingerprint = w.device
where w.id < ? and (? is null or instr(lower(w.agent), ?) > 0 or instr(lower(w.adapter), ?) > 0
    or instr(lower(hex(w.device)), ?) = 1 or w.id >= ? and w.id <= ?)
order by w.id desc limit ?"
);

/// Backwards along the index of workers' attempts. Those of one moment are told apart by their jobs.
const ATTEMPTS: Sql = both!("reading what a worker was handed", "
select {LEAD}a.job, a.number, a.started_at, a.ended_at, a.ending, a.error_kind,
    substr(a.error_message, 1, {MAX_TOLD_CHARS}) as error_message, a.compute_us, j.project, j.run, j.path
from attempts a join jobs j on j.id = a.job
where a.worker = ? and a.started_at <= ? and (a.started_at < ? or a.job < ?) order by a.started_at desc, a.job desc limit ?");

/// Backwards along the index of when workers were heard, as far as they are young enough.
const LAST_KEPT: Sql = Sql::of(
    "looking for old workers",
    "select heard_at from workers where heard_at >= ? order by heard_at desc limit 1 offset ?",
);

/// MySQL deletes in an order by itself, and names no table that it deletes from in a derived one.
const FORGET: Sql = Sql {
    doing: "forgetting workers",
    sqlite: "
delete from workers where id in (
    select w.id from workers w left join devices d on d.fingerprint = w.device
    where w.heard_at < ? and (d.held_until is null or d.held_until <= ?) order by w.heard_at limit ?)",
    mysql: "
delete from workers where heard_at < ? and not exists (
    select 1 from devices d where d.fingerprint = workers.device and d.held_until > ?)
order by heard_at limit ?",
};

pub(crate) async fn keep<T: Tx>(tx: &mut T, workers: &[WorkerRecord]) -> Result<(), Fault> {
    let row = |worker: &WorkerRecord| {
        let Needs { capabilities, memory_mb } = worker.has;
        let device = worker.device.map(|device| hex(device.as_bytes()));
        let counts = (worker.done, worker.errors, worker.expired);
        let moments = (worker.connected_at.0, worker.heard_at.0);
        let (agent, adapter) = (worker.agent.clone(), worker.adapter.clone());
        let (id, slots) = (worker.id.number(), worker.slots);
        (
            id,
            agent,
            device,
            adapter,
            capabilities.0,
            memory_mb,
            slots,
            moments.0,
            moments.1,
            counts.0,
            counts.1,
            counts.2,
        )
    };
    let rows: Vec<_> = workers.iter().map(row).collect();
    tx.change(&KEEP, &rows, &[]).await.map(drop)
}

pub(crate) async fn one<T: Tx>(tx: &mut T, worker: WorkerId) -> Result<Option<KeptWorker>, Fault> {
    let row = tx.one(&ONE, &[worker.number().into()]).await?;
    Ok(row.as_ref().map(kept).transpose()?)
}

pub(crate) async fn list<T: Tx>(tx: &mut T, list: &WorkerList, most: u32) -> Result<Vec<KeptWorker>, Fault> {
    let before = list.before.map_or(i64::MAX, WorkerId::number);
    let text = Arg::Text(list.text.as_deref());
    // Where no id begins so, none is between these.
    let (lowest, highest) = list.ids().map_or((1, 0), |(first, last)| (first.number(), last.number()));
    let args = [before.into(), text, text, text, text, lowest.into(), highest.into(), most.into()];
    let rows = tx.found(&PAGE, &args).await?;
    Ok(rows.iter().map(kept).collect::<Result<_, _>>()?)
}

pub(crate) async fn attempts<T: Tx>(
    tx: &mut T,
    worker: WorkerId,
    before: Option<AttemptMark>,
    most: u32,
) -> Result<Vec<WorkerAttempt>, Fault> {
    let (at, job) = before.map_or((i64::MAX, i64::MAX), |mark| (mark.started_at.0, mark.job.number()));
    let args = [worker.number().into(), at.into(), at.into(), job.into(), most.into()];
    let rows = tx.found(&ATTEMPTS, &args).await?;
    Ok(rows.iter().map(attempt).collect::<Result<_, _>>()?)
}

/// Since when those were heard that may stay: since a moment, or later where more than `keep` were.
pub(crate) async fn last_kept<T: Tx>(tx: &mut T, since: Timestamp, keep: u32) -> Result<Timestamp, Fault> {
    let row = tx.one(&LAST_KEPT, &[since.into(), keep.saturating_sub(1).into()]).await?;
    Ok(row.map(|row| row.moment("heard_at")).transpose()?.unwrap_or(since))
}

pub(crate) async fn forget<T: Tx>(
    tx: &mut T,
    before: Timestamp,
    most: u32,
    now: Timestamp,
) -> Result<u64, Fault> {
    tx.run(&FORGET, &[before.into(), now.into(), most.into()]).await
}

fn kept<R: Columns>(row: &R) -> Result<KeptWorker, StoreError> {
    let has =
        Needs { capabilities: Capabilities(row.small("capabilities")?), memory_mb: row.small("memory_mb")? };
    let worker = WorkerRecord {
        id: row.worker_id("id")?,
        agent: row.text("agent")?,
        device: row.maybe_hash("device")?,
        adapter: row.maybe_text("adapter")?,
        has,
        slots: row.small("slots")?,
        connected_at: row.moment("connected_at")?,
        heard_at: row.moment("heard_at")?,
        done: row.small("done")?,
        errors: row.small("errors")?,
        expired: row.small("expired")?,
    };
    Ok(KeptWorker { worker, suspension: suspension(row)? })
}

fn attempt<R: Columns>(row: &R) -> Result<WorkerAttempt, StoreError> {
    Ok(WorkerAttempt {
        job: row.job_id("job")?,
        number: row.small("number")?,
        project: row.id("project", ProjectId::from_number)?,
        run: row.maybe_run_id("run")?,
        path: row.text("path")?,
        started_at: row.moment("started_at")?,
        ended_at: row.maybe_moment("ended_at")?,
        end: row.word("ending", AttemptEnd::parse)?,
        error_kind: row.maybe_text("error_kind")?,
        error_message: row.maybe_text("error_message")?,
        compute_us: row.unsigned("compute_us")?,
    })
}
