//! Retention: what runs and stand-alone jobs that ended long ago have left, removed piece by piece.
//!
//! Never touches what has not ended, nor workflows and their files.

use const_format::formatcp;
use weevil_model::{ProjectId, RunId, Timestamp};
use weevil_queue::Delivery;
use weevil_records::{Forgotten, StoreError};

use super::usage::UsageChanges;
use crate::idioms::{mysql, sqlite};
use crate::{Columns, Fault, Sql, Tx, both};

/// By the index of ends. SQLite is told that there is one, which its index is of alone.
const OLDEST: Sql = Sql::of(
    "looking for an old run",
    "select id from runs where finished_at is not null and finished_at < ? order by finished_at limit 1",
);

/// The run, so that no other server forgets it meanwhile, and what it has beside its jobs. A value on SQLite is not read for its
/// length.
const RUN: Sql = both!(
    "forgetting",
    "
select project, coalesce(length(result), 0) + cast(coalesce(
    (select sum(length(value)) from run_inputs where run = runs.id), 0) as {INTEGER}) as bytes
from runs where id = ?{LOCK}"
);

/// What the jobs of one piece have, in the order in which `JOBS` takes them.
const HAVE: Sql = Sql {
    doing: "forgetting",
    sqlite: formatcp!(
        "select project, delivery, {} as bytes from jobs j where run = ? order by path limit ?",
        sqlite::ALL_SIZE
    ),
    mysql: formatcp!(
        "select project, delivery, {} as bytes from jobs j where run = ? order by identity limit ? for update",
        mysql::ALL_SIZE
    ),
};

/// The same for jobs that stand alone, as the second of `ALONE` takes them.
const ALONE_HAVE: Sql = Sql {
    doing: "forgetting",
    sqlite: formatcp!("
select project, delivery, {} as bytes from jobs j where queue is not null and ended_at is not null and ended_at < ?
order by ended_at, id limit ?", sqlite::ALL_SIZE),
    mysql: formatcp!("
select project, delivery, {} as bytes from jobs j where alone_at < ? order by alone_at, id limit ? for update", mysql::ALL_SIZE),
};

/// The jobs of one piece, in the order in which `JOBS` takes them: that of the unique index. Attempts go first,
/// since they name their jobs. A delete from a join takes no limit on MySQL, so a derived table has the jobs.
const ATTEMPTS: Sql = Sql {
    doing: "forgetting",
    sqlite: "delete from attempts where job in (select id from jobs where run = ?1 order by path limit ?2)",
    mysql: "
delete a from (select id from jobs where run = ? order by identity limit ?) j
straight_join attempts a on a.job = j.id",
};

/// MySQL deletes in an order by itself; SQLite does so only where it was compiled with that option. What SQLite
/// keeps beside a row goes with it (`on delete cascade`).
const JOBS: Sql = Sql {
    doing: "forgetting",
    sqlite: "delete from jobs where id in (select id from jobs where run = ?1 order by path limit ?2)",
    mysql: "delete from jobs where run = ? order by identity limit ?",
};

/// Stand-alone jobs by the moment of their end, which on MySQL is a column of its own: it has no index of some rows. First
/// their attempts, then they themselves.
const ALONE: [Sql; 2] = [
    Sql {
        doing: "forgetting",
        sqlite: "delete from attempts where job in (
    select id from jobs where queue is not null and ended_at is not null and ended_at < ?1
    order by ended_at, id limit ?2)",
        mysql: "delete a from (select id from jobs where alone_at < ? order by alone_at, id limit ?) j
    straight_join attempts a on a.job = j.id",
    },
    Sql {
        doing: "forgetting",
        sqlite: "delete from jobs where id in (
    select id from jobs where queue is not null and ended_at is not null and ended_at < ?1
    order by ended_at, id limit ?2)",
        mysql: "delete from jobs where alone_at < ? order by alone_at, id limit ?",
    },
];

/// What is left of a run once its jobs are gone: rows that name it first, as foreign keys ask.
const REST: [Sql; 2] = [
    Sql::of("forgetting", "delete from run_inputs where run = ?"),
    Sql::of("forgetting", "delete from runs where id = ?"),
];

/// The run that ended first of those that ended before. Read apart: what has ended stays so, and nobody waits for a lock.
pub(crate) async fn oldest<T: Tx>(tx: &mut T, before: Timestamp) -> Result<Option<RunId>, Fault> {
    let oldest = tx.one(&OLDEST, &[before.into()]).await?;
    Ok(oldest.map(|row| row.run_id("id")).transpose()?)
}

/// One piece. A crash between two of them leaves an ended run with fewer jobs, which the next look finds again.
pub(crate) async fn forget<T: Tx>(
    tx: &mut T,
    oldest: Option<RunId>,
    before: Timestamp,
    most: u32,
) -> Result<Forgotten, Fault> {
    let mut usage = UsageChanges::default();
    let forgotten = match oldest {
        Some(run) => forget_of(tx, run, most, &mut usage).await?,
        None => forget_alone(tx, before, most, &mut usage).await?,
    };
    usage.write(tx).await?;
    Ok(forgotten)
}

async fn forget_of<T: Tx>(
    tx: &mut T,
    run: RunId,
    most: u32,
    usage: &mut UsageChanges,
) -> Result<Forgotten, Fault> {
    let key = run.number().into();
    let Some(rest) = tx.one(&RUN, &[key]).await? else { return Ok(Forgotten::default()) };
    give_back(&tx.found(&HAVE, &[key, most.into()]).await?, usage)?;
    tx.run(&ATTEMPTS, &[key, most.into()]).await?;
    let jobs = tx.run(&JOBS, &[key, most.into()]).await?;
    let whole = jobs < u64::from(most);
    if whole {
        usage.give_back(rest.id("project", ProjectId::from_number)?, rest.unsigned("bytes")?);
        for statement in &REST {
            tx.run(statement, &[key]).await?;
        }
    }
    Ok(Forgotten { jobs, run: whole.then_some(run) })
}

async fn forget_alone<T: Tx>(
    tx: &mut T,
    before: Timestamp,
    most: u32,
    usage: &mut UsageChanges,
) -> Result<Forgotten, Fault> {
    give_back(&tx.found(&ALONE_HAVE, &[before.into(), most.into()]).await?, usage)?;
    let mut jobs = 0;
    for statement in &ALONE {
        jobs = tx.run(statement, &[before.into(), most.into()]).await?;
    }
    Ok(Forgotten { jobs, run: None })
}

/// What an ended run has left open after a crash is gone with it.
fn give_back<R: Columns>(jobs: &[R], usage: &mut UsageChanges) -> Result<(), StoreError> {
    for job in jobs {
        let project = job.id("project", ProjectId::from_number)?;
        usage.give_back(project, job.unsigned("bytes")?);
        usage.end(project, u64::from(job.delivery()? != Delivery::Ended));
    }
    Ok(())
}
