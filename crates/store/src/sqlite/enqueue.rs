//! New jobs as rows; and stored results of equal jobs, in one statement each.

use const_format::{concatcp, formatcp};
use sqlx::SqliteConnection;
use weevil_model::Timestamp;
use weevil_queue::NewJob;

use super::large;
use crate::driver::Inserts;
use crate::parts::enqueue::{BELIEVED, INSERT, Row, asking};
use crate::paused::Paused;
use crate::words::{DELAYED, ENDED, HELD, READY, VALUE};
use crate::{Fault, Sql, Tx};

/// Whose place is taken, by run and path or by project, queue and key, the unique indices tell. `do nothing` gives way to
/// unique keys alone (<https://sqlite.org/lang_upsert.html>): whatever else is wrong stays an error. With one
/// writer, a run that is open here cannot end before the commit.
const NEW: Sql = Sql::of(
    "enqueueing",
    concatcp!(
        INSERT.sqlite,
        "
where s.run is null or exists (select 1 from runs where runs.id = s.run and finished_at is null)
on conflict do nothing"
    ),
);

/// By the index of fingerprints. Only jobs that nobody has had: what is running goes on. A fingerprint is 63 bits,
/// so all that it was made of is compared as well; two empty inputs stand in `large_values`, both.
const REUSE: Sql = Sql::of("looking for stored results", formatcp!("
update jobs set delivery = {ENDED}, outcome = '{VALUE}', result = known.result, reused = known.id, ended_at = ?2, due_at = null,
    wanted = 0
from jsonb_each(?1) s join jobs new on new.run = s.value ->> 0 and new.path = s.value ->> 1
join jobs known on known.id = (
    select id from jobs e where e.outcome = '{VALUE}' and e.fingerprint = new.fingerprint and e.project = new.project and e.code = new.code
    and e.input = new.input and e.returns = new.returns and {BELIEVED} and (length(new.input) > 0
        or (select bytes from large_values where job = e.id and role = 0)
         = (select bytes from large_values where job = new.id and role = 0)) limit 1)
where jobs.id = new.id and jobs.delivery in ({READY}, {DELAYED}, {HELD}) and jobs.handed_out = 0 and jobs.failures = 0"));

impl Inserts for SqliteConnection {
    async fn insert(&mut self, jobs: &[NewJob], paused: &Paused, now: Timestamp) -> Result<u64, Fault> {
        let rows: Vec<Row<'_>> = jobs.iter().map(|job| Row::of(job, paused, now, large::IN_ROW)).collect();
        let inserted = self.change(&NEW, &rows, &[now.into()]).await?;
        large::keep_inputs(self, jobs).await?;
        Ok(inserted)
    }

    async fn reuse(&mut self, jobs: &[NewJob], now: Timestamp) -> Result<u64, Fault> {
        let keys = asking(jobs);
        let reused = self.change(&REUSE, &keys, &[now.into()]).await?;
        large::keep_reused(self, &keys).await?;
        Ok(reused)
    }
}
