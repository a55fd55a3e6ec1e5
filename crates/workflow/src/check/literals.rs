//! The text of a `value` attribute to the JavaScript value it denotes, by the node's type.

use weevil_model::{DataType, Value};

use super::{json, numbers};
use crate::findings::quoted;

/// Why a literal is not of its type.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Problem {
    /// Bytes into the literal; `None` where all of it is meant.
    pub(crate) offset: Option<usize>,
    pub(crate) message: String,
    pub(crate) help: Option<String>,
}

impl Problem {
    fn new(message: String, help: &str) -> Self {
        Self { offset: None, message, help: Some(help.to_owned()) }
    }
}

/// The value of this type that `text` denotes.
pub(crate) fn parse(text: &str, data_type: DataType) -> Result<Value, Problem> {
    match data_type {
        DataType::String => Ok(Value::String(text.to_owned())),
        DataType::Number => numbers::parse(text).map(Value::Number).ok_or_else(|| {
            let help = "write a number as in JavaScript: `44`, `-0.5`, `1e9`, `0xff`, `Infinity`, `NaN`";
            Problem::new(format!("found {}", quoted(text)), help)
        }),
        DataType::Boolean => word(text, &[("true", Value::Boolean(true)), ("false", Value::Boolean(false))]),
        DataType::Null => word(text, &[("null", Value::Null)]),
        DataType::Undefined => word(text, &[("undefined", Value::Undefined)]),
        DataType::Array | DataType::Object | DataType::Typed(_) => from_json(text, data_type),
    }
}

fn word(text: &str, known: &[(&str, Value)]) -> Result<Value, Problem> {
    let found = known.iter().find(|(word, _)| *word == text.trim());
    found.map(|(_, value)| value.clone()).ok_or_else(|| {
        let words: Vec<_> = known.iter().map(|(word, _)| format!("`{word}`")).collect();
        Problem::new(format!("found {}", quoted(text)), &format!("write {}", words.join(" or ")))
    })
}

fn from_json(text: &str, data_type: DataType) -> Result<Value, Problem> {
    let help = "write it as JSON, with the attribute in single quotes: value='[\"a\", 1]'";
    let json = json::parse(text).map_err(|problem| Problem {
        offset: Some(problem.offset),
        message: problem.message,
        help: Some(help.to_owned()),
    })?;
    json::convert(json, data_type).map_err(|found| Problem::new(found, help))
}
