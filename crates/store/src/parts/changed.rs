//! Jobs that are put in again with another input than they have: what they depend on was computed anew. They are ready as if nobody
//! had ever had them.
//!
//! Only in runs of which something was reopened (`revoked.rs`). What was said of the old input stays to be seen, and counts for nothing.

use serde::Serialize;
use weevil_model::{Encoded, JobId, ProjectId};
use weevil_queue::decide::wait::wait;
use weevil_queue::{Copies, Delivery, NewJob};
use weevil_records::StoreError;

use super::apply::Work;
use super::enqueue::fingerprint_of;
use super::{answers, copies, judged_job, values};
use crate::driver::Dialect;
use crate::json::{corrupt, hex, within};
use crate::words::code;
use crate::{Columns, Fault, Sql, both};

/// By the unique index of runs and paths. A fingerprint is that of code and input, and the code of a node stays.
const CHANGED: Sql = both!("comparing inputs", [run int, path text, print int, place int], "
select {LEAD}s.place, j.id, j.project, j.delivery, j.open_attempts, {JOB_SIZE} as bytes
from {ROWS} join runs r on r.id = s.run and r.retrace <> 0 join jobs j on j.run = s.run and {SAME_PATH} where j.fingerprint <> s.print");

/// By the primary key.
const CHANGE: Sql = both!("changing inputs", jobs by id, [id int, given hex, print int, state int, moment int, wants int, class int], "
update {TARGET} set input = unhex(s.given), fingerprint = s.print, delivery = s.state, outcome = null, result = null, reused = null,
    failures = 0, due_at = s.moment, wanted = s.wants, open_attempts = 0, needs = s.class, ended_at = null{SOURCE}");

/// By the primary key. None of them may still bring a value, nor count as an error of the job that it is now. What a judged job was
/// given stays completed beside its answer.
const END_ATTEMPTS: Sql = both!("changing inputs", attempts by job, [job int, judged int], "
update {TARGET} set ending = 'cancelled'{SOURCE}{AND}(ending in ('error', 'expired', 'lost') or (ending = 'completed' and s.judged = 0))");

/// A job and what it is put in with.
struct Changed<'j> {
    id: JobId,
    project: ProjectId,
    had_ended: bool,
    has_copies_out: bool,
    /// Bytes of its input and its value until now.
    bytes: u64,
    job: &'j NewJob,
}

impl<'j> Changed<'j> {
    fn read<R: Columns>(row: &R, jobs: &'j [NewJob]) -> Result<Self, StoreError> {
        let at = usize::try_from(row.number("place")?).ok();
        Ok(Self {
            id: row.job_id("id")?,
            project: row.id("project", ProjectId::from_number)?,
            had_ended: row.delivery()? == Delivery::Ended,
            has_copies_out: row.small("open_attempts")? > 0,
            bytes: row.unsigned("bytes")?,
            job: at.and_then(|at| jobs.get(at)).ok_or_else(|| corrupt("a job that nobody put in"))?,
        })
    }

    fn former(&self) -> Former {
        let (job, has_copies_out) = (self.id, self.has_copies_out);
        Former { job, is_judged: self.job.trust.is_judged(), has_copies_out }
    }

    fn input(&self) -> &'j Encoded {
        self.job.input.array()
    }

    /// id, input, fingerprint, delivery, due moment, wanted copies, class
    fn row(&self, work: &Work<'_>, in_row: usize) -> impl Serialize + Sync + use<> {
        let patience = work.paused.patience(self.job.origin.run(), self.job.max_wait_ms);
        let stand = Copies::asked(self.job.wanted()).waiting(wait(patience, 0, work.now));
        (
            self.id.number(),
            hex(within(self.input(), in_row)),
            fingerprint_of(self.job),
            code(stand.delivery),
            stand.due.map(|due| due.0),
            stand.copies.wanted,
            self.job.needs.class(),
        )
    }
}

/// Those of these jobs that are there with another input. In the order of their ids, in which every server locks them.
pub(crate) async fn change<T: Dialect>(
    tx: &mut T,
    jobs: &[NewJob],
    work: &mut Work<'_>,
) -> Result<(), Fault> {
    let rows = tx.rows(&CHANGED, &keys(jobs)).await?;
    let mut changed: Vec<Changed<'_>> =
        rows.iter().map(|row| Changed::read(row, jobs)).collect::<Result<_, _>>()?;
    if changed.is_empty() {
        return Ok(());
    }
    changed.sort_unstable_by_key(|each| each.id.number());
    take_back(tx, &changed.iter().map(Changed::former).collect::<Vec<_>>(), work).await?;
    let rows: Vec<_> = changed.iter().map(|each| each.row(work, T::IN_ROW)).collect();
    tx.change(&CHANGE, &rows, &[]).await?;
    tx.change_inputs(&changed.iter().map(|each| (each.id, each.input())).collect::<Vec<_>>()).await?;
    for each in &changed {
        work.usage.give_back(each.project, each.bytes);
        work.usage.keep(each.project, each.job.input.size() as u64);
        work.usage.open(each.project, each.had_ended.into());
    }
    Ok(())
}

/// A job that is not what it was.
pub(crate) struct Former {
    pub(crate) job: JobId,
    pub(crate) is_judged: bool,
    pub(crate) has_copies_out: bool,
}

/// Nothing that was said of these jobs counts for them, and nothing that is under way will. `former`: in the order of their ids.
pub(crate) async fn take_back<T: Dialect>(
    tx: &mut T,
    former: &[Former],
    work: &mut Work<'_>,
) -> Result<(), Fault> {
    outdate(tx, former, work).await?;
    let out: Vec<JobId> = former.iter().filter(|each| each.has_copies_out).map(|each| each.job).collect();
    work.outcomes.revoked.extend(copies::revoke(tx, &out, work.now).await?);
    let attempts: Vec<_> = former.iter().map(|each| (each.job.number(), u8::from(each.is_judged))).collect();
    tx.change(&END_ATTEMPTS, &attempts, &[]).await?;
    tx.forget_results(&former.iter().map(|each| each.job.number()).collect::<Vec<_>>()).await
}

/// No lot waits for a check of what was said.
async fn outdate<T: Dialect>(tx: &mut T, former: &[Former], work: &mut Work<'_>) -> Result<(), Fault> {
    let judged: Vec<JobId> = former.iter().filter(|each| each.is_judged).map(|each| each.job).collect();
    let mut book = answers::of(tx, &judged).await?;
    work.bench.lots.read_devices(tx, &judged_job::devices(&book)).await?;
    for job in book.values_mut() {
        work.bench.outdate(job);
    }
    answers::keep(tx, &book).await?;
    values::forget(tx, &judged, &mut work.usage).await?;
    work.bench.lots.write(tx).await
}

/// run, path, fingerprint, place in the batch
fn keys(jobs: &[NewJob]) -> Vec<(i64, &str, i64, usize)> {
    let of_run = |(at, job): (usize, &'_ NewJob)| job.origin.run().map(|run| (run.number(), at));
    jobs.iter()
        .enumerate()
        .filter_map(|each| of_run(each).map(|(run, at)| (run, &*each.1.path, fingerprint_of(each.1), at)))
        .collect()
}
