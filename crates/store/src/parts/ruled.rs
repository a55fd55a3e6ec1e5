//! Working off what rulings about some jobs make of others: lots are closed here, refused in `refused.rs`, and what is believed is
//! delivered in `deliver.rs`. What is the fault of a job is in `left_out.rs` and `scattered.rs`.

use std::collections::{BTreeMap, BTreeSet};

use weevil_failpoint::{Point, pass};
use weevil_model::JobId;
use weevil_model::trust::Votes;
use weevil_queue::batch::{Change, JobNews, Ruled};
use weevil_queue::decide::copies::Stand;
use weevil_queue::decide::wait::wait;
use weevil_queue::{Copies, Delivery};
use weevil_records::StoreError;
use weevil_trust::{Chance, Depth, Patience};

use super::answers::{self, AnswerBook};
use super::apply::Work;
use super::changes::{self, JobRow, JobRows};
use super::docket::Entry;
use super::judged::Judged;
use super::judged_job::{JudgedJob, codes, devices};
use super::judgements::Judgements;
use super::lots::LotFate;
use super::{copies, credit, deliver, left_out, refused, scattered, values};
use crate::driver::Dialect;
use crate::words::CHOSEN;
use crate::{Columns, Fault, Sql, Tx, both};

/// By the index of lots: all answers that have joined them.
const OF_LOTS: Sql = both!("looking for answers of lots", [lot int], "
select {LEAD}a.lot, a.job, a.number, a.marks from {ROWS} join answers a{OF_LOTS} on a.lot = s.lot
order by a.lot, a.job, a.number");

/// Until nothing follows from anything any more.
pub(crate) async fn follow<T: Dialect>(tx: &mut T, work: &mut Work<'_>) -> Result<(), Fault> {
    closings(tx, work).await?;
    while let Some(entry) = work.bench.docket.next() {
        match entry {
            Entry::Weigh(splits) => left_out::weigh(tx, work, &splits).await?,
            Entry::Scatter(jobs) => scattered::note(tx, work, &jobs).await?,
            Entry::Refuse(findings) => refused::refuse(tx, work, &findings).await?,
            Entry::Close(lots) => close(tx, work, &lots).await?,
            Entry::Deliver(jobs, lots) => deliver::deliver(tx, work, &jobs, &lots).await?,
        }
    }
    for fate in work.bench.lots.decided() {
        match fate {
            LotFate::Accepted => work.bench.judgements.counts.accepted_lots += 1,
            LotFate::Refused => work.bench.judgements.counts.refused_lots += 1,
        }
    }
    work.bench.lots.write(tx).await?;
    work.bench.comparisons.write(tx).await?;
    let passes = std::mem::take(&mut work.bench.passes);
    let Judgements { believed, credits, taken, .. } = &mut work.bench.judgements;
    credit::give(tx, believed, credits).await?;
    work.bench.ranks.add(tx, &passes, (credits, taken)).await
}

/// The lots that the batch asks to close, and where it looks those that have been open for long, or whose devices are away.
async fn closings<T: Tx>(tx: &mut T, work: &mut Work<'_>) -> Result<(), Fault> {
    let Work { batch, now, ref mut bench, .. } = *work;
    let nodes: Vec<(i64, &str)> =
        batch.close.iter().map(|closing| (closing.run.number(), &*closing.node)).collect();
    for lot in bench.lots.read_nodes(tx, &nodes).await? {
        bench.docket.close(lot);
    }
    if !batch.look {
        return Ok(());
    }
    bench.lots.read_all(tx).await?;
    let here: BTreeSet<i64> =
        batch.company.parties.iter().filter_map(|(_, party)| party.witness.device).collect();
    let patience = Patience { absence_ms: batch.judging.absence_ms, age_ms: batch.judging.lot_ms };
    for (id, known) in bench.lots.iter() {
        let away_ms = (!here.contains(&known.device)).then(|| now.since(known.newest_at));
        if known.lot.closed {
            // What could not be delivered at once.
            bench.docket.look_at(id);
        } else if patience.is_over(away_ms, known.age_ms(now)) {
            bench.docket.close(id);
        }
    }
    Ok(())
}

/// Which answers are checked is chosen now that all of them are there.
async fn close<T: Dialect>(tx: &mut T, work: &mut Work<'_>, lots: &BTreeSet<i64>) -> Result<(), Fault> {
    let is_open = |lot: &&i64| work.bench.lots.get(**lot).is_some_and(|known| !known.lot.closed);
    let lots: Vec<i64> = lots.iter().filter(is_open).copied().collect();
    let mut members: BTreeMap<i64, Vec<Member>> = BTreeMap::new();
    for row in tx.rows(&OF_LOTS, &lots).await? {
        members.entry(row.number("lot")?).or_default().push(Member::read(&row)?);
    }
    let jobs: Vec<JobId> = members.values().flatten().map(|member| member.job).collect();
    let mut book = answers::of(tx, &jobs).await?;
    for (lot, members) in members {
        close_one(work, lot, &members, &mut book);
    }
    let ended = book.extract_if(|_, job| job.delivery == Delivery::Ended).collect();
    answers::keep(tx, &ended).await?;
    settle(tx, work, book).await?;
    pass(Point::LotClosed);
    Ok(())
}

/// An answer that has joined a lot.
struct Member {
    job: JobId,
    number: u32,
    is_chosen: bool,
}

impl Member {
    fn read<R: Columns>(row: &R) -> Result<Self, StoreError> {
        Ok(Self {
            job: row.job_id("job")?,
            number: row.small("number")?,
            is_chosen: row.small("marks")? & u32::from(CHOSEN) != 0,
        })
    }
}

/// Where no plan is enough any more, all are looked at as deep as may be asked for.
fn close_one(work: &mut Work<'_>, lot: i64, members: &[Member], book: &mut AnswerBook) {
    let plan = members.iter().find_map(|member| work.bench.ranks.plan(book.get(&member.job)?));
    let (now, mut chance) = (work.now, Chance::of_lot(work.batch.chance, lot));
    work.bench.lots.close(lot, now);
    let Some(known) = work.bench.lots.change(lot) else { return };
    let (depth, places) = if let Some(plan) = plan {
        (plan.depth(known.lot.answers), known.lot.close(&plan, &mut chance))
    } else {
        known.lot.closed = true;
        (Depth { devices: Votes::MOST.get().into(), chosen: 0 }, Vec::new())
    };
    let unchosen: Vec<&Member> = members.iter().filter(|member| !member.is_chosen).collect();
    let chosen: BTreeSet<(JobId, u32)> = places
        .into_iter()
        .filter_map(|place| unchosen.get(place))
        .map(|member| (member.job, member.number))
        .collect();
    for Member { job, number, is_chosen } in members {
        let is_chosen = *is_chosen || chosen.contains(&(*job, *number));
        let wanted = depth.devices + u32::from(is_chosen);
        let begins = book.get_mut(job).is_some_and(|job| job.look_deeper(*number, wanted, is_chosen));
        known.lot.open_checks += u32::from(begins);
    }
    work.bench.docket.look_at(lot);
}

/// Those of these jobs that have not ended, with their answers.
pub(crate) async fn open<T: Tx>(tx: &mut T, jobs: &[JobId]) -> Result<AnswerBook, Fault> {
    let mut book = answers::of(tx, jobs).await?;
    book.retain(|_, job| job.delivery != Delivery::Ended);
    Ok(book)
}

/// Decides anew about jobs whose answers have changed without a report, and writes what becomes of them.
pub(crate) async fn settle<T: Dialect>(
    tx: &mut T,
    work: &mut Work<'_>,
    mut book: AnswerBook,
) -> Result<(), Fault> {
    book.retain(|_, job| job.has_changed());
    work.bench.lots.read_devices(tx, &devices(&book)).await?;
    work.bench.comparisons.read(tx, codes(&book)).await?;
    let (mut rows, mut deserted) = (JobRows::default(), Vec::new());
    let mut ids: Vec<JobId> = book.keys().copied().collect();
    ids.sort_unstable_by_key(|id| id.number());
    for id in ids {
        let Some(job) = book.get_mut(&id) else { continue };
        let lot = job.lot();
        let judged = work.bench.settle(id, job, None);
        // Who had been told of an end begins anew.
        let hears = judged != Judged::Stands && job.delivery != Delivery::Ended;
        if hears && job.lot().is_some_and(|joined| lot != Some(joined)) {
            tell(work, id, job, Change::Answered);
        }
        let Some(stand) = stand(job, judged, work) else { continue };
        deserted.extend((job.copies.open > 0).then_some(id));
        work.outcomes.woken += u64::from(stand.copies.wanted);
        rows.enter(&mut None, JobRow::new(id, stand, 0));
    }
    for (id, job) in &book {
        if job.lane.is_answered() && job.moves().is_some_and(|(lane, _)| !lane.is_answered()) {
            tell(work, *id, job, Change::Requeued);
        }
    }
    answers::keep(tx, &book).await?;
    changes::jobs(tx, &rows, work.now).await?;
    values::bring(tx, &mut book, &mut work.usage).await?;
    work.outcomes.revoked.extend(copies::revoke(tx, &deserted, work.now).await?);
    Ok(())
}

/// A pool has to know of each answer that joins a lot, since it says when lots are to close.
fn tell(work: &mut Work<'_>, id: JobId, job: &JudgedJob, change: Change) {
    let news = JobNews { id, run: job.run, path: job.path.clone(), change };
    work.outcomes.ruled.push(Ruled { job: news, work: None });
}

/// Where the job is from now on; `None` where it stays where it is.
fn stand(job: &JudgedJob, judged: Judged, work: &Work<'_>) -> Option<Stand> {
    let (waits, had_ended) = (job.delivery == Delivery::Answered, job.delivery == Delivery::Ended);
    match judged {
        Judged::Waits | Judged::Stands => (!waits).then_some(Stand::ANSWERED),
        Judged::Wants | Judged::Believed | Judged::Disputed => {
            let patience = work.paused.patience(job.run, job.max_wait_ms);
            (waits || had_ended).then(|| Copies::asked(1).waiting(wait(patience, 0, work.now)))
        }
    }
}
