//! One batch, one transaction: the parts in the order of their fields, all or nothing.

use weevil_failpoint::{Point, pass};
use weevil_model::Timestamp;
use weevil_queue::decide::claim::Left;
use weevil_queue::{Batch, Outcomes};

use super::{cancel, claim, complete, due, enqueue, release, renew, reopen};
use crate::driver::Dialect;
use crate::fault::Fault;
use crate::paused::paused;

/// Results come first, so that a report counts even where its lease ends in the same batch; renewals come before
/// the look, which would end them. What ends, comes back or is put in precedes the claim, which therefore sees all
/// that is ready now. After an error nothing of it is there, and the feeder brings the same batch again.
pub(crate) async fn apply<T: Dialect>(tx: &mut T, batch: &Batch, now: Timestamp) -> Result<Outcomes, Fault> {
    let paused = paused(tx).await?;
    let mut outcomes = Outcomes::default();
    complete::complete(tx, batch, &paused, now, &mut outcomes).await?;
    pass(Point::ResultsWritten);
    release::release(tx, batch, &paused, now, &mut outcomes).await?;
    renew::renew(tx, &batch.renew, now.plus_ms(batch.lease_ms)).await?;
    if batch.look {
        release::expire(tx, batch, &paused, now, &mut outcomes).await?;
        due::look(tx, &paused, now, &mut outcomes).await?;
    }
    cancel::cancel(tx, &batch.cancel, now, &mut outcomes).await?;
    reopen::reopen(tx, batch, &paused, now).await?;
    enqueue::enqueue(tx, &batch.enqueue, &paused, now, &mut outcomes).await?;
    pass(Point::JobsWritten);
    outcomes.disowned = renew::disowned(tx, &batch.doubted).await?;
    if !paused.queue {
        let (claimed, Left { cut, kept }) = claim::claim(tx, batch, now).await?;
        outcomes = Outcomes { claimed, cut, kept, ..outcomes };
    }
    pass(Point::LeasesWritten);
    outcomes.due = due::next(tx, batch, &outcomes).await?;
    tx.finish(batch.probe).await?;
    Ok(outcomes)
}
