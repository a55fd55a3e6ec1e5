//! Rows on their way into statements, in pieces of bounded size. Never knows what the rows are.

use serde::Serialize;
use weevil_records::StoreError;

use crate::json::json;

/// Bytes of rows that one statement carries; a longer row travels alone. Far below MySQL's `max_allowed_packet`, and below
/// the billion bytes at which a text of SQLite ends.
const PIECE_BYTES: usize = 4 * 1024 * 1024;

/// The rows as JSON arrays, each short enough for one statement; empty where there are no rows.
pub(crate) fn pieces<T: Serialize>(rows: &[T]) -> Result<Vec<String>, StoreError> {
    let mut pieces = Vec::new();
    let mut piece = String::new();
    for row in rows {
        let row = json(row)?;
        if !piece.is_empty() && piece.len() + row.len() > PIECE_BYTES {
            pieces.push(std::mem::take(&mut piece) + "]");
        }
        piece.push(if piece.is_empty() { '[' } else { ',' });
        piece.push_str(&row);
    }
    if !piece.is_empty() {
        pieces.push(piece + "]");
    }
    Ok(pieces)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_travel_in_pieces_of_bounded_size() {
        let long = "x".repeat(PIECE_BYTES);
        let half = "x".repeat(PIECE_BYTES / 2);
        for (rows, expected) in [
            (vec![], vec![]),
            (vec!["a", "b"], vec![2]),
            (vec!["a", &long, "b", "c"], vec![1, 1, 2]),
            (vec![&half, &half, "a"], vec![1, 2]),
        ] {
            let pieces = pieces(&rows).unwrap();
            let lengths =
                pieces.iter().map(|piece| serde_json::from_str::<Vec<String>>(piece).unwrap().len());
            assert_eq!(lengths.collect::<Vec<_>>(), expected);
        }
    }
}
