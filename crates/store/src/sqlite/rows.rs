//! Columns of a row as the model's types, checked.

use sqlx::Row;
use sqlx::sqlite::SqliteRow;
use weevil_model::{ContentHash, JobId, RunId, WorkerId};
use weevil_queue::StoreError;

use crate::shared::json::corrupt;

/// Wraps an error of the driver with what was being done.
pub(super) fn failed(doing: &'static str) -> impl Fn(sqlx::Error) -> StoreError {
    move |error| StoreError::Failed { doing, cause: error.to_string() }
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
