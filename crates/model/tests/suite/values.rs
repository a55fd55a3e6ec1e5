//! Values of every kind, and bytes that are nearly one.

use proptest::collection::vec;
use proptest::prelude::*;
use weevil_model::{Encoded, TypedArrayKind, Value};

/// As many as a build without optimisation runs through in a few seconds.
pub(crate) const CASES: u32 = 100;

pub(crate) fn number() -> impl Strategy<Value = f64> {
    prop_oneof![
        any::<i32>().prop_map(f64::from),
        (-30_i8..30).prop_map(f64::from),
        any::<u64>().prop_map(f64::from_bits),
        Just(-0.0),
        Just(9_007_199_254_740_991.0),
        Just(9_007_199_254_740_992.0),
        Just(1e16),
    ]
}

/// Texts with what is escaped somewhere, long ones too.
pub(crate) fn text() -> impl Strategy<Value = String> {
    prop_oneof![".{0,8}", "[\\$\"\\\\\u{0}-\u{1f}\u{7f}\u{2028}\u{1F41B}a]{0,40}", "[a-z]{300}"]
}

/// Names, now and then one that the JSON view would take for a mark.
pub(crate) fn name() -> impl Strategy<Value = String> {
    let marks = ["$undefined", "$number", "$typed", "values", "$object", "$", "$x", ""];
    prop_oneof![proptest::sample::select(marks.to_vec()).prop_map(str::to_owned), text()]
}

fn typed() -> impl Strategy<Value = Value> {
    let kinds: Vec<_> = TypedArrayKind::all().collect();
    (proptest::sample::select(kinds), vec(any::<u8>(), 0..64)).prop_map(|(kind, mut bytes)| {
        bytes.truncate(bytes.len() / kind.width() * kind.width());
        Value::Typed(kind, bytes)
    })
}

/// Objects have each name once.
pub(crate) fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Undefined),
        Just(Value::Null),
        any::<bool>().prop_map(Value::Boolean),
        number().prop_map(Value::Number),
        text().prop_map(Value::String),
        typed(),
    ];
    leaf.prop_recursive(6, 200, 40, |inner| {
        let object = vec((name(), inner.clone()), 0..30).prop_map(|mut entries| {
            let mut known = std::collections::HashSet::new();
            entries.retain(|(name, _)| known.insert(name.clone()));
            Value::Object(entries)
        });
        prop_oneof![vec(inner, 0..40).prop_map(Value::Array), object]
    })
}

pub(crate) fn bytes_of(value: &Value) -> Vec<u8> {
    Encoded::of(value).unwrap().as_bytes().to_vec()
}

/// Bytes that begin something: heads of each kind and width, words, tags, breaks.
pub(crate) fn heads() -> impl Strategy<Value = Vec<u8>> {
    let heads: Vec<&[u8]> = vec![
        b"\x00",
        b"\x17",
        b"\x18\xff",
        b"\x19\x01\x00",
        b"\x1a\x00\x00\x00\x01",
        b"\x20",
        b"\x38\x00",
        b"\x1b\x00\x1f\xff\xff\xff\xff\xff\xff",
        b"\x1b\x00\x20\x00\x00\x00\x00\x00\x00",
        b"\x3b\x00\x1f\xff\xff\xff\xff\xff\xfe",
        b"\x3b\x00\x1f\xff\xff\xff\xff\xff\xff",
        b"\x3b\xff\xff\xff\xff\xff\xff\xff\xff",
        b"\x1c",
        b"\x1f",
        b"\x40",
        b"\x41\x00",
        b"\x5f",
        b"\x60",
        b"\x61a",
        b"\x61$",
        b"\x61\xff",
        b"\x78\x01b",
        b"\x7f",
        b"\x80",
        b"\x81",
        b"\x82",
        b"\x98\x01",
        b"\x9b\xff\xff\xff\xff\xff\xff\xff\xff",
        b"\x9f",
        b"\xa0",
        b"\xa1",
        b"\xa2",
        b"\xb8\x01",
        b"\xbf",
        b"\xc0",
        b"\xd8\x40\x41\x00",
        b"\xd8\x56\x41\x00",
        b"\xd8\x2a\x40",
        b"\xd8\x55\x44\x00\x00\x00\x00",
        b"\xd9\x00\x40\x58\x01\x00",
        b"\xf4",
        b"\xf5",
        b"\xf6",
        b"\xf7",
        b"\xf8\x20",
        b"\xf8\x14",
        b"\xe0",
        b"\xf9\x3c\x00",
        b"\xfa\x00\x00\x00\x00",
        b"\xfb\x00\x00\x00\x00\x00\x00\x00\x00",
        b"\xfc",
        b"\xff",
    ];
    vec(proptest::sample::select(heads), 0..24).prop_map(|heads| heads.concat())
}
