//! Rows on their way into statements, in parts of bounded size. Never knows what the rows are.

use serde::Serialize;
use weevil_records::StoreError;

use super::json::json;

/// Bytes of rows that one statement carries; a longer row travels alone. Far below MySQL's `max_allowed_packet`, and below
/// the billion bytes at which a text of SQLite ends.
const PART_BYTES: usize = 4 * 1024 * 1024;

/// The rows as JSON arrays, each short enough for one statement; none where there are no rows.
pub(crate) fn parts<T: Serialize>(rows: &[T]) -> Result<Vec<String>, StoreError> {
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
