//! Who is connected, for people. Only facts: written by the feeder, read from the board.

use weevil_model::witness::{Rank, Witness};
use weevil_model::{ContentHash, Needs, Timestamp, WorkerId};

/// The connected workers.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Fleet {
    /// The longest connected first.
    pub workers: Vec<FleetWorker>,
    pub slots: u32,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FleetWorker {
    pub id: WorkerId,
    pub agent: String,
    /// The fingerprint of its device, where it has proved which one it is.
    pub device: Option<ContentHash>,
    pub slots: u32,
    pub in_flight: u32,
    /// Attempts that ended with a report, value or error.
    pub done: u32,
    pub connected_at: Timestamp,
    /// How far its answers are believed now, as far as that was asked for yet.
    pub rank: Rank,
    /// Until when its device gets no judged jobs.
    pub rests_until: Option<Timestamp>,
    /// Who speaks from it. Its network is a pseudonym, and leaves the server nowhere.
    pub witness: Witness,
    /// What it can run.
    pub has: Needs,
}
