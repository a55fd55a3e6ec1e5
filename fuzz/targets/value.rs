//! Any bytes as a value: checked where they lie as they are read, and told as JSON in pieces as at once. Any text as a value
//! in JSON: read from the text as from a tree.

#![no_main]

use libfuzzer_sys::fuzz_target;
use serde_json::Value as Json;
use weevil_model::{Encoded, JsonPieces, Value};

fuzz_target!(|bytes: &[u8]| {
    as_cbor(bytes);
    if let Ok(text) = str::from_utf8(bytes) {
        as_json(text);
    }
});

fn as_cbor(bytes: &[u8]) {
    let read = Encoded::trusted(bytes.to_vec()).value();
    let checked = Encoded::checked(bytes);
    assert_eq!(checked.as_ref().err(), read.as_ref().err());
    let (Ok(checked), Ok(read)) = (checked, read) else { return };
    let pieces: Vec<_> = JsonPieces::of(&checked).expect("it is a value").collect();
    let told = String::from_utf8(pieces.concat()).expect("JSON is text");
    assert_eq!(told, read.to_json_text());
    as_json(&told);
}

/// A name that comes twice stays twice, which a tree cannot show: each name once must give the same bytes.
fn as_json(text: &str) {
    let found = Encoded::of_json_text(text).ok();
    let tree = serde_json::from_str::<Json>(text).ok();
    assert!(found.is_none() || tree.is_some());
    let Some(tree) = tree else { return };
    let plain = Encoded::of_json_text(&tree.to_string()).ok();
    let expected = Value::from_view(tree).ok().and_then(|value| Encoded::of(&value).ok());
    assert_eq!(plain, expected);
    let shown = |value: &Encoded| value.value().expect("it is one").to_json();
    assert!(found.is_none_or(|found| plain.is_some_and(|plain| shown(&found) == shown(&plain))));
}
