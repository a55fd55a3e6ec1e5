//! Ending what is left of runs, and stand-alone jobs, before they end by themselves.

use const_format::formatcp;
use sqlx::SqliteConnection;
use weevil_model::Timestamp;
use weevil_queue::{Cancel, Outcomes};
use weevil_records::StoreError;

use super::rows::failed;
use crate::shared::cancel::{Chosen, chosen, news};
use crate::shared::json::json;
use crate::words::{CANCELLED, ENDED, LEASED};

const OPEN: &str = "select id, run, path, delivery, lease_token, lease_worker from jobs";

const CANCEL: &str = formatcp!(
    "
update jobs set delivery = {ENDED}, outcome = '{CANCELLED}', ended_at = ?2,
    lease_token = null, lease_worker = null, due_at = null
where delivery <> {ENDED}"
);

const END_ATTEMPTS: &str = "
update attempts set ending = 'cancelled', ended_at = ?2 from json_each(?1) s
where attempts.job = s.value ->> 0 and attempts.token = s.value ->> 1";

const OF_RUNS: &str = "run in (select value from json_each(?1))";
const ALONE: &str = "run is null and id in (select value from json_each(?1))";

pub(super) async fn cancel(
    tx: &mut SqliteConnection,
    wanted: &[Cancel],
    now: Timestamp,
    outcomes: &mut Outcomes,
) -> Result<(), StoreError> {
    let Chosen { runs, jobs } = chosen(wanted);
    if !runs.is_empty() {
        let leased = format!("{OPEN} where delivery = {LEASED} and {OF_RUNS}");
        end(tx, leased, OF_RUNS, &runs, now, outcomes).await?;
    }
    if !jobs.is_empty() {
        let open = format!("{OPEN} where delivery <> {ENDED} and {ALONE}");
        end(tx, open, ALONE, &jobs, now, outcomes).await?;
    }
    Ok(())
}

async fn end(
    tx: &mut SqliteConnection,
    met: String,
    which: &'static str,
    ids: &[i64],
    now: Timestamp,
    outcomes: &mut Outcomes,
) -> Result<(), StoreError> {
    let ids = json(ids)?;
    let rows = sqlx::query(sqlx::AssertSqlSafe(met)).bind(&ids).fetch_all(&mut *tx).await;
    let revoked = news(&rows.map_err(failed("cancelling"))?, outcomes)?;
    end_attempts(tx, &revoked, now).await?;
    let query = sqlx::AssertSqlSafe(format!("{CANCEL} and {which}"));
    sqlx::query(query).bind(ids).bind(now.0).execute(tx).await.map(drop).map_err(failed("cancelling"))
}

async fn end_attempts(
    tx: &mut SqliteConnection,
    revoked: &[(i64, i64)],
    now: Timestamp,
) -> Result<(), StoreError> {
    if revoked.is_empty() {
        return Ok(());
    }
    let done = sqlx::query(END_ATTEMPTS).bind(json(revoked)?).bind(now.0).execute(tx).await;
    done.map(drop).map_err(failed("ending cancelled attempts"))
}
