//! Delivering what is believed: jobs end with the values that were kept beside them, whole lots at a time.

use std::collections::{BTreeMap, BTreeSet};

use weevil_model::trust::{AssumedShare, Policy};
use weevil_model::{Encoded, JobId, ProjectId, Timestamp};
use weevil_queue::batch::{Change, JobNews, Ruled};
use weevil_queue::decide::effort::{ClaimedEffort, Seen};
use weevil_queue::{Delivery, Effort, Ended};
use weevil_records::StoreError;
use weevil_trust::Fate;

use super::apply::Work;
use super::judged::Bench;
use super::lots::LotFate;
use super::values;
use crate::driver::Dialect;
use crate::words::{AGREED, ENDED, KEPT, VALUE};
use crate::{Columns, Fault, Sql, both};

/// Bytes of values that one batch delivers; a larger one goes alone. What is left of a lot, the next look brings.
const MAX_DELIVERED_BYTES: u64 = 32 * 1024 * 1024;

/// By the index of lots: the open jobs of lots that are accepted, all of which wait for that.
const OF_LOTS: Sql = both!("looking for what is believed", [lot int], "
select {LEAD}a.lot, j.id, j.trust, j.assumed, j.delivery, {RESULT_SIZE} as bytes from {ROWS} join answers a{OF_LOTS} on a.lot = s.lot join jobs j on j.id = a.job
where a.fate is null and j.outcome is null order by a.lot, j.id{LOCK}");

/// By the primary keys: the value, and whose it is. What has ended otherwise meanwhile stays as it is.
const VALUES: Sql = both!("reading what is believed", [job int], "
select {LEAD}j.id, j.project, j.run, j.path, j.agree, j.proof, {RESULT} as result, t.worker, t.slot, t.compute_us, t.flops, t.started_at, t.ended_at
from {ROWS} join jobs j on j.id = s.job
join answers a{BY_KEY} on a.job = j.id and a.marks & {KEPT} <> 0
join attempts t on t.job = a.job and t.number = a.number
where j.outcome is null");

/// By the primary key. Nothing of these jobs is wanted or out.
const END: Sql = both!("delivering what is believed", jobs by id, [id int], "
update {TARGET} set delivery = {ENDED}, outcome = '{VALUE}', due_at = null, wanted = 0, open_attempts = 0, ended_at = {P2}{SOURCE}");

/// By the primary key. What says something else was found wrong before.
const AGREE: Sql = both!("delivering what is believed", answers through BY_KEY by job, [job int], "
update {TARGET} set fate = '{AGREED}'{SOURCE}{AND}fate is null and given_at is not null");

/// Ends these jobs, and those of the lots whose checks have all ended.
pub(crate) async fn deliver<T: Dialect>(
    tx: &mut T,
    work: &mut Work<'_>,
    jobs: &BTreeSet<JobId>,
    lots: &BTreeSet<i64>,
) -> Result<(), Fault> {
    let accepted =
        |lot: &&i64| work.bench.lots.get(**lot).is_some_and(|known| known.lot.fate() == Fate::Accepted);
    let accepted: Vec<i64> = lots.iter().filter(accepted).copied().collect();
    let mut due = Due { jobs: jobs.iter().map(|job| job.number()).collect(), ..Due::default() };
    for row in tx.rows(&OF_LOTS, &accepted).await? {
        let (lot, is_ready) = (row.number("lot")?, row.delivery()? == Delivery::Answered);
        due.policies.insert(lot, (row.trust()?, row.assumed()?));
        if is_ready {
            due.add(lot, row.number("id")?, row.unsigned("bytes")?);
        } else {
            due.left.insert(lot);
        }
    }
    accept(work, &accepted, &due);
    let mut ended = Vec::with_capacity(due.jobs.len());
    let mut compared = Vec::new();
    for row in tx.rows(&VALUES, &due.jobs).await? {
        let job = read(&row)?;
        ended.push(job.job.id.number());
        let keeps_values = row.maybe_text("agree")?.is_some() || row.maybe_bytes("proof")?.is_some();
        compared.extend(keeps_values.then_some(job.job.id));
        work.usage.end(row.id("project", ProjectId::from_number)?, 1);
        work.sealed.extend(job.job.run.is_none().then_some(job.job.id));
        work.outcomes.ruled.push(job);
    }
    work.bench.judgements.believed.extend(&ended);
    tx.change(&AGREE, &ended, &[]).await?;
    values::forget(tx, &compared, &mut work.usage).await?;
    tx.change(&END, &ended, &[work.now.into()]).await.map(drop)
}

/// Decides the lots of which nothing is left.
fn accept(work: &mut Work<'_>, lots: &[i64], due: &Due) {
    let Bench { ranks, lots: book, judgements, .. } = &mut work.bench;
    for lot in lots {
        let Some(known) = book.get(*lot) else { continue };
        judgements.accept_in_lot(known.run, due.of_lots.get(lot).copied().unwrap_or_default());
        if due.left.contains(lot) {
            continue;
        }
        if let Some(plan) =
            due.policies.get(lot).and_then(|(policy, assumed)| ranks.plan_of(*policy, *assumed))
        {
            judgements.accept_lot(known.run, &plan, known.lot.answers);
        }
        book.decide(*lot, LotFate::Accepted, work.now);
    }
}

/// What one batch delivers.
#[derive(Default)]
struct Due {
    jobs: Vec<i64>,
    bytes: u64,
    /// How many of them are of which lot.
    of_lots: BTreeMap<i64, u64>,
    /// By what they are judged.
    policies: BTreeMap<i64, (Policy, Option<AssumedShare>)>,
    /// Lots of which something is left.
    left: BTreeSet<i64>,
}

impl Due {
    fn add(&mut self, lot: i64, job: i64, bytes: u64) {
        let fits = self.bytes == 0 || self.bytes.saturating_add(bytes) <= MAX_DELIVERED_BYTES;
        if fits && !self.left.contains(&lot) {
            self.bytes = self.bytes.saturating_add(bytes);
            self.jobs.push(job);
            *self.of_lots.entry(lot).or_default() += 1;
        } else {
            self.left.insert(lot);
        }
    }
}

fn read<R: Columns>(row: &R) -> Result<Ruled, StoreError> {
    let value = Encoded::trusted(row.bytes("result")?);
    let job = JobNews {
        id: row.job_id("id")?,
        run: row.maybe_run_id("run")?,
        path: row.text("path")?,
        change: Change::Ended(Ended::Value(value)),
    };
    let slot = row.small("slot")?;
    let claimed = ClaimedEffort {
        slot,
        compute_us: row.unsigned("compute_us")?,
        flops: row.maybe_real("flops")?.unwrap_or_default(),
    };
    let (handed_out, reported): (Timestamp, Timestamp) = (row.moment("started_at")?, row.moment("ended_at")?);
    let effort = Effort::judged(claimed, Seen { handed_out, reported, slots: slot.saturating_add(1) });
    Ok(Ruled { job, work: Some((row.worker_id("worker")?, effort)) })
}
