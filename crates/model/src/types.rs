//! The types of ports and values: JavaScript's own, and the typed arrays by name (thesis 3.4.2, type checking).
//!
//! A typed array is not an Array. Never converts between types.

use std::fmt;

/// A JavaScript typed-array constructor, and how RFC 8746 tags its little-endian bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TypedArrayKind {
    Int8,
    Uint8,
    Uint8Clamped,
    Int16,
    Uint16,
    Int32,
    Uint32,
    BigInt64,
    BigUint64,
    Float32,
    Float64,
}

/// name, RFC 8746 tag, bytes per element
const TYPED: &[(TypedArrayKind, &str, u64, usize)] = &[
    (TypedArrayKind::Uint8, "Uint8Array", 64, 1),
    (TypedArrayKind::Uint8Clamped, "Uint8ClampedArray", 68, 1),
    (TypedArrayKind::Uint16, "Uint16Array", 69, 2),
    (TypedArrayKind::Uint32, "Uint32Array", 70, 4),
    (TypedArrayKind::BigUint64, "BigUint64Array", 71, 8),
    (TypedArrayKind::Int8, "Int8Array", 72, 1),
    (TypedArrayKind::Int16, "Int16Array", 77, 2),
    (TypedArrayKind::Int32, "Int32Array", 78, 4),
    (TypedArrayKind::BigInt64, "BigInt64Array", 79, 8),
    (TypedArrayKind::Float32, "Float32Array", 85, 4),
    (TypedArrayKind::Float64, "Float64Array", 86, 8),
];

impl TypedArrayKind {
    pub fn all() -> impl Iterator<Item = Self> {
        TYPED.iter().map(|row| row.0)
    }

    /// The kind with this RFC 8746 tag.
    pub fn from_tag(tag: u64) -> Option<Self> {
        TYPED.iter().find(|row| row.2 == tag).map(|row| row.0)
    }

    /// The kind with this constructor.
    pub fn named(name: &str) -> Option<Self> {
        TYPED.iter().find(|row| row.1 == name).map(|row| row.0)
    }

    fn row(self) -> &'static (Self, &'static str, u64, usize) {
        TYPED.iter().find(|row| row.0 == self).unwrap_or(&TYPED[0])
    }

    /// The constructor's name.
    pub fn name(self) -> &'static str {
        self.row().1
    }

    pub fn tag(self) -> u64 {
        self.row().2
    }

    /// Bytes of one element.
    pub fn width(self) -> usize {
        self.row().3
    }
}

/// The type of a port or a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum DataType {
    Number,
    String,
    Boolean,
    Array,
    Object,
    Undefined,
    Null,
    Typed(TypedArrayKind),
}

const PLAIN: &[DataType] = &[
    DataType::Number,
    DataType::String,
    DataType::Boolean,
    DataType::Array,
    DataType::Object,
    DataType::Undefined,
    DataType::Null,
];

impl DataType {
    /// Every type a document may name.
    pub fn all() -> impl Iterator<Item = Self> {
        PLAIN.iter().copied().chain(TypedArrayKind::all().map(Self::Typed))
    }

    /// The type with this name, letter by letter.
    pub fn parse(name: &str) -> Option<Self> {
        Self::all().find(|known| known.name() == name)
    }

    pub fn name(self) -> &'static str {
        match self {
            Self::Number => "Number",
            Self::String => "String",
            Self::Boolean => "Boolean",
            Self::Array => "Array",
            Self::Object => "Object",
            Self::Undefined => "undefined",
            Self::Null => "null",
            Self::Typed(kind) => kind.name(),
        }
    }
}

impl fmt::Display for DataType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_parses_back_and_tags_are_distinct() {
        for known in DataType::all() {
            assert_eq!(DataType::parse(known.name()), Some(known));
        }
        for kind in TypedArrayKind::all() {
            assert_eq!(TypedArrayKind::from_tag(kind.tag()), Some(kind));
        }
        assert_eq!(DataType::parse("number"), None);
        assert_eq!(DataType::all().count(), 18);
    }
}
