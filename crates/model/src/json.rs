//! Values seen through JSON: read from `.json` sources and `value` literals, shown to people and tools.
//!
//! JSON cannot hold every value, so the view marks the others: `{"$undefined":true}`, `{"$number":"NaN"}`,
//! `{"$typed":"Float64Array","values":[..]}`, and `{"$object":{..}}` around an object that has a name with a `$` in
//! front itself. `json_view.rs` is the way back, `json_stream.rs` writes the same from bytes. Workers that speak plain HTTP may choose it; frames never carry it.

use serde::ser::{Serialize, SerializeMap as _, Serializer};
use serde_json::Value as Json;

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
        // A view has text keys and finite numbers only.
        serde_json::to_value(View(self)).unwrap_or_default()
    }

    /// The text of the JSON view, written without holding all of the view.
    pub fn to_json_text(&self) -> String {
        serde_json::to_string(&View(self)).unwrap_or_default()
    }
}

pub(crate) struct View<'v>(pub(crate) &'v Value);

impl Serialize for View<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Value::Undefined => mark("$undefined", &true, to),
            Value::Null => to.serialize_unit(),
            Value::Boolean(flag) => to.serialize_bool(*flag),
            Value::Number(number) => Number(*number).serialize(to),
            Value::String(text) => to.serialize_str(text),
            Value::Array(items) => to.collect_seq(items.iter().map(View)),
            Value::Object(entries) if entries.iter().any(|(name, _)| name.starts_with('$')) => {
                mark("$object", &Entries(entries), to)
            }
            Value::Object(entries) => Entries(entries).serialize(to),
            Value::Typed(kind, bytes) => {
                let mut view = to.serialize_map(Some(2))?;
                view.serialize_entry("$typed", kind.name())?;
                view.serialize_entry("values", &Elements(*kind, bytes))?;
                view.end()
            }
        }
    }
}

/// An object whose only name says what JSON cannot.
fn mark<S: Serializer>(name: &str, marked: &(impl Serialize + ?Sized), to: S) -> Result<S::Ok, S::Error> {
    let mut view = to.serialize_map(Some(1))?;
    view.serialize_entry(name, marked)?;
    view.end()
}

struct Entries<'v>(&'v [(String, Value)]);

impl Serialize for Entries<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_map(self.0.iter().map(|(name, value)| (name, View(value))))
    }
}

struct Number(f64);

impl Serialize for Number {
    #[expect(clippy::cast_possible_truncation, reason = "guarded by the range test")]
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let number = self.0;
        if number == 0.0 && number.is_sign_negative() {
            return mark("$number", "-0", to);
        }
        if number.fract() == 0.0 && number.abs() < 9e15 {
            return to.serialize_i64(number as i64);
        }
        match number {
            f64::INFINITY => mark("$number", "Infinity", to),
            f64::NEG_INFINITY => mark("$number", "-Infinity", to),
            nan if nan.is_nan() => mark("$number", "NaN", to),
            finite => to.serialize_f64(finite),
        }
    }
}

struct Elements<'v>(TypedArrayKind, &'v [u8]);

impl Serialize for Elements<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(self.1.chunks_exact(self.0.width()).map(|chunk| Element(self.0, chunk)))
    }
}

pub(crate) struct Element<'v>(pub(crate) TypedArrayKind, pub(crate) &'v [u8]);

impl Serialize for Element<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        use TypedArrayKind as Kind;
        let Self(kind, chunk) = *self;
        let mut wide = [0; 8];
        wide[..chunk.len()].copy_from_slice(chunk);
        let unused = 64 - 8 * u32::try_from(chunk.len()).unwrap_or(8);
        let unsigned = u64::from_le_bytes(wide);
        match kind {
            Kind::Float64 => Number(f64::from_bits(unsigned)).serialize(to),
            Kind::Float32 => {
                Number(f32::from_le_bytes([wide[0], wide[1], wide[2], wide[3]]).into()).serialize(to)
            }
            Kind::Int8 | Kind::Int16 | Kind::Int32 => {
                to.serialize_i64((unsigned << unused).cast_signed() >> unused)
            }
            // Beyond 2^53 a JSON number would be rounded by its reader.
            Kind::BigInt64 => to.collect_str(&unsigned.cast_signed()),
            Kind::BigUint64 => to.collect_str(&unsigned),
            _ => to.serialize_u64(unsigned),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

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
            assert_eq!(value.to_json_text(), view.to_string());
        }
    }

    #[test]
    fn json_documents_become_values() {
        let json = json!({ "b": [1, null, "x"], "a": true });
        assert_eq!(Value::from_json(json.clone()).to_json(), json);
    }
}
