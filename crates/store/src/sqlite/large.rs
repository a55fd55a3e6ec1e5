//! Values beside their job's row: SQLite writes a row anew, to its last byte, with every change, and a job changes three
//! times at least. The row's own column is empty then, which no CBOR is.
//!
//! Never decides which jobs there are; removing a job removes its values.

use std::collections::HashMap;

use sqlx::SqliteConnection;
use sqlx::sqlite::SqliteRow;
use weevil_model::{Encoded, JobId};
use weevil_queue::{Claimed, NewJob};
use weevil_records::StoreError;

use super::rows::{failed, found};
use crate::shared::claim::Ready;
use crate::shared::columns::Columns;
use crate::shared::json::corrupt;

/// Bytes of a value that stay in the row: what four of SQLite's pages hold.
pub(super) const IN_ROW: usize = 16 * 1024;

/// Only of a job that was put in just now, not of one whose place was taken.
const INPUT: &str = "
insert into large_values (job, role, bytes) select id, 0, ?2 from jobs where id = ?1 and length(input) = 0
on conflict do nothing";

const RESULT: &str = "insert into large_values (job, role, bytes) values (?1, 1, ?2)";

const SIZES: &str = "
select l.job, length(l.bytes) as bytes from json_each(?1) s join large_values l on l.job = s.value and l.role = 0";

const READ: &str = "select bytes from large_values where job = ?1 and role = 0";

/// What reused jobs (run and path in ?1) took over, as their own: the other job may be forgotten earlier.
const REUSED: &str = "
insert into large_values (job, role, bytes)
select j.id, 1, known.bytes from json_each(?1) s
join jobs j on j.run = s.value ->> 0 and j.path = s.value ->> 1
join large_values known on known.job = j.reused and known.role = 1
where length(j.result) = 0 on conflict do nothing";

pub(super) async fn keep_inputs(tx: &mut SqliteConnection, jobs: &[NewJob]) -> Result<(), StoreError> {
    for job in jobs.iter().filter(|job| job.input.size() > IN_ROW) {
        keep(tx, INPUT, job.id, job.input.array()).await?;
    }
    Ok(())
}

/// Tells of jobs whose inputs are not in their rows how large these are.
pub(super) async fn measure(
    tx: &mut SqliteConnection,
    ready: &mut [Ready<SqliteRow>],
) -> Result<(), StoreError> {
    let mut large = Vec::new();
    for job in ready.iter().filter(|job| job.input.is_empty()) {
        large.push(job.row.number("id")?);
    }
    let mut sizes = HashMap::new();
    for row in found(tx, SIZES, &large, "measuring large values").await? {
        sizes.insert(row.number("job")?, row.unsigned("bytes")?);
    }
    for job in ready.iter_mut().filter(|job| job.input.is_empty()) {
        let size = sizes.get(&job.row.number("id")?);
        job.bytes = *size.ok_or_else(|| corrupt("a job without its input"))?;
    }
    Ok(())
}

/// Gives the jobs their large inputs. One of `fresh` has its own in memory: reading millions of bytes back takes longer than
/// writing them.
pub(super) async fn fill_in(
    tx: &mut SqliteConnection,
    handed: &mut [Claimed],
    fresh: &[NewJob],
) -> Result<(), StoreError> {
    for claimed in handed.iter_mut().filter(|claimed| claimed.input.as_bytes().is_empty()) {
        claimed.input = match fresh.iter().find(|job| job.id == claimed.key.job) {
            Some(job) => job.input.array().clone(),
            None => read_input(tx, claimed.key.job).await?,
        };
    }
    Ok(())
}

async fn read_input(tx: &mut SqliteConnection, job: JobId) -> Result<Encoded, StoreError> {
    let row = sqlx::query(READ).bind(job.number()).fetch_one(tx).await;
    row.map_err(failed("reading a large value"))?.bytes("bytes").map(Encoded::trusted)
}

pub(super) async fn keep_result(
    tx: &mut SqliteConnection,
    job: JobId,
    value: &Encoded,
) -> Result<(), StoreError> {
    if value.as_bytes().len() > IN_ROW {
        keep(tx, RESULT, job, value).await?;
    }
    Ok(())
}

pub(super) async fn keep_reused(tx: &mut SqliteConnection, keys: &str) -> Result<(), StoreError> {
    let done = sqlx::query(REUSED).bind(keys).execute(tx).await;
    done.map(drop).map_err(failed("taking a large result over"))
}

async fn keep(
    tx: &mut SqliteConnection,
    statement: &'static str,
    job: JobId,
    value: &Encoded,
) -> Result<(), StoreError> {
    let done = sqlx::query(statement).bind(job.number()).bind(value.as_bytes()).execute(tx).await;
    done.map(drop).map_err(failed("keeping a large value"))
}
