//! A value in its CBOR form, checked once and then passed on as bytes: server code never unpacks what it only carries.
//!
//! Owns the check, cheap clones, and the joining of arrays; `elements.rs` splits them.

use std::fmt;
use std::sync::Arc;

use minicbor::data::Type;
use minicbor::{Decoder, Encoder};

use crate::check::{check, to_the_end};
use crate::elements::Elements;
use crate::limits::MAX_VALUE_BYTES;
use crate::types::{DataType, TypedArrayKind};
use crate::value::Value;

/// The longest head of a CBOR array (RFC 8949, section 3).
const MAX_HEAD_BYTES: usize = 9;
/// A longer value is shown as its length alone where somebody debugs.
const MAX_SHOWN_BYTES: usize = 200;

/// Exactly one well-formed value of at most [`MAX_VALUE_BYTES`].
#[derive(Clone, PartialEq, Eq)]
pub struct Encoded(Arc<[u8]>);

/// Why bytes are not a value.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EncodedError {
    #[error("the value has {found} bytes; at most {max} are allowed")]
    TooLarge { found: usize, max: usize },
    #[error("not a value in CBOR: {0}")]
    Malformed(String),
    #[error("an Array is expected, found {0}")]
    NotArray(DataType),
}

impl Encoded {
    /// Takes bytes from a stranger after checking them completely.
    pub fn checked(bytes: &[u8]) -> Result<Self, EncodedError> {
        bounded(bytes.len())?;
        check(bytes)?;
        Ok(Self(bytes.into()))
    }

    /// Takes bytes that were checked before, as the store gives them back.
    pub fn trusted(bytes: Vec<u8>) -> Self {
        Self(bytes.into())
    }

    pub fn of(value: &Value) -> Result<Self, EncodedError> {
        let mut to = Encoder::new(Vec::new());
        value.write(&mut to);
        let bytes = to.into_writer();
        bounded(bytes.len())?;
        Ok(Self(bytes.into()))
    }

    /// One array of these elements, in this order.
    pub fn array(elements: &[Self]) -> Result<Self, EncodedError> {
        Self::array_of(elements.iter().map(Self::as_bytes))
    }

    /// One array of elements that are each the bytes of an `Encoded`, in this order.
    pub fn array_of<'a>(elements: impl Iterator<Item = &'a [u8]> + Clone) -> Result<Self, EncodedError> {
        let size = sum(elements.clone());
        bounded(size)?;
        let bytes = join(size, elements);
        bounded(bytes.len())?;
        Ok(Self(bytes.into()))
    }

    /// One array of elements that were found to fit together.
    pub(crate) fn joined(elements: &[Self]) -> Self {
        let elements = elements.iter().map(Self::as_bytes);
        Self(join(sum(elements.clone()), elements).into())
    }

    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    pub fn value(&self) -> Result<Value, EncodedError> {
        decode(&self.0)
    }

    /// The elements of an Array, one after the other.
    pub fn elements(&self) -> Result<Elements, EncodedError> {
        Elements::of(self)
    }

    /// The type, from the first byte or the tag alone.
    pub fn data_type(&self) -> Result<DataType, EncodedError> {
        let mut from = Decoder::new(&self.0);
        Ok(match from.datatype().map_err(malformed)? {
            Type::Undefined => DataType::Undefined,
            Type::Null => DataType::Null,
            Type::Bool => DataType::Boolean,
            Type::String => DataType::String,
            Type::Array => DataType::Array,
            Type::Map => DataType::Object,
            Type::Tag => {
                let tag = from.tag().map_err(malformed)?.as_u64();
                DataType::Typed(TypedArrayKind::from_tag(tag).ok_or_else(|| malformed("an unknown tag"))?)
            }
            _ => DataType::Number,
        })
    }
}

impl fmt::Debug for Encoded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown = Some(self).filter(|value| value.0.len() <= MAX_SHOWN_BYTES);
        match shown.map(Self::value) {
            Some(Ok(value)) => write!(f, "Encoded({value:?})"),
            _ => write!(f, "Encoded({} bytes)", self.0.len()),
        }
    }
}

/// Bytes of the array of these elements.
pub(crate) fn array_size(elements: &[Encoded]) -> Result<usize, EncodedError> {
    let head = join(0, std::iter::repeat_n(&[][..], elements.len())).len();
    let size = sum(elements.iter().map(Encoded::as_bytes)).saturating_add(head);
    bounded(size).map(|()| size)
}

fn sum<'a>(elements: impl Iterator<Item = &'a [u8]>) -> usize {
    elements.fold(0, |sum: usize, each| sum.saturating_add(each.len()))
}

/// An array whose elements have `size` bytes together.
fn join<'a>(size: usize, elements: impl Iterator<Item = &'a [u8]> + Clone) -> Vec<u8> {
    let mut to = Encoder::new(Vec::with_capacity(size + MAX_HEAD_BYTES));
    let _infallible = to.array(elements.clone().count() as u64);
    let mut bytes = to.into_writer();
    for element in elements {
        bytes.extend_from_slice(element);
    }
    bytes
}

pub(crate) fn bounded(found: usize) -> Result<(), EncodedError> {
    if found > MAX_VALUE_BYTES {
        return Err(EncodedError::TooLarge { found, max: MAX_VALUE_BYTES });
    }
    Ok(())
}

fn decode(bytes: &[u8]) -> Result<Value, EncodedError> {
    let mut from = Decoder::new(bytes);
    let value = Value::read(&mut from, 0).map_err(malformed)?;
    to_the_end(&from)?;
    Ok(value)
}

pub(crate) fn malformed(error: impl fmt::Display) -> EncodedError {
    EncodedError::Malformed(error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn round_trip(value: &Value) -> Value {
        Encoded::checked(Encoded::of(value).unwrap().as_bytes()).unwrap().value().unwrap()
    }

    #[test]
    fn values_keep_their_identity() {
        let typed = Value::Typed(TypedArrayKind::Float64, 1.5_f64.to_le_bytes().to_vec());
        for value in [
            Value::Undefined,
            Value::Null,
            Value::Boolean(true),
            Value::Number(0.1),
            Value::Number(-5.0),
            Value::Number(9_007_199_254_740_991.0),
            Value::Number(1e300),
            Value::Number(f64::INFINITY),
            Value::String("a \u{1F41B} outside the BMP \0".into()),
            Value::Array(vec![Value::Undefined, typed.clone()]),
            Value::Object(vec![("b".into(), Value::Null), ("a".into(), Value::Array(vec![]))]),
            typed,
        ] {
            assert_eq!(round_trip(&value), value);
            assert_eq!(Encoded::of(&value).unwrap().data_type(), Ok(value.data_type()));
        }
    }

    #[test]
    fn nan_and_negative_zero_survive() {
        assert!(matches!(round_trip(&Value::Number(f64::NAN)), Value::Number(n) if n.is_nan()));
        assert!(
            matches!(round_trip(&Value::Number(-0.0)), Value::Number(n) if n == 0.0 && n.is_sign_negative())
        );
    }

    #[test]
    fn strangers_bytes_are_refused() {
        let deep = [vec![0x81; 200], vec![0xf6]].concat();
        for (bytes, what) in [
            (&b""[..], "nothing"),
            (b"\x18", "half a number"),
            (b"\xf6\xf6", "two values"),
            (b"\x9f\xff", "an indefinite array"),
            (b"\xd8\x2a\x40", "an unknown tag"),
            (b"\xd8\x56\x41\x00", "a part of a float64"),
            (b"\x9b\xff\xff\xff\xff\xff\xff\xff\xff", "an array that promises 2^64 elements"),
            (b"\x1b\xff\xff\xff\xff\xff\xff\xff\xff", "an integer beyond 2^53"),
            (&deep, "nesting"),
        ] {
            assert!(matches!(Encoded::checked(bytes), Err(EncodedError::Malformed(_))), "{what}");
        }
        let large = vec![0; MAX_VALUE_BYTES + 1];
        assert!(matches!(Encoded::checked(&large), Err(EncodedError::TooLarge { .. })));
    }

    #[test]
    fn arrays_split_and_join_without_unpacking() {
        let items = vec![Value::Number(1.0), Value::String("x".into()), Value::Array(vec![Value::Null])];
        let whole = Encoded::of(&Value::Array(items)).unwrap();
        let parts: Vec<_> = whole.elements().unwrap().collect();
        assert_eq!(parts.len(), 3);
        assert_eq!(Encoded::array(&parts).unwrap(), whole);
    }
}
