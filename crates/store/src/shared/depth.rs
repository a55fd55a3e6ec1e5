//! How much is in the queue.

use weevil_queue::Depth;
use weevil_records::StoreError;

use super::columns::Columns;

pub(crate) fn depth_of<R: Columns>(row: &R) -> Result<Depth, StoreError> {
    Ok(Depth {
        ready: row.unsigned("ready")?,
        leased: row.unsigned("leased")?,
        delayed: row.unsigned("later")?,
        held: row.unsigned("held")?,
    })
}
