//! Ends of leases without a report: given back, lost, expired; and their renewal.

use const_format::formatcp;
use sqlx::SqliteConnection;
use weevil_model::{JobId, Timestamp, WorkerId};
use weevil_queue::batch::Returned;
use weevil_queue::decide::company::Company;
use weevil_queue::{AttemptEnd, AttemptKey, Batch, Renew};
use weevil_records::StoreError;

use super::facts::histories;
use super::rows::{change, failed, found, paused};
use crate::shared::parts::parts;
use crate::shared::paused::Paused;
use crate::shared::release::{self, COLUMNS, Held};
use crate::shared::renew::{self, doubted_rows, rows};
use crate::words::{CANCELLED, ENDED, LEASED};

/// By the keys that are given back, however many jobs there are.
const GIVEN: &str = formatcp!(
    "select s.value ->> 2 as ending, {COLUMNS} from json_each(?1) s join jobs j on j.id = s.value ->> 0 where j.delivery = {LEASED} and j.lease_token = s.value ->> 1"
);

const DUE: &str = formatcp!("select {COLUMNS} from jobs j where j.delivery = {LEASED} and j.due_at <= ?1");

/// A leased job always has a moment; saying so leads to the index of these alone.
const ALL_LEASED: &str =
    formatcp!("select {COLUMNS} from jobs j where j.delivery = {LEASED} and j.due_at is not null");

const END_LEASES: &str = formatcp!("
update jobs set delivery = s.value ->> 1, outcome = s.value ->> 2, failures = failures + (s.value ->> 3),
    ended_at = iif(s.value ->> 1 = {ENDED}, ?2, null), lease_token = null, lease_worker = null, due_at = s.value ->> 6
from json_each(?1) s where jobs.id = s.value ->> 0");

const END_ATTEMPTS: &str = "
update attempts set ending = s.value ->> 4, ended_at = ?2
from json_each(?1) s where attempts.job = s.value ->> 0 and attempts.number = s.value ->> 5";

/// The oldest of the attempts without a report that stay, of jobs that have so many: as many as `MAX_UNREPORTED`.
const STAYS: &str = "
select s.value as job, (
    select number from attempts where job = s.value and ending in ('yielded', 'lost')
    order by number desc limit 1 offset 9) as number
from json_each(?1) s";

const FORGET: &str = "
delete from attempts where (job, number) in (
    select a.job, a.number from json_each(?1) s
    join attempts a on a.job = s.value ->> 0 and a.number < s.value ->> 1
    where a.ending in ('yielded', 'lost'))";

const RENEW: &str = formatcp!(
    "
update jobs set due_at = ?2 from json_each(?1) s
where jobs.id = s.value ->> 0 and jobs.lease_token = s.value ->> 1 and jobs.delivery = {LEASED}"
);

/// An attempt that has not ended is its job's only holder.
const TELL_PROGRESS: &str = "
update attempts set progress = s.value ->> 2 from json_each(?1) s
where attempts.job = s.value ->> 0 and attempts.token = s.value ->> 1 and attempts.ending is null";

const DISOWNED: &str = formatcp!("
select s.value ->> 0 as job, s.value ->> 1 as token from json_each(?1) s left join jobs j on j.id = s.value ->> 0
where j.id is null or j.delivery = {ENDED} or (j.delivery = {LEASED} and j.lease_token <> s.value ->> 1)");

/// A crash between the end of a run and the end of its jobs leaves some behind.
const CANCEL_LEFT: &str = formatcp!(
    "
update jobs set delivery = {ENDED}, outcome = '{CANCELLED}', ended_at = ?1, due_at = null
where delivery <> {ENDED} and run in (select id from runs where finished_at is not null)"
);

pub(super) async fn release(
    tx: &mut SqliteConnection,
    batch: &Batch,
    paused: &Paused,
    now: Timestamp,
) -> Result<Vec<Returned>, StoreError> {
    let rows = found(tx, GIVEN, &release::rows(&batch.release), "releasing").await?;
    give_back(tx, Held::given(&rows, paused)?, &batch.company, now).await
}

pub(super) async fn expire(
    tx: &mut SqliteConnection,
    batch: &Batch,
    paused: &Paused,
    now: Timestamp,
) -> Result<Vec<Returned>, StoreError> {
    let rows = sqlx::query(DUE).bind(now.0).fetch_all(&mut *tx).await.map_err(failed("expiring"))?;
    give_back(tx, Held::all(&rows, AttemptEnd::Expired, paused)?, &batch.company, now).await
}

pub(super) async fn tidy_up(writer: &mut SqliteConnection, now: Timestamp) -> Result<u64, StoreError> {
    use sqlx::Connection;
    let mut tx = writer.begin_with("begin immediate").await.map_err(failed("beginning a release"))?;
    let paused = paused(&mut tx).await?;
    let rows = sqlx::query(ALL_LEASED).fetch_all(&mut *tx).await.map_err(failed("releasing"))?;
    let given =
        give_back(&mut tx, Held::all(&rows, AttemptEnd::Lost, &paused)?, &Company::default(), now).await?;
    let left = sqlx::query(CANCEL_LEFT).bind(now.0).execute(&mut *tx).await;
    left.map_err(failed("cancelling what ended runs left"))?;
    tx.commit().await.map_err(failed("committing a release"))?;
    Ok(given.len() as u64)
}

async fn give_back(
    tx: &mut SqliteConnection,
    leased: Vec<Held>,
    company: &Company,
    now: Timestamp,
) -> Result<Vec<Returned>, StoreError> {
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
async fn forget(tx: &mut SqliteConnection, jobs: &[i64]) -> Result<(), StoreError> {
    let stays = release::stays(&found(tx, STAYS, jobs, "counting attempts").await?)?;
    for part in parts(&stays)? {
        let done = sqlx::query(FORGET).bind(part).execute(&mut *tx).await;
        done.map_err(failed("forgetting attempts"))?;
    }
    Ok(())
}

pub(super) async fn renew(
    tx: &mut SqliteConnection,
    renew: &[Renew],
    deadline: Timestamp,
) -> Result<(), StoreError> {
    let (leases, told) = rows(renew);
    change(tx, RENEW, &leases, deadline.0, "renewing leases").await?;
    for part in parts(&told)? {
        let done = sqlx::query(TELL_PROGRESS).bind(part).execute(&mut *tx).await;
        done.map_err(failed("keeping progress"))?;
    }
    Ok(())
}

pub(super) async fn disowned(
    tx: &mut SqliteConnection,
    doubted: &[(WorkerId, AttemptKey)],
) -> Result<Vec<(WorkerId, AttemptKey)>, StoreError> {
    let rows = found(tx, DISOWNED, &doubted_rows(doubted), "looking whose attempts are").await?;
    renew::disowned(doubted, &rows)
}
