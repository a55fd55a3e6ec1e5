//! Rows as JSON parameters, hexadecimal for the bytes in them; and words and numbers checked on their way out.

use weevil_model::Encoded;
use weevil_records::StoreError;

/// For what neither this release nor an earlier one has written.
pub(crate) fn corrupt(what: &str) -> StoreError {
    StoreError::Corrupt { what: what.to_owned() }
}

/// A word that one of the model's enums must know.
pub(crate) fn word<T>(text: &str, parse: impl Fn(&str) -> Option<T>) -> Result<T, StoreError> {
    parse(text).ok_or_else(|| corrupt(&format!("the unknown word `{text}`")))
}

/// For `unhex()` inside a statement whose parameter is JSON.
pub(crate) fn hex(bytes: &[u8]) -> String {
    hex::encode(bytes)
}

/// A value's bytes; empty for one that is larger than `most`. No CBOR is empty, so an empty column says that the
/// value stands elsewhere.
pub(crate) fn within(value: &Encoded, most: usize) -> &[u8] {
    Some(value.as_bytes()).filter(|bytes| bytes.len() <= most).unwrap_or_default()
}

pub(crate) fn json<T: serde::Serialize + ?Sized>(rows: &T) -> Result<String, StoreError> {
    serde_json::to_string(rows)
        .map_err(|error| StoreError::Failed { doing: "writing a batch", cause: error.to_string() })
}
