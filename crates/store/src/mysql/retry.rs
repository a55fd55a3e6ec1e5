//! Which errors of the driver pass by themselves. Never tries anything again.

use sqlx::mysql::MySqlDatabaseError;
use weevil_records::StoreError;

use crate::fault::Fault;

/// Errors of the server after which the same transaction may succeed
/// (<https://mariadb.com/kb/en/mariadb-error-code-reference/>).
const PASSING: [u16; 10] = [
    1020, // another transaction has changed the row since it was read
    1040, // too many connections
    1047, // a node of a cluster that is not ready
    1053, // the server is going down
    1062, // somebody else has put in the same row just now: the next attempt sees it
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
    1366, // bytes that are not text
    1406, // text that is too long
    1452, // a row that names another which is not there
    1644, // a trigger's own refusal
    3819, // a check constraint, of MySQL
    4025, // and of MariaDB
];

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
