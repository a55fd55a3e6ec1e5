//! Devices that volunteers' work came from, known by their keys alone; and what a database does with them.

use async_trait::async_trait;
use weevil_model::{ContentHash, Timestamp};

use crate::StoreError;

/// What is kept of a device.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Device {
    /// Hash of its public key.
    pub fingerprint: ContentHash,
    /// When its work was first counted.
    pub first_seen: Timestamp,
    pub last_seen: Timestamp,
    /// Values from it that ended their job, each counted in the transaction that ended it.
    pub accepted: u64,
}

/// What devices have done. A device that has done nothing is not known.
#[async_trait]
pub trait Devices: Send + Sync {
    async fn device(&self, fingerprint: ContentHash) -> Result<Option<Device>, StoreError>;
}
