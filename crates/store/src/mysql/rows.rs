//! Rows of MySQL as rows of any database; and rows on their way into statements.

use serde::Serialize;
use sqlx::mysql::MySqlRow;
use sqlx::{MySqlConnection, Row};
use weevil_records::StoreError;

use super::retry::{Fault, failed};
use crate::shared::columns::Columns;
use crate::shared::json::corrupt;
pub(super) use crate::shared::parts::parts;
use crate::shared::paused::{PAUSED, Paused};

impl Columns for MySqlRow {
    fn maybe_number(&self, column: &'static str) -> Result<Option<i64>, StoreError> {
        let signed: Result<Option<i64>, sqlx::Error> = self.try_get(column);
        signed.or_else(|_| unsigned(self, column)).map_err(|error| unreadable(&error))
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

/// The driver tells columns that know no negative numbers from the others.
fn unsigned(row: &MySqlRow, column: &'static str) -> Result<Option<i64>, sqlx::Error> {
    row.try_get(column).map(|number: Option<u64>| number.map(u64::cast_signed))
}

/// Reading a row again gives the same.
fn unreadable(error: &sqlx::Error) -> StoreError {
    corrupt(&format!("a column ({error})"))
}

/// Reads each row.
pub(super) fn all<T>(
    rows: &[MySqlRow],
    read: fn(&MySqlRow) -> Result<T, StoreError>,
) -> Result<Vec<T>, Fault> {
    Ok(rows.iter().map(read).collect::<Result<_, _>>()?)
}

pub(super) async fn paused(tx: &mut MySqlConnection) -> Result<Paused, Fault> {
    let rows = sqlx::query(PAUSED).fetch_all(tx).await;
    Ok(Paused::read(&rows.map_err(failed("looking for what is paused"))?)?)
}

/// Runs a statement over rows whose parameters are the rows and then a moment, if it has one. Answers how many rows of
/// the database it met.
pub(super) async fn change<T: Serialize>(
    tx: &mut MySqlConnection,
    statement: &'static str,
    rows: &[T],
    moment: i64,
    doing: &'static str,
) -> Result<u64, Fault> {
    let mut met = 0;
    for part in parts(rows)? {
        let done = sqlx::query(statement).bind(part).bind(moment).execute(&mut *tx).await;
        met += done.map_err(failed(doing))?.rows_affected();
    }
    Ok(met)
}
