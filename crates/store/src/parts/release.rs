//! Ends of leases without a report: given back, lost, expired.

use std::collections::BTreeMap;

use const_format::formatcp;
use serde::Serialize;
use weevil_model::{JobId, Timestamp};
use weevil_queue::batch::Returned;
use weevil_queue::decide::company::Company;
use weevil_queue::{AttemptEnd, Batch, Release};
use weevil_records::StoreError;

use super::facts::histories;
use super::held::{COLUMNS, Held};
use crate::columns::Columns;
use crate::driver::Dialect;
use crate::fault::Fault;
use crate::paused::{Paused, paused};
use crate::sql::Sql;
use crate::tx::Tx;
use crate::words::{CANCELLED, ENDED, LEASED};

/// By the keys that are given back, however many jobs there are.
const GIVEN: Sql = Sql {
    doing: "releasing",
    sqlite: formatcp!(
        "select s.value ->> 2 as ending, {COLUMNS} from json_each(?1) s join jobs j on j.id = s.value ->> 0 where j.delivery = {LEASED} and j.lease_token = s.value ->> 1"
    ),
    mysql: formatcp!(
        "select straight_join s.ending, {COLUMNS} from json_table(?, '$[*]' columns (
        job bigint path '$[0]', token bigint path '$[1]', ending varchar(16) path '$[2]')) s
    join jobs j on j.id = s.job where j.delivery = {LEASED} and j.lease_token = s.token for update"
    ),
};

/// By the index of moments. What another server works on just now waits for the next look; MySQL is told the index, since
/// what MariaDB guesses of its tables may be old, and a guess would lock every job.
const DUE: Sql = Sql {
    doing: "expiring",
    sqlite: formatcp!("select {COLUMNS} from jobs j where j.delivery = {LEASED} and j.due_at <= ?1"),
    mysql: formatcp!(
        "select {COLUMNS} from jobs j force index (jobs_due) where j.delivery = {LEASED} and j.due_at <= ? for update skip locked"
    ),
};

/// A leased job always has a moment; saying so leads SQLite to the index of these alone.
const ALL_LEASED: Sql = Sql {
    doing: "releasing",
    sqlite: formatcp!("select {COLUMNS} from jobs j where j.delivery = {LEASED} and j.due_at is not null"),
    mysql: formatcp!(
        "select {COLUMNS} from jobs j force index (jobs_due) where j.delivery = {LEASED} for update"
    ),
};

/// By the primary key, one statement for all.
const END_LEASES: Sql = Sql {
    doing: "ending leases",
    sqlite: formatcp!("
update jobs set delivery = s.value ->> 1, outcome = s.value ->> 2, failures = failures + (s.value ->> 3),
    ended_at = iif(s.value ->> 1 = {ENDED}, ?2, null), lease_token = null, lease_worker = null, due_at = s.value ->> 6
from json_each(?1) s where jobs.id = s.value ->> 0"),
    mysql: formatcp!("
update json_table(?, '$[*]' columns (
    id bigint path '$[0]', delivery bigint path '$[1]', outcome varchar(16) path '$[2]', counted bigint path '$[3]',
    due_at bigint path '$[6]')) s
straight_join jobs j on j.id = s.id
set j.delivery = s.delivery, j.outcome = s.outcome, j.failures = j.failures + s.counted,
    j.ended_at = if(s.delivery = {ENDED}, ?, null), j.lease_token = null, j.lease_worker = null, j.due_at = s.due_at"),
};

/// The same rows, for the attempts.
const END_ATTEMPTS: Sql = Sql {
    doing: "ending leases",
    sqlite: "
update attempts set ending = s.value ->> 4, ended_at = ?2
from json_each(?1) s where attempts.job = s.value ->> 0 and attempts.number = s.value ->> 5",
    mysql: "
update json_table(?, '$[*]' columns (
    job bigint path '$[0]', ending varchar(16) path '$[4]', number bigint path '$[5]')) s
straight_join attempts a on a.job = s.job and a.number = s.number
set a.ending = s.ending, a.ended_at = ?",
};

/// The oldest of the attempts without a report that stay, of jobs that have so many: as many as `MAX_UNREPORTED`.
const STAYS: Sql = Sql {
    doing: "counting attempts",
    sqlite: "
select s.value as job, (
    select number from attempts where job = s.value and ending in ('yielded', 'lost')
    order by number desc limit 1 offset 9) as number
from json_each(?1) s",
    mysql: "
select s.job, (
    select a.number from attempts a where a.job = s.job and a.ending in ('yielded', 'lost')
    order by a.number desc limit 1 offset 9) as number
from json_table(?, '$[*]' columns (job bigint path '$')) s",
};

/// A stretch of the primary key for each job.
const FORGET: Sql = Sql {
    doing: "forgetting attempts",
    sqlite: "
delete from attempts where (job, number) in (
    select a.job, a.number from json_each(?1) s
    join attempts a on a.job = s.value ->> 0 and a.number < s.value ->> 1
    where a.ending in ('yielded', 'lost'))",
    mysql: "
delete a from json_table(?, '$[*]' columns (job bigint path '$[0]', number bigint path '$[1]')) s
straight_join attempts a on a.job = s.job and a.number < s.number
where a.ending in ('yielded', 'lost')",
};

/// A crash between the end of a run and the end of its jobs leaves some behind. Over all jobs, once at each start.
const CANCEL_LEFT: Sql = Sql {
    doing: "cancelling what ended runs left",
    sqlite: formatcp!(
        "
update jobs set delivery = {ENDED}, outcome = '{CANCELLED}', ended_at = ?1, due_at = null
where delivery <> {ENDED} and run in (select id from runs where finished_at is not null)"
    ),
    mysql: formatcp!(
        "
update jobs j join runs r on r.id = j.run
set j.delivery = {ENDED}, j.outcome = '{CANCELLED}', j.ended_at = ?, j.due_at = null
where j.delivery <> {ENDED} and r.finished_at is not null"
    ),
};

pub(crate) async fn release<T: Tx>(
    tx: &mut T,
    batch: &Batch,
    paused: &Paused,
    now: Timestamp,
) -> Result<Vec<Returned>, Fault> {
    let rows = tx.rows(&GIVEN, &rows(&batch.release)).await?;
    give_back(tx, Held::given(&rows, paused)?, &batch.company, now).await
}

pub(crate) async fn expire<T: Tx>(
    tx: &mut T,
    batch: &Batch,
    paused: &Paused,
    now: Timestamp,
) -> Result<Vec<Returned>, Fault> {
    let rows = tx.found(&DUE, &[now.into()]).await?;
    give_back(tx, Held::all(&rows, AttemptEnd::Expired, paused)?, &batch.company, now).await
}

pub(crate) async fn tidy_up<T: Dialect>(tx: &mut T, now: Timestamp) -> Result<u64, Fault> {
    let paused = paused(tx).await?;
    let rows = tx.found(&ALL_LEASED, &[]).await?;
    let given = give_back(tx, Held::all(&rows, AttemptEnd::Lost, &paused)?, &Company::default(), now).await?;
    tx.run(&CANCEL_LEFT, &[now.into()]).await?;
    tx.forget_servers(now).await?;
    Ok(given.len() as u64)
}

async fn give_back<T: Tx>(
    tx: &mut T,
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
    for statement in [&END_LEASES, &END_ATTEMPTS] {
        tx.change(statement, &changes, &[now.into()]).await?;
    }
    // What workers took and gave back without a word leaves a few rows, however often it happens.
    let stays = stays(&tx.rows(&STAYS, &forgetful).await?)?;
    tx.change(&FORGET, &stays, &[]).await?;
    Ok(all)
}

/// job, token, ending
#[derive(Serialize)]
pub(crate) struct Given(i64, i64, &'static str);

/// Each lease once, in the order of their jobs, in which every server locks them.
pub(crate) fn rows(releases: &[Release]) -> Vec<Given> {
    let given = |release: &Release| ((release.key.job.number(), release.key.token), release.end.as_str());
    let given: BTreeMap<_, _> = releases.iter().rev().map(given).collect();
    given.into_iter().map(|((job, token), end)| Given(job, token, end)).collect()
}

/// Job and number of the oldest attempt that stays, of rows with both, where there are so many.
pub(crate) fn stays<R: Columns>(rows: &[R]) -> Result<Vec<(i64, i64)>, StoreError> {
    let mut stays = Vec::new();
    for row in rows {
        if let Some(number) = row.maybe_number("number")? {
            stays.push((row.number("job")?, number));
        }
    }
    Ok(stays)
}
