//! New jobs as rows, each once; and stored results of equal jobs, which are looked for before anything is locked.

use std::collections::HashSet;
use std::sync::Arc;

use const_format::{concatcp, formatcp};
use sqlx::MySqlConnection;
use weevil_model::{ProjectId, Timestamp};
use weevil_queue::{NewJob, Origin};

use crate::driver::Inserts;
use crate::parts::enqueue::{BELIEVED, INSERT, Row, asking, duplicates, of_runs};
use crate::paused::Paused;
use crate::words::{DELAYED, ENDED, HELD, READY, VALUE};
use crate::{Columns, Fault, Sql, Tx, both};

/// By the unique index, which knows paths by their hash. Without a lock: what another server puts in meanwhile is
/// refused by that index (1062), and the next try finds it here.
const KNOWN: Sql = both!("looking for jobs that are there", [run int, path text], "
select {LEAD}j.run, j.path from {ROWS} join jobs j on j.run = s.run and {SAME_PATH}");

/// Locks the runs, so that none ends meanwhile. Does not look into `jobs` itself: MariaDB would collect the rows in a
/// temporary table first, and loses `unhex()` of a `longtext` there (seen in 10.11).
const OF_RUNS: Sql = Sql::of(
    "enqueueing",
    concatcp!(INSERT.mysql, " join runs r on r.id = s.run and r.finished_at is null lock in share mode"),
);

/// Queues do not end, so nothing is locked.
const ALONE: Sql = Sql::of("enqueueing", INSERT.mysql);

/// By the index of fingerprints, without a lock. Only jobs that nobody has had: what is running goes on. `having`,
/// since a `where` does not know the names of a select list.
const EQUAL: Sql = Sql::of("looking for stored results", formatcp!("
select straight_join new.id, (
    select e.id from jobs e where e.outcome = '{VALUE}' and e.fingerprint = new.fingerprint and e.project = new.project and e.code = new.code
    and e.input = new.input and e.`returns` = new.`returns` and {BELIEVED} limit 1) as known
from json_table(?, '$[*]' columns (run bigint path '$[0]', path longtext character set utf8mb4 path '$[1]')) s
join jobs new on new.run = s.run and new.identity = unhex(sha2(s.path, 256))
where new.delivery in ({READY}, {DELAYED}, {HELD}) and new.handed_out = 0 and new.failures = 0
having known is not null"));

/// By the primary key, both. Nothing was locked while equal jobs were looked for, so what may have changed is asked
/// for again.
const REUSE: Sql = Sql::of("taking stored results", formatcp!("
update json_table(?, '$[*]' columns (id bigint path '$[0]', known bigint path '$[1]')) s
straight_join jobs new on new.id = s.id straight_join jobs known on known.id = s.known
set new.delivery = {ENDED}, new.outcome = '{VALUE}', new.result = known.result, new.reused = known.id, new.ended_at = ?,
    new.due_at = null, new.wanted = 0
where new.delivery in ({READY}, {DELAYED}, {HELD}) and new.handed_out = 0 and new.failures = 0"));

impl Inserts for MySqlConnection {
    async fn insert(&mut self, jobs: &[NewJob], paused: &Paused, now: Timestamp) -> Result<u64, Fault> {
        let fresh = fresh(self, jobs).await?;
        let (of_runs, alone): (Vec<&NewJob>, Vec<&NewJob>) =
            fresh.into_iter().partition(|job| matches!(job.origin, Origin::Run(_)));
        let mut inserted = 0;
        for (jobs, statement) in [(of_runs, &OF_RUNS), (alone, &ALONE)] {
            let rows: Vec<Row<'_>> = jobs.iter().map(|job| Row::of(job, paused, now, usize::MAX)).collect();
            inserted += self.change(statement, &rows, &[now.into()]).await?;
        }
        Ok(inserted)
    }

    async fn reuse(&mut self, jobs: &[NewJob], now: Timestamp) -> Result<u64, Fault> {
        let mut equal: Vec<(i64, i64)> = Vec::new();
        for row in self.rows(&EQUAL, &asking(jobs)).await? {
            equal.push((row.number("id")?, row.number("known")?));
        }
        self.change(&REUSE, &equal, &[now.into()]).await
    }
}

/// Each job that is not there yet, once.
async fn fresh<'j>(tx: &mut MySqlConnection, jobs: &'j [NewJob]) -> Result<Vec<&'j NewJob>, Fault> {
    let mut met: HashSet<(Origin, Option<ProjectId>, Arc<str>)> = HashSet::new();
    for row in tx.rows(&KNOWN, &of_runs(jobs)).await? {
        met.insert((Origin::Run(row.run_id("run")?), None, row.text("path")?.into()));
    }
    let taken: HashSet<_> = duplicates(tx, jobs).await?.iter().map(|duplicate| duplicate.asked).collect();
    let untaken = jobs.iter().filter(|job| !taken.contains(&job.id));
    // A run is of one project, a queue of each that uses its name.
    let project = |job: &NewJob| job.origin.run().is_none().then_some(job.project);
    Ok(untaken.filter(|job| met.insert((job.origin.clone(), project(job), job.path.clone()))).collect())
}
