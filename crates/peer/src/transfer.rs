//! How long a message or a body may take to come in, and how much of it is counted as unfinished.

use weevil_model::Timestamp;

/// Bytes up to which a transfer is not charged: it fits into what a connection has anyway.
pub const SMALL_TRANSFER_BYTES: u64 = 64 * 1024;
/// What every transfer may take.
const BASE_MS: i64 = 10_000;
/// And a second more for each of these.
const BYTES_A_SECOND: u64 = 32 * 1024;

/// A message or a body that is coming in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Transfer {
    began_at: Timestamp,
    announced: u64,
    /// Bytes up to which it is not charged.
    free: u64,
}

impl Transfer {
    pub const fn new(began_at: Timestamp, announced: u64) -> Self {
        Self { began_at, announced, free: SMALL_TRANSFER_BYTES }
    }

    /// The same over a connection that others share: it has no room of its own, so every byte is charged.
    #[must_use]
    pub const fn shared(self) -> Self {
        Self { free: 0, ..self }
    }

    /// So much is announced now, as more of it is seen.
    pub const fn announce(&mut self, announced: u64) {
        self.announced = announced;
    }

    /// It was not read on for so long: that was not the sender's time.
    pub const fn waited(&mut self, ms: i64) {
        self.began_at = self.began_at.plus_ms(ms);
    }

    /// What the ledger counts of it.
    pub const fn charged(&self) -> u64 {
        if self.announced > self.free { self.announced } else { 0 }
    }

    /// When it has to be over.
    pub const fn ends_at(&self) -> Timestamp {
        let more = self.announced.div_ceil(BYTES_A_SECOND).saturating_mul(1000);
        self.began_at.plus_ms(BASE_MS.saturating_add_unsigned(more))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_announced_gives_time_and_is_charged() {
        for (announced, charged, ms) in [
            (0, 0, 10_000),
            (1, 0, 11_000),
            (SMALL_TRANSFER_BYTES, 0, 12_000),
            (SMALL_TRANSFER_BYTES + 1, SMALL_TRANSFER_BYTES + 1, 13_000),
            (32 * 1024 * 1024, 32 * 1024 * 1024, 1_034_000),
            (u64::MAX, u64::MAX, i64::MAX),
        ] {
            let mut transfer = Transfer::new(Timestamp(0), announced);
            assert_eq!(transfer.charged(), charged, "{announced}");
            let found = transfer.ends_at().0;
            assert!(found == ms || announced == u64::MAX && found > 1 << 48, "{announced}: {found}");
            assert_eq!(transfer.shared().charged(), announced, "over a shared connection");
            transfer.announce(0);
            transfer.waited(30_000);
            assert_eq!(transfer.ends_at(), Timestamp(40_000));
        }
    }
}
