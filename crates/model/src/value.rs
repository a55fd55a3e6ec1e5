//! A JavaScript value with its identity kept: `undefined`, `NaN`, `-0` and typed arrays are themselves.
//!
//! Owns the CBOR form (RFC 8949; typed arrays by RFC 8746, little-endian). Never holds functions, symbols, dates or
//! cycles: a job that returns one gets an error in the browser.

use minicbor::data::{Tag, Type};
use minicbor::decode::Error as DecodeError;
use minicbor::encode::{Error as EncodeError, Write};
use minicbor::{Decoder, Encoder};

use crate::limits::MAX_VALUE_DEPTH;
use crate::types::{DataType, TypedArrayKind};

/// Numbers beyond this are not sent as CBOR integers (`Number.MAX_SAFE_INTEGER`).
const MAX_SAFE_INTEGER: f64 = 9_007_199_254_740_991.0;

#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    Undefined,
    Null,
    Boolean(bool),
    Number(f64),
    String(String),
    Array(Vec<Value>),
    /// Own enumerable properties in their order.
    Object(Vec<(String, Value)>),
    /// Elements as little-endian bytes; the length is a multiple of the kind's width.
    Typed(TypedArrayKind, Vec<u8>),
}

impl Value {
    pub fn data_type(&self) -> DataType {
        match self {
            Self::Undefined => DataType::Undefined,
            Self::Null => DataType::Null,
            Self::Boolean(_) => DataType::Boolean,
            Self::Number(_) => DataType::Number,
            Self::String(_) => DataType::String,
            Self::Array(_) => DataType::Array,
            Self::Object(_) => DataType::Object,
            Self::Typed(kind, _) => DataType::Typed(*kind),
        }
    }

    /// Appends the CBOR form.
    pub(crate) fn write(&self, to: &mut Encoder<Vec<u8>>) {
        // A Vec never refuses bytes, so the encoder's errors cannot happen.
        let _infallible = match self {
            Self::Undefined => to.undefined().map(drop),
            Self::Null => to.null().map(drop),
            Self::Boolean(flag) => to.bool(*flag).map(drop),
            Self::Number(number) => write_number(*number, to),
            Self::String(text) => to.str(text).map(drop),
            Self::Array(items) => {
                let head = to.array(items.len() as u64).map(drop);
                for item in items {
                    item.write(to);
                }
                head
            }
            Self::Object(entries) => {
                let head = to.map(entries.len() as u64).map(drop);
                for (name, value) in entries {
                    let _infallible = to.str(name);
                    value.write(to);
                }
                head
            }
            Self::Typed(kind, bytes) => to.tag(Tag::new(kind.tag())).and_then(|to| to.bytes(bytes)).map(drop),
        };
    }

    /// Reads one value; `depth` counts the containers around it.
    pub(crate) fn read(from: &mut Decoder<'_>, depth: usize) -> Result<Self, DecodeError> {
        not_so_deep(depth)?;
        match from.datatype()? {
            Type::Undefined => from.undefined().map(|()| Self::Undefined),
            Type::Null => from.null().map(|()| Self::Null),
            Type::Bool => from.bool().map(Self::Boolean),
            Type::F16 => from.f16().map(|number| Self::Number(number.into())),
            Type::F32 => from.f32().map(|number| Self::Number(number.into())),
            Type::F64 => from.f64().map(Self::Number),
            Type::String => from.str().map(|text| Self::String(text.to_owned())),
            Type::Array => read_array(from, depth),
            Type::Map => read_object(from, depth),
            Type::Tag => read_typed(from),
            _ => read_integer(from).map(Self::Number),
        }
    }
}

#[expect(clippy::cast_possible_truncation, reason = "only whole numbers within the safe range get here")]
pub(crate) fn write_number<W: Write>(number: f64, to: &mut Encoder<W>) -> Result<(), EncodeError<W::Error>> {
    let negative_zero = number == 0.0 && number.is_sign_negative();
    if number.fract() == 0.0 && number.abs() <= MAX_SAFE_INTEGER && !negative_zero {
        to.i64(number as i64).map(drop)
    } else {
        to.f64(number).map(drop)
    }
}

/// `depth` counts the containers around a value.
pub(crate) fn not_so_deep(depth: usize) -> Result<(), DecodeError> {
    if depth > MAX_VALUE_DEPTH {
        return Err(DecodeError::message("the value is nested too deeply"));
    }
    Ok(())
}

pub(crate) fn read_integer(from: &mut Decoder<'_>) -> Result<f64, DecodeError> {
    let number = from.i64()? as f64;
    if number.abs() > MAX_SAFE_INTEGER {
        return Err(DecodeError::message("an integer beyond 2^53 is not a JavaScript number"));
    }
    Ok(number)
}

fn read_array(from: &mut Decoder<'_>, depth: usize) -> Result<Value, DecodeError> {
    let len = from.array()?.ok_or_else(indefinite)?;
    (0..len).map(|_| Value::read(from, depth + 1)).collect::<Result<_, _>>().map(Value::Array)
}

fn read_object(from: &mut Decoder<'_>, depth: usize) -> Result<Value, DecodeError> {
    let len = from.map()?.ok_or_else(indefinite)?;
    (0..len)
        .map(|_| Ok((from.str()?.to_owned(), Value::read(from, depth + 1)?)))
        .collect::<Result<_, _>>()
        .map(Value::Object)
}

fn read_typed(from: &mut Decoder<'_>) -> Result<Value, DecodeError> {
    let (kind, bytes) = typed_bytes(from)?;
    Ok(Value::Typed(kind, bytes.to_vec()))
}

/// A whole typed array, where it lies.
pub(crate) fn typed_bytes<'b>(from: &mut Decoder<'b>) -> Result<(TypedArrayKind, &'b [u8]), DecodeError> {
    let kind = TypedArrayKind::from_tag(from.tag()?.as_u64())
        .ok_or_else(|| DecodeError::message("a tag that is no typed array of RFC 8746"))?;
    let bytes = from.bytes()?;
    if bytes.len() % kind.width() != 0 {
        return Err(DecodeError::message("a typed array with a part of an element"));
    }
    Ok((kind, bytes))
}

pub(crate) fn indefinite() -> DecodeError {
    DecodeError::message("a container without a length")
}
