//! How often somebody may fail to prove who they are, at work: attempts that are under way.
//!
//! The rules are `weevil_access::Throttle`'s. Nothing here outlives the server.

use std::sync::{Mutex, MutexGuard, PoisonError};

use weevil_access::{AccountName, Attempt, Target, Throttle, Wait};
use weevil_model::Timestamp;

#[derive(Default)]
pub(crate) struct Throttles(Mutex<Throttle>);

/// An attempt that was let begin. Dropped before it has failed it counts for nothing.
pub(crate) struct Begun<'t> {
    throttles: &'t Throttles,
    attempt: Attempt,
    at: Timestamp,
    failed: bool,
}

impl Throttles {
    fn held(&self) -> MutexGuard<'_, Throttle> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lets an attempt begin.
    ///
    /// # Errors
    /// How long to wait.
    pub(crate) fn begin(&self, attempt: Attempt, at: Timestamp) -> Result<Begun<'_>, Wait> {
        self.held().begin(attempt, at)?;
        Ok(Begun { throttles: self, attempt, at, failed: false })
    }

    /// Whether the account with this name is under attack.
    pub(crate) fn is_attacked(&self, name: &AccountName, now: Timestamp) -> bool {
        self.held().is_attacked(Target::of(name), now)
    }
}

impl Begun<'_> {
    /// It has failed. Whether the account is under attack from this moment on.
    pub(crate) fn fail(mut self) -> bool {
        self.failed = true;
        self.throttles.held().failed(self.attempt, self.at)
    }
}

impl Drop for Begun<'_> {
    fn drop(&mut self) {
        if !self.failed {
            self.throttles.held().take_back(self.attempt, self.at);
        }
    }
}

#[cfg(test)]
mod tests {
    use weevil_access::limits::PLACE_AT_ACCOUNT_FAILURES;
    use weevil_model::PlaceNumber;

    use super::*;

    #[test]
    fn only_failures_count() {
        let (throttles, target) = (Throttles::default(), Target::of(&"ada".parse().unwrap()));
        let attempt = Attempt::Stranger { place: PlaceNumber::from_number(7), target };
        for _ in 0..100 {
            drop(throttles.begin(attempt, Timestamp(0)).unwrap());
        }
        for _ in 0..PLACE_AT_ACCOUNT_FAILURES {
            assert!(!throttles.begin(attempt, Timestamp(0)).unwrap().fail());
        }
        assert!(throttles.begin(attempt, Timestamp(0)).is_err());
    }
}
