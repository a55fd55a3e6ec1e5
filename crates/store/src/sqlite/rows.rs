//! Rows of SQLite as rows of any database.

use sqlx::sqlite::SqliteRow;
use sqlx::{Row, SqliteConnection};
use weevil_queue::StoreError;

use crate::shared::columns::Columns;
use crate::shared::json::corrupt;
use crate::shared::paused::{PAUSED, Paused};

/// Wraps an error of the driver with what was being done.
pub(super) fn failed(doing: &'static str) -> impl Fn(sqlx::Error) -> StoreError {
    move |error| StoreError::Failed { doing, cause: error.to_string() }
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
