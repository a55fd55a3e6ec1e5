//! Leases that go on, what their holders told, and those that are not theirs any more, as rows.

use std::collections::{BTreeMap, HashSet};

use weevil_model::WorkerId;
use weevil_queue::{AttemptKey, Renew};
use weevil_records::StoreError;

use super::columns::Columns;

/// job, token
pub(crate) type Lease = (i64, i64);
/// job, token, progress
pub(crate) type Told = (i64, i64, f64);

/// All that are renewed, and the last that each of them has told: in the order of their jobs, in which every server
/// locks them.
pub(crate) fn rows(renew: &[Renew]) -> (Vec<Lease>, Vec<Told>) {
    let lease = |renew: &Renew| (renew.key.job.number(), renew.key.token);
    let mut leases: Vec<Lease> = renew.iter().map(lease).collect();
    leases.sort_unstable();
    let told = renew.iter().filter_map(|renew| renew.progress.map(|progress| (lease(renew), progress)));
    let told: BTreeMap<Lease, f64> = told.collect();
    (leases, told.into_iter().map(|((job, token), progress)| (job, token, progress)).collect())
}

pub(crate) fn doubted_rows(doubted: &[(WorkerId, AttemptKey)]) -> Vec<Lease> {
    doubted.iter().map(|(_, key)| (key.job.number(), key.token)).collect()
}

/// Who is told of these rows, columns `job` and `token`.
pub(crate) fn disowned<R: Columns>(
    doubted: &[(WorkerId, AttemptKey)],
    rows: &[R],
) -> Result<Vec<(WorkerId, AttemptKey)>, StoreError> {
    let lease = |row: &R| Ok((row.number("job")?, row.number("token")?));
    let gone = rows.iter().map(lease).collect::<Result<HashSet<Lease>, StoreError>>()?;
    let is_gone = |(_, key): &&(WorkerId, AttemptKey)| gone.contains(&(key.job.number(), key.token));
    Ok(doubted.iter().filter(is_gone).copied().collect())
}
