//! One batch, one transaction: the parts in the order of their fields, all or nothing.

use weevil_failpoint::{Point, pass};
use weevil_model::Timestamp;
use weevil_queue::{Batch, Outcomes};

use super::retry::Fault;
use super::writer::Writer;
use super::{claim, complete, enqueue, release};

pub(super) async fn apply(writer: &mut Writer, batch: &Batch, now: Timestamp) -> Result<Outcomes, Fault> {
    let mut writing = writer.begin("beginning a batch").await?;
    let tx = &mut *writing.tx;
    let completed = complete::complete(tx, &batch.complete, now).await?;
    pass(Point::ResultsWritten);
    let mut returned = release::release(tx, &batch.release, now).await?;
    release::renew(tx, &batch.renew, now.plus_ms(batch.lease_ms)).await?;
    if batch.expire {
        returned.extend(release::expire(tx, now).await?);
    }
    let revoked = release::cancel(tx, &batch.cancel, now).await?;
    let enqueued = enqueue::enqueue(tx, &batch.enqueue, now).await?;
    pass(Point::JobsWritten);
    let claimed = claim::claim(tx, &batch.claim, now, batch.lease_ms).await?;
    pass(Point::LeasesWritten);
    writing.commit("committing a batch", now).await?;
    Ok(Outcomes { completed, returned, revoked, enqueued, claimed })
}
