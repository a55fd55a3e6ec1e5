//! Devices that volunteers' work came from, known by their keys alone.

use weevil_model::{ContentHash, Timestamp};

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
