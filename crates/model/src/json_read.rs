//! JSON text to the CBOR form of the value that it shows, without making the value or a tree of the text.
//!
//! `serde_json` judges the whole text first, so the walk behind it meets nothing but JSON, nested as deeply as that
//! allows. A name that comes twice stays twice, as in CBOR: the last one counts for whoever makes an object of it.

use std::borrow::Cow;
use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::Value as Json;

use crate::encoded::{Encoded, EncodedError};
use crate::json_view::{ViewError, clipped, element, special_word};
use crate::packing::{Major, Packing};
use crate::types::TypedArrayKind;

/// Why a text is not the JSON view of a value.
#[derive(Debug, thiserror::Error)]
pub enum JsonTextError {
    #[error(transparent)]
    Json(#[from] serde_json::Error),
    #[error(transparent)]
    View(#[from] ViewError),
    #[error(transparent)]
    Encoded(#[from] EncodedError),
}

impl Encoded {
    /// What `Value::from_view` makes of the text, packed. Takes memory for the result, and for one text inside it.
    pub fn of_json_text(text: &str) -> Result<Self, JsonTextError> {
        let Judged = serde_json::from_str(text)?;
        let mut walk = Walk { text, at: 0, to: Packing::with_room_for(text.len()) };
        walk.value()?;
        Ok(walk.to.finish()?)
    }
}

/// Any JSON, looked at and dropped.
struct Judged;

impl<'de> Deserialize<'de> for Judged {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(Self)
    }
}

impl<'de> Visitor<'de> for Judged {
    type Value = Self;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any JSON")
    }

    fn visit_bool<E>(self, _: bool) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_i64<E>(self, _: i64) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_u64<E>(self, _: u64) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_f64<E>(self, _: f64) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_str<E>(self, _: &str) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_unit<E>(self) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Self, A::Error> {
        while items.next_element::<Self>()?.is_some() {}
        Ok(self)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Self, A::Error> {
        while entries.next_entry::<Self, Self>()?.is_some() {}
        Ok(self)
    }
}

/// A place in a text that is JSON.
struct Walk<'t> {
    text: &'t str,
    at: usize,
    to: Packing,
}

impl<'t> Walk<'t> {
    /// The next byte that is no blank; 0 at the end.
    fn peek(&mut self) -> u8 {
        let rest = &self.text.as_bytes()[self.at..];
        let blank = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\n' | b'\r');
        self.at += rest.iter().position(|byte| !blank(byte)).unwrap_or(rest.len());
        self.text.as_bytes().get(self.at).copied().unwrap_or_default()
    }

    /// Goes behind this byte, where it is the next one.
    fn pass(&mut self, byte: u8) -> bool {
        let there = self.peek() == byte;
        self.at += usize::from(there);
        there
    }

    fn value(&mut self) -> Result<(), ViewError> {
        match self.peek() {
            b'{' => return self.object(false),
            b'[' => return self.array(),
            b'"' => {
                let text = self.string();
                self.to.text(&text);
            }
            _ => match self.scalar() {
                "true" => self.to.boolean(true),
                "false" => self.to.boolean(false),
                "null" => self.to.null(),
                digits => self.to.number(number(digits)),
            },
        }
        Ok(())
    }

    /// A number or a word.
    fn scalar(&mut self) -> &'t str {
        let rest = &self.text[self.at..];
        let end =
            rest.bytes().position(|byte| matches!(byte, b',' | b']' | b'}' | b' ' | b'\t' | b'\n' | b'\r'));
        let scalar = &rest[..end.unwrap_or(rest.len())];
        self.at += scalar.len();
        scalar
    }

    fn string(&mut self) -> Cow<'t, str> {
        let start = self.at;
        self.pass_string();
        unquoted(&self.text[start..self.at]).unwrap_or_default()
    }

    fn pass_string(&mut self) {
        let bytes = self.text.as_bytes();
        self.at += 1;
        while let Some(byte) = bytes.get(self.at) {
            self.at += if *byte == b'\\' { 2 } else { 1 };
            if *byte == b'"' {
                break;
            }
        }
    }

    fn array(&mut self) -> Result<(), ViewError> {
        let head = self.to.open();
        let mut count = 0;
        self.at += 1;
        while !self.pass(b']') {
            self.pass(b',');
            self.value()?;
            count += 1;
        }
        self.to.close(&head, Major::Array, count);
        Ok(())
    }

    /// The name of the next property; the place is in front of its value then. `None` behind the last one.
    fn name(&mut self) -> Option<Cow<'t, str>> {
        if self.pass(b'}') {
            return None;
        }
        self.pass(b',');
        self.peek();
        let name = self.string();
        self.pass(b':');
        self.peek();
        Some(name)
    }

    /// In a `plain` object names with a `$` are names like others.
    fn object(&mut self, plain: bool) -> Result<(), ViewError> {
        let head = self.to.open();
        let mut count = 0;
        // Where the elements of a typed array stand, should it turn out to be one.
        let mut values = None;
        self.at += 1;
        while let Some(name) = self.name() {
            if !plain && name.starts_with('$') {
                if count > 0 && !(name == "$typed" && values.is_some()) {
                    return Err(ViewError::Marker(name.into()));
                }
                self.to.undo(&head);
                return self.marked(&name, values);
            }
            values = Some(self.at).filter(|_| name == "values" && (count == 0 || values.is_some()));
            self.to.text(&name);
            self.value()?;
            count += 1;
        }
        self.to.close(&head, Major::Map, count);
        Ok(())
    }

    /// The rest of an object behind its first name with a `$`.
    fn marked(&mut self, mark: &str, mut values: Option<usize>) -> Result<(), ViewError> {
        let refused = || ViewError::Marker(mark.to_owned());
        if mark == "$object" && self.peek() == b'{' {
            self.object(true)?;
            return self.name().map_or(Ok(()), |_| Err(refused()));
        }
        let mut marker = self.at;
        self.pass_value();
        while let Some(name) = self.name() {
            match &*name {
                again if again == mark => marker = self.at,
                "values" if mark == "$typed" => values = Some(self.at),
                _ => return Err(refused()),
            }
            self.pass_value();
        }
        match (mark, values) {
            ("$undefined", _) if self.text[marker..].starts_with("true") => self.to.undefined(),
            ("$number", _) => {
                let span = self.span(marker);
                let word = unquoted(span).and_then(|word| special_word(&word));
                self.to.number(word.ok_or_else(|| ViewError::Number(clipped(span)))?);
            }
            ("$typed", Some(values)) if self.text[values..].starts_with('[') => self.typed(marker, values)?,
            _ => return Err(refused()),
        }
        Ok(())
    }

    /// Goes behind a value without looking into it.
    fn pass_value(&mut self) {
        let mut depth = 0_usize;
        loop {
            match self.peek() {
                b'"' => self.pass_string(),
                b'{' | b'[' => {
                    depth += 1;
                    self.at += 1;
                    continue;
                }
                b'}' | b']' => {
                    depth -= 1;
                    self.at += 1;
                }
                b',' | b':' => {
                    self.at += 1;
                    continue;
                }
                _ => drop(self.scalar()),
            }
            if depth == 0 {
                return;
            }
        }
    }

    /// The text of the value there.
    fn span(&mut self, start: usize) -> &'t str {
        let here = std::mem::replace(&mut self.at, start);
        self.pass_value();
        &self.text[start..std::mem::replace(&mut self.at, here)]
    }

    fn typed(&mut self, kind: usize, values: usize) -> Result<(), ViewError> {
        let named = self.span(kind);
        let known = unquoted(named).and_then(|name| TypedArrayKind::named(&name));
        let kind = known.ok_or_else(|| ViewError::Typed(clipped(named)))?;
        let end = std::mem::replace(&mut self.at, values + 1);
        self.to.tag(kind.tag());
        let head = self.to.open();
        let mut count = 0;
        while !self.pass(b']') {
            self.pass(b',');
            self.peek();
            let start = self.at;
            let wide = self.element(kind);
            let refused = |found| ViewError::Element { kind: kind.name(), found: clipped(found) };
            let wide = wide.ok_or_else(|| refused(self.span(start)))?;
            self.to.bytes(&wide[..kind.width()]);
            count += kind.width();
        }
        self.to.close(&head, Major::Bytes, count);
        self.at = end;
        Ok(())
    }

    fn element(&mut self, kind: TypedArrayKind) -> Option<[u8; 8]> {
        let json = match self.peek() {
            b'[' => return None,
            b'{' => {
                self.at += 1;
                let mark =
                    self.name().filter(|name| name == "$number" && self.text[self.at..].starts_with('"'))?;
                let marked = [(mark.into_owned(), self.string().into_owned().into())];
                if self.name().is_some() {
                    return None;
                }
                Json::Object(marked.into_iter().collect())
            }
            b'"' => self.string().into_owned().into(),
            _ => serde_json::from_str(self.scalar()).ok()?,
        };
        element(kind, &json)
    }
}

/// What stands between the quotes; `None` where there are no quotes.
fn unquoted(string: &str) -> Option<Cow<'_, str>> {
    let inner = string.strip_prefix('"')?.strip_suffix('"')?;
    if inner.contains('\\') {
        return serde_json::from_str::<String>(string).ok().map(Cow::Owned);
    }
    Some(inner.into())
}

/// The longest run of digits that is exact in a float, whatever they are.
const MAX_EXACT_DIGITS: usize = 15;

fn number(digits: &str) -> f64 {
    if digits.len() <= MAX_EXACT_DIGITS && digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return digits.bytes().fold(0.0, |number, digit| number * 10.0 + f64::from(digit - b'0'));
    }
    let number = serde_json::from_str::<serde_json::Number>(digits).ok();
    number.and_then(|number| number.as_f64()).unwrap_or(f64::NAN)
}
