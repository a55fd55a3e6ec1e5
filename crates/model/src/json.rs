//! Values seen through JSON: read from `.json` sources and `value` literals, shown to people and tools.
//!
//! JSON cannot hold every value, so the view marks the others: `{"$undefined":true}`, `{"$number":"NaN"}`,
//! `{"$typed":"Float64Array","values":[..]}`. Never used on the wire to workers.

use serde_json::{Map, Value as Json, json};

use crate::types::TypedArrayKind;
use crate::value::Value;

impl Value {
    /// The value that a JSON document denotes.
    pub fn from_json(json: Json) -> Self {
        match json {
            Json::Null => Self::Null,
            Json::Bool(flag) => Self::Boolean(flag),
            Json::Number(number) => Self::Number(number.as_f64().unwrap_or(f64::NAN)),
            Json::String(text) => Self::String(text),
            Json::Array(items) => Self::Array(items.into_iter().map(Self::from_json).collect()),
            Json::Object(entries) => Self::Object(
                entries.into_iter().map(|(name, value)| (name, Self::from_json(value))).collect(),
            ),
        }
    }

    /// The JSON view; what JSON has no word for is marked.
    pub fn to_json(&self) -> Json {
        match self {
            Self::Undefined => json!({ "$undefined": true }),
            Self::Null => Json::Null,
            Self::Boolean(flag) => Json::Bool(*flag),
            Self::Number(number) => number_view(*number),
            Self::String(text) => Json::String(text.clone()),
            Self::Array(items) => Json::Array(items.iter().map(Self::to_json).collect()),
            Self::Object(entries) => Json::Object(
                entries.iter().map(|(name, value)| (name.clone(), value.to_json())).collect::<Map<_, _>>(),
            ),
            Self::Typed(kind, bytes) => json!({ "$typed": kind.name(), "values": elements(*kind, bytes) }),
        }
    }
}

#[expect(clippy::cast_possible_truncation, reason = "guarded by the range test")]
fn number_view(number: f64) -> Json {
    let negative_zero = number == 0.0 && number.is_sign_negative();
    if negative_zero {
        return json!({ "$number": "-0" });
    }
    if number.fract() == 0.0 && number.abs() < 9e15 {
        return json!(number as i64);
    }
    if number.is_finite() {
        return json!(number);
    }
    let name = if number.is_nan() {
        "NaN"
    } else if number > 0.0 {
        "Infinity"
    } else {
        "-Infinity"
    };
    json!({ "$number": name })
}

fn elements(kind: TypedArrayKind, bytes: &[u8]) -> Vec<Json> {
    bytes.chunks_exact(kind.width()).map(|chunk| element(kind, chunk)).collect()
}

fn element(kind: TypedArrayKind, chunk: &[u8]) -> Json {
    let mut wide = [0; 8];
    wide[..chunk.len()].copy_from_slice(chunk);
    let unused = 64 - 8 * u32::try_from(chunk.len()).unwrap_or(8);
    let unsigned = u64::from_le_bytes(wide);
    match kind {
        TypedArrayKind::Float64 => number_view(f64::from_bits(unsigned)),
        TypedArrayKind::Float32 => {
            number_view(f32::from_le_bytes([wide[0], wide[1], wide[2], wide[3]]).into())
        }
        TypedArrayKind::Int8 | TypedArrayKind::Int16 | TypedArrayKind::Int32 => {
            json!((unsigned << unused).cast_signed() >> unused)
        }
        // Beyond 2^53 a JSON number would be rounded by its reader.
        TypedArrayKind::BigInt64 => json!(unsigned.cast_signed().to_string()),
        TypedArrayKind::BigUint64 => json!(unsigned.to_string()),
        _ => json!(unsigned),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_view_marks_what_json_cannot_say() {
        let int16 = Value::Typed(TypedArrayKind::Int16, vec![0xff, 0xff, 2, 0]);
        for (value, view) in [
            (Value::Undefined, json!({ "$undefined": true })),
            (Value::Number(f64::NAN), json!({ "$number": "NaN" })),
            (Value::Number(-0.0), json!({ "$number": "-0" })),
            (Value::Number(157.0), json!(157)),
            (Value::Number(0.5), json!(0.5)),
            (int16, json!({ "$typed": "Int16Array", "values": [-1, 2] })),
        ] {
            assert_eq!(value.to_json(), view);
        }
    }

    #[test]
    fn json_documents_become_values() {
        let json = json!({ "b": [1, null, "x"], "a": true });
        assert_eq!(Value::from_json(json.clone()).to_json(), json);
    }
}
