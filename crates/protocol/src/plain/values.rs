//! Values as text inside XML: the JSON view, or base64 of the CBOR form. Which one, the worker says when it joins.
//!
//! Neither loses anything: what JSON has no word for is marked (`weevil_model::json_view`).

use std::fmt;
use std::str::FromStr;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use weevil_model::limits::MAX_VALUE_BYTES;
use weevil_model::{Encoded, EncodedError, JsonPieces, JsonTextError, ViewError};

/// Elements and properties of a value that comes in as JSON; what has more is a fraction of its text in CBOR.
const MAX_JSON_ELEMENTS: usize = 1_000_000;

/// How a worker wants values to travel.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Values {
    #[default]
    Json,
    /// Base64 (RFC 4648, section 4) of the CBOR form.
    Cbor,
}

/// Why a text is not a value.
#[derive(Debug, thiserror::Error)]
pub enum ValueError {
    #[error("the value is not JSON: {0}")]
    Json(#[from] serde_json::Error),
    #[error("the value is not one that JSON shows: {0}")]
    View(#[from] ViewError),
    #[error("the value is not base64 (RFC 4648, section 4): {0}")]
    Base64(#[from] base64::DecodeError),
    #[error(
        "the value has more than {max} elements, too many for JSON; join with values=\"cbor\" to send it"
    )]
    TooMany { max: usize },
    #[error(transparent)]
    Encoded(#[from] EncodedError),
}

impl From<JsonTextError> for ValueError {
    fn from(error: JsonTextError) -> Self {
        match error {
            JsonTextError::Json(error) => Self::Json(error),
            JsonTextError::View(error) => Self::View(error),
            JsonTextError::Encoded(error) => Self::Encoded(error),
        }
    }
}

impl Values {
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Json => "json",
            Self::Cbor => "cbor",
        }
    }

    /// The text of a value that was checked before.
    pub fn write(self, value: &Encoded) -> Result<String, EncodedError> {
        match self {
            Self::Json => json_text(value),
            Self::Cbor => Ok(STANDARD.encode(value.as_bytes())),
        }
    }

    /// The value that a worker's text denotes.
    pub fn read(self, text: &str) -> Result<Encoded, ValueError> {
        match self {
            Self::Json if text.bytes().filter(|byte| *byte == b',').nth(MAX_JSON_ELEMENTS).is_some() => {
                Err(ValueError::TooMany { max: MAX_JSON_ELEMENTS })
            }
            Self::Json => Ok(Encoded::of_json_text(text)?),
            Self::Cbor => {
                let text = text.trim_ascii();
                // Four letters for three bytes: what is longer is not even unpacked.
                if text.len() / 4 * 3 > MAX_VALUE_BYTES + 3 {
                    return Err(
                        EncodedError::TooLarge { found: text.len() / 4 * 3, max: MAX_VALUE_BYTES }.into()
                    );
                }
                Ok(Encoded::checked(&STANDARD.decode(text)?)?)
            }
        }
    }
}

/// JSON that XML can hold: U+FFFE and U+FFFF, which only a string can contain, are escaped.
fn json_text(value: &Encoded) -> Result<String, EncodedError> {
    let mut text = Vec::new();
    for piece in JsonPieces::of(value)? {
        text.extend_from_slice(&piece);
    }
    let text = String::from_utf8(text).unwrap_or_default();
    if text.contains(['\u{FFFE}', '\u{FFFF}']) {
        return Ok(text.replace('\u{FFFE}', "\\ufffe").replace('\u{FFFF}', "\\uffff"));
    }
    Ok(text)
}

/// Why a word is not a form of values.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`json` or `cbor` is expected")]
pub struct UnknownForm;

impl FromStr for Values {
    type Err = UnknownForm;

    fn from_str(word: &str) -> Result<Self, UnknownForm> {
        [Self::Json, Self::Cbor].into_iter().find(|form| form.as_str() == word).ok_or(UnknownForm)
    }
}

impl fmt::Display for Values {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use weevil_model::{TypedArrayKind, Value};

    #[test]
    fn both_forms_carry_every_value() {
        let typed = Value::Typed(TypedArrayKind::Float64, (-0.0_f64).to_le_bytes().to_vec());
        let named = |name: &str| Value::Object(vec![(name.into(), Value::Undefined)]);
        for value in [
            Value::Undefined,
            Value::Number(f64::INFINITY),
            Value::Number(-0.0),
            Value::Number(0.1 + 0.2),
            Value::String("<&>\"' \r\n \u{0} \u{FFFE} \u{FFFF} \u{1F41B}".into()),
            Value::Array(vec![typed, named("$typed"), named("a")]),
        ] {
            let encoded = Encoded::of(&value).unwrap();
            for form in [Values::Json, Values::Cbor] {
                let text = form.write(&encoded).unwrap();
                assert_eq!(form.read(&text).unwrap(), encoded, "{form}: {text}");
            }
        }
    }

    #[test]
    fn what_is_no_value_is_refused_in_words() {
        let deep = "[".repeat(200);
        for (form, text, part) in [
            (Values::Json, "", "not JSON: EOF"),
            (Values::Json, "{", "not JSON"),
            (Values::Json, "NaN", "not JSON: expected"),
            (Values::Json, "1e999", "number out of range"),
            (Values::Json, r#""\ud800""#, "hex escape"),
            (Values::Json, &deep, "recursion limit"),
            (Values::Json, r#"{"$nan":true}"#, "`$nan` marks nothing"),
            (Values::Cbor, "not base64!", "not base64"),
            (Values::Cbor, "GA", "not base64"),
            (Values::Cbor, "9vY=", "bytes are left over"),
        ] {
            let error = form.read(text).unwrap_err().to_string();
            assert!(error.contains(part), "{text}: {error}");
        }
        let many = format!("[1{}]", ",1".repeat(MAX_JSON_ELEMENTS + 1));
        assert!(matches!(Values::Json.read(&many), Err(ValueError::TooMany { .. })));
        let large = "A".repeat(2 * MAX_VALUE_BYTES);
        assert!(matches!(Values::Cbor.read(&large), Err(ValueError::Encoded(EncodedError::TooLarge { .. }))));
    }
}
