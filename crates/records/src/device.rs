//! Devices that volunteers' work came from, known by their keys alone; and what a database does with them.

use async_trait::async_trait;
use weevil_model::witness::{Rank, Record};
use weevil_model::{ContentHash, Timestamp};

use crate::StoreError;

/// What is kept of the work of a device.
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

/// What came of the answers of a device, each counted once, in the transaction that decided it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Credit {
    /// All that it gave.
    pub given: u64,
    /// Those that were what was believed.
    pub confirmed: u64,
    /// For each of these the least effort of all who agreed, microseconds.
    pub confirmed_us: u64,
    /// Those that were found wrong.
    pub differed: u64,
}

/// All that is kept of a device.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KnownDevice {
    /// `device_number` of its fingerprint.
    pub number: i64,
    /// `None` for one whose answers were compared with others and have ended no job yet: nobody has kept its fingerprint.
    pub work: Option<Device>,
    pub record: Record,
    pub credit: Credit,
    pub rank: Rank,
    /// Answers from it on which nothing is decided yet.
    pub waiting: u32,
}

/// How a device stands, as it is told itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DeviceStanding {
    /// Its number.
    pub device: i64,
    pub rank: Rank,
    pub credit: Credit,
    /// Answers from it on which nothing is decided yet.
    pub waiting: u32,
    /// Until when it gets no judged jobs.
    pub rests_until: Option<Timestamp>,
}

/// Some devices, in the order of their fingerprints.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DeviceList {
    /// Those that have been marked, or have earned so much, whether or not they rest; newcomers are looked for among all.
    pub rank: Option<Rank>,
    /// The first number that is asked for.
    pub from: i64,
    /// The last one.
    pub until: i64,
    /// The moment for which ranks are told.
    pub now: Timestamp,
}

/// What devices have done. A device that has done nothing is not known.
#[async_trait]
pub trait Devices: Send + Sync {
    async fn device(&self, fingerprint: ContentHash) -> Result<Option<Device>, StoreError>;

    /// The first `most` devices of a list. Two of one number stand side by side, and share their record.
    async fn devices(&self, list: &DeviceList, most: u32) -> Result<Vec<KnownDevice>, StoreError>;

    /// How these stand now, those of which nothing is kept left out.
    async fn standings(&self, devices: &[i64], now: Timestamp) -> Result<Vec<DeviceStanding>, StoreError>;
}
