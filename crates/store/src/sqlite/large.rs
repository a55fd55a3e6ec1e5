//! Values beside their job's row: SQLite writes a row anew, to its last byte, with every change, and a job changes three
//! times at least. The row's own column is empty then, which no CBOR is.
//!
//! Never decides which jobs there are; removing a job removes its values.

use std::collections::HashMap;

use sqlx::SqliteConnection;
use sqlx::sqlite::SqliteRow;
use weevil_model::{Encoded, JobId};
use weevil_queue::NewJob;

use crate::driver::LargeValues;
use crate::json::corrupt;
use crate::parts::deal::Ready;
use crate::{Columns, Fault, Sql, Tx};

/// Bytes of a value that stay in the row: what four of SQLite's pages hold.
pub(super) const IN_ROW: usize = 16 * 1024;

/// Only of a job that was put in just now, not of one whose place was taken. A statement for each: as bytes it is
/// half as long as in a JSON text, and large values are few.
const INPUT: Sql = Sql::of(
    "keeping a large value",
    "
insert into large_values (job, role, bytes) select id, 0, ?2 from jobs where id = ?1 and length(input) = 0
on conflict do nothing",
);

/// What stood there before is forgotten; only a judged job that is reported twice in one batch has its value already.
const RESULT: Sql = Sql::of(
    "keeping a large value",
    "
insert into large_values (job, role, bytes) values (?1, 1, ?2)
on conflict (job, role) do update set bytes = excluded.bytes",
);

/// By the primary key. SQLite knows a length without reading the bytes.
const SIZES: Sql = Sql::of("measuring large values", "
select l.job, length(l.bytes) as bytes from jsonb_each(?1) s join large_values l on l.job = s.value and l.role = 0");

/// What reused jobs (run and path in ?1) took over, as their own: the other job may be forgotten earlier.
const REUSED: Sql = Sql::of(
    "taking a large result over",
    "
insert into large_values (job, role, bytes)
select j.id, 1, known.bytes from jsonb_each(?1) s
join jobs j on j.run = s.value ->> 0 and j.path = s.value ->> 1
join large_values known on known.job = j.reused and known.role = 1
where length(j.result) = 0 on conflict do nothing",
);

/// By the primary key.
const FORGET_INPUTS: Sql = Sql::of(
    "changing inputs",
    "delete from large_values where role = 0 and job in (select value from jsonb_each(?1))",
);

/// Results alone: a job that is computed again keeps its input.
const FORGET_LARGE: Sql = Sql::of(
    "reopening jobs",
    "delete from large_values where role = 1 and job in (select value from jsonb_each(?1))",
);

pub(super) async fn keep_inputs(tx: &mut SqliteConnection, jobs: &[NewJob]) -> Result<(), Fault> {
    for job in jobs.iter().filter(|job| job.input.size() > IN_ROW) {
        tx.run(&INPUT, &[job.id.number().into(), job.input.array().as_bytes().into()]).await?;
    }
    Ok(())
}

/// Tells of jobs whose inputs are not in their rows how large these are.
pub(super) async fn measure(tx: &mut SqliteConnection, ready: &mut [Ready<SqliteRow>]) -> Result<(), Fault> {
    let mut large = Vec::new();
    for job in ready.iter().filter(|job| job.input.is_empty()) {
        large.push(job.row.number("id")?);
    }
    let mut sizes = HashMap::new();
    for row in tx.rows(&SIZES, &large).await? {
        sizes.insert(row.number("job")?, row.unsigned("bytes")?);
    }
    for job in ready.iter_mut().filter(|job| job.input.is_empty()) {
        let size = sizes.get(&job.row.number("id")?);
        job.bytes = *size.ok_or_else(|| corrupt("a job without its input"))?;
    }
    Ok(())
}

pub(super) async fn keep_reused(tx: &mut SqliteConnection, keys: &[(i64, &str)]) -> Result<(), Fault> {
    tx.change(&REUSED, keys, &[]).await.map(drop)
}

impl LargeValues for SqliteConnection {
    const IN_ROW: usize = IN_ROW;

    async fn keep_results(&mut self, values: &[(JobId, &Encoded)]) -> Result<(), Fault> {
        for (job, value) in values.iter().filter(|(_, value)| value.as_bytes().len() > IN_ROW) {
            self.run(&RESULT, &[job.number().into(), value.as_bytes().into()]).await?;
        }
        Ok(())
    }

    async fn change_inputs(&mut self, inputs: &[(JobId, &Encoded)]) -> Result<(), Fault> {
        let jobs: Vec<i64> = inputs.iter().map(|(job, _)| job.number()).collect();
        self.change(&FORGET_INPUTS, &jobs, &[]).await?;
        for (job, input) in inputs.iter().filter(|(_, input)| input.as_bytes().len() > IN_ROW) {
            self.run(&INPUT, &[job.number().into(), input.as_bytes().into()]).await?;
        }
        Ok(())
    }

    async fn forget_results(&mut self, jobs: &[i64]) -> Result<(), Fault> {
        self.change(&FORGET_LARGE, jobs, &[]).await.map(drop)
    }
}
