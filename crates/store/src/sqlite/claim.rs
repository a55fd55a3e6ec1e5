//! Which jobs are ready: the first ones of each class that somebody meets.

use const_format::formatcp;
use sqlx::SqliteConnection;
use sqlx::sqlite::SqliteRow;
use weevil_model::{Encoded, Needs};
use weevil_queue::decide::lane::Lane;
use weevil_queue::{Claim, Claimed, NewJob};
use weevil_records::StoreError;

use super::large;
use crate::driver::Claims;
use crate::json::corrupt;
use crate::parts::deal::{Ready, wanted};
use crate::words::{COPY_LINES, LEASED, READY};
use crate::{Columns, Fault, Sql, Tx};

/// Jumps from class to class; as fast with a million jobs in each. The shard, always 0 as yet, leads the index of
/// ready jobs and so has to be named.
const CLASSES: Sql = Sql::of(
    "looking for classes of jobs",
    formatcp!(
        "
with recursive classes (needs) as (
    select min(needs) from jobs where delivery = {READY} and shard = 0
    union all
    select (select min(needs) from jobs where delivery = {READY} and shard = 0 and needs > classes.needs)
    from classes where needs is not null
)
select needs from classes where needs is not null"
    ),
);

/// The index of ready jobs, in its order. The limit therefore ends the walk: nothing is sorted, and nothing behind
/// it is read.
const OF_CLASS: Sql = Sql::of(
    "looking for ready jobs",
    formatcp!(
        "
select id, project, run, path, code, source, input, seed, timeout_ms, order_key, failures, queue, handed_out,
       wanted, open_attempts, trust, kernels
from jobs where delivery = {READY} and shard = 0 and needs = ?1 order by order_key, id limit ?2"
    ),
);

/// By the primary key.
const LONE: Sql = Sql::of(
    "looking for jobs that are out",
    formatcp!(
        "
select j.id, j.project, j.run, j.path, j.code, j.source, j.input, j.seed, j.timeout_ms, j.order_key, j.failures, j.queue, j.handed_out,
       1 as wanted, j.open_attempts, j.trust, j.kernels, j.needs
from (select value as id from jsonb_each(?1)) s join jobs j on j.id = s.id
where j.delivery = {LEASED} and j.open_attempts = 1 and j.needs < {COPY_LINES}"
    ),
);

/// By the primary key. Large values are few, and each is read alone.
const INPUT: Sql =
    Sql::of("reading a large value", "select bytes from large_values where job = ?1 and role = 0");

fn measured(row: SqliteRow, lane: Lane, needs: Needs) -> Result<Ready<SqliteRow>, StoreError> {
    let input = row.bytes("input")?;
    Ok(Ready { row, lane, needs, bytes: input.len() as u64, input })
}

impl Claims for SqliteConnection {
    async fn ready(&mut self, claim: &Claim, more: u64) -> Result<Vec<Ready<SqliteRow>>, Fault> {
        let mut ready = Vec::new();
        for class in self.found(&CLASSES, &[]).await? {
            let class = class.number("needs")?;
            let ((lane, needs), wanted) = wanted(claim, class, more)?;
            if wanted == 0 {
                continue;
            }
            for row in self.found(&OF_CLASS, &[class.into(), wanted.cast_signed().into()]).await? {
                ready.push(measured(row, lane, needs)?);
            }
        }
        large::measure(self, &mut ready).await?;
        Ok(ready)
    }

    async fn lone(&mut self, jobs: &[i64]) -> Result<Vec<Ready<SqliteRow>>, Fault> {
        let mut found = Vec::new();
        for row in self.rows(&LONE, jobs).await? {
            let (lane, needs) = row.class()?;
            found.push(measured(row, lane, needs)?);
        }
        large::measure(self, &mut found).await?;
        Ok(found)
    }

    /// One of `fresh` has its input in memory: reading millions of bytes back takes longer than writing them.
    async fn fill_in(&mut self, handed: &mut [Claimed], fresh: &[NewJob]) -> Result<(), Fault> {
        for claimed in handed.iter_mut().filter(|claimed| claimed.input.as_bytes().is_empty()) {
            if let Some(job) = fresh.iter().find(|job| job.id == claimed.key.job) {
                claimed.input = job.input.array().clone();
                continue;
            }
            let row = self.one(&INPUT, &[claimed.key.job.number().into()]).await?;
            let row = row.ok_or_else(|| corrupt("a job without its input"))?;
            claimed.input = Encoded::trusted(row.bytes("bytes")?);
        }
        Ok(())
    }
}
