//! Devices that answers come from, for people.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// How much the answers of a device count now.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum DeviceRank {
    #[default]
    Newcomer,
    Established,
    Trusted,
}

impl DeviceRank {
    /// The word in addresses and bodies.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Newcomer => "newcomer",
            Self::Established => "established",
            Self::Trusted => "trusted",
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct DeviceView {
    /// The first eight digits of its fingerprint.
    pub device: String,
    /// As much of the fingerprint as is known, for those who may mark devices: all of it, or the first fifteen digits of a device
    /// that is not connected and has ended no job.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub fingerprint: Option<String>,
    pub rank: DeviceRank,
    /// Whether it is marked as trusted, also while it rests.
    pub trusted: bool,
    /// Answers of it that agreed with one of an established or trusted device, or with what was believed.
    pub passes: u32,
    /// How often it had to rest.
    pub refuted: u32,
    /// Until when it gets no judged jobs.
    #[ts(type = "number | null")]
    pub rests_until: Option<i64>,
    /// Answers of it that were what was believed.
    #[ts(type = "number")]
    pub confirmed: u64,
    /// For each of these the least time of all who agreed, milliseconds.
    #[ts(type = "number")]
    pub confirmed_ms: u64,
    /// Answers on which nothing is decided yet.
    pub waiting: u32,
    /// Values from it that were taken: that ended their job, or were compared with others.
    #[ts(type = "number")]
    pub accepted: u64,
    /// When the first of these came; null where there is none.
    #[ts(type = "number | null")]
    pub first_seen: Option<i64>,
    #[ts(type = "number | null")]
    pub last_seen: Option<i64>,
    pub connected: bool,
}

/// A page of devices, in the order of their fingerprints.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct DevicePage {
    /// Those of the page that have the rank which is asked for: perhaps fewer than its limit.
    pub devices: Vec<DeviceView>,
    /// The `after` of the next page; null at the end.
    pub next: Option<String>,
}
