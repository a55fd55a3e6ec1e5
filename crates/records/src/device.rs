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
    /// Results that were accepted. What was not counted yet is lost in a crash.
    pub accepted: u64,
}

/// What devices have done. A device that has done nothing is not known.
#[async_trait]
pub trait Devices: Send + Sync {
    /// Counts accepted results of a device; it is known from the first time on.
    async fn count_device(
        &self,
        fingerprint: ContentHash,
        accepted: u32,
        now: Timestamp,
    ) -> Result<(), StoreError>;

    async fn device(&self, fingerprint: ContentHash) -> Result<Option<Device>, StoreError>;
}
