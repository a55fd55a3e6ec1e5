//! Whether two values are near: the same shape, and numbers within a tolerance.
//!
//! Both are read where they lie, side by side. Never makes a value.

use minicbor::Decoder;
use minicbor::data::Type;
use minicbor::decode::Error;
use weevil_model::{Encoded, Tolerance, TypedArrayKind};

/// NaN is near NaN, an infinity near itself.
fn allows(tolerance: Tolerance, one: f64, other: f64) -> bool {
    if one.is_nan() || other.is_nan() {
        return one.is_nan() && other.is_nan();
    }
    if one.is_infinite() || other.is_infinite() {
        return one.to_bits() == other.to_bits();
    }
    let allowed = tolerance.absolute.max(tolerance.relative * one.abs().max(other.abs()));
    (one - other).abs() <= allowed
}

/// Numbers and elements of arrays of floating-point numbers are near; all else is the same.
pub fn near(one: &Encoded, other: &Encoded, tolerance: Tolerance) -> bool {
    let (mut one, mut other) = (Decoder::new(one.as_bytes()), Decoder::new(other.as_bytes()));
    // Both were checked when they came; what cannot be read agrees with nothing.
    pair(&mut one, &mut other, tolerance).unwrap_or(false)
}

fn pair(one: &mut Decoder<'_>, other: &mut Decoder<'_>, tolerance: Tolerance) -> Result<bool, Error> {
    let kinds = (kind(one.datatype()?), kind(other.datatype()?));
    Ok(match kinds {
        (Kind::Number, Kind::Number) => allows(tolerance, number(one)?, number(other)?),
        (Kind::Array, Kind::Array) => {
            let (left, right) = (length(one.array()?)?, length(other.array()?)?);
            left == right && each(left, || pair(one, other, tolerance))?
        }
        (Kind::Object, Kind::Object) => {
            let (left, right) = (length(one.map()?)?, length(other.map()?)?);
            left == right && each(left, || Ok(one.str()? == other.str()? && pair(one, other, tolerance)?))?
        }
        (Kind::Typed, Kind::Typed) => {
            let tags = (one.tag()?.as_u64(), other.tag()?.as_u64());
            tags.0 == tags.1 && elements(tags.0, one.bytes()?, other.bytes()?, tolerance)
        }
        (Kind::Text, Kind::Text) => one.str()? == other.str()?,
        (Kind::Boolean, Kind::Boolean) => one.bool()? == other.bool()?,
        (Kind::Null, Kind::Null) | (Kind::Undefined, Kind::Undefined) => {
            one.skip()?;
            other.skip()?;
            true
        }
        _ => false,
    })
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Number,
    Array,
    Object,
    Typed,
    Text,
    Boolean,
    Null,
    Undefined,
}

fn kind(found: Type) -> Kind {
    match found {
        Type::Array => Kind::Array,
        Type::Map => Kind::Object,
        Type::Tag => Kind::Typed,
        Type::String => Kind::Text,
        Type::Undefined => Kind::Undefined,
        Type::Null => Kind::Null,
        Type::Bool => Kind::Boolean,
        _ => Kind::Number,
    }
}

/// Goes on while pairs are near.
fn each(many: u64, mut next: impl FnMut() -> Result<bool, Error>) -> Result<bool, Error> {
    for _ in 0..many {
        if !next()? {
            return Ok(false);
        }
    }
    Ok(true)
}

fn length(found: Option<u64>) -> Result<u64, Error> {
    found.ok_or_else(|| Error::message("a container without a length"))
}

fn number(from: &mut Decoder<'_>) -> Result<f64, Error> {
    match from.datatype()? {
        Type::F16 => from.f16().map(f64::from),
        Type::F32 => from.f32().map(f64::from),
        Type::F64 => from.f64(),
        _ => from.i64().map(|whole| whole as f64),
    }
}

/// The elements of two typed arrays of one kind.
fn elements(tag: u64, one: &[u8], other: &[u8], tolerance: Tolerance) -> bool {
    match TypedArrayKind::from_tag(tag) {
        Some(TypedArrayKind::Float32) => {
            floats(one, other, tolerance, |bytes| f64::from(f32::from_le_bytes(bytes)))
        }
        Some(TypedArrayKind::Float64) => floats(one, other, tolerance, f64::from_le_bytes),
        _ => one == other,
    }
}

fn floats<const N: usize>(
    one: &[u8],
    other: &[u8],
    tolerance: Tolerance,
    read: impl Fn([u8; N]) -> f64,
) -> bool {
    let ((left, _), (right, _)) = (one.as_chunks::<N>(), other.as_chunks::<N>());
    one.len() == other.len()
        && left.iter().zip(right).all(|(one, other)| allows(tolerance, read(*one), read(*other)))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use weevil_model::Value;

    use super::*;

    const LOOSE: Tolerance = Tolerance { relative: 1e-6, absolute: 1e-9 };
    const EXACT: Tolerance = Tolerance { relative: 0.0, absolute: 0.0 };

    fn encoded(value: &Value) -> Encoded {
        Encoded::of(value).unwrap()
    }

    fn typed(kind: TypedArrayKind, bytes: &[&[u8]]) -> Value {
        Value::Typed(kind, bytes.concat())
    }

    #[test]
    fn numbers_are_near_and_all_else_is_the_same() {
        use Value::{Array, Boolean, Null, Number, Object, String, Undefined};
        let floats = |numbers: &[f64]| {
            let bytes: Vec<_> = numbers.iter().map(|number| number.to_le_bytes()).collect();
            typed(TypedArrayKind::Float64, &bytes.iter().map(|bytes| &bytes[..]).collect::<Vec<_>>())
        };
        let single = |number: f32| typed(TypedArrayKind::Float32, &[&number.to_le_bytes()]);
        let object = |name: &str, value| Object(vec![(name.into(), value)]);
        for (one, other, agree) in [
            (Number(1.0), Number(1.0), true),
            (Number(1.0), Number(1.000_000_5), true),
            (Number(1.0), Number(1.000_002), false),
            (Number(1e300), Number(1.000_000_5e300), true),
            (Number(0.0), Number(5e-10), true),
            (Number(0.0), Number(2e-9), false),
            (Number(-1.0), Number(1.0), false),
            (Number(f64::NAN), Number(f64::NAN), true),
            (Number(f64::NAN), Number(1.0), false),
            (Number(f64::INFINITY), Number(f64::INFINITY), true),
            (Number(f64::INFINITY), Number(f64::NEG_INFINITY), false),
            (Number(f64::INFINITY), Number(f64::MAX), false),
            (Number(3.0), Number(3.000_001), true),
            (Boolean(true), Boolean(true), true),
            (Boolean(true), Boolean(false), false),
            (Null, Null, true),
            (Null, Undefined, false),
            (Null, Number(0.0), false),
            (String("a".into()), String("a".into()), true),
            (String("a".into()), String("b".into()), false),
            (Array(vec![Number(1.0), Null]), Array(vec![Number(1.000_000_1), Null]), true),
            (Array(vec![Number(1.0)]), Array(vec![Number(1.0), Null]), false),
            (Array(vec![Null, Number(1.0)]), Array(vec![Null, Number(2.0)]), false),
            (object("a", Number(1.0)), object("a", Number(1.000_000_1)), true),
            (object("a", Number(1.0)), object("b", Number(1.0)), false),
            (object("a", Array(vec![])), object("a", Object(vec![])), false),
            (floats(&[1.0, f64::NAN]), floats(&[1.000_000_1, f64::NAN]), true),
            (floats(&[1.0]), floats(&[1.1]), false),
            (floats(&[1.0]), floats(&[1.0, 1.0]), false),
            (single(1.0), single(1.000_000_5), true),
            (single(1.0), floats(&[1.0]), false),
            (typed(TypedArrayKind::Uint8, &[&[1]]), typed(TypedArrayKind::Uint8, &[&[1]]), true),
            (typed(TypedArrayKind::Int32, &[&[1; 4]]), typed(TypedArrayKind::Int32, &[&[2; 4]]), false),
        ] {
            let (left, right) = (encoded(&one), encoded(&other));
            assert_eq!(near(&left, &right, LOOSE), agree, "{one:?} {other:?}");
            assert_eq!(near(&right, &left, LOOSE), agree, "{other:?} {one:?}");
        }
    }

    #[test]
    fn what_is_no_value_is_near_nothing() {
        let broken = Encoded::trusted(vec![0x82, 0x01]);
        assert!(!near(&broken, &broken.clone(), LOOSE));
    }

    proptest! {
        #[test]
        fn nothing_differs_from_itself(bytes in prop::collection::vec(any::<u8>(), 0..64)) {
            if let Ok(value) = Encoded::checked(&bytes) {
                prop_assert!(near(&value, &value, EXACT));
            }
        }
    }
}
