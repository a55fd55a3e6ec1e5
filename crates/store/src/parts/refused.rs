//! What it costs a device that it was found wrong: its lots in the run, and where the difference counts its rest, and with it what
//! it has said elsewhere. What was believed of that already is taken back in `revoked.rs`.

use std::collections::BTreeSet;

use weevil_failpoint::{Point, pass};
use weevil_model::{JobId, RunId};
use weevil_trust::{Cost, Difference, cost, forgive_error, refute, rests};

use super::apply::Work;
use super::docket::{Finding, Findings};
use super::judged_job::JudgedJob;
use super::lots::LotFate;
use super::revoked;
use super::ruled::{open, settle};
use crate::driver::Dialect;
use crate::{Columns, Fault, Sql, both};

/// By the index of undecided answers. Those of devices in a run whose jobs are open.
const OF_DEVICES: Sql = both!("looking for answers of devices", [run int, device int], "
select {LEAD}distinct a.job from {ROWS} join answers a{UNDECIDED_ANSWERS} on a.device = s.device join jobs j on j.id = a.job
where a.fate is null and j.run = s.run and j.outcome is null");

/// The same, wherever they are.
const ELSEWHERE: Sql = both!("looking for answers of devices", [device int], "
select {LEAD}distinct a.job, a.device, j.run from {ROWS} join answers a{UNDECIDED_ANSWERS} on a.device = s.device
join jobs j on j.id = a.job where a.fate is null and j.outcome is null");

/// Whose answers count for nothing any more, and where.
#[derive(Default)]
struct Refused {
    in_runs: BTreeSet<(RunId, i64)>,
    /// Everywhere.
    resting: BTreeSet<i64>,
}

impl Refused {
    /// What a job has of their answers is void from now on, and what they hold weighs nothing; a quorum counts what they have said
    /// already, as it does anybody's. Answers whether that changes anything.
    fn void(&self, job: &mut JudgedJob) -> bool {
        if !job.trust.is_by_lots() {
            return self.resting.iter().filter(|device| job.weigh_nothing(**device)).count() > 0;
        }
        let here = self.in_runs.iter().filter(|(run, _)| job.run == Some(*run)).map(|(_, device)| *device);
        let devices: BTreeSet<i64> = here.chain(self.resting.iter().copied()).collect();
        devices.into_iter().filter(|device| job.void(*device)).count() > 0
    }
}

/// What rests on these devices alone is asked for anew; where others agreed, their points stay.
pub(crate) async fn refuse<T: Dialect>(
    tx: &mut T,
    work: &mut Work<'_>,
    findings: &Findings,
) -> Result<(), Fault> {
    let resting = punish(tx, work, findings).await?;
    let in_runs = findings.keys().filter_map(|(run, device)| Some(((*run)?, *device))).collect();
    let mut refused = Refused { in_runs, resting };
    let mut jobs = Vec::new();
    for row in tx.rows(&ELSEWHERE, &refused.resting.iter().collect::<Vec<_>>()).await? {
        jobs.push(row.job_id("job")?);
        let device = row.number("device")?;
        refused.in_runs.extend(row.maybe_run_id("run")?.map(|run| (run, device)));
    }
    let keys: BTreeSet<(i64, i64)> =
        refused.in_runs.iter().map(|(run, device)| (run.number(), *device)).collect();
    let here: Vec<_> = keys.iter().filter(|(_, device)| !refused.resting.contains(device)).collect();
    for row in tx.rows(&OF_DEVICES, &here).await? {
        jobs.push(row.job_id("job")?);
    }
    let closed = refuse_lots(tx, work, &refused, &keys).await?;
    void(tx, work, &refused, &jobs).await?;
    revoked::revoke(tx, work, &refused.resting, &closed).await?;
    pass(Point::DeviceRefuted);
    Ok(())
}

/// Answers those of the lots of which something may have been delivered, each with its device.
async fn refuse_lots<T: Dialect>(
    tx: &mut T,
    work: &mut Work<'_>,
    refused: &Refused,
    keys: &BTreeSet<(i64, i64)>,
) -> Result<Vec<(i64, i64)>, Fault> {
    work.bench.lots.read_devices(tx, keys).await?;
    let mut closed = Vec::new();
    for (run, device) in &refused.in_runs {
        for lot in work.bench.lots.of_device(*run, *device) {
            let is_closed = work.bench.lots.get(lot).is_some_and(|known| known.lot.closed);
            closed.extend(is_closed.then_some((lot, *device)));
            work.bench.lots.decide(lot, LotFate::Refused, work.now);
        }
    }
    Ok(closed)
}

async fn void<T: Dialect>(
    tx: &mut T,
    work: &mut Work<'_>,
    refused: &Refused,
    jobs: &[JobId],
) -> Result<(), Fault> {
    let mut book = open(tx, jobs).await?;
    book.retain(|_, job| refused.void(job));
    settle(tx, work, book).await
}

/// Keeps what was found of each device. Answers which of them rest from now on; who rests already hands in what it holds, and pays
/// no more for it.
async fn punish<T: Dialect>(
    tx: &mut T,
    work: &mut Work<'_>,
    findings: &Findings,
) -> Result<BTreeSet<i64>, Fault> {
    let now = work.now;
    let devices: BTreeSet<i64> = findings.keys().map(|(_, device)| *device).collect();
    let mut records = work.bench.ranks.read(tx, &devices).await?;
    let mut resting = BTreeSet::new();
    records.retain(|device, record| {
        let mut changes = false;
        for ((_, of), Finding { should_agree, is_error }) in findings {
            if of != device || rests(record, now) {
                continue;
            }
            let errors: Vec<_> = record.refuted_errors.into_iter().flatten().collect();
            let difference =
                Difference { should_agree: *should_agree, is_error: *is_error, refuted_errors: &errors };
            match cost(&difference, now) {
                Cost::Rest => {
                    refute(record, now);
                    resting.insert(*device);
                }
                Cost::Lot if *is_error && *should_agree => forgive_error(record, now),
                Cost::Lot => continue,
            }
            changes = true;
        }
        changes
    });
    for device in &resting {
        work.bench.passes.remove(device);
    }
    work.bench.ranks.keep(tx, &records).await?;
    Ok(resting)
}
