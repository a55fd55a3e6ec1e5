//! Leases that go on, and what their holders told, as rows.

use std::collections::BTreeMap;

use weevil_queue::Renew;

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
