//! A device's row.

use weevil_records::{Device, StoreError};

use super::columns::Columns;

pub(crate) fn device<R: Columns>(row: &R) -> Result<Device, StoreError> {
    Ok(Device {
        fingerprint: row.hash("fingerprint")?,
        first_seen: row.moment("first_seen")?,
        last_seen: row.moment("last_seen")?,
        accepted: row.unsigned("accepted")?,
    })
}
