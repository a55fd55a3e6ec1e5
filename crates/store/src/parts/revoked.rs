//! Taking back what was believed on the word of a device that was found wrong since: in runs that go on its jobs are open again, all
//! others are doubted.
//!
//! Never says what depended on it: a run's executors find that by the inputs they come to (`changed.rs`).

use std::collections::{BTreeMap, BTreeSet};

use const_format::formatcp;
use weevil_model::{JobId, RunId};
use weevil_records::StoreError;

use super::apply::Work;
use super::judged::Bench;
use super::ruled::settle;
use super::{answers, credit};
use crate::driver::Dialect;
use crate::words::{AGREED, LOT_ACCEPTED, LOT_REFUSED, PROVED, RETRACE_DUE, TRUSTED};
use crate::{Columns, Fault, Sql, both};

/// Nobody else who counts has said the same as answer `a`.
const ALONE: &str = formatcp!(
    "not exists (select 1 from answers o where o.job = a.job and o.number <> a.number and o.fate = '{AGREED}' and o.points > 0)"
);

/// By the index of accepted lots, then by that of their answers. What is proved is right, whoever gave it.
const OF_LOTS: Sql = both!("looking for what was believed", [device int], "
select {LEAD}a.job, l.id as lot, l.answers, l.run, r.finished_at, {ALONE} as alone
from {ROWS} join lots l{OF_DEVICES} on l.fate = '{LOT_ACCEPTED}' and l.device = s.device
join runs r on r.id = l.run join answers a{OF_LOTS} on a.lot = l.id where a.fate = '{AGREED}' and a.marks & {PROVED} = 0");

/// By the primary key, then by the index of their answers: lots that were delivered in part, where their device is found wrong. What
/// somebody trusted has said as well, or a proof, does not stand on its lot.
const IN_PART: Sql = both!("looking for what was believed", [lot int], "
select {LEAD}a.job, null as lot, 0 as answers, l.run, r.finished_at, 1 as alone
from {ROWS} join lots l{BY_KEY} on l.id = s.lot join runs r on r.id = l.run join answers a{OF_LOTS} on a.lot = l.id
where a.fate = '{AGREED}' and (select count(*) from answers t{BY_KEY} where t.job = a.job and t.fate = '{AGREED}'
    and (t.`rank` = {TRUSTED} or t.marks & {PROVED} <> 0)) = 0");

/// By the index of what trusted devices have said that is believed.
const OF_MARKS: Sql = both!("looking for what was believed", [device int], "
select {LEAD}a.job, null as lot, 0 as answers, j.run, r.finished_at, 1 as alone
from {ROWS} join answers a{TRUSTED_ANSWERS} on a.fate = '{AGREED}' and a.device = s.device and a.`rank` = {TRUSTED}
join jobs j on j.id = a.job left join runs r on r.id = j.run where a.marks & {PROVED} = 0 and {ALONE}");

const DOUBT: Sql = both!("doubting what was believed", [job int, run int], "
insert{IGNORE} into doubts (job, run) select {LEAD}s.job, s.run from {ROWS}{UNLESS_THERE}");

/// By the primary key.
const REFUSE: Sql = both!("taking back what was believed", lots through BY_KEY by id, [id int], "
update {TARGET} set fate = '{LOT_REFUSED}'{SOURCE}");

/// By the primary key: from now on the run does not end with what its executors have been told.
pub(crate) const RETRACE: Sql = both!("taking back what was believed", runs by id, [id int], "
update {TARGET} set retrace = {RETRACE_DUE}{SOURCE}");

/// What stood on the word of devices.
#[derive(Default)]
struct Believed {
    /// In runs that go on.
    open: Vec<JobId>,
    /// With how many answers each has.
    lots: BTreeMap<i64, u32>,
    runs: BTreeSet<RunId>,
    /// What stays as it has ended, with its run; `None` for a job that stands alone.
    ended: BTreeSet<(i64, Option<i64>)>,
}

impl Believed {
    fn enter<R: Columns>(&mut self, row: &R) -> Result<(), StoreError> {
        let (job, run) = (row.job_id("job")?, row.maybe_run_id("run")?);
        let goes_on = row.maybe_moment("finished_at")?.is_none();
        match run.filter(|_| goes_on) {
            Some(run) => {
                self.open.push(job);
                self.runs.insert(run);
                let answers = row.small("answers")?;
                self.lots.extend(row.maybe_number("lot")?.map(|lot| (lot, answers)));
            }
            // Whatever others have said as well stands without it.
            None if row.small("alone")? > 0 => {
                self.ended.insert((job.number(), run.map(RunId::number)));
            }
            None => {}
        }
        Ok(())
    }
}

/// What was believed on the word of these devices, and in these lots, which were refused before all of them was delivered: each with
/// its device. The lots of the batch are written first, so that those it has just accepted are met.
pub(crate) async fn revoke<T: Dialect>(
    tx: &mut T,
    work: &mut Work<'_>,
    resting: &BTreeSet<i64>,
    in_part: &[(i64, i64)],
) -> Result<(), Fault> {
    if resting.is_empty() && in_part.is_empty() {
        return Ok(());
    }
    work.bench.lots.write(tx).await?;
    let keys: Vec<i64> = resting.iter().copied().collect();
    let lots: Vec<i64> = in_part.iter().map(|(lot, _)| *lot).collect();
    let mut believed = Believed::default();
    for (statement, keys) in [(&OF_LOTS, &keys), (&OF_MARKS, &keys), (&IN_PART, &lots)] {
        for row in tx.rows(statement, keys).await? {
            believed.enter(&row)?;
        }
    }
    let devices = resting.iter().copied().chain(in_part.iter().map(|(_, device)| *device)).collect();
    let Believed { open, lots, runs, ended } = believed;
    tx.change(&DOUBT, &ended.iter().collect::<Vec<_>>(), &[]).await?;
    for run in ended.iter().filter_map(|(_, run)| RunId::from_number((*run)?)) {
        *work.outcomes.doubted_runs.entry(run).or_default() += 1;
    }
    tx.change(&REFUSE, &lots.keys().collect::<Vec<_>>(), &[]).await?;
    reopen(tx, work, (&open, lots), &devices).await?;
    tx.change(&RETRACE, &runs.iter().map(|run| run.number()).collect::<Vec<_>>(), &[]).await?;
    work.outcomes.retrace.extend(runs);
    Ok(())
}

/// These jobs are as if the devices had never said anything. What others have said of them stays, and may be enough.
async fn reopen<T: Dialect>(
    tx: &mut T,
    work: &mut Work<'_>,
    (jobs, mut lots): (&[JobId], BTreeMap<i64, u32>),
    devices: &BTreeSet<i64>,
) -> Result<(), Fault> {
    let mut book = answers::of(tx, jobs).await?;
    let Bench { judgements, ranks, .. } = &mut work.bench;
    let credited = book.keys().map(|id| id.number()).filter(|id| !judgements.believed.remove(id)).collect();
    credit::give(tx, &credited, &mut judgements.taken).await?;
    for job in book.values_mut() {
        let Some(run) = job.run else { continue };
        let lot = job.believed_in(devices);
        judgements.take_back(run, lot.is_some());
        let answers = lot.and_then(|lot| lots.remove(&lot));
        if let Some((plan, answers)) = ranks.plan(job).zip(answers) {
            judgements.take_lot_back(run, &plan, answers);
        }
        job.revoke(devices);
        work.usage.open(job.project, 1);
    }
    settle(tx, work, book).await
}
