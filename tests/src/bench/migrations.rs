//! What a database of the release before costs at the first start: its migrations over a million jobs.
//!
//! Multiplies the jobs and attempts of the databases that the upgrade tests keep, in the tables of then. Starts no server.

use std::time::Instant;

use weevil_e2e::DatabaseKind;
use weevil_e2e::upgrade::Fixture;
use weevil_store::Database;

use crate::bulk::{at_once, series};
use crate::measure::Figures;

/// What a fixture holds.
const JOBS: u64 = 29;
const ATTEMPTS: u64 = 21;
/// Copies of each job, so that there are a million.
const COPIES: u64 = 34_483;
/// More than there are jobs in a fixture: between the ids of two copies.
const STRIDE: u32 = 100;

/// The columns of then, but for id and path, which tell the copies apart.
const JOB: &str = "shard, run, code, source, input, seed, order_key, timeout_ms, max_attempts, delivery, outcome, result, \
     handed_out, failures, lease_token, lease_worker, due_at, enqueued_at, ended_at, needs, max_wait_ms, retry_ms, \
     queue, `returns`, reused";
/// The columns of then, but for the job.
const ATTEMPT: &str = "number, token, worker, slot, started_at, attempts.ended_at, ending, error_kind, error_message, error_stack, \
     compute_us, flops, progress, log";

/// Seconds, on SQLite and on MariaDB.
pub(crate) fn seconds(figures: usize) -> Vec<Figures> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    let take = |kind| (0..figures).map(|_| runtime.block_on(opened(kind))).collect();
    vec![take(DatabaseKind::Sqlite), take(DatabaseKind::MariaDb)]
}

/// How long it takes to open the database, its migrations with it.
async fn opened(kind: DatabaseKind) -> f64 {
    let older = Fixture::kept(kind).copy();
    older.sql(&multiplied(kind));
    let began = Instant::now();
    weevil_store::open(&older.database()).await.expect("a database of the release before can be opened");
    let seconds = began.elapsed().as_secs_f64();
    is_whole(&older.database()).await;
    seconds
}

/// All of it is there, and in the new shape: the audit knows no other.
async fn is_whole(database: &Database) {
    let found = weevil_store::audit(database).await.expect("a database that was opened can be read");
    let all = |each: u64| each * (COPIES + 1);
    assert_eq!((found.jobs, found.attempts, found.broken), (all(JOBS), all(ATTEMPTS), Vec::new()));
}

/// The statements that make the copies; attempts first, as long as nothing but the fixture's jobs is there.
fn multiplied(kind: DatabaseKind) -> String {
    let path = match kind {
        DatabaseKind::Sqlite => "path || '.' || i",
        DatabaseKind::MariaDb => "concat(path, '.', i)",
    };
    let (copies, columns) = (series(kind, COPIES), ATTEMPT.replace("attempts.", ""));
    let id = format!("i * {STRIDE} + place");
    let statements = format!(
        "insert into attempts (job, {columns}) select {id}, {ATTEMPT}
             from {copies} copies cross join (select id, row_number() over (order by id) as place from jobs) old
             join attempts on attempts.job = old.id;
         insert into jobs (id, path, {JOB}) select {id}, {path}, {JOB}
             from {copies} copies cross join (select jobs.*, row_number() over (order by id) as place from jobs) old;"
    );
    at_once(kind, &statements)
}
