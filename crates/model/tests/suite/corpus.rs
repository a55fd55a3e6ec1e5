//! What the fuzzer of values begins with, replayed: each file is a value or is refused, whichever way it is read.

use std::fs;
use std::path::Path;

use weevil_model::{Encoded, JsonPieces};

use crate::{check, json};

/// The files that are values; the others are refused.
const SOUND: &[&str] = &[
    "blanks.json",
    "deep-empty.cbor",
    "deep.cbor",
    "deep.json",
    "large-numbers.json",
    "long-arrays.json",
    "long-heads.cbor",
    "mark-escaped.json",
    "marks.cbor",
    "marks.json",
    "name-twice.cbor",
    "numbers.cbor",
    "object-of-objects.json",
    "plain.json",
    "safe-integers.cbor",
    "special-floats.cbor",
    "texts.cbor",
    "typed.cbor",
    "values-alone.json",
    "values-first.json",
    "words.cbor",
];

#[test]
fn values_are_read_alike_in_every_way() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus/value");
    let mut sound = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        let bytes = fs::read(&path).unwrap();
        let taken = check::the_same(&bytes, &name);
        if taken {
            let told: Vec<_> = JsonPieces::of(&Encoded::checked(&bytes).unwrap()).unwrap().collect();
            let read = Encoded::trusted(bytes.clone()).value().unwrap();
            assert_eq!(String::from_utf8(told.concat()).unwrap(), read.to_json_text(), "{name}");
        }
        let is_json = path.extension().is_some_and(|kind| kind == "json");
        let text = str::from_utf8(&bytes).ok().filter(|_| is_json);
        if if is_json { text.is_some_and(json::the_same) } else { taken } {
            sound.push(name);
        }
    }
    sound.sort_unstable();
    assert_eq!(sound, SOUND);
}
