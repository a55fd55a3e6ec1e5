//! How long an attempt may be held, whatever its holder says (ADR 0030).

use weevil_model::Timestamp;

/// Milliseconds in which a worker begins what it was handed: ten minutes.
pub const MAX_HELD_MS: i64 = 10 * 60 * 1000;

/// The last moment at which a heartbeat renews the lease of an attempt: what began in time has reached its timeout by
/// then. With the lease that it renews, this is the attempt's term.
pub const fn last_renewal(handed_at: Timestamp, timeout_ms: u32) -> Timestamp {
    handed_at.plus_ms(MAX_HELD_MS + timeout_ms as i64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_term_is_ten_minutes_and_the_timeout() {
        for (handed_at, timeout_ms, last) in
            [(0, 0, 600_000), (7, 300_000, 900_007), (1_000, u32::MAX, 601_000 + i64::from(u32::MAX))]
        {
            assert_eq!(last_renewal(Timestamp(handed_at), timeout_ms), Timestamp(last), "{timeout_ms}");
        }
    }
}
