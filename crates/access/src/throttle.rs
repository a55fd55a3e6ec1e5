//! How often somebody may fail to prove who they are: by browser, by place at an account, by place.
//!
//! Nothing is refused for what was counted of an account alone, so a stranger shuts out nobody at another place and no
//! browser that the account knows. It never judges a password, and its memory ends with the server.

use std::collections::VecDeque;

use weevil_model::{ContentHash, PlaceNumber, Timestamp};

use crate::known_browser::KnownBrowser;
use crate::limits::{
    ATTACK_FAILURES, KNOWN_BROWSER_FAILURES, MAX_THROTTLE_ENTRIES, PLACE_AT_ACCOUNT_FAILURES,
    PLACE_AT_ATTACKED_FAILURES, PLACE_FAILURES,
};
use crate::name::AccountName;
use crate::recent::Recent;

const TEN_MINUTES_MS: i64 = 600_000;
const HOUR_MS: i64 = 3_600_000;
const DAY_MS: i64 = 86_400_000;

/// The account that is meant, by its name: names that nobody has are counted like any other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Target(u64);

impl Target {
    pub fn of(name: &AccountName) -> Self {
        Self(ContentHash::of(name.as_str().as_bytes()).seed())
    }
}

/// Somebody tries to prove something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Attempt {
    /// A password, from a browser that has signed in to this very account before.
    Known { browser: KnownBrowser, target: Target },
    /// A password, from any other browser.
    Stranger { place: PlaceNumber, target: Target },
    /// A link or a code, which names no account.
    Link { place: PlaceNumber },
}

/// Too many failures: the next attempt is taken after so long.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wait {
    pub ms: i64,
}

/// What failures are counted by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Key {
    Browser(KnownBrowser),
    PlaceAt(PlaceNumber, Target),
    Place(PlaceNumber),
}

/// So many failures within so long.
#[derive(Debug, Clone, Copy)]
struct Bound {
    failures: usize,
    window_ms: i64,
}

/// The failures at one account since some moment, for a day.
#[derive(Debug, Default, Clone, Copy)]
struct Day {
    since: Timestamp,
    failures: u32,
}

#[derive(Debug)]
pub struct Throttle {
    /// Moments of failures, oldest first; never more of a key than its bound.
    failures: Recent<Key, VecDeque<Timestamp>>,
    days: Recent<Target, Day>,
}

impl Default for Throttle {
    fn default() -> Self {
        Self::with_room(MAX_THROTTLE_ENTRIES)
    }
}

impl Throttle {
    fn with_room(entries: usize) -> Self {
        Self { failures: Recent::new(entries / 2), days: Recent::new(entries / 2) }
    }

    /// Lets an attempt begin, or says how long to wait. What has begun counts as failed until `take_back`, so that many
    /// at once are not more than one after the other.
    pub fn begin(&mut self, attempt: Attempt, now: Timestamp) -> Result<(), Wait> {
        let counts = self.counts(attempt, now);
        let wait = counts.iter().map(|(key, bound)| self.wait(*key, *bound, now)).max().unwrap_or(0);
        if wait > 0 {
            return Err(Wait { ms: wait });
        }
        for (key, bound) in counts {
            let moments = self.failures.entry(key);
            moments.retain(|moment| now.since(*moment) < bound.window_ms);
            moments.push_back(now);
        }
        Ok(())
    }

    /// An attempt that had begun has succeeded, or was never carried out.
    pub fn take_back(&mut self, attempt: Attempt, now: Timestamp) {
        for (key, _) in self.counts(attempt, now) {
            self.failures.entry(key).pop_back();
        }
    }

    /// An attempt that had begun has failed. Answers whether the account is under attack from this moment on.
    pub fn failed(&mut self, attempt: Attempt, now: Timestamp) -> bool {
        let (Attempt::Known { target, .. } | Attempt::Stranger { target, .. }) = attempt else {
            return false;
        };
        let day = self.days.entry(target);
        if now.since(day.since) >= DAY_MS {
            *day = Day { since: now, failures: 0 };
        }
        day.failures = day.failures.saturating_add(1);
        day.failures == ATTACK_FAILURES
    }

    fn counts(&self, attempt: Attempt, now: Timestamp) -> Vec<(Key, Bound)> {
        let bound = |failures, window_ms| Bound { failures, window_ms };
        let at_any = |place| (Key::Place(place), bound(PLACE_FAILURES, TEN_MINUTES_MS));
        match attempt {
            Attempt::Known { browser, .. } => {
                vec![(Key::Browser(browser), bound(KNOWN_BROWSER_FAILURES, HOUR_MS))]
            }
            Attempt::Stranger { place, target } => {
                let attacked = self.is_attacked(target, now);
                let failures = if attacked { PLACE_AT_ATTACKED_FAILURES } else { PLACE_AT_ACCOUNT_FAILURES };
                vec![(Key::PlaceAt(place, target), bound(failures, HOUR_MS)), at_any(place)]
            }
            Attempt::Link { place } => vec![at_any(place)],
        }
    }

    /// Whether so many attempts at an account have failed within a day that somebody must be guessing.
    pub fn is_attacked(&self, target: Target, now: Timestamp) -> bool {
        let within = |day: &Day| day.failures >= ATTACK_FAILURES && now.since(day.since) < DAY_MS;
        self.days.get(&target).is_some_and(within)
    }

    /// Milliseconds until fewer failures than the bound lie within its window; 0 where that is so now.
    fn wait(&self, key: Key, bound: Bound, now: Timestamp) -> i64 {
        let decisive = self.failures.get(&key).and_then(|moments| {
            let at = moments.len().checked_sub(bound.failures)?;
            moments.get(at)
        });
        decisive.map_or(0, |moment| bound.window_ms - now.since(*moment)).clamp(0, bound.window_ms)
    }
}

#[cfg(test)]
mod tests;
