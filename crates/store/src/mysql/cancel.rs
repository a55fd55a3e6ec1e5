//! Ending what is left of runs, and stand-alone jobs, before they end by themselves.

use const_format::formatcp;
use sqlx::MySqlConnection;
use weevil_model::Timestamp;
use weevil_queue::{Cancel, Outcomes};

use super::retry::{Fault, failed};
use super::rows::{change, parts};
use crate::shared::cancel::{Chosen, chosen, news};
use crate::words::{CANCELLED, ENDED, LEASED};

// The index is named: where one run has most of the jobs, MariaDB would rather walk over all of them.
const LEASED_OF_RUNS: &str = formatcp!("
select straight_join j.id, j.run, j.path, j.delivery, j.lease_token, j.lease_worker
from json_table(?, '$[*]' columns (run bigint path '$')) s join jobs j force index (jobs_identity) on j.run = s.run
where j.delivery = {LEASED} for update");

const OPEN_ALONE: &str = formatcp!(
    "
select straight_join j.id, j.run, j.path, j.delivery, j.lease_token, j.lease_worker
from json_table(?, '$[*]' columns (id bigint path '$')) s join jobs j on j.id = s.id
where j.run is null and j.delivery <> {ENDED} for update"
);

const CANCEL_RUNS: &str = formatcp!("
update json_table(?, '$[*]' columns (run bigint path '$')) s
straight_join jobs j force index (jobs_identity) on j.run = s.run
set j.delivery = {ENDED}, j.outcome = '{CANCELLED}', j.ended_at = ?, j.lease_token = null, j.lease_worker = null, j.due_at = null
where j.delivery <> {ENDED}");

const CANCEL_ALONE: &str = formatcp!("
update json_table(?, '$[*]' columns (id bigint path '$')) s
straight_join jobs j on j.id = s.id
set j.delivery = {ENDED}, j.outcome = '{CANCELLED}', j.ended_at = ?, j.lease_token = null, j.lease_worker = null, j.due_at = null
where j.run is null and j.delivery <> {ENDED}");

const END_ATTEMPTS: &str = "
update json_table(?, '$[*]' columns (job bigint path '$[0]', token bigint path '$[1]')) s
straight_join attempts a on a.job = s.job and a.token = s.token
set a.ending = 'cancelled', a.ended_at = ?";

pub(super) async fn cancel(
    tx: &mut MySqlConnection,
    wanted: &[Cancel],
    now: Timestamp,
    outcomes: &mut Outcomes,
) -> Result<(), Fault> {
    let Chosen { runs, jobs } = chosen(wanted);
    end(tx, [LEASED_OF_RUNS, CANCEL_RUNS], &runs, now, outcomes).await?;
    end(tx, [OPEN_ALONE, CANCEL_ALONE], &jobs, now, outcomes).await
}

async fn end(
    tx: &mut MySqlConnection,
    [met, cancel]: [&'static str; 2],
    ids: &[i64],
    now: Timestamp,
    outcomes: &mut Outcomes,
) -> Result<(), Fault> {
    for part in parts(ids)? {
        let rows = sqlx::query(met).bind(part).fetch_all(&mut *tx).await;
        let revoked = news(&rows.map_err(failed("cancelling"))?, outcomes)?;
        change(tx, END_ATTEMPTS, &revoked, now.0, "ending cancelled attempts").await?;
    }
    change(tx, cancel, ids, now.0, "cancelling").await.map(drop)
}
