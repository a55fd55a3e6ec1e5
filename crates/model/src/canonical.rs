//! The one form of a value by which answers of strangers are compared, and its digest.
//!
//! CBOR as our own writer makes it (RFC 8949, section 4.1): shortest heads, whole numbers within 2^53 as integers, every other
//! number as a 64-bit float, each NaN the positive quiet one, also inside `Float32Array` and `Float64Array`. The order of names, `-0`
//! and texts stay: they are part of a value. Never makes the value itself.

use minicbor::data::{Tag, Type};
use minicbor::decode::Error as DecodeError;
use minicbor::{Decoder, Encoder};

use crate::check::{pass_small, to_the_end};
use crate::encoded::{Encoded, EncodedError, bounded, malformed};
use crate::hash::ContentHash;
use crate::limits::MAX_VALUE_BYTES;
use crate::types::TypedArrayKind;
use crate::value::{indefinite, not_so_deep, read_integer, typed_bytes, write_number};

/// What the digest is taken under.
const LABEL: &str = "value";

/// The canonical form of a value.
///
/// # Errors
/// It has more than [`MAX_VALUE_BYTES`]: numbers of half precision grow.
pub fn canonical(value: &Encoded) -> Result<Encoded, EncodedError> {
    let bytes = value.as_bytes();
    let mut from = Decoder::new(bytes);
    let mut to = Encoder::new(Vec::with_capacity(bytes.len()));
    let done = write(&mut from, &mut to, 0);
    let written = to.into_writer();
    bounded(written.len())?;
    done.map_err(malformed)?;
    to_the_end(&from)?;
    Ok(if written == bytes { value.clone() } else { Encoded::trusted(written) })
}

/// By which equal values are known: SHA-256 of a value that is in the [`canonical`] form.
pub fn digest(form: &Encoded) -> ContentHash {
    ContentHash::of_parts([(LABEL, form.as_bytes())])
}

type Writer = Encoder<Vec<u8>>;

/// What is written before it is known to be too much is at most one element more.
fn write(from: &mut Decoder<'_>, to: &mut Writer, depth: usize) -> Result<(), DecodeError> {
    not_so_deep(depth)?;
    if to.writer().len() > MAX_VALUE_BYTES {
        return Err(DecodeError::message("its canonical form is too large"));
    }
    // A Vec never refuses bytes, so the encoder's errors cannot happen.
    let _infallible = match from.datatype()? {
        Type::Undefined => from.undefined().map(|()| to.undefined().map(drop))?,
        Type::Null => from.null().map(|()| to.null().map(drop))?,
        Type::Bool => from.bool().map(|flag| to.bool(flag).map(drop))?,
        Type::F16 => number(from.f16()?.into(), to),
        Type::F32 => number(from.f32()?.into(), to),
        Type::F64 => number(from.f64()?, to),
        Type::String => from.str().map(|text| to.str(text).map(drop))?,
        Type::Array => return array(from, to, depth + 1),
        Type::Map => return object(from, to, depth + 1),
        Type::Tag => return typed(from, to),
        _ => number(read_integer(from)?, to),
    };
    Ok(())
}

fn number(number: f64, to: &mut Writer) -> Result<(), minicbor::encode::Error<std::convert::Infallible>> {
    write_number(if number.is_nan() { QUIET } else { number }, to)
}

fn array(from: &mut Decoder<'_>, to: &mut Writer, depth: usize) -> Result<(), DecodeError> {
    let mut left = from.array()?.ok_or_else(indefinite)?;
    let _infallible = to.array(left);
    while left > 0 {
        // What is a byte each has one form alone.
        let start = from.position();
        left -= pass_small(from, depth, left);
        to.writer_mut().extend_from_slice(&from.input()[start..from.position()]);
        if left > 0 {
            write(from, to, depth)?;
            left -= 1;
        }
    }
    Ok(())
}

fn object(from: &mut Decoder<'_>, to: &mut Writer, depth: usize) -> Result<(), DecodeError> {
    let left = from.map()?.ok_or_else(indefinite)?;
    let _infallible = to.map(left);
    for _ in 0..left {
        let _infallible = to.str(from.str()?);
        write(from, to, depth)?;
    }
    Ok(())
}

fn typed(from: &mut Decoder<'_>, to: &mut Writer) -> Result<(), DecodeError> {
    let (kind, bytes) = typed_bytes(from)?;
    let _infallible = to.tag(Tag::new(kind.tag())).and_then(|to| to.bytes(bytes));
    let written = to.writer_mut();
    let start = written.len() - bytes.len();
    match kind {
        TypedArrayKind::Float32 => {
            quieten(&mut written[start..], |bytes| f32::from_le_bytes(bytes).is_nan(), QUIET_32);
        }
        TypedArrayKind::Float64 => {
            quieten(&mut written[start..], |bytes| f64::from_le_bytes(bytes).is_nan(), QUIET_64);
        }
        _ => {}
    }
    Ok(())
}

/// The positive quiet NaN without a payload (IEEE 754, section 6.2).
const QUIET: f64 = f64::from_bits(0x7ff8_0000_0000_0000);
const QUIET_32: [u8; 4] = 0x7fc0_0000_u32.to_le_bytes();
const QUIET_64: [u8; 8] = QUIET.to_bits().to_le_bytes();

fn quieten<const N: usize>(bytes: &mut [u8], is_nan: impl Fn([u8; N]) -> bool, quiet: [u8; N]) {
    let (elements, _) = bytes.as_chunks_mut::<N>();
    for element in elements.iter_mut().filter(|element| is_nan(**element)) {
        *element = quiet;
    }
}
