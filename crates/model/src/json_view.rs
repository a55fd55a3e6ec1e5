//! The way back from the JSON view (`json.rs`) to the value: nothing that the view marks is lost.
//!
//! Strict: a `$` name that marks nothing is refused, so that a marker with a mistake in it is never taken for data.

use serde_json::{Map, Value as Json};

use crate::types::TypedArrayKind;
use crate::value::Value;

/// Why JSON is not the view of a value.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ViewError {
    #[error(
        "`{0}` marks nothing: `$undefined`, `$number`, `$typed` with `values`, and `$object` are known; \
         wrap an object that has such a name of its own, as {{\"$object\":{{..}}}}"
    )]
    Marker(String),
    #[error("`$number` is \"NaN\", \"Infinity\", \"-Infinity\" or \"-0\", found {0}")]
    Number(String),
    #[error("`$typed` names no typed array: found {0}")]
    Typed(String),
    #[error("{found} is no element of a {kind}")]
    Element { kind: &'static str, found: String },
}

impl Value {
    /// The value that this view shows. Plain JSON is the view of itself. `Encoded::of_json_text` does the same without
    /// the tree, and is held against this.
    pub fn from_view(json: Json) -> Result<Self, ViewError> {
        match json {
            Json::Array(items) => {
                items.into_iter().map(Self::from_view).collect::<Result<_, _>>().map(Self::Array)
            }
            Json::Object(entries) => match entries.keys().find(|name| name.starts_with('$')) {
                None => object(entries),
                Some(name) => marked(name.clone(), entries),
            },
            plain => Ok(Self::from_json(plain)),
        }
    }
}

fn object(entries: Map<String, Json>) -> Result<Value, ViewError> {
    let entries = entries.into_iter().map(|(name, value)| Ok((name, Value::from_view(value)?)));
    entries.collect::<Result<_, _>>().map(Value::Object)
}

fn marked(name: String, mut entries: Map<String, Json>) -> Result<Value, ViewError> {
    let marker = entries.remove(&name).unwrap_or_default();
    let values = if name == "$typed" { entries.remove("values") } else { None };
    match (name.as_str(), marker, values) {
        _ if !entries.is_empty() => Err(ViewError::Marker(name)),
        ("$undefined", Json::Bool(true), _) => Ok(Value::Undefined),
        ("$number", number, _) => special(&number).map(Value::Number),
        ("$typed", kind, Some(Json::Array(values))) => typed(&kind, &values),
        ("$object", Json::Object(entries), _) => object(entries),
        _ => Err(ViewError::Marker(name)),
    }
}

fn special(number: &Json) -> Result<f64, ViewError> {
    let word = number.as_str().and_then(special_word);
    word.ok_or_else(|| ViewError::Number(clipped(&number.to_string())))
}

/// A number that JSON has no word for.
pub(crate) fn special_word(word: &str) -> Option<f64> {
    match word {
        "NaN" => Some(f64::NAN),
        "Infinity" => Some(f64::INFINITY),
        "-Infinity" => Some(f64::NEG_INFINITY),
        "-0" => Some(-0.0),
        _ => None,
    }
}

fn typed(kind: &Json, values: &[Json]) -> Result<Value, ViewError> {
    let named = kind.as_str().and_then(TypedArrayKind::named);
    let kind = named.ok_or_else(|| ViewError::Typed(clipped(&kind.to_string())))?;
    let mut bytes = Vec::with_capacity(values.len() * kind.width());
    for value in values {
        let refused = || ViewError::Element { kind: kind.name(), found: clipped(&value.to_string()) };
        let wide = element(kind, value).ok_or_else(refused)?;
        bytes.extend_from_slice(&wide[..kind.width()]);
    }
    Ok(Value::Typed(kind, bytes))
}

/// The element's little-endian bytes, followed by others that do not count.
#[expect(
    clippy::cast_possible_truncation,
    reason = "rounding to the element's width is what a Float32Array does"
)]
pub(crate) fn element(kind: TypedArrayKind, value: &Json) -> Option<[u8; 8]> {
    use TypedArrayKind as Kind;
    let whole =
        |least: i64, most: i64| value.as_i64().filter(|n| (least..=most).contains(n)).map(i64::to_le_bytes);
    match kind {
        Kind::Float64 => Some(float(value)?.to_le_bytes()),
        Kind::Float32 => {
            let narrow = (float(value)? as f32).to_le_bytes();
            Some([narrow[0], narrow[1], narrow[2], narrow[3], 0, 0, 0, 0])
        }
        Kind::Int8 => whole(i8::MIN.into(), i8::MAX.into()),
        Kind::Int16 => whole(i16::MIN.into(), i16::MAX.into()),
        Kind::Int32 => whole(i32::MIN.into(), i32::MAX.into()),
        Kind::Uint8 | Kind::Uint8Clamped => whole(0, u8::MAX.into()),
        Kind::Uint16 => whole(0, u16::MAX.into()),
        Kind::Uint32 => whole(0, u32::MAX.into()),
        Kind::BigInt64 => value.as_str()?.parse::<i64>().ok().map(i64::to_le_bytes),
        Kind::BigUint64 => value.as_str()?.parse::<u64>().ok().map(u64::to_le_bytes),
    }
}

fn float(value: &Json) -> Option<f64> {
    match value {
        Json::Object(marked) if marked.len() == 1 => special(marked.get("$number")?).ok(),
        number => number.as_f64(),
    }
}

/// What was found, short enough for a message.
pub(crate) fn clipped(json: &str) -> String {
    json.chars().take(40).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn every_value_comes_back_from_its_view() {
        let typed = |kind, bytes: &[u8]| Value::Typed(kind, bytes.to_vec());
        let named = |name: &str, value| Value::Object(vec![(name.to_owned(), value)]);
        for value in [
            Value::Undefined,
            Value::Number(f64::NEG_INFINITY),
            Value::Number(0.1 + 0.2),
            Value::Number(5e-324),
            Value::Number(123_456_789.123_456_78),
            Value::String("a \u{1F41B} \0 \u{FFFE}".into()),
            Value::Array(vec![Value::Undefined, Value::Null, Value::Boolean(true)]),
            named("a", Value::Number(-0.0)),
            named("$number", Value::String("NaN".into())),
            named("$object", named("$undefined", Value::Boolean(true))),
            typed(TypedArrayKind::Int8, &[0x80, 0x7f]),
            typed(TypedArrayKind::Uint16, &[0xff, 0xff, 0, 1]),
            typed(TypedArrayKind::Float32, &1.1_f32.to_le_bytes()),
            typed(TypedArrayKind::Float64, &(-0.0_f64).to_le_bytes()),
            typed(TypedArrayKind::BigInt64, &i64::MIN.to_le_bytes()),
            typed(TypedArrayKind::BigUint64, &u64::MAX.to_le_bytes()),
        ] {
            let text = value.to_json_text();
            let back = Value::from_view(serde_json::from_str(&text).unwrap());
            assert_eq!(back.as_ref(), Ok(&value), "{text}");
        }
    }

    #[test]
    fn a_marker_with_a_mistake_is_refused_in_words() {
        for (view, part) in [
            (json!({ "$undefind": true }), "`$undefind` marks nothing"),
            (json!({ "$undefined": false }), "`$undefined` marks nothing"),
            (json!({ "$undefined": true, "a": 1 }), "wrap an object"),
            (json!([{ "$number": 7 }]), "found 7"),
            (json!({ "$typed": "Float64Array" }), "`$typed` with `values`"),
            (json!({ "$typed": "Float65Array", "values": [] }), "\"Float65Array\""),
            (json!({ "$typed": "Uint8Array", "values": [256] }), "256 is no element of a Uint8Array"),
            (json!({ "$typed": "Int8Array", "values": [1.5] }), "1.5 is no element"),
            (json!({ "$typed": "BigInt64Array", "values": [1] }), "1 is no element of a BigInt64Array"),
        ] {
            let error = Value::from_view(view.clone()).unwrap_err().to_string();
            assert!(error.contains(part), "{view}: {error}");
        }
    }
}
