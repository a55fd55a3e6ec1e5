//! Ends of leases without a report: given back, lost, expired; and their renewal.

use const_format::formatcp;
use sqlx::MySqlConnection;
use weevil_model::{JobId, Timestamp, WorkerId};
use weevil_queue::batch::Returned;
use weevil_queue::decide::company::Company;
use weevil_queue::{AttemptEnd, AttemptKey, Batch, Renew};

use super::facts::histories;
use super::retry::{Fault, failed};
use super::rows::{change, parts, paused};
use super::writer::Writer;
use crate::shared::paused::Paused;
use crate::shared::release::{self, COLUMNS, Held};
use crate::shared::renew::{self, doubted_rows, rows};
use crate::words::{CANCELLED, ENDED, LEASED};

/// By the keys that are given back, however many jobs there are.
const GIVEN: &str = formatcp!(
    "select straight_join s.ending, {COLUMNS} from json_table(?, '$[*]' columns (
        job bigint path '$[0]', token bigint path '$[1]', ending varchar(16) path '$[2]')) s
    join jobs j on j.id = s.job where j.delivery = {LEASED} and j.lease_token = s.token for update"
);

/// What another server works on just now waits for the next look. The index is named: what MariaDB guesses of its tables may
/// be old, and a guess would lock every job.
const DUE: &str = formatcp!(
    "select {COLUMNS} from jobs j force index (jobs_due) where j.delivery = {LEASED} and j.due_at <= ? for update skip locked"
);

const ALL_LEASED: &str =
    formatcp!("select {COLUMNS} from jobs j force index (jobs_due) where j.delivery = {LEASED} for update");

const END_LEASES: &str = formatcp!("
update json_table(?, '$[*]' columns (
    id bigint path '$[0]', delivery bigint path '$[1]', outcome varchar(16) path '$[2]', counted bigint path '$[3]',
    due_at bigint path '$[6]')) s
straight_join jobs j on j.id = s.id
set j.delivery = s.delivery, j.outcome = s.outcome, j.failures = j.failures + s.counted,
    j.ended_at = if(s.delivery = {ENDED}, ?, null), j.lease_token = null, j.lease_worker = null, j.due_at = s.due_at");

const END_ATTEMPTS: &str = "
update json_table(?, '$[*]' columns (
    job bigint path '$[0]', ending varchar(16) path '$[4]', number bigint path '$[5]')) s
straight_join attempts a on a.job = s.job and a.number = s.number
set a.ending = s.ending, a.ended_at = ?";

/// The oldest of the attempts without a report that stay, of jobs that have so many: as many as `MAX_UNREPORTED`.
const STAYS: &str = "
select s.job, (
    select a.number from attempts a where a.job = s.job and a.ending in ('yielded', 'lost')
    order by a.number desc limit 1 offset 9) as number
from json_table(?, '$[*]' columns (job bigint path '$')) s";

const FORGET: &str = "
delete a from json_table(?, '$[*]' columns (job bigint path '$[0]', number bigint path '$[1]')) s
straight_join attempts a on a.job = s.job and a.number < s.number
where a.ending in ('yielded', 'lost')";

const RENEW: &str = formatcp!(
    "
update json_table(?, '$[*]' columns (id bigint path '$[0]', token bigint path '$[1]')) s
straight_join jobs j on j.id = s.id
set j.due_at = ?
where j.lease_token = s.token and j.delivery = {LEASED}"
);

/// An attempt that has not ended is its job's only holder.
const TELL_PROGRESS: &str = "
update json_table(?, '$[*]' columns (
    job bigint path '$[0]', token bigint path '$[1]', progress double path '$[2]')) s
straight_join attempts a on a.job = s.job and a.token = s.token
set a.progress = s.progress
where a.ending is null";

const DISOWNED: &str = formatcp!(
    "
select s.job, s.token from json_table(?, '$[*]' columns (job bigint path '$[0]', token bigint path '$[1]')) s
left join jobs j on j.id = s.job
where j.id is null or j.delivery = {ENDED} or (j.delivery = {LEASED} and j.lease_token <> s.token)"
);

/// A crash between the end of a run and the end of its jobs leaves some behind.
const CANCEL_LEFT: &str = formatcp!(
    "
update jobs j join runs r on r.id = j.run
set j.delivery = {ENDED}, j.outcome = '{CANCELLED}', j.ended_at = ?, j.due_at = null
where j.delivery <> {ENDED} and r.finished_at is not null"
);

/// Servers that have written nothing for a day.
const FORGET_WRITERS: &str = "delete from writers where at < ?";
const DAY_MS: i64 = 24 * 60 * 60 * 1000;

pub(super) async fn release(
    tx: &mut MySqlConnection,
    batch: &Batch,
    paused: &Paused,
    now: Timestamp,
) -> Result<Vec<Returned>, Fault> {
    let mut given = Vec::new();
    for part in parts(&release::rows(&batch.release))? {
        let rows = sqlx::query(GIVEN).bind(part).fetch_all(&mut *tx).await;
        given.extend(Held::given(&rows.map_err(failed("releasing"))?, paused)?);
    }
    give_back(tx, given, &batch.company, now).await
}

pub(super) async fn expire(
    tx: &mut MySqlConnection,
    batch: &Batch,
    paused: &Paused,
    now: Timestamp,
) -> Result<Vec<Returned>, Fault> {
    let rows = sqlx::query(DUE).bind(now.0).fetch_all(&mut *tx).await.map_err(failed("expiring"))?;
    give_back(tx, Held::all(&rows, AttemptEnd::Expired, paused)?, &batch.company, now).await
}

pub(super) async fn tidy_up(writer: &mut Writer, now: Timestamp) -> Result<u64, Fault> {
    let mut writing = writer.begin("beginning a release").await?;
    let tx = &mut *writing.tx;
    let paused = paused(tx).await?;
    let rows = sqlx::query(ALL_LEASED).fetch_all(&mut *tx).await.map_err(failed("releasing"))?;
    let given = give_back(tx, Held::all(&rows, AttemptEnd::Lost, &paused)?, &Company::default(), now).await?;
    let left = sqlx::query(CANCEL_LEFT).bind(now.0).execute(&mut *tx).await;
    left.map_err(failed("cancelling what ended runs left"))?;
    let forgotten = sqlx::query(FORGET_WRITERS).bind(now.plus_ms(-DAY_MS).0).execute(&mut *tx).await;
    forgotten.map_err(failed("forgetting servers"))?;
    writing.commit("committing a release", now).await?;
    Ok(given.len() as u64)
}

async fn give_back(
    tx: &mut MySqlConnection,
    leased: Vec<Held>,
    company: &Company,
    now: Timestamp,
) -> Result<Vec<Returned>, Fault> {
    let mut changes = Vec::with_capacity(leased.len());
    let mut all = Vec::with_capacity(leased.len());
    let forgetful: Vec<i64> = leased.iter().filter_map(Held::forgetful).collect();
    let judged: Vec<JobId> = leased.iter().filter_map(Held::judged).collect();
    let histories = histories(tx, &judged).await?;
    for held in leased {
        let history = histories.get(&held.facts.job).cloned().unwrap_or_default();
        let decision = held.decide(&history, company);
        changes.push(held.row(decision, now));
        all.push(held.news(decision, history));
    }
    for statement in [END_LEASES, END_ATTEMPTS] {
        change(tx, statement, &changes, now.0, "ending leases").await?;
    }
    forget(tx, &forgetful).await?;
    Ok(all)
}

/// What workers took and gave back without a word leaves a few rows, however often it happens.
async fn forget(tx: &mut MySqlConnection, jobs: &[i64]) -> Result<(), Fault> {
    for part in parts(jobs)? {
        let rows = sqlx::query(STAYS).bind(part).fetch_all(&mut *tx).await;
        let stays = release::stays(&rows.map_err(failed("counting attempts"))?)?;
        for part in parts(&stays)? {
            let done = sqlx::query(FORGET).bind(part).execute(&mut *tx).await;
            done.map_err(failed("forgetting attempts"))?;
        }
    }
    Ok(())
}

pub(super) async fn renew(
    tx: &mut MySqlConnection,
    renew: &[Renew],
    deadline: Timestamp,
) -> Result<(), Fault> {
    let (leases, told) = rows(renew);
    change(tx, RENEW, &leases, deadline.0, "renewing leases").await?;
    for part in parts(&told)? {
        let done = sqlx::query(TELL_PROGRESS).bind(part).execute(&mut *tx).await;
        done.map_err(failed("keeping progress"))?;
    }
    Ok(())
}

pub(super) async fn disowned(
    tx: &mut MySqlConnection,
    doubted: &[(WorkerId, AttemptKey)],
) -> Result<Vec<(WorkerId, AttemptKey)>, Fault> {
    let mut rows = Vec::new();
    for part in parts(&doubted_rows(doubted))? {
        let found = sqlx::query(DISOWNED).bind(part).fetch_all(&mut *tx).await;
        rows.extend(found.map_err(failed("looking whose attempts are"))?);
    }
    Ok(renew::disowned(doubted, &rows)?)
}
