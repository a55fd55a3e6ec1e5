//! The form by which answers are compared: a table of spellings, and a plain model that makes the value and writes it anew.

use proptest::prelude::*;
use weevil_model::limits::{MAX_VALUE_BYTES, MAX_VALUE_DEPTH};
use weevil_model::{ContentHash, Encoded, EncodedError, TypedArrayKind, Value, canonical, digest};

use crate::values::{CASES, value};

const QUIET: f64 = f64::from_bits(0x7ff8_0000_0000_0000);

fn bytes(hex: &str) -> Vec<u8> {
    let digits: Vec<u8> = hex.bytes().filter(u8::is_ascii_hexdigit).collect();
    digits.chunks(2).map(|pair| u8::from_str_radix(str::from_utf8(pair).unwrap(), 16).unwrap()).collect()
}

fn form(spelled: &[u8]) -> Vec<u8> {
    canonical(&Encoded::checked(spelled).unwrap()).unwrap().as_bytes().to_vec()
}

/// Every head of RFC 8949 that can hold this argument, the shortest one first.
fn heads(major: u8, argument: u64) -> Vec<Vec<u8>> {
    let major = major << 5;
    let wide = argument.to_be_bytes();
    let mut all = Vec::new();
    if argument < 24 {
        all.push(vec![major | wide[7]]);
    }
    for (additional, width) in [(24, 1_usize), (25, 2), (26, 4), (27, 8)] {
        if wide[..8 - width].iter().all(|byte| *byte == 0) {
            all.push([&[major | additional][..], &wide[8 - width..]].concat());
        }
    }
    all
}

fn float(number: f64) -> Vec<u8> {
    [&[0xfb][..], &number.to_be_bytes()].concat()
}

#[test]
fn every_head_becomes_the_shortest() {
    let mut rows = 0;
    let safe = (1_u64 << 53) - 1;
    for argument in [0, 1, 22, 23, 24, 25, 255, 256, 65_535, 65_536, (1 << 32) - 1, 1 << 32, safe] {
        let signs = [(0, argument as f64), (1, -1.0 - argument as f64)];
        for (major, number) in signs.into_iter().filter(|(_, number)| number.abs() <= safe as f64) {
            let spelled = heads(major, argument);
            for one in spelled.iter().chain([&float(number)]) {
                assert_eq!(form(one), spelled[0], "{number} as {one:02x?}");
                rows += 1;
            }
        }
    }
    for length in [0_u64, 1, 23, 24, 255, 256, 65_536] {
        let many = usize::try_from(length).unwrap();
        let text = vec![b'a'; many];
        let names: Vec<u8> = [0x61, b'n', 0xf6].repeat(many);
        for (major, content) in [(3, text), (4, vec![0xf6; many]), (5, names)] {
            let spelled = heads(major, length);
            let shortest = [&spelled[0][..], &content].concat();
            for head in &spelled {
                assert_eq!(
                    form(&[head, &content[..]].concat()),
                    shortest,
                    "{length} of {major} by {head:02x?}"
                );
                rows += 1;
            }
        }
    }
    assert!(rows > 190, "{rows}");
}

#[test]
fn numbers_have_one_form_each() {
    for (spelled, expected) in [
        ("f9 0000", "00"),
        ("f9 8000", "fb 8000000000000000"),
        ("fa 80000000", "fb 8000000000000000"),
        ("fb 8000000000000000", "fb 8000000000000000"),
        ("f9 3c00", "01"),
        ("f9 bc00", "20"),
        ("f9 3e00", "fb 3ff8000000000000"),
        ("fa 3fc00000", "fb 3ff8000000000000"),
        ("f9 0001", "fb 3e70000000000000"),
        ("fa 3dcccccd", "fb 3fb99999a0000000"),
        ("fa 00000001", "fb 36a0000000000000"),
        ("f9 7c00", "fb 7ff0000000000000"),
        ("fa ff800000", "fb fff0000000000000"),
        ("f9 7e00", "fb 7ff8000000000000"),
        ("f9 7c01", "fb 7ff8000000000000"),
        ("f9 fe00", "fb 7ff8000000000000"),
        ("fa 7fc00001", "fb 7ff8000000000000"),
        ("fa ffffffff", "fb 7ff8000000000000"),
        ("fb 7ff0000000000001", "fb 7ff8000000000000"),
        ("fb fff8000000000000", "fb 7ff8000000000000"),
        ("fb 433fffffffffffff", "1b 001fffffffffffff"),
        ("fb 4340000000000000", "fb 4340000000000000"),
        ("fb c33fffffffffffff", "3b 001ffffffffffffe"),
    ] {
        assert_eq!(form(&bytes(spelled)), bytes(expected), "{spelled}");
    }
}

#[test]
fn what_is_part_of_a_value_stays() {
    for (spelled, expected) in [
        ("a2 61 62 01 61 61 02", "a2 61 62 01 61 61 02"),
        ("a2 61 61 01 61 61 02", "a2 61 61 01 61 61 02"),
        ("63 65 cc 81", "63 65 cc 81"),
        ("62 c3 a9", "62 c3 a9"),
        ("84 f4 f5 f6 f7", "84 f4 f5 f6 f7"),
        ("82 f9 3c00 82 18 01 80", "82 01 82 01 80"),
        ("d8 40 43 00 ff 80", "d8 40 43 00 ff 80"),
        ("d9 0040 58 03 00 ff 80", "d8 40 43 00 ff 80"),
        ("d8 55 44 0000c0ff", "d8 55 44 0000c07f"),
        ("d8 55 48 0100807f 0000807f", "d8 55 48 0000c07f 0000807f"),
        ("d8 55 44 00000080", "d8 55 44 00000080"),
        ("d8 56 48 010000000000f0ff", "d8 56 48 000000000000f87f"),
        ("d8 56 48 000000000000f07f", "d8 56 48 000000000000f07f"),
        ("d8 46 44 0000c0ff", "d8 46 44 0000c0ff"),
        ("d8 4f 48 010000000000f0ff", "d8 4f 48 010000000000f0ff"),
    ] {
        assert_eq!(form(&bytes(spelled)), bytes(expected), "{spelled}");
    }
}

#[test]
fn depth_and_size_have_the_bounds_of_values() {
    let deep = [[0x98, 0x01].repeat(MAX_VALUE_DEPTH), vec![0xf9, 0x3c, 0x00]].concat();
    assert_eq!(form(&deep), [vec![0x81; MAX_VALUE_DEPTH], vec![0x01]].concat());
    let halves = |many: usize| {
        let head = heads(4, many as u64).remove(0);
        Encoded::checked(&[head, [0xf9, 0x3e, 0x00].repeat(many)].concat()).unwrap()
    };
    let most = (MAX_VALUE_BYTES - 5) / 9;
    assert_eq!(canonical(&halves(most)).unwrap().as_bytes().len(), most * 9 + 5);
    assert_eq!(
        canonical(&halves(most + 1)).unwrap_err(),
        EncodedError::TooLarge { found: (most + 1) * 9 + 5, max: MAX_VALUE_BYTES }
    );
}

#[test]
fn a_digest_has_a_label() {
    let seven = Encoded::checked(&[0xf9, 0x47, 0x00]).unwrap();
    let expected = ContentHash::of_parts([("value", &[0x07][..])]);
    assert_eq!(digest(&canonical(&seven).unwrap()), expected);
    assert_ne!(expected, ContentHash::of(&[0x07]));
}

/// What is the same in each form of a value.
fn plain(value: Value) -> Value {
    match value {
        Value::Number(number) if number.is_nan() => Value::Number(QUIET),
        Value::Array(items) => Value::Array(items.into_iter().map(plain).collect()),
        Value::Object(entries) => {
            Value::Object(entries.into_iter().map(|(name, value)| (name, plain(value))).collect())
        }
        Value::Typed(kind @ TypedArrayKind::Float32, bytes) => {
            let element = |bytes: &[u8]| f32::from_le_bytes(bytes.try_into().unwrap());
            let quiet = |number: f32| if number.is_nan() { f32::from_bits(0x7fc0_0000) } else { number };
            Value::Typed(kind, bytes.chunks(4).flat_map(|four| quiet(element(four)).to_le_bytes()).collect())
        }
        Value::Typed(kind @ TypedArrayKind::Float64, bytes) => {
            let element = |bytes: &[u8]| f64::from_le_bytes(bytes.try_into().unwrap());
            let quiet = |number: f64| if number.is_nan() { QUIET } else { number };
            Value::Typed(
                kind,
                bytes.chunks(8).flat_map(|eight| quiet(element(eight)).to_le_bytes()).collect(),
            )
        }
        other => other,
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(CASES))]

    #[test]
    fn the_form_is_that_of_the_value_written_anew(value in value()) {
        let encoded = Encoded::of(&value).unwrap();
        let form = canonical(&encoded).unwrap();
        prop_assert_eq!(&form, &Encoded::of(&plain(value)).unwrap());
        prop_assert_eq!(canonical(&form).unwrap(), form);
    }

    #[test]
    fn other_values_have_other_digests(one in value(), other in value()) {
        let [first, second] = [one, other].map(|value| Encoded::of(&plain(value)).unwrap());
        prop_assert_eq!(digest(&first) == digest(&second), first == second);
    }
}
