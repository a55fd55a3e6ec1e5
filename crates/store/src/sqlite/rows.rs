//! Between columns and the model: checked on the way in, hexadecimal for bytes that travel inside JSON parameters.

use std::fmt::Write;

use sqlx::Row;
use sqlx::sqlite::SqliteRow;
use weevil_model::{ContentHash, JobId, RunId, WorkerId};
use weevil_queue::StoreError;

/// Wraps an error of the driver with what was being done.
pub(super) fn failed(doing: &'static str) -> impl Fn(sqlx::Error) -> StoreError {
    move |error| StoreError::Failed { doing, cause: error.to_string() }
}

fn corrupt(what: &str) -> StoreError {
    StoreError::Corrupt { what: what.to_owned() }
}

pub(super) fn get<'r, T>(row: &'r SqliteRow, column: &'static str) -> Result<T, StoreError>
where
    T: sqlx::Decode<'r, sqlx::Sqlite> + sqlx::Type<sqlx::Sqlite>,
{
    row.try_get(column).map_err(failed("reading a row"))
}

pub(super) fn hash(row: &SqliteRow, column: &'static str) -> Result<ContentHash, StoreError> {
    let bytes: &[u8] = get(row, column)?;
    bytes.try_into().map(ContentHash::from_bytes).map_err(|_| corrupt("a hash that is not 32 bytes long"))
}

pub(super) fn job_id(row: &SqliteRow, column: &'static str) -> Result<JobId, StoreError> {
    JobId::from_number(get(row, column)?).ok_or_else(|| corrupt("a negative job id"))
}

pub(super) fn run_id(row: &SqliteRow, column: &'static str) -> Result<RunId, StoreError> {
    RunId::from_number(get(row, column)?).ok_or_else(|| corrupt("a negative run id"))
}

pub(super) fn worker_id(row: &SqliteRow, column: &'static str) -> Result<WorkerId, StoreError> {
    WorkerId::from_number(get(row, column)?).ok_or_else(|| corrupt("a negative worker id"))
}

/// A word that one of the model's enums must know.
pub(super) fn word<T>(text: &str, parse: impl Fn(&str) -> Option<T>) -> Result<T, StoreError> {
    parse(text).ok_or_else(|| corrupt(&format!("the unknown word `{text}`")))
}

/// For `unhex()` inside a statement whose parameter is JSON.
pub(super) fn hex(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len() * 2);
    for byte in bytes {
        // Writing to a String cannot fail.
        let _infallible = write!(text, "{byte:02x}");
    }
    text
}

pub(super) fn json<T: serde::Serialize>(rows: &[T]) -> Result<String, StoreError> {
    serde_json::to_string(rows)
        .map_err(|error| StoreError::Failed { doing: "writing a batch", cause: error.to_string() })
}
