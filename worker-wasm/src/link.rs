//! The connection to the server: when to try, when to wait, when to give up. Holds no socket.

/// First wait after a lost connection; doubles with every try.
const FIRST_WAIT_MS: f64 = 250.0;
const LONGEST_WAIT_MS: f64 = 30_000.0;

#[derive(Debug, PartialEq)]
pub(crate) enum Link {
    /// Nobody asked for a connection, or the server does not want this page.
    Off,
    /// Waiting for the next try.
    Down {
        retry_at: f64,
    },
    Connecting,
    /// Hello was said, welcome not heard.
    Greeting,
    Up {
        heartbeat_ms: f64,
        next_heartbeat: f64,
    },
}

impl Link {
    /// Milliseconds until the next try.
    pub(crate) fn retry_ms(&self, now: f64) -> Option<f64> {
        if let Self::Down { retry_at } = self { Some((retry_at - now).max(0.0)) } else { None }
    }

    /// Another interval between heartbeats. The next one comes no later than it would have: what is held was leased for
    /// the interval until now.
    pub(crate) fn set_pace(&mut self, every_ms: f64, now: f64) {
        if let Self::Up { heartbeat_ms, next_heartbeat } = self {
            *heartbeat_ms = every_ms;
            *next_heartbeat = next_heartbeat.min(now + every_ms);
        }
    }
}

/// How often in a row it failed.
#[derive(Debug, Default)]
pub(crate) struct Backoff(u32);

impl Backoff {
    pub(crate) const fn reset(&mut self) {
        self.0 = 0;
    }

    /// When to try again. The fraction of the volunteer's own clock keeps a crowd from coming back as one.
    pub(crate) fn next(&mut self, now: f64) -> f64 {
        let wait = (FIRST_WAIT_MS * f64::from(1_u32 << self.0.min(16))).min(LONGEST_WAIT_MS);
        self.0 += 1;
        now + wait + now % FIRST_WAIT_MS
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_double_up_to_half_a_minute() {
        let mut backoff = Backoff::default();
        let waits: Vec<f64> = (0..9).map(|_| backoff.next(1_000.0) - 1_000.0).collect();
        assert_eq!(waits[..3], [250.0, 500.0, 1_000.0]);
        assert!((waits[8] - LONGEST_WAIT_MS).abs() < 1e-9);
        backoff.reset();
        assert!((backoff.next(0.0) - FIRST_WAIT_MS).abs() < 1e-9);
    }
}
