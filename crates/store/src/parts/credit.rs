//! What devices get for answers that are believed: counted in the transaction that believes them, with the least effort of all who
//! agreed.
//!
//! Decides nothing: see `judged.rs`. Written with the passes of devices, in `ranks.rs`.

use std::collections::{BTreeMap, BTreeSet};

use weevil_records::{Credit, StoreError};

use crate::words::AGREED;
use crate::{Columns, Fault, Sql, Tx, both};

/// By the primary keys of both: whose answers agree, of jobs that have ended.
const AGREEING: Sql = both!("reading who agrees", [job int], "
select {LEAD}a.job, a.device, t.compute_us from {ROWS} join answers a{BY_KEY} on a.job = s.job
join attempts t{BY_KEY} on t.job = a.job and t.number = a.number where a.fate = '{AGREED}' order by a.job, a.number");

/// What is added to the credit of devices, by their numbers.
pub(crate) type Credits = BTreeMap<i64, Credit>;

/// Counts for those whose answers these jobs have ended with.
pub(crate) async fn give<T: Tx>(
    tx: &mut T,
    jobs: &BTreeSet<i64>,
    credits: &mut Credits,
) -> Result<(), Fault> {
    let mut agreeing: BTreeMap<i64, Vec<(Option<i64>, u64)>> = BTreeMap::new();
    for row in tx.rows(&AGREEING, &jobs.iter().collect::<Vec<_>>()).await? {
        let (job, one) = one(&row)?;
        agreeing.entry(job).or_default().push(one);
    }
    for answers in agreeing.values() {
        let least_us = answers.iter().map(|(_, us)| *us).min().unwrap_or_default();
        for device in answers.iter().filter_map(|(device, _)| *device) {
            let credit = credits.entry(device).or_default();
            credit.confirmed += 1;
            credit.confirmed_us = credit.confirmed_us.saturating_add(least_us);
        }
    }
    Ok(())
}

fn one<R: Columns>(row: &R) -> Result<(i64, (Option<i64>, u64)), StoreError> {
    Ok((row.number("job")?, (row.maybe_number("device")?, row.unsigned("compute_us")?)))
}

/// What is kept of a device.
pub(crate) fn credit<R: Columns>(row: &R) -> Result<Credit, StoreError> {
    Ok(Credit {
        given: row.unsigned("given")?,
        confirmed: row.unsigned("confirmed")?,
        confirmed_us: row.unsigned("confirmed_us")?,
        differed: row.unsigned("differed")?,
    })
}
