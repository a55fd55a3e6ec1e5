//! Columns of a row as the model's types, checked; and rows on their way into statements, in parts of bounded size.

use serde::Serialize;
use sqlx::mysql::MySqlRow;
use sqlx::{MySqlConnection, Row};
use weevil_model::{ContentHash, JobId, RunId, WorkerId};

use super::retry::{Fault, failed};
use crate::shared::json::{corrupt, json};

/// Bytes of rows that one statement carries; a longer row travels alone. Far below `max_allowed_packet`.
const PART_BYTES: usize = 4 * 1024 * 1024;

pub(super) fn get<'r, T>(row: &'r MySqlRow, column: &'static str) -> Result<T, Fault>
where
    T: sqlx::Decode<'r, sqlx::MySql> + sqlx::Type<sqlx::MySql>,
{
    row.try_get(column).map_err(failed("reading a row"))
}

pub(super) fn hash(row: &MySqlRow, column: &'static str) -> Result<ContentHash, Fault> {
    let bytes: &[u8] = get(row, column)?;
    let bytes = bytes.try_into().map_err(|_| corrupt("a hash that is not 32 bytes long"))?;
    Ok(ContentHash::from_bytes(bytes))
}

pub(super) fn job_id(row: &MySqlRow, column: &'static str) -> Result<JobId, Fault> {
    Ok(JobId::from_number(get(row, column)?).ok_or_else(|| corrupt("a negative job id"))?)
}

pub(super) fn run_id(row: &MySqlRow, column: &'static str) -> Result<RunId, Fault> {
    Ok(RunId::from_number(get(row, column)?).ok_or_else(|| corrupt("a negative run id"))?)
}

pub(super) fn worker_id(row: &MySqlRow, column: &'static str) -> Result<WorkerId, Fault> {
    Ok(WorkerId::from_number(get(row, column)?).ok_or_else(|| corrupt("a negative worker id"))?)
}

/// What `count(*)` has counted.
pub(super) fn count(row: &MySqlRow, column: &'static str) -> Result<u32, Fault> {
    let counted: i64 = get(row, column)?;
    Ok(u32::try_from(counted).map_err(|_| corrupt("a count beyond all limits"))?)
}

/// The rows as JSON arrays, each short enough for one statement.
pub(super) fn parts<T: Serialize>(rows: &[T]) -> Result<Vec<String>, Fault> {
    let mut parts = Vec::new();
    let mut part = String::new();
    for row in rows {
        let row = json(row)?;
        if !part.is_empty() && part.len() + row.len() > PART_BYTES {
            parts.push(std::mem::take(&mut part) + "]");
        }
        part.push(if part.is_empty() { '[' } else { ',' });
        part.push_str(&row);
    }
    if !part.is_empty() {
        parts.push(part + "]");
    }
    Ok(parts)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_travel_in_parts_of_bounded_size() {
        let long = "x".repeat(PART_BYTES);
        let half = "x".repeat(PART_BYTES / 2);
        for (rows, expected) in [
            (vec![], vec![]),
            (vec!["a", "b"], vec![2]),
            (vec!["a", &long, "b", "c"], vec![1, 1, 2]),
            (vec![&half, &half, "a"], vec![1, 2]),
        ] {
            let parts = parts(&rows).unwrap();
            let lengths = parts.iter().map(|part| serde_json::from_str::<Vec<String>>(part).unwrap().len());
            assert_eq!(lengths.collect::<Vec<_>>(), expected);
        }
    }
}
