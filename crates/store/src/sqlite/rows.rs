//! Rows of SQLite as rows of any database; and rows on their way into statements.

use serde::Serialize;
use sqlx::sqlite::SqliteRow;
use sqlx::{Row, SqliteConnection};
use weevil_records::StoreError;

use crate::shared::columns::Columns;
use crate::shared::json::corrupt;
use crate::shared::parts::parts;
use crate::shared::paused::{PAUSED, Paused};

/// Result codes that the same statement meets again, whenever it is tried: ERROR, TOOBIG, CONSTRAINT, MISMATCH, RANGE
/// (<https://sqlite.org/rescode.html>).
const REFUSALS: [i32; 5] = [1, 18, 19, 20, 25];

/// Wraps an error of the driver with what was being done.
pub(super) fn failed(doing: &'static str) -> impl Fn(sqlx::Error) -> StoreError {
    move |error| {
        let cause = error.to_string();
        if lasts(&error) { StoreError::Refused { doing, cause } } else { StoreError::Failed { doing, cause } }
    }
}

/// An extended code has the code in its last eight bits.
fn lasts(error: &sqlx::Error) -> bool {
    let sqlx::Error::Database(refusal) = error else { return false };
    let code = refusal.code().and_then(|code| code.parse::<i32>().ok());
    code.is_some_and(|code| REFUSALS.contains(&(code & 0xff)))
}

/// Runs a statement over rows whose parameters are the rows and then a moment, if it has one. Answers how many rows of
/// the database it met.
pub(super) async fn change<T: Serialize>(
    tx: &mut SqliteConnection,
    statement: &'static str,
    rows: &[T],
    moment: i64,
    doing: &'static str,
) -> Result<u64, StoreError> {
    let mut met = 0;
    for part in parts(rows)? {
        let done = sqlx::query(statement).bind(part).bind(moment).execute(&mut *tx).await;
        met += done.map_err(failed(doing))?.rows_affected();
    }
    Ok(met)
}

/// The rows that a query over rows finds.
pub(super) async fn found<T: Serialize>(
    tx: &mut SqliteConnection,
    query: &'static str,
    rows: &[T],
    doing: &'static str,
) -> Result<Vec<SqliteRow>, StoreError> {
    let mut all = Vec::new();
    for part in parts(rows)? {
        let found = sqlx::query(query).bind(part).fetch_all(&mut *tx).await;
        all.extend(found.map_err(failed(doing))?);
    }
    Ok(all)
}

impl Columns for SqliteRow {
    fn maybe_number(&self, column: &'static str) -> Result<Option<i64>, StoreError> {
        self.try_get(column).map_err(|error| unreadable(&error))
    }

    fn maybe_text(&self, column: &'static str) -> Result<Option<String>, StoreError> {
        self.try_get(column).map_err(|error| unreadable(&error))
    }

    fn maybe_bytes(&self, column: &'static str) -> Result<Option<Vec<u8>>, StoreError> {
        self.try_get(column).map_err(|error| unreadable(&error))
    }

    fn maybe_real(&self, column: &'static str) -> Result<Option<f64>, StoreError> {
        self.try_get(column).map_err(|error| unreadable(&error))
    }
}

/// Reading a row again gives the same.
fn unreadable(error: &sqlx::Error) -> StoreError {
    corrupt(&format!("a column ({error})"))
}

pub(super) async fn paused(tx: &mut SqliteConnection) -> Result<Paused, StoreError> {
    let rows = sqlx::query(PAUSED).fetch_all(tx).await;
    Paused::read(&rows.map_err(failed("looking for what is paused"))?)
}
