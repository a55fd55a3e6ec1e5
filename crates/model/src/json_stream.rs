//! The JSON view of a value in pieces, from its bytes: as much memory as a piece, whatever the value.
//!
//! The pieces are the text that `Value::to_json_text` gives, one after the other. Never makes the value.

use std::iter::Peekable;
use std::vec::IntoIter;

use minicbor::Decoder;
use minicbor::data::Type;
use minicbor::decode::Error as DecodeError;
use serde::Serialize;

use crate::check::walk;
use crate::encoded::{Encoded, EncodedError};
use crate::json::{Element, View};
use crate::types::TypedArrayKind;
use crate::value::{Value, indefinite, typed_bytes};

/// Bytes of one piece at most.
pub const MAX_PIECE_BYTES: usize = 64 * 1024;
/// Bytes that become JSON at once: each of a text becomes six at most.
const MAX_AT_ONCE: usize = 4096;
/// Bytes that one step adds at most: such a text, or a few marks and a number.
const MAX_STEP_BYTES: usize = 6 * MAX_AT_ONCE + 2;

/// What is left of a view. Each piece is UTF-8 by itself.
#[derive(Debug)]
pub struct JsonPieces {
    whole: Encoded,
    place: Place,
}

impl JsonPieces {
    /// Checks all of it first: behind this nothing can fail.
    pub fn of(whole: &Encoded) -> Result<Self, EncodedError> {
        let mut marked = Vec::new();
        walk(whole.as_bytes(), &mut |start| {
            let start = narrow(start);
            if marked.last() != Some(&start) {
                marked.push(start);
            }
        })?;
        marked.sort_unstable();
        marked.dedup();
        let place = Place { at: 0, open: vec![Open::Whole], marked: marked.into_iter().peekable() };
        Ok(Self { whole: whole.clone(), place })
    }
}

impl Iterator for JsonPieces {
    type Item = Vec<u8>;

    fn next(&mut self) -> Option<Vec<u8>> {
        let mut piece = Vec::with_capacity(MAX_PIECE_BYTES);
        while piece.len() + MAX_STEP_BYTES <= MAX_PIECE_BYTES
            && let Some(open) = self.place.open.pop()
        {
            self.place.step(open, self.whole.as_bytes(), &mut piece).ok()?;
        }
        Some(piece).filter(|piece| !piece.is_empty())
    }
}

#[derive(Debug)]
struct Place {
    /// Into the bytes.
    at: usize,
    /// What goes on, the innermost last.
    open: Vec<Open>,
    /// Where the objects begin that are still to come and have a name with a `$` in front.
    marked: Peekable<IntoIter<u32>>,
}

#[derive(Debug, Clone, Copy)]
enum Open {
    Whole,
    Array {
        left: u64,
        first: bool,
    },
    Object {
        left: u64,
        first: bool,
        end: &'static str,
    },
    /// A property's value, behind its name.
    Property,
    Text {
        end: usize,
    },
    Typed {
        kind: TypedArrayKind,
        end: usize,
        first: bool,
    },
}

impl Place {
    /// Writes a little of what is open, and what it leaves open.
    fn step(&mut self, open: Open, bytes: &[u8], to: &mut Vec<u8>) -> Result<(), DecodeError> {
        match open {
            Open::Whole => self.value(bytes, to)?,
            Open::Array { left: 0, .. } => to.push(b']'),
            Open::Array { left, first } => match self.digits(left, bytes) {
                [] => {
                    comma(first, to);
                    self.open.push(Open::Array { left: left - 1, first: false });
                    self.value(bytes, to)?;
                }
                digits => {
                    comma(first, to);
                    to.extend(digits.iter().flat_map(|digit| [b'0' + digit, b',']));
                    to.pop();
                    self.at += digits.len();
                    self.open.push(Open::Array { left: left - digits.len() as u64, first: false });
                }
            },
            Open::Object { left: 0, end, .. } => to.extend_from_slice(end.as_bytes()),
            Open::Object { left, first, end } => {
                comma(first, to);
                self.open.extend([Open::Object { left: left - 1, first: false, end }, Open::Property]);
                self.value(bytes, to)?;
            }
            Open::Property => {
                to.push(b':');
                self.value(bytes, to)?;
            }
            Open::Text { end } => self.text(end, bytes, to),
            Open::Typed { end, .. } if self.at >= end => to.extend_from_slice(b"]}"),
            Open::Typed { kind, end, first } => {
                comma(first, to);
                let chunk = bytes.get(self.at..self.at + kind.width()).unwrap_or_default();
                write(&Element(kind, chunk), to);
                self.at += kind.width();
                self.open.push(Open::Typed { kind, end, first: false });
            }
        }
        Ok(())
    }

    /// The next elements as far as they are numbers of one digit, each of them a byte: most of what is long is made of them.
    fn digits<'b>(&self, left: u64, bytes: &'b [u8]) -> &'b [u8] {
        let rest = bytes.get(self.at..).unwrap_or_default();
        let most = usize::try_from(left).unwrap_or(MAX_AT_ONCE).min(MAX_AT_ONCE).min(rest.len());
        let end = rest[..most].iter().position(|byte| *byte > 9).unwrap_or(most);
        &rest[..end]
    }

    /// Begins the value at this place; what may be long about it is left open.
    fn value(&mut self, bytes: &[u8], to: &mut Vec<u8>) -> Result<(), DecodeError> {
        let mut from = Decoder::new(bytes);
        from.set_position(self.at);
        match from.datatype()? {
            Type::String => {
                let len = from.str()?.len();
                to.push(b'"');
                self.leave_open(Open::Text { end: from.position() }, from.position() - len);
            }
            Type::Array => {
                let left = from.array()?.ok_or_else(indefinite)?;
                to.push(b'[');
                self.leave_open(Open::Array { left, first: true }, from.position());
            }
            Type::Map => {
                let left = from.map()?.ok_or_else(indefinite)?;
                let marked = self.marked.next_if_eq(&narrow(self.at)).is_some();
                let (begin, end) = if marked { (r#"{"$object":{"#, "}}") } else { ("{", "}") };
                to.extend_from_slice(begin.as_bytes());
                self.leave_open(Open::Object { left, first: true, end }, from.position());
            }
            Type::Tag => {
                let (kind, elements) = typed_bytes(&mut from)?;
                to.extend_from_slice(format!(r#"{{"$typed":"{}","values":["#, kind.name()).as_bytes());
                let end = from.position();
                self.leave_open(Open::Typed { kind, end, first: true }, end - elements.len());
            }
            _ => {
                write(&View(&Value::read(&mut from, 0)?), to);
                self.at = from.position();
            }
        }
        Ok(())
    }

    fn leave_open(&mut self, open: Open, at: usize) {
        self.open.push(open);
        self.at = at;
    }

    /// The next part of a text, or its end.
    fn text(&mut self, end: usize, bytes: &[u8], to: &mut Vec<u8>) {
        if self.at >= end {
            to.push(b'"');
            return;
        }
        let mut cut = end.min(self.at + MAX_AT_ONCE);
        while cut < end && is_inside_a_character(bytes[cut]) {
            cut -= 1;
        }
        let part = str::from_utf8(&bytes[self.at..cut]).unwrap_or_default();
        let before = to.len();
        write(part, to);
        // Without the quotes around it.
        to.pop();
        to.remove(before);
        self.leave_open(Open::Text { end }, cut);
    }
}

/// A place in a value: they are far shorter than `u32` can say.
fn narrow(place: usize) -> u32 {
    u32::try_from(place).unwrap_or(u32::MAX)
}

/// Whether this byte of UTF-8 goes on with a character (RFC 3629, section 3).
const fn is_inside_a_character(byte: u8) -> bool {
    byte & 0xc0 == 0x80
}

fn comma(first: bool, to: &mut Vec<u8>) {
    if !first {
        to.push(b',');
    }
}

fn write(json: &(impl Serialize + ?Sized), to: &mut Vec<u8>) {
    // A view has text keys and finite numbers only, and a Vec never refuses bytes.
    let _infallible = serde_json::to_writer(to, json);
}
