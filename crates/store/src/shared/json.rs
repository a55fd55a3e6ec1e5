//! Rows as JSON parameters, hexadecimal for the bytes in them; and words and numbers checked on their way out.

use std::fmt::Write;

use weevil_queue::StoreError;

pub(crate) fn corrupt(what: &str) -> StoreError {
    StoreError::Corrupt { what: what.to_owned() }
}

/// A word that one of the model's enums must know.
pub(crate) fn word<T>(text: &str, parse: impl Fn(&str) -> Option<T>) -> Result<T, StoreError> {
    parse(text).ok_or_else(|| corrupt(&format!("the unknown word `{text}`")))
}

/// For `unhex()` inside a statement whose parameter is JSON.
pub(crate) fn hex(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len() * 2);
    for byte in bytes {
        // Writing to a String cannot fail.
        let _infallible = write!(text, "{byte:02x}");
    }
    text
}

pub(crate) fn json<T: serde::Serialize + ?Sized>(rows: &T) -> Result<String, StoreError> {
    serde_json::to_string(rows)
        .map_err(|error| StoreError::Failed { doing: "writing a batch", cause: error.to_string() })
}
