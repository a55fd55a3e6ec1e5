//! JSON to values and back without a tree, against the ways that make one.

use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::{Value as Json, json};
use weevil_model::json_stream::MAX_PIECE_BYTES;
use weevil_model::limits::MAX_VALUE_BYTES;
use weevil_model::{Encoded, EncodedError, JsonPieces, JsonTextError, TypedArrayKind, Value};

use crate::values::{CASES, name, number, text, value};

fn streamed(value: &Value) -> String {
    let pieces: Vec<_> = JsonPieces::of(&Encoded::of(value).unwrap()).unwrap().collect();
    for piece in &pieces {
        assert!(!piece.is_empty() && piece.len() <= MAX_PIECE_BYTES, "{} bytes", piece.len());
        assert!(str::from_utf8(piece).is_ok());
    }
    String::from_utf8(pieces.concat()).unwrap()
}

#[test]
fn large_values_are_told_in_small_pieces() {
    let typed = |kind: TypedArrayKind| Value::Typed(kind, (0..=255).cycle().take(1 << 18).collect());
    let text = |part: &str| Value::String(part.repeat((1 << 18) / part.len()));
    let named = |name: String| Value::Object(vec![(name, Value::Null)]);
    for value in [
        Value::Array(vec![Value::Number(0.0); 1 << 17]),
        Value::Array(vec![Value::Array(Vec::new()); 1 << 17]),
        Value::Array(vec![named("$".into()); 1 << 15]),
        text("a"),
        text("\u{0}"),
        text("x\u{1F41B}"),
        text("\u{e4}\u{20ac}\\"),
        named("n\u{1F41B}".repeat(1 << 15)),
        named("$\"".repeat(1 << 15)),
        typed(TypedArrayKind::Uint8),
        typed(TypedArrayKind::Float32),
        typed(TypedArrayKind::Float64),
        typed(TypedArrayKind::BigInt64),
    ] {
        // Not `assert_eq`, which would print megabytes.
        assert!(streamed(&value) == value.to_json_text(), "a large {}", value.data_type());
    }
}

#[test]
fn what_is_no_value_is_refused_before_its_first_piece() {
    for bytes in [&b"\x82\x00"[..], b"\x9f\xff", b"\xa1\x61$", b""] {
        assert!(JsonPieces::of(&Encoded::trusted(bytes.to_vec())).is_err(), "{bytes:?}");
    }
}

/// The text, and then the text with each name once: the first may be read more strictly than its tree.
#[track_caller]
pub(crate) fn the_same(text: &str) -> bool {
    let found = Encoded::of_json_text(text);
    let tree = match serde_json::from_str::<Json>(text) {
        Ok(tree) => tree,
        Err(expected) => {
            let Err(JsonTextError::Json(found)) = found else { panic!("{text} is taken") };
            assert_eq!(found.to_string(), expected.to_string(), "{text}");
            return false;
        }
    };
    let plain = tree.to_string();
    let expected = Value::from_view(tree).map(|value| Encoded::of(&value).unwrap()).ok();
    assert_eq!(Encoded::of_json_text(&plain).ok(), expected, "{plain}");
    if let Ok(found) = &found {
        let shown = |value: &Encoded| value.value().unwrap().to_json();
        assert_eq!(shown(found), shown(&expected.unwrap()), "{text}");
    }
    found.is_ok()
}

#[test]
fn markers_are_read_as_from_a_tree() {
    for (text, taken) in [
        (r#"{"$undefined":true}"#, true),
        (r#" { "$undefined" : true } "#, true),
        (r#"{"$undefined":false}"#, false),
        (r#"{"$undefined":true,"a":1}"#, false),
        (r#"{"a":1,"$undefined":true}"#, false),
        (r#"{"\u0024undefined":true}"#, true),
        (r#"{"$number":"\u004eaN"}"#, true),
        (r#"{"$number":"-0"}"#, true),
        (r#"{"$number":["NaN"]}"#, false),
        (r#"{"$number":7}"#, false),
        (r#"{"$object":{"$number":"NaN","values":[]}}"#, true),
        (r#"{"$object":{"$object":{"$object":{}}}}"#, true),
        (r#"{"$object":{"a":{"$undefined":true}}}"#, true),
        (r#"{"$object":{"a":{"$b":true}}}"#, false),
        (r#"{"$object":{},"a":1}"#, false),
        (r#"{"$object":[]}"#, false),
        (r#"{"$typed":"Int8Array","values":[1,-128,127]}"#, true),
        (r#"{"values":[1,-128,127],"$typed":"Int8Array"}"#, true),
        (r#"{"values":[1.0],"$typed":"Int8Array"}"#, false),
        (r#"{"values":[-0],"$typed":"Int8Array"}"#, false),
        (r#"{"values":[-0],"$typed":"Float32Array"}"#, true),
        (r#"{"values":[0.1],"a":1,"$typed":"Float32Array"}"#, false),
        (r#"{"a":1,"values":[0.1],"$typed":"Float32Array"}"#, false),
        (r#"{"$typed":"Float64Array","values":[ 1e2 , {"$number" : "NaN"} ,null]}"#, false),
        (r#"{"$typed":"Float64Array","values":[ 1e2 , {"$number" : "NaN"} ]}"#, true),
        (r#"{"$typed":"Float64Array","values":[{"$number":"NaN","a":1}]}"#, false),
        (r#"{"$typed":"Float64Array","values":[{"$numbr":"NaN"}]}"#, false),
        (r#"{"$typed":"Float64Array","values":[[]]}"#, false),
        (r#"{"$typed":"Float64Array","values":["1"]}"#, false),
        (r#"{"$typed":"Float64Array","values":{}}"#, false),
        (r#"{"$typed":"Float64Array"}"#, false),
        (r#"{"$typed":"Float64","values":[]}"#, false),
        (r#"{"$typed":"BigInt64Array","values":["-9223372036854775808"]}"#, true),
        (r#"{"$typed":"BigUint64Array","values":["18446744073709551615"]}"#, true),
        (r#"{"$typed":"BigUint64Array","values":["18446744073709551616"]}"#, false),
        (r#"{"$typed":"BigUint64Array","values":[1]}"#, false),
        (r#"{"values":[{"values":[{"values":[],"$typed":"Int8Array"}]}]}"#, true),
        (r#"{"$":1}"#, false),
    ] {
        assert_eq!(the_same(text), taken, "{text}");
    }
}

#[test]
fn syntax_is_judged_as_a_tree_judges_it() {
    let nested = |depth: usize| format!("{}1{}", "[".repeat(depth), "]".repeat(depth));
    let (deep, deeper) = (nested(127), nested(128));
    for (text, taken) in [
        ("", false),
        ("{", false),
        ("NaN", false),
        ("1e999", false),
        ("01", false),
        ("-", false),
        ("-0", true),
        ("-0.0", true),
        ("1E+2", true),
        ("123456789012345", true),
        ("9007199254740993", true),
        ("-9223372036854775809", true),
        ("123456789012345678901234567890", true),
        ("0.1e-400", true),
        (r#""\ud800""#, false),
        (r#""\ud83d\udc1b \" \\ \/ \b \u0000 ""#, true),
        ("\"\u{0}\"", false),
        (r#"["a",]"#, false),
        (r#"{"a":1,}"#, false),
        ("[1] 2", false),
        ("\n[\t1 ,\r 2 ] ", true),
        (&deep, true),
        (&deeper, false),
    ] {
        assert_eq!(the_same(text), taken, "{text}");
    }
}

#[test]
fn a_name_that_comes_twice_stays_twice() {
    let twice = Encoded::of_json_text(r#"{"a":1,"b":2,"a":3}"#).unwrap().value().unwrap();
    let Value::Object(entries) = &twice else { panic!("{twice:?}") };
    assert_eq!(entries.len(), 3);
    assert_eq!(twice.to_json(), json!({ "a": 3, "b": 2 }));
    for text in
        [r#"{"$number":"-0","$number":"NaN"}"#, r#"{"$typed":"Int8Array","values":[""],"values":[1]}"#]
    {
        assert!(the_same(text), "{text}");
    }
}

#[test]
fn heads_grow_with_what_they_hold() {
    for count in [0, 1, 23, 24, 255, 256, 65_535, 65_536] {
        let items = vec!["1"; count].join(",");
        the_same(&format!("[{items}]"));
        the_same(&format!("[[{items}],[],[{items}]]"));
        the_same(&format!(r#"{{"a":[{items}],"$typed":1}}"#));
        the_same(&format!(r#"[{{"values":[{items}],"$typed":"Uint16Array"}},[{items}]]"#));
    }
}

#[test]
fn what_becomes_too_large_is_counted_to_its_end() {
    // Three letters for nine bytes.
    let count = MAX_VALUE_BYTES / 9;
    let floats = |count: usize| format!("[{}]", vec![".5"; count].join(",0").replacen(".5", "0.5", 1));
    let large = |text: &str| match Encoded::of_json_text(text) {
        Ok(taken) => Ok(taken.as_bytes().len()),
        Err(JsonTextError::Encoded(refused)) => Err(refused),
        Err(other) => panic!("{other}"),
    };
    assert_eq!(large(&floats(count - 1)), Ok(9 * (count - 1) + 5));
    let found = 9 * 2 * count + 5;
    assert_eq!(large(&floats(2 * count)), Err(EncodedError::TooLarge { found, max: MAX_VALUE_BYTES }));
    // The elements alone would not fit; as a typed array they do.
    let typed = format!(r#"{{"values":{},"$typed":"Float32Array"}}"#, floats(count + 1));
    assert_eq!(large(&typed), Ok(4 * (count + 1) + 7));
}

/// JSON with many names that mark something, or nearly.
fn json_tree() -> impl Strategy<Value = Json> {
    let words = ["NaN", "-0", "Infinity", "Int8Array", "Float64Array", "BigInt64Array", "12"];
    let leaf = prop_oneof![
        Just(Json::Null),
        any::<bool>().prop_map(Json::from),
        number().prop_map(Json::from),
        any::<i64>().prop_map(Json::from),
        any::<u64>().prop_map(Json::from),
        (-3..4).prop_map(Json::from),
        proptest::sample::select(words.to_vec()).prop_map(Json::from),
        text().prop_map(Json::from),
    ];
    leaf.prop_recursive(6, 120, 8, |inner| {
        let array = || vec(inner.clone(), 0..30).prop_map(Json::from);
        let kinds: Vec<_> = TypedArrayKind::all().map(TypedArrayKind::name).collect();
        let typed =
            (proptest::sample::select(kinds), array(), any::<bool>()).prop_map(|(kind, values, first)| {
                if first {
                    json!({ "$typed": kind, "values": values })
                } else {
                    json!({ "values": values, "$typed": kind })
                }
            });
        let object = vec((name(), inner.clone()), 0..6)
            .prop_map(|entries| Json::Object(entries.into_iter().collect()))
            .boxed();
        let wrapped = object.clone().prop_map(|object| json!({ "$object": object }));
        let marked = inner.clone().prop_map(|inner| json!({ "$number": inner }));
        prop_oneof![array(), typed, object, wrapped, marked]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(CASES))]

    #[test]
    fn pieces_are_the_text(value in value()) {
        prop_assert_eq!(streamed(&value), value.to_json_text());
    }

    #[test]
    fn the_text_comes_back(value in value()) {
        let text = value.to_json_text();
        prop_assert!(the_same(&text));
        let back = Encoded::of_json_text(&text).unwrap();
        let pieces: Vec<_> = JsonPieces::of(&back).unwrap().collect();
        prop_assert_eq!(String::from_utf8(pieces.concat()).unwrap(), text);
    }

    #[test]
    fn any_json_is_read_as_from_a_tree(tree in json_tree()) {
        the_same(&tree.to_string());
        the_same(&serde_json::to_string_pretty(&tree).unwrap());
    }

    #[test]
    fn changed_json_is_read_as_from_a_tree(
        tree in json_tree(),
        changes in vec((any::<usize>(), "[\\[\\]{},:\"\\\\0-9.eEu+ a-]"), 1..4),
    ) {
        let mut text = tree.to_string();
        for (place, letter) in changes {
            let place = (0..=place % (text.len() + 1)).rev().find(|at| text.is_char_boundary(*at)).unwrap();
            let end = (place + 1..=text.len()).find(|at| text.is_char_boundary(*at)).unwrap_or(place);
            text.replace_range(place..end, &letter);
            the_same(&text);
        }
    }
}
