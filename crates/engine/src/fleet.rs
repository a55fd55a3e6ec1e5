//! Who is connected, for people. Only facts: written by the feeder, read from the board.

use weevil_model::witness::{Rank, Witness};
use weevil_model::{ContentHash, Needs, Timestamp, WorkerId};
use weevil_records::{Suspension, WorkerRecord};

/// The connected workers.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Fleet {
    /// The longest connected first.
    pub workers: Vec<FleetWorker>,
    pub slots: u32,
}

impl Fleet {
    /// Whether there is more to see than that workers were heard again, which they are all the time.
    pub(crate) fn is_news_after(&self, earlier: &Self) -> bool {
        let is_same = |(now, before): (&FleetWorker, &FleetWorker)| {
            now == before || *now == FleetWorker { heard_at: now.heard_at, ..before.clone() }
        };
        self.slots != earlier.slots
            || self.workers.len() != earlier.workers.len()
            || !self.workers.iter().zip(&earlier.workers).all(is_same)
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct FleetWorker {
    pub id: WorkerId,
    pub agent: String,
    /// Vendor and architecture of the GPU that it lends, as it says.
    pub adapter: Option<String>,
    /// It has a GPU that it does not lend, as it says.
    pub keeps_gpu: bool,
    /// The fingerprint of its device, where it has proved which one it is.
    pub device: Option<ContentHash>,
    pub slots: u32,
    /// The share of its time, in percent, that each slot computes, as it says; `None`: all of it.
    pub duty: Option<u32>,
    pub in_flight: u32,
    /// Jobs that it wants to hold; 0 while it pauses by itself.
    pub capacity: u32,
    /// Jobs that it may hold, whatever it wants.
    pub window: u32,
    /// Attempts that ended with a report, value or error.
    pub done: u32,
    /// Those of them that ended with an error.
    pub errors: u32,
    /// Attempts whose lease has expired.
    pub expired: u32,
    /// Millions of floating-point operations a second, over the last minute; at most what the server saw.
    pub mflops: f64,
    pub connected_at: Timestamp,
    /// When something came from it last.
    pub heard_at: Timestamp,
    /// How far its answers are believed now, as far as that was asked for yet.
    pub rank: Rank,
    /// Until when its device gets no judged jobs.
    pub rests_until: Option<Timestamp>,
    /// Who speaks from it. Its network is a pseudonym, and leaves the server nowhere.
    pub witness: Witness,
    /// What it can run.
    pub has: Needs,
    /// Why it is given nothing.
    pub suspension: Option<Suspension>,
    /// It was handed something.
    pub was_given: bool,
}

impl FleetWorker {
    /// What is kept of it when it has left.
    pub fn record(&self) -> WorkerRecord {
        WorkerRecord {
            id: self.id,
            agent: self.agent.clone(),
            device: self.device,
            adapter: self.adapter.clone(),
            has: self.has,
            slots: self.slots,
            connected_at: self.connected_at,
            heard_at: self.heard_at,
            done: self.done,
            errors: self.errors,
            expired: self.expired,
        }
    }

    /// Slots of it that have a job.
    pub fn busy(&self) -> u32 {
        self.in_flight.min(self.slots)
    }
}
