//! Ends of leases without a report: given back, lost, expired.

use std::collections::BTreeMap;

use const_format::formatcp;
use serde::Serialize;
use weevil_model::{ProjectId, Timestamp};
use weevil_queue::{AttemptEnd, Batch, Release};
use weevil_records::StoreError;

use super::apply::Work;
use super::facts::histories;
use super::held::{COLUMNS, Ends, Held, Known, end_all, may_be_over};
use super::{answers, changes, copies};
use crate::driver::Dialect;
use crate::paused::paused;
use crate::words::{CANCELLED, ENDED};
use crate::{Columns, Fault, Sql, Tx, both};

/// By the keys that are given back, however many attempts there are. One that has ended is not met: a release that
/// comes late, or twice, changes nothing.
const GIVEN: Sql = both!("releasing", [job int, token int, given word], "
select {LEAD}s.given, {COLUMNS} from {ROWS} join jobs j on j.id = s.job
join attempts a on a.job = j.id and a.token = s.token where a.ending is null{LOCK}");

/// By the index of deadlines, which is told; keys alone, without a lock. A lock would hold attempts before their
/// jobs, against the order of all others (ADR 0039).
const DUE_KEYS: Sql = both!(
    "looking for leases that are over",
    "
select job, token from attempts{BY_DEADLINE} where due_at <= ?"
);

/// What another server works on just now waits for the next look; what was renewed meanwhile goes on, as the moment in the
/// rows says.
const DUE: Sql = both!("expiring", [job int, token int, moment int], "
select {LEAD}'expired' as given, {COLUMNS} from {ROWS} join jobs j on j.id = s.job
join attempts a on a.job = j.id and a.token = s.token where a.due_at <= s.moment{SKIP}");

/// An open attempt always has a deadline; saying so leads to the index of deadlines.
const OPEN_KEYS: Sql =
    both!("releasing", "select job, token from attempts{BY_DEADLINE} where due_at is not null");

/// The oldest of the attempts without a report that stay, of jobs that have so many: as many as `MAX_UNREPORTED`.
/// Backwards along the primary key; null for a job that has fewer.
const STAYS: Sql = both!("counting attempts", [job int], "
select s.job, (
    select a.number from attempts a where a.job = s.job and a.ending in ('yielded', 'lost')
    order by a.number desc limit 1 offset 9) as number
from {ROWS}");

/// A stretch of the primary key for each job. What they would have answered goes with them.
const FORGET: Sql = Sql {
    doing: "forgetting attempts",
    sqlite: "
delete from attempts where (job, number) in (
    select a.job, a.number from jsonb_each(?1) s
    join attempts a on a.job = s.value ->> 0 and a.number < s.value ->> 1
    where a.ending in ('yielded', 'lost'))",
    mysql: "
delete a from json_table(?, '$[*]' columns (job bigint path '$[0]', number bigint path '$[1]')) s
straight_join attempts a on a.job = s.job and a.number < s.number
where a.ending in ('yielded', 'lost')",
};

/// A crash between the end of a run and the end of its jobs leaves some behind. Goes over the jobs of all ended
/// runs, once at each start.
const LEFT: Sql = Sql::of(
    "looking for what ended runs left",
    formatcp!(
        "
select distinct r.project from runs r join jobs j on j.run = r.id
where r.finished_at is not null and j.delivery <> {ENDED}"
    ),
);

/// Only for a project with some. Nothing is out of them: every lease was ended before.
const CANCEL_LEFT: Sql = Sql {
    doing: "cancelling what ended runs left",
    sqlite: formatcp!(
        "
update jobs set delivery = {ENDED}, outcome = '{CANCELLED}', ended_at = ?1, due_at = null, wanted = 0
where delivery <> {ENDED} and run in (select id from runs where finished_at is not null and project = ?2)"
    ),
    mysql: formatcp!(
        "
update jobs j join runs r on r.id = j.run
set j.delivery = {ENDED}, j.outcome = '{CANCELLED}', j.ended_at = ?, j.due_at = null, j.wanted = 0
where j.delivery <> {ENDED} and r.finished_at is not null and r.project = ?"
    ),
};

pub(crate) async fn release<T: Tx>(tx: &mut T, work: &mut Work<'_>) -> Result<(), Fault> {
    let rows = tx.rows(&GIVEN, &rows(&work.batch.release)).await?;
    give_back(tx, &rows, work).await
}

pub(crate) async fn expire<T: Tx>(tx: &mut T, work: &mut Work<'_>) -> Result<(), Fault> {
    let due = keys(&tx.found(&DUE_KEYS, &[work.now.into()]).await?)?;
    // The moment goes into each row: a query over rows has no other parameters.
    let due: Vec<_> = due.into_iter().map(|(job, token)| (job, token, work.now.0)).collect();
    let rows = tx.rows(&DUE, &due).await?;
    give_back(tx, &rows, work).await
}

/// All in one transaction, before any worker is connected: after a crash the next start does the same.
pub(crate) async fn tidy_up<T: Dialect>(tx: &mut T, now: Timestamp) -> Result<u64, Fault> {
    let batch = Batch::default();
    let mut work = Work::new(&batch, paused(tx).await?, now);
    let open = keys(&tx.found(&OPEN_KEYS, &[]).await?)?;
    let lost = |(job, token)| Given(job, token, AttemptEnd::Lost.as_str());
    let rows = tx.rows(&GIVEN, &open.into_iter().map(lost).collect::<Vec<_>>()).await?;
    give_back(tx, &rows, &mut work).await?;
    for row in tx.found(&LEFT, &[]).await? {
        let project = row.id("project", ProjectId::from_number)?;
        let ended = tx.run(&CANCEL_LEFT, &[now.into(), project.number().into()]).await?;
        work.usage.end(project, ended);
    }
    answers::seal(tx, &work.sealed).await?;
    tx.forget_servers(now).await?;
    work.usage.write(tx).await?;
    Ok(work.outcomes.returned.len() as u64)
}

/// Jobs and tokens of attempts, in the order in which every server locks them.
fn keys<R: Columns>(rows: &[R]) -> Result<Vec<(i64, i64)>, StoreError> {
    let key = |row: &R| Ok((row.number("job")?, row.number("token")?));
    let mut keys = rows.iter().map(key).collect::<Result<Vec<_>, StoreError>>()?;
    keys.sort_unstable();
    Ok(keys)
}

async fn give_back<T: Tx>(tx: &mut T, rows: &[T::Row], work: &mut Work<'_>) -> Result<(), Fault> {
    let now = work.now;
    let held = rows.iter().map(|row| Held::read(row, &work.paused)).collect::<Result<Vec<_>, _>>()?;
    let forgetful: Vec<i64> = held.iter().filter_map(Held::forgetful).collect();
    let (over, judged) = may_be_over(&held);
    let (histories, answers) = (histories(tx, &over).await?, answers::of(tx, &judged).await?);
    let known = Known { histories, answers, company: &work.batch.company };
    let Ends { attempts, jobs, returned, deserted, ended, sealed } = end_all(held, known, now);
    changes::jobs(tx, &jobs, now).await?;
    changes::attempts(tx, &attempts, now).await?;
    for project in ended {
        work.usage.end(project, 1);
    }
    work.sealed.extend(sealed);
    work.outcomes.returned.extend(returned);
    work.outcomes.revoked.extend(copies::revoke(tx, &deserted, now).await?);
    // What workers took and gave back without a word leaves a few rows, however often it happens.
    let stays = stays(&tx.rows(&STAYS, &forgetful).await?)?;
    tx.change(&FORGET, &stays, &[]).await.map(drop)
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
