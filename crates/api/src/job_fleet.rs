//! Why a judged job waits for a worker although some are connected.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// The connected workers, as a judged job sees them that waits for one: each is counted once, by the first reason that keeps it away.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct JobFleet {
    pub connected: u32,
    /// Nothing keeps these away.
    pub may: u32,
    /// Workers of established or trusted devices that could run it. Nobody else is asked where `known_only` is true.
    pub known: u32,
    /// It is to be compared by somebody who is known, and enough of them are connected.
    pub known_only: bool,
    /// So many devices have to agree on it at least, those that have answered among them.
    #[serde(default)]
    pub needed: u32,
    /// An answer has come already from their device or their network, or could have.
    pub answered: u32,
    /// Without a device key: never established. They get jobs that are judged by their lots only while few known ones are connected.
    pub keyless: u32,
    /// Rest, since an answer of theirs differed.
    pub resting: u32,
    /// When the first of these rests ends.
    #[ts(type = "number | null")]
    pub rests_until: Option<i64>,
    /// Engines that its code is not for.
    pub left_out: Vec<String>,
}
