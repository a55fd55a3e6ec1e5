//! What passes by itself, and how often and after which pause it is tried again. Never decides what is tried: nothing
//! of a failed attempt has been applied.

use std::time::Duration;

use weevil_records::StoreError;

/// Tries of one transaction or read.
const MAX_TRIES: u32 = 8;
/// Milliseconds that the first pause lasts at most; each later one may be twice as long as the one before.
const FIRST_PAUSE_MS: u64 = 10;
const LONGEST_PAUSE_MS: u64 = 500;

/// Why an attempt has ended, and whether another may do better.
#[derive(Debug)]
pub(crate) enum Fault {
    /// A lock or a lost connection, for instance: nothing is wrong with what was tried.
    Passing(StoreError),
    /// Told to the caller at once, whose own next try may be a second away.
    Lasting(StoreError),
}

impl From<StoreError> for Fault {
    fn from(error: StoreError) -> Self {
        Self::Lasting(error)
    }
}

/// Counts the tries of one piece of work.
#[derive(Debug, Default)]
pub(crate) struct Tries(u32);

impl Tries {
    /// Returns after a pause if there is another try, else says why there is none.
    pub(crate) async fn pause(&mut self, fault: Fault) -> Result<(), StoreError> {
        self.0 += 1;
        match fault {
            Fault::Passing(error) if self.0 < MAX_TRIES => {
                tracing::debug!(%error, tries = self.0, "trying again");
                tokio::time::sleep(Duration::from_millis(chance(longest_pause(self.0)))).await;
                Ok(())
            }
            Fault::Passing(error) | Fault::Lasting(error) => Err(error),
        }
    }
}

/// Milliseconds that the pause after this many tries lasts at most.
const fn longest_pause(tries: u32) -> u64 {
    let grown = FIRST_PAUSE_MS << (tries - 1);
    if grown < LONGEST_PAUSE_MS { grown } else { LONGEST_PAUSE_MS }
}

/// A random number up to `most`, so that two servers that met do not meet again. Decides about nothing but time and
/// names.
pub(crate) fn chance(most: u64) -> u64 {
    let random = getrandom::u64().unwrap_or(u64::MAX);
    most.checked_add(1).map_or(random, |below| random % below)
}

/// Evaluates the attempt until it succeeds or there is no sense in another.
macro_rules! retried {
    ($attempt:expr) => {{
        let mut tries = $crate::fault::Tries::default();
        loop {
            match $attempt.await {
                Ok(done) => break Ok(done),
                Err(fault) => tries.pause(fault).await?,
            }
        }
    }};
}
pub(crate) use retried;

#[cfg(test)]
mod tests {
    use super::*;

    fn fault(kind: fn(StoreError) -> Fault) -> Fault {
        kind(StoreError::Failed { doing: "testing", cause: "a test".to_owned() })
    }

    #[tokio::test(start_paused = true)]
    async fn tries_are_bounded() {
        for (kind, expected) in [(Fault::Passing as fn(_) -> _, MAX_TRIES), (Fault::Lasting, 1)] {
            let mut tries = Tries::default();
            while tries.pause(fault(kind)).await.is_ok() {}
            assert_eq!(tries.0, expected);
        }
    }

    #[test]
    fn pauses_grow_and_stay_within_bounds() {
        let longest: Vec<u64> = (1..MAX_TRIES).map(longest_pause).collect();
        assert_eq!(longest, [10, 20, 40, 80, 160, 320, 500]);
        let drawn: Vec<u64> = (0..1000).map(|_| chance(20)).collect();
        assert!(drawn.iter().all(|ms| *ms <= 20) && drawn.iter().any(|ms| *ms != drawn[0]));
    }
}
