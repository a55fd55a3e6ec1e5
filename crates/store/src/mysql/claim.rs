//! Which jobs are ready: for each class that somebody meets, the first ones that no other server is handing out just now.

use std::collections::HashMap;

use const_format::formatcp;
use sqlx::MySqlConnection;
use sqlx::mysql::MySqlRow;
use weevil_model::{Encoded, Needs};
use weevil_queue::decide::claim::MAX_CLAIM_BYTES;
use weevil_queue::decide::lane::Lane;
use weevil_queue::decide::spare::MAX_SPARES;
use weevil_queue::{Claim, Claimed, NewJob};
use weevil_records::StoreError;

use crate::driver::Claims;
use crate::json::corrupt;
use crate::parts::deal::{Ready, wanted};
use crate::words::{COPY_LINES, LEASED, READY};
use crate::{Columns, Fault, Sql, Tx, both};

/// One statement for each class: in a recursive one MariaDB walks over every ready job (seen in 10.11).
const NEXT_CLASS: Sql = Sql::of("looking for classes of jobs", formatcp!("
select min(needs) as needs from jobs force index (jobs_ready) where delivery = {READY} and shard = 0 and needs > ?"));

/// Without a join: it would lock, and skip, whole runs. Each step goes on behind the last row of the one before;
/// inputs that are too large for it are only measured. It never waits, so the queue's order, which is not that of
/// ids, closes no circle of locks. What is locked and then not dealt stays so until the commit; another server
/// passes over it.
const OF_CLASS: Sql = Sql::of(
    "looking for ready jobs",
    formatcp!(
        "
select id, project, run, path, code, source, if(length(input) <= ?, input, '') as input, length(input) as bytes, seed,
       timeout_ms, order_key, failures, convert(queue using utf8mb4) as queue, handed_out, wanted, open_attempts, trust, kernels
from jobs force index (jobs_ready)
where delivery = {READY} and shard = 0 and needs = ? and order_key >= ? and (order_key > ? or id > ?)
order by order_key, id limit ? for update skip locked"
    ),
);

/// By the primary key. What is longer than its share of what one claim may hand out is measured.
const LONE: Sql = both!("looking for jobs that are out", [id int], "
select {LEAD}j.id, j.project, j.run, j.path, j.code, j.source, if(length(j.input) <= {MOST_EACH}, j.input, '') as input, length(j.input) as bytes,
       j.seed, j.timeout_ms, j.order_key, j.failures, convert(j.queue using utf8mb4) as queue, j.handed_out, 1 as wanted,
       j.open_attempts, j.trust, j.kernels, j.needs
from {ROWS} join jobs j on j.id = s.id
where j.delivery = {LEASED} and j.open_attempts = 1 and j.needs < {COPY_LINES}{SKIP}");

/// Bytes of an input that are read before it is known who gets it.
const MOST_EACH: u64 = MAX_CLAIM_BYTES / MAX_SPARES as u64;

/// Rows of each step, the last as many as are wanted: to measure inputs, the database reads them.
const STEPS: [u64; 3] = [16, 256, u64::MAX];

/// By the primary key.
const INPUTS: Sql = both!("reading large inputs", [id int], "
select {LEAD}j.id, j.input from {ROWS} join jobs j on j.id = s.id");

fn measured(row: MySqlRow, lane: Lane, needs: Needs) -> Result<Ready<MySqlRow>, StoreError> {
    let (input, bytes) = (row.bytes("input")?, row.unsigned("bytes")?);
    Ok(Ready { row, lane, needs, input, bytes })
}

impl Claims for MySqlConnection {
    async fn ready(&mut self, claim: &Claim, more: u64) -> Result<Vec<Ready<MySqlRow>>, Fault> {
        let (mut ready, mut last) = (Vec::new(), -1);
        while let Some(class) = next_class(self, last).await? {
            last = class;
            let ((lane, needs), wanted) = wanted(claim, class, more)?;
            if wanted == 0 {
                continue;
            }
            for row in ready_of(self, class, wanted).await? {
                ready.push(measured(row, lane, needs)?);
            }
        }
        Ok(ready)
    }

    async fn lone(&mut self, jobs: &[i64]) -> Result<Vec<Ready<MySqlRow>>, Fault> {
        let mut found = Vec::new();
        for row in self.rows(&LONE, jobs).await? {
            let (lane, needs) = row.class()?;
            found.push(measured(row, lane, needs)?);
        }
        Ok(found)
    }

    /// No value is empty.
    async fn fill_in(&mut self, handed: &mut [Claimed], _fresh: &[NewJob]) -> Result<(), Fault> {
        let empty = |claimed: &&Claimed| claimed.input.as_bytes().is_empty();
        let ids: Vec<i64> = handed.iter().filter(empty).map(|claimed| claimed.key.job.number()).collect();
        let mut inputs = HashMap::new();
        for row in self.rows(&INPUTS, &ids).await? {
            inputs.insert(row.job_id("id")?, Encoded::trusted(row.bytes("input")?));
        }
        for claimed in handed.iter_mut().filter(|claimed| claimed.input.as_bytes().is_empty()) {
            let input = inputs.remove(&claimed.key.job);
            claimed.input = input.ok_or_else(|| corrupt("a job without its input"))?;
        }
        Ok(())
    }
}

/// The first jobs of a class, but not many more than one claim may hand out. No step reads inputs of more than
/// `MAX_CLAIM_BYTES` together: what is longer than its share is measured.
async fn ready_of(tx: &mut MySqlConnection, class: i64, wanted: u64) -> Result<Vec<MySqlRow>, Fault> {
    let (mut ready, mut left, mut bytes): (Vec<MySqlRow>, _, _) = (Vec::new(), wanted, 0);
    let (mut key, mut id) = (i64::MIN, -1);
    for step in STEPS {
        let limit = step.min(left);
        let (most, limited) = ((MAX_CLAIM_BYTES / limit).cast_signed(), limit.cast_signed());
        let args = [most.into(), class.into(), key.into(), key.into(), id.into(), limited.into()];
        let rows = tx.found(&OF_CLASS, &args).await?;
        for row in &rows {
            (key, id) = (row.number("order_key")?, row.number("id")?);
            bytes += row.unsigned("bytes")?;
        }
        left -= rows.len() as u64;
        let all = (rows.len() as u64) < limit || left == 0;
        ready.extend(rows);
        if all || bytes >= MAX_CLAIM_BYTES {
            break;
        }
    }
    Ok(ready)
}

/// The class after this one; as fast with a million jobs in each.
async fn next_class(tx: &mut MySqlConnection, last: i64) -> Result<Option<i64>, Fault> {
    let next = tx.one(&NEXT_CLASS, &[last.into()]).await?;
    Ok(next.map(|row| row.maybe_number("needs")).transpose()?.flatten())
}
