//! The check of a value where it lies, against reading it: the same bytes are taken, and refused in the same words.

use proptest::collection::vec;
use proptest::prelude::*;
use weevil_model::limits::{MAX_VALUE_BYTES, MAX_VALUE_DEPTH};
use weevil_model::{Encoded, Value};

use crate::values::{CASES, bytes_of, heads, value};

#[track_caller]
pub(crate) fn the_same(bytes: &[u8], what: &str) -> bool {
    let checked = Encoded::checked(bytes).map(drop);
    assert_eq!(checked, Encoded::trusted(bytes.to_vec()).value().map(drop), "{what}");
    checked.is_ok()
}

#[test]
fn depth_and_length_end_where_reading_ends() {
    let nested = |head: &[u8], depth: usize, end: &[u8]| [head.repeat(depth), end.to_vec()].concat();
    let promised = |head: u8, len: u64| [&[head][..], &len.to_be_bytes()].concat();
    for (bytes, taken, what) in [
        (nested(b"\x81", MAX_VALUE_DEPTH, b"\x00"), true, "as deep as may be"),
        (nested(b"\x81", MAX_VALUE_DEPTH, b"\x80"), true, "an empty array at the deepest place"),
        (nested(b"\x81", MAX_VALUE_DEPTH, b"\x81\x00"), false, "one deeper"),
        (nested(b"\x81", MAX_VALUE_DEPTH + 1, b""), false, "one deeper, cut off"),
        (nested(b"\xa1\x60", MAX_VALUE_DEPTH, b"\xf7"), true, "objects as deep as may be"),
        (nested(b"\xa1\x60", MAX_VALUE_DEPTH + 1, b"\xf7"), false, "objects one deeper"),
        (promised(0x9b, u64::MAX), false, "an array without its elements"),
        (promised(0xbb, u64::MAX), false, "an object without its properties"),
        (promised(0x7b, u64::MAX), false, "a text without its bytes"),
        (b"\x83\x00\x01".to_vec(), false, "an array that is cut off"),
        (b"\x82\x00\x01\x02".to_vec(), false, "an array, and a byte more"),
        (b"\xa1\x00\x00".to_vec(), false, "a number for a name"),
        (b"\xa1\x61\xff\x00".to_vec(), false, "a name that is no text"),
        (b"".to_vec(), false, "nothing"),
    ] {
        assert_eq!(the_same(&bytes, what), taken, "{what}");
    }
}

#[test]
fn each_byte_alone_and_before_each_other_is_judged_alike() {
    for first in 0..=u8::MAX {
        the_same(&[first], "a byte");
        for second in 0..=u8::MAX {
            the_same(&[first, second], "two bytes");
            the_same(&[0x82, first, second], "two bytes in an array");
            the_same(&[0xa1, 0x61, b'$', first, second], "two bytes behind a name");
        }
    }
}

#[test]
fn what_is_large_is_judged_alike() {
    let array = |head: &[u8], element: &[u8]| {
        let count = (1 << 20) / element.len();
        [head, &u32::try_from(count).unwrap().to_be_bytes(), &element.repeat(count)].concat()
    };
    for (bytes, what) in [
        (array(b"\x9a", b"\x00"), "one-byte numbers"),
        (array(b"\x9a", b"\x80"), "empty arrays"),
        (array(b"\x9a", b"\x81\xf6"), "arrays of one"),
        (array(b"\xba", b"\x60\x00"), "properties"),
        (array(b"\x7a", b"\xf0\x9f\x90\x9b"), "a text that promises too few bytes"),
        (array(b"\x7a", b"a"), "a text"),
    ] {
        the_same(&bytes, what);
    }
    assert!(Encoded::checked(&vec![0; MAX_VALUE_BYTES + 1]).is_err());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(CASES))]

    #[test]
    fn a_value_is_taken_and_stays_what_it_is(value in value()) {
        let bytes = bytes_of(&value);
        prop_assert!(the_same(&bytes, "a value"));
        let back = Encoded::checked(&bytes).unwrap().value().unwrap();
        // Debug and not `==`: NaN is itself here.
        prop_assert_eq!(format!("{back:?}"), format!("{value:?}"));
    }

    #[test]
    fn a_changed_value_is_judged_alike(value in value(), changes in vec((any::<usize>(), any::<u8>()), 1..6), cut in any::<usize>()) {
        let mut bytes = bytes_of(&value);
        for (place, byte) in changes {
            let place = place % bytes.len();
            bytes[place] = byte;
            the_same(&bytes, "a value with other bytes");
        }
        bytes.truncate(cut % (bytes.len() + 1));
        the_same(&bytes, "a value cut short");
    }

    #[test]
    fn heads_in_any_order_are_judged_alike(bytes in heads(), array in any::<bool>()) {
        let array = if array { &b"\x98\x20"[..] } else { b"" };
        the_same(&[array, &bytes].concat(), "heads");
    }

    #[test]
    fn any_bytes_are_judged_alike(bytes in vec(any::<u8>(), 0..64)) {
        the_same(&bytes, "bytes");
    }
}

#[test]
fn duplicates_are_taken_as_reading_takes_them() {
    let twice = Value::Object(vec![("a".into(), Value::Null), ("a".into(), Value::Undefined)]);
    assert!(the_same(&bytes_of(&twice), "a name that comes twice"));
}
