//! A value checked where it lies: what `Value::read` would say of the same bytes, without making the value.
//!
//! One pass, no memory but the words of a refusal. Never changes or keeps anything.

use minicbor::Decoder;
use minicbor::data::Type;
use minicbor::decode::Error as DecodeError;

use crate::encoded::{EncodedError, malformed};
use crate::limits::MAX_VALUE_DEPTH;
use crate::value::{indefinite, not_so_deep, read_integer, typed_bytes};

/// Bytes that are looked at together where many of them are elements.
const CHUNK: usize = 64;

/// Exactly one value, and nothing behind it.
pub(crate) fn check(bytes: &[u8]) -> Result<(), EncodedError> {
    walk(bytes, &mut |_| {})
}

/// As `check`; tells where each object begins that has a name with a `$` in front, once for each such name.
pub(crate) fn walk(bytes: &[u8], marked: &mut impl FnMut(usize)) -> Result<(), EncodedError> {
    let mut from = Decoder::new(bytes);
    value(&mut from, 0, marked).map_err(malformed)?;
    to_the_end(&from)
}

pub(crate) fn to_the_end(from: &Decoder<'_>) -> Result<(), EncodedError> {
    if from.position() != from.input().len() {
        return Err(malformed("bytes are left over after the value"));
    }
    Ok(())
}

fn value(from: &mut Decoder<'_>, depth: usize, marked: &mut impl FnMut(usize)) -> Result<(), DecodeError> {
    not_so_deep(depth)?;
    match from.datatype()? {
        Type::Undefined => from.undefined(),
        Type::Null => from.null(),
        Type::Bool => from.bool().map(drop),
        Type::F16 => from.f16().map(drop),
        Type::F32 => from.f32().map(drop),
        Type::F64 => from.f64().map(drop),
        Type::String => from.str().map(drop),
        Type::Array => array(from, depth + 1, marked),
        Type::Map => object(from, depth + 1, marked),
        Type::Tag => typed_bytes(from).map(drop),
        _ => read_integer(from).map(drop),
    }
}

fn array(from: &mut Decoder<'_>, depth: usize, marked: &mut impl FnMut(usize)) -> Result<(), DecodeError> {
    let mut left = from.array()?.ok_or_else(indefinite)?;
    while left > 0 {
        left -= pass_small(from, depth, left);
        if left > 0 {
            value(from, depth, marked)?;
            left -= 1;
        }
    }
    Ok(())
}

fn object(from: &mut Decoder<'_>, depth: usize, marked: &mut impl FnMut(usize)) -> Result<(), DecodeError> {
    let start = from.position();
    let left = from.map()?.ok_or_else(indefinite)?;
    for _ in 0..left {
        if from.str()?.starts_with('$') {
            marked(start);
        }
        value(from, depth, marked)?;
    }
    Ok(())
}

/// Goes on behind the next elements that are a byte each, at most `left`, and answers how many they were.
pub(crate) fn pass_small(from: &mut Decoder<'_>, depth: usize, left: u64) -> u64 {
    if depth > MAX_VALUE_DEPTH {
        return 0;
    }
    let position = from.position();
    let rest = &from.input()[position..];
    let most = usize::try_from(left).map_or(rest.len(), |left| left.min(rest.len()));
    // Whole chunks first: such a loop, without a way out of it, goes over many bytes in one instruction.
    let chunks = rest[..most].chunks_exact(CHUNK);
    let whole = chunks.take_while(|chunk| chunk.iter().fold(true, |all, byte| all & is_small(*byte))).count();
    let rest = &rest[whole * CHUNK..most];
    let passed = whole * CHUNK + rest.iter().position(|byte| !is_small(*byte)).unwrap_or(rest.len());
    from.set_position(position + passed);
    passed as u64
}

/// Whether the byte is a whole value (RFC 8949, appendix B): a number from -24 to 23, an empty text, array or object,
/// or one of the four words.
const fn is_small(byte: u8) -> bool {
    matches!(byte, 0x00..=0x17 | 0x20..=0x37 | 0x60 | 0x80 | 0xa0 | 0xf4..=0xf7)
}
