//! Typed arrays from JSON arrays of numbers. Never wraps or rounds an element: what does not fit is a problem.

use serde_json::Value as Json;
use weevil_model::{TypedArrayKind, Value};

/// The typed array of these elements, or what is wrong with one of them.
pub(super) fn array(kind: TypedArrayKind, items: &[Json]) -> Result<Value, String> {
    let mut bytes = Vec::with_capacity(items.len() * kind.width());
    for (index, item) in items.iter().enumerate() {
        push(kind, item, &mut bytes)
            .ok_or_else(|| format!("element {index} does not fit into {}", kind.name()))?;
    }
    Ok(Value::Typed(kind, bytes))
}

fn push(kind: TypedArrayKind, item: &Json, bytes: &mut Vec<u8>) -> Option<()> {
    match kind {
        TypedArrayKind::Float64 => bytes.extend(item.as_f64()?.to_le_bytes()),
        TypedArrayKind::Float32 => bytes.extend(narrow(item.as_f64()?).to_le_bytes()),
        _ => {
            let number = whole(item, is_big(kind))?;
            let bits = u32::try_from(kind.width()).ok()? * 8;
            let (low, high) =
                if is_signed(kind) { (-1 << (bits - 1), 1 << (bits - 1)) } else { (0, 1 << bits) };
            let fits = (low..high).contains(&number);
            bytes.extend(fits.then(|| number.to_le_bytes())?.iter().take(kind.width()));
        }
    }
    Some(())
}

#[expect(clippy::cast_possible_truncation, reason = "the very rounding that Float32Array does")]
fn narrow(number: f64) -> f32 {
    number as f32
}

/// The whole number of `item`; 64-bit ones may be texts of digits, since JSON readers round large numbers.
#[expect(clippy::cast_possible_truncation, reason = "guarded by the range test")]
fn whole(item: &Json, big: bool) -> Option<i128> {
    let as_float = || item.as_f64().filter(|n| n.fract() == 0.0 && n.abs() < 1e20).map(|n| n as i128);
    let as_text = || item.as_str().filter(|_| big).and_then(|digits| digits.parse().ok());
    item.as_i64().map(i128::from).or_else(|| item.as_u64().map(i128::from)).or_else(as_float).or_else(as_text)
}

const fn is_big(kind: TypedArrayKind) -> bool {
    matches!(kind, TypedArrayKind::BigInt64 | TypedArrayKind::BigUint64)
}

const fn is_signed(kind: TypedArrayKind) -> bool {
    matches!(
        kind,
        TypedArrayKind::Int8 | TypedArrayKind::Int16 | TypedArrayKind::Int32 | TypedArrayKind::BigInt64
    )
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn elements_fit_or_are_refused() {
        for (kind, items, view) in [
            (TypedArrayKind::Uint8, json!([0, 255]), Some(json!([0, 255]))),
            (TypedArrayKind::Uint8, json!([256]), None),
            (TypedArrayKind::Uint8Clamped, json!([-1]), None),
            (TypedArrayKind::Int8, json!([-128, 127, 1.0]), Some(json!([-128, 127, 1]))),
            (TypedArrayKind::Int8, json!([128]), None),
            (TypedArrayKind::Int16, json!([0.5]), None),
            (TypedArrayKind::Uint32, json!([4_294_967_295_u32]), Some(json!([4_294_967_295_u32]))),
            (TypedArrayKind::Float64, json!([0.1, -3]), Some(json!([0.1, -3]))),
            (TypedArrayKind::Float32, json!([0.5]), Some(json!([0.5]))),
            (TypedArrayKind::Float64, json!(["1"]), None),
            (TypedArrayKind::BigUint64, json!([u64::MAX]), Some(json!([u64::MAX.to_string()]))),
            (TypedArrayKind::BigInt64, json!(["-5"]), Some(json!(["-5"]))),
            (TypedArrayKind::BigInt64, json!([u64::MAX]), None),
        ] {
            let found = array(kind, items.as_array().unwrap()).ok();
            assert_eq!(found.map(|value| value.to_json()["values"].clone()), view, "{kind:?} {items}");
        }
    }
}
