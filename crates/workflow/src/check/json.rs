//! JSON to values of an expected type, with the place of what is wrong.

use serde_json::Value as Json;
use weevil_model::{DataType, Value};

use super::typed;
use crate::parse::decode;

/// Why a text is not JSON.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Problem {
    /// Bytes into the text.
    pub(super) offset: usize,
    pub(super) message: String,
}

/// Why a file's bytes give no value of a type. Offsets are bytes into the text as `decode` gives it.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Unfit {
    NotUtf8(usize, String),
    NotJson(usize, String),
    /// It holds this instead, in words.
    Holds(String),
}

/// The value of this type that a file holds.
pub(crate) fn read(bytes: &[u8], data_type: DataType) -> Result<Value, Unfit> {
    let (text, undecodable) = decode(bytes);
    if let Some(message) = undecodable {
        return Err(Unfit::NotUtf8(text.len(), message));
    }
    let json = parse(text)
        .map_err(|problem| Unfit::NotJson(problem.offset, format!("not JSON: {}", problem.message)))?;
    convert(json, data_type).map_err(Unfit::Holds)
}

pub(super) fn parse(text: &str) -> Result<Json, Problem> {
    serde_json::from_str(text).map_err(|error| {
        let words = error.to_string();
        let place = format!(" at line {} column {}", error.line(), error.column());
        let message = words.strip_suffix(&place).unwrap_or(&words).to_owned();
        Problem { offset: offset(text, error.line(), error.column()), message }
    })
}

/// serde counts lines by `\n` alone and columns in bytes, from 1 at the byte it stumbled over.
fn offset(text: &str, line: usize, column: usize) -> usize {
    let above = line.saturating_sub(1);
    let start: usize = text.split_inclusive('\n').take(above).map(str::len).sum();
    let mut offset = (start + column.saturating_sub(1)).min(text.len());
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    offset
}

/// The value of this type, or what was found instead.
pub(super) fn convert(json: Json, data_type: DataType) -> Result<Value, String> {
    match (data_type, json) {
        (DataType::Typed(kind), Json::Array(items)) => typed::array(kind, &items),
        (_, json) => {
            let value = Value::from_json(json);
            let found = value.data_type();
            if found == data_type { Ok(value) } else { Err(format!("found {found}")) }
        }
    }
}
