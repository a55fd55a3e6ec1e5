//! Attempts that a worker names as its own and nobody here has given it: so many the database is asked about.

use weevil_model::Timestamp;

/// The most of one worker in a heartbeat's time. What a worker was told to hold before it came back is half of it.
pub(super) const MAX_DOUBTED: u32 = 4096;

/// How many were doubted since a moment.
#[derive(Default)]
pub(super) struct Doubts {
    since: Timestamp,
    many: u32,
}

impl Doubts {
    /// May one more be, where a heartbeat's time is so long?
    pub(super) fn take(&mut self, now: Timestamp, heartbeat_ms: u32) -> bool {
        if now.since(self.since) >= heartbeat_ms.into() {
            *self = Self { since: now, many: 0 };
        }
        self.many = self.many.saturating_add(1);
        self.many <= MAX_DOUBTED
    }
}
