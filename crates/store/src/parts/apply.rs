//! One batch, one transaction: the parts in the order of their fields, all or nothing.

use weevil_failpoint::{Point, pass};
use weevil_model::{JobId, Timestamp};
use weevil_queue::decide::claim::Left;
use weevil_queue::{Batch, Outcomes};

use super::claim::Handed;
use super::judged::Bench;
use super::ranks::Ranks;
use super::usage::UsageChanges;
use super::{
    answers, cancel, claim, complete, due, enqueue, opinions, release, renew, reopen, ruled, shortened,
    stopped,
};
use crate::driver::Dialect;
use crate::fault::Fault;
use crate::paused::{Paused, paused};

/// A batch that is carried out, and what has come of it so far.
pub(crate) struct Work<'b> {
    pub(crate) batch: &'b Batch,
    pub(crate) paused: Paused,
    pub(crate) now: Timestamp,
    pub(crate) outcomes: Outcomes,
    pub(crate) usage: UsageChanges,
    pub(crate) bench: Bench<'b>,
    /// Judged jobs that stood alone and have ended.
    pub(crate) sealed: Vec<JobId>,
}

impl<'b> Work<'b> {
    pub(crate) fn new(batch: &'b Batch, paused: Paused, now: Timestamp) -> Self {
        Self {
            batch,
            paused,
            now,
            outcomes: Outcomes::default(),
            usage: UsageChanges::default(),
            bench: Bench::new(Ranks::new(batch, now)),
            sealed: Vec::new(),
        }
    }
}

/// Results come first, so that a report counts even where its lease ends in the same batch; renewals come before
/// the look, which would end them. What ends, comes back or is put in precedes the claim, which therefore sees all
/// that is ready now. After an error nothing of it is there, and the feeder brings the same batch again.
pub(crate) async fn apply<T: Dialect>(tx: &mut T, batch: &Batch, now: Timestamp) -> Result<Outcomes, Fault> {
    let mut work = Work::new(batch, paused(tx).await?, now);
    complete::complete(tx, &mut work).await?;
    opinions::hear(tx, &mut work).await?;
    pass(Point::ResultsWritten);
    release::release(tx, &mut work).await?;
    renew::renew(tx, &batch.renew, now.plus_ms(batch.lease_ms)).await?;
    if batch.look {
        release::expire(tx, &mut work).await?;
        due::look(tx, &mut work).await?;
    }
    cancel::cancel(tx, &mut work).await?;
    reopen::reopen(tx, &mut work).await?;
    shortened::shorten(tx, &mut work).await?;
    ruled::follow(tx, &mut work).await?;
    enqueue::enqueue(tx, &mut work).await?;
    pass(Point::JobsWritten);
    answers::seal(tx, &work.sealed).await?;
    let Work { mut paused, mut outcomes, usage, bench: Bench { mut ranks, judgements, .. }, .. } = work;
    outcomes.disowned = renew::disowned(tx, &batch.doubted).await?;
    stopped::stop(tx, &batch.stop, &mut paused, now).await?;
    if !paused.queue {
        let Handed { claimed, left: Left { cut, kept }, left_out } =
            claim::claim(tx, batch, &paused, &mut ranks, now).await?;
        outcomes.left_out.extend(left_out);
        outcomes = Outcomes { claimed, cut, kept, ..outcomes };
    }
    pass(Point::LeasesWritten);
    outcomes.due = due::next(tx, batch, &outcomes).await?;
    outcomes.records = ranks.news();
    outcomes.counted = judgements.counted();
    outcomes.judged = judgements.write(tx).await?;
    outcomes.counts = judgements.counts;
    usage.write(tx).await?;
    tx.finish(batch.probe).await?;
    Ok(outcomes)
}
