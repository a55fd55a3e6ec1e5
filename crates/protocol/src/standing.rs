//! How a device stands whose answers are compared with others: the same on the wire and for the page.
//!
//! Only counts: which answer was compared, and with whose, is told to nobody who computes.

use minicbor::{Decode, Encode};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Encode, Decode, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Standing {
    #[n(0)]
    pub rank: StandingRank,
    /// Answers that it gave.
    #[n(1)]
    pub given: u32,
    /// Those that were what was believed.
    #[n(2)]
    pub confirmed: u32,
    /// Those on which nothing is decided yet.
    #[n(3)]
    pub waiting: u32,
    /// Those that were found wrong.
    #[n(4)]
    pub refused: u32,
    /// Milliseconds since the epoch: until then it gets nothing that is compared.
    #[n(5)]
    #[ts(type = "number | null")]
    pub rests_until: Option<i64>,
}

/// How far the answers of a device are believed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Encode, Decode, Serialize, Deserialize, TS)]
#[cbor(index_only)]
#[serde(rename_all = "camelCase")]
pub enum StandingRank {
    #[n(0)]
    Newcomer,
    #[n(1)]
    Established,
    #[n(2)]
    Trusted,
}
