//! One batch, one transaction: the parts in the order of their fields, all or nothing.

use sqlx::{Connection, SqliteConnection};
use weevil_failpoint::{Point, pass};
use weevil_model::Timestamp;
use weevil_queue::{Batch, Outcomes, StoreError};

use super::rows::failed;
use super::{claim, complete, depth, enqueue, release};

pub(super) async fn apply(
    writer: &mut SqliteConnection,
    batch: &Batch,
    now: Timestamp,
) -> Result<Outcomes, StoreError> {
    let mut tx = writer.begin_with("begin immediate").await.map_err(failed("beginning a batch"))?;
    let completed = complete::complete(&mut tx, &batch.complete, now).await?;
    pass(Point::ResultsWritten);
    let mut returned = release::release(&mut tx, &batch.release, now).await?;
    release::renew(&mut tx, &batch.renew, now.plus_ms(batch.lease_ms)).await?;
    if batch.expire {
        returned.extend(release::expire(&mut tx, now).await?);
    }
    let revoked = release::cancel(&mut tx, &batch.cancel, now).await?;
    let enqueued = enqueue::enqueue(&mut tx, &batch.enqueue, now).await?;
    pass(Point::JobsWritten);
    let claimed = claim::claim(&mut tx, &batch.claim, now, batch.lease_ms).await?;
    pass(Point::LeasesWritten);
    if batch.probe {
        depth::write_something(&mut tx).await?;
    }
    tx.commit().await.map_err(failed("committing a batch"))?;
    Ok(Outcomes { completed, returned, revoked, enqueued, claimed })
}
