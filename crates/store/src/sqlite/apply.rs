//! One batch, one transaction: the parts in the order of their fields, all or nothing.

use sqlx::{Connection, SqliteConnection};
use weevil_failpoint::{Point, pass};
use weevil_model::Timestamp;
use weevil_queue::{Batch, Outcomes};
use weevil_records::StoreError;

use super::rows::{failed, paused};
use super::{cancel, claim, complete, depth, due, enqueue, release, reopen};

pub(super) async fn apply(
    writer: &mut SqliteConnection,
    batch: &Batch,
    now: Timestamp,
) -> Result<Outcomes, StoreError> {
    let mut tx = writer.begin_with("begin immediate").await.map_err(failed("beginning a batch"))?;
    let paused = paused(&mut tx).await?;
    let mut outcomes = Outcomes {
        completed: complete::complete(&mut tx, batch, &paused, now).await?,
        ..Outcomes::default()
    };
    pass(Point::ResultsWritten);
    outcomes.returned = release::release(&mut tx, batch, &paused, now).await?;
    release::renew(&mut tx, &batch.renew, now.plus_ms(batch.lease_ms)).await?;
    if batch.look {
        outcomes.returned.extend(release::expire(&mut tx, batch, &paused, now).await?);
        due::look(&mut tx, &paused, now, &mut outcomes).await?;
    }
    cancel::cancel(&mut tx, &batch.cancel, now, &mut outcomes).await?;
    reopen::reopen(&mut tx, batch, &paused, now).await?;
    enqueue::enqueue(&mut tx, &batch.enqueue, &paused, now, &mut outcomes).await?;
    pass(Point::JobsWritten);
    outcomes.disowned = release::disowned(&mut tx, &batch.doubted).await?;
    if !paused.queue {
        (outcomes.claimed, outcomes.cut) = claim::claim(&mut tx, batch, now).await?;
    }
    pass(Point::LeasesWritten);
    outcomes.due = due::next(&mut tx, batch, &outcomes).await?;
    if batch.probe {
        depth::write_something(&mut tx).await?;
    }
    pass(Point::Committing);
    tx.commit().await.map_err(failed("committing a batch"))?;
    Ok(outcomes)
}
