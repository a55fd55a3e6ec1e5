//! The connection to the server: when to try, when to wait, when to give up. Holds no socket.

/// First wait after a lost connection; doubles with every try.
const FIRST_WAIT_MS: f64 = 250.0;
const LONGEST_WAIT_MS: f64 = 30_000.0;
/// A server that has not said welcome after this long is tried anew: nothing else ends a try whose packets vanish.
const WELCOME_MS: f64 = 15_000.0;

#[derive(Debug, PartialEq)]
pub(crate) enum Link {
    /// Nobody asked for a connection, or the server does not want this page.
    Off,
    /// Waiting for the next try.
    Down {
        retry_at: f64,
    },
    Connecting {
        since: f64,
    },
    /// Hello was said, welcome not heard.
    Greeting {
        since: f64,
    },
    Up(LeaseTerms),
}

/// What holds on a connection.
#[derive(Debug, PartialEq)]
pub(crate) struct LeaseTerms {
    /// The lease and the interval between heartbeats while there are few workers.
    calm: (f64, f64),
    heartbeat_ms: f64,
    next_heartbeat: f64,
    /// When the server said something last.
    heard_at: f64,
}

impl LeaseTerms {
    pub(crate) fn new(lease_ms: u32, heartbeat_ms: u32, now: f64) -> Self {
        let heartbeat_ms = heartbeat_ms.into();
        let calm = (lease_ms.into(), heartbeat_ms);
        Self { calm, heartbeat_ms, next_heartbeat: now + heartbeat_ms, heard_at: now }
    }

    /// As much longer as the interval between heartbeats.
    fn lease_ms(&self) -> f64 {
        self.calm.0 * (self.heartbeat_ms / self.calm.1).max(1.0)
    }
}

impl Link {
    /// Milliseconds until the next try.
    pub(crate) fn retry_ms(&self, now: f64) -> Option<f64> {
        if let Self::Down { retry_at } = self { Some((retry_at - now).max(0.0)) } else { None }
    }

    /// Another interval between heartbeats. The next one comes no later than it would have:
    /// what is held was leased for the interval until now.
    pub(crate) fn set_pace(&mut self, every_ms: f64, now: f64) {
        if let Self::Up(terms) = self {
            terms.heartbeat_ms = every_ms;
            terms.next_heartbeat = terms.next_heartbeat.min(now + every_ms);
        }
    }

    pub(crate) const fn is_tried(&self) -> bool {
        matches!(self, Self::Connecting { .. })
    }

    /// Somebody is at the other end, as far as is known.
    pub(crate) const fn is_open(&self) -> bool {
        matches!(self, Self::Greeting { .. } | Self::Up(_))
    }

    pub(crate) fn beats_at(&self, now: f64) -> bool {
        matches!(self, Self::Up(terms) if now >= terms.next_heartbeat)
    }

    pub(crate) fn beat(&mut self, now: f64) {
        if let Self::Up(terms) = self {
            terms.next_heartbeat = now + terms.heartbeat_ms;
        }
    }

    pub(crate) fn heard(&mut self, now: f64) {
        if let Self::Up(terms) = self {
            terms.heard_at = now;
        }
    }

    /// Packets vanish: each heartbeat has an answer, and none came for a whole lease.
    pub(crate) fn is_dead(&self, now: f64) -> bool {
        match self {
            Self::Off | Self::Down { .. } => false,
            Self::Connecting { since } | Self::Greeting { since } => now - since > WELCOME_MS,
            Self::Up(terms) => now - terms.heard_at > terms.lease_ms(),
        }
    }

    /// This machine stood still for `ms`. Answers whether the server has let go of it: it ends what is silent for a
    /// lease. Else what was said meanwhile may be about to be heard.
    pub(crate) fn stood_still(&mut self, ms: f64) -> bool {
        match self {
            Self::Off | Self::Down { .. } => false,
            Self::Connecting { since } | Self::Greeting { since } => {
                *since += ms;
                false
            }
            Self::Up(terms) => {
                terms.heard_at += ms;
                ms > terms.lease_ms()
            }
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

    /// When to try again: after the wait, and up to as long again by the fraction of the volunteer's own clock, which
    /// keeps a crowd from coming back as one.
    pub(crate) fn next(&mut self, now: f64) -> f64 {
        let wait = (FIRST_WAIT_MS * f64::from(1_u32 << self.0.min(16))).min(LONGEST_WAIT_MS / 2.0);
        self.0 += 1;
        now + wait * (1.0 + now % FIRST_WAIT_MS / FIRST_WAIT_MS)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_double_up_to_half_a_minute() {
        for (at, expected, longest) in [
            (1_000.0, [250.0, 500.0, 1_000.0], 15_000.0),
            (1_125.0, [375.0, 750.0, 1_500.0], 22_500.0),
            (1_249.0, [499.0, 998.0, 1_996.0], 29_940.0),
        ] {
            let mut backoff = Backoff::default();
            let waits: Vec<f64> = (0..9).map(|_| backoff.next(at) - at).collect();
            assert_eq!(waits[..3], expected);
            assert!((waits[8] - longest).abs() < 1e-6, "{waits:?}");
            backoff.reset();
            assert!((backoff.next(0.0) - FIRST_WAIT_MS).abs() < 1e-9);
        }
    }

    #[test]
    fn silence_longer_than_the_server_would_bear_it_is_the_end() {
        let up = || Link::Up(LeaseTerms::new(60_000, 20_000, 1_000.0));
        let at = |mut link: Link, change: fn(&mut Link)| {
            change(&mut link);
            (1..=901_u32).map(|at| f64::from(at) * 1_000.0).find(|now| link.is_dead(*now) || *now > 9e5)
        };
        for (link, change, dead_at) in [
            (up(), (|_| ()) as fn(&mut Link), 62_000.0),
            (up(), |link| link.beat(30_000.0), 62_000.0),
            (up(), |link| link.heard(30_000.0), 91_000.0),
            (up(), |link| link.set_pace(40_000.0, 2_000.0), 122_000.0),
            (up(), |link| assert!(!link.stood_still(10_000.0)), 72_000.0),
            (Link::Connecting { since: 5_000.0 }, |_| (), 21_000.0),
            (Link::Greeting { since: 5_000.0 }, |link| assert!(!link.stood_still(90_000.0)), 111_000.0),
            (Link::Down { retry_at: 9.0 }, |_| (), 901_000.0),
            (Link::Off, |_| (), 901_000.0),
        ] {
            let shown = format!("{link:?}");
            assert_eq!(at(link, change), Some(dead_at), "{shown}");
        }
        assert!(up().stood_still(60_001.0), "leases have ended meanwhile");
    }
}
