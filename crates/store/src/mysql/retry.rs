//! What passes by itself, and how often and after which pause it is tried again. Never decides what is tried: nothing
//! of a failed attempt has been applied.

use std::time::Duration;

use sqlx::mysql::MySqlDatabaseError;
use weevil_records::StoreError;

/// Tries of one transaction or read.
const MAX_TRIES: u32 = 8;
/// Milliseconds that the first pause lasts at most; each later one may be twice as long as the one before.
const FIRST_PAUSE_MS: u64 = 10;
const LONGEST_PAUSE_MS: u64 = 500;

/// Errors of the server after which the same transaction may succeed
/// (<https://mariadb.com/kb/en/mariadb-error-code-reference/>).
const PASSING: [u16; 9] = [
    1020, // another transaction has changed the row since it was read
    1040, // too many connections
    1047, // a node of a cluster that is not ready
    1053, // the server is going down
    1205, // waited too long for a lock
    1213, // deadlock, or a conflict with another node of a cluster
    1317, // interrupted
    1927, // the connection was killed
    4031, // the connection was idle too long
];

/// Errors of the server that the same statement meets again, whenever it is tried.
const LASTING: [u16; 8] = [
    1048, // null where there must be something
    1264, // a number out of range
    1366, // text that is none
    1406, // text that is too long
    1452, // a row that belongs to none
    1644, // a trigger's own refusal
    3819, // a check constraint, of MySQL
    4025, // and of MariaDB
];

/// Why an attempt has ended, and whether another may do better.
#[derive(Debug)]
pub(super) enum Fault {
    Passing(StoreError),
    Lasting(StoreError),
}

impl From<StoreError> for Fault {
    fn from(error: StoreError) -> Self {
        Self::Lasting(error)
    }
}

/// Wraps an error of the driver with what was being done.
pub(super) fn failed(doing: &'static str) -> impl Fn(sqlx::Error) -> Fault {
    move |error| {
        let cause = cause(&error);
        if number(&error).is_some_and(|number| LASTING.contains(&number)) {
            return Fault::Lasting(StoreError::Refused { doing, cause });
        }
        let told = StoreError::Failed { doing, cause };
        if passes(&error) { Fault::Passing(told) } else { Fault::Lasting(told) }
    }
}

/// The same where somebody else may have put in the same row just now: the next attempt will see it.
pub(super) fn overtaken(doing: &'static str) -> impl Fn(sqlx::Error) -> Fault {
    move |error| match &error {
        sqlx::Error::Database(refusal) if refusal.is_unique_violation() => {
            Fault::Passing(StoreError::Failed { doing, cause: cause(&error) })
        }
        _ => failed(doing)(error),
    }
}

fn cause(error: &sqlx::Error) -> String {
    match error {
        sqlx::Error::PoolTimedOut => "the database server does not answer".to_owned(),
        other => other.to_string(),
    }
}

fn passes(error: &sqlx::Error) -> bool {
    match error {
        sqlx::Error::Io(_) => true,
        other => number(other).is_some_and(|number| PASSING.contains(&number)),
    }
}

/// The server's number of an error that is its own.
fn number(error: &sqlx::Error) -> Option<u16> {
    let sqlx::Error::Database(refusal) = error else { return None };
    refusal.try_downcast_ref::<MySqlDatabaseError>().map(MySqlDatabaseError::number)
}

/// Counts the tries of one piece of work.
#[derive(Debug, Default)]
pub(super) struct Tries(u32);

impl Tries {
    /// Returns after a pause if there is another try, else says why there is none.
    pub(super) async fn pause(&mut self, fault: Fault) -> Result<(), StoreError> {
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
pub(super) fn chance(most: u64) -> u64 {
    let random = getrandom::u64().unwrap_or(u64::MAX);
    most.checked_add(1).map_or(random, |below| random % below)
}

/// Evaluates the attempt until it succeeds or there is no sense in another.
macro_rules! retried {
    ($attempt:expr) => {{
        let mut tries = $crate::mysql::retry::Tries::default();
        loop {
            match $attempt.await {
                Ok(done) => break Ok(done),
                Err(fault) => tries.pause(fault).await?,
            }
        }
    }};
}
pub(super) use retried;

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
