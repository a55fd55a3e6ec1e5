//! How runs went: read on their own, since what is kept of a large run has 100 kB, or made anew of its attempts. Written with the
//! run's end.

use const_format::formatcp;
use weevil_model::RunId;
use weevil_model::limits::MAX_SLOTS;
use weevil_queue::decide::effort::{ClaimedEffort, Effort, Seen};
use weevil_queue::profile::{Computed, Profile, ProfileFacts};
use weevil_records::{NodeStates, StoreError, of_column};

use super::runs::VALUED;
use crate::json::corrupt;
use crate::{Columns, Fault, Sql, Tx};

/// By the primary key.
const STATES: Sql = Sql::of("reading the states of a run's nodes", "select states from runs where id = ?");
/// By the primary key.
const PROFILE: Sql = Sql::of("reading the profile of a run", "select profile from runs where id = ?");

/// By the unique index, which has the ids of a run's jobs, as the sums of a run.
const WORKED: Sql = Sql::of(
    "reading what a run computed",
    formatcp!("select a.worker, a.slot, a.compute_us, a.flops, a.started_at, a.ended_at from {VALUED}"),
);
/// Likewise.
const FAILED: Sql = Sql::of(
    "reading what failed of a run",
    "
select a.ended_at from jobs j join attempts a on a.job = j.id where j.run = ? and a.ending in ('error', 'expired')",
);

pub(crate) async fn node_states<T: Tx>(tx: &mut T, run: RunId) -> Result<Option<NodeStates>, Fault> {
    let Some(row) = tx.one(&STATES, &[run.number().into()]).await? else { return Ok(None) };
    let column = row.maybe_bytes("states")?;
    let unread = |why: String| corrupt(&format!("the states of nodes: {why}"));
    Ok(column.map(|column| of_column(&column).map_err(unread)).transpose()?)
}

pub(crate) async fn profile<T: Tx>(tx: &mut T, run: RunId) -> Result<Option<ProfileFacts>, Fault> {
    let Some(row) = tx.one(&PROFILE, &[run.number().into()]).await? else { return Ok(None) };
    let column = row.maybe_bytes("profile")?;
    Ok(column
        .map(|bytes| ProfileFacts::of_bytes(&bytes).map_err(|why| corrupt(&why.to_string())))
        .transpose()?)
}

pub(crate) async fn computed<T: Tx>(tx: &mut T, run: RunId) -> Result<Profile, Fault> {
    let mut profile = Profile::default();
    tx.walk(&WORKED, &[run.number().into()], |row| {
        profile.worked(&work(row)?);
        Ok(())
    })
    .await?;
    tx.walk(&FAILED, &[run.number().into()], |row| {
        profile.failed(row.moment("ended_at")?);
        Ok(())
    })
    .await?;
    Ok(profile)
}

/// Rows of earlier releases hold what workers claimed: each is judged by its own span, as new ones are.
fn work<R: Columns>(row: &R) -> Result<Computed, StoreError> {
    let (handed_out, reported) = (row.moment("started_at")?, row.moment("ended_at")?);
    let claimed = ClaimedEffort {
        slot: row.maybe_small("slot")?.unwrap_or_default(),
        compute_us: row.unsigned("compute_us")?,
        flops: row.real("flops")?,
    };
    let effort = Effort::judged(claimed, Seen { handed_out, reported, slots: MAX_SLOTS });
    Ok(Computed::of(row.worker_id("worker")?, &effort, reported))
}
