//! What the fuzzers of values and of their canonical form begin with, replayed: each file is a value or is refused, whichever
//! way it is read.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use weevil_model::{Encoded, JsonPieces, canonical};

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

/// The files of the canonical form that are values.
const SOUND_FORMS: &[&str] = &[
    "float-arrays.cbor",
    "grows.cbor",
    "half-floats.cbor",
    "long-heads.cbor",
    "names-in-order.cbor",
    "nan-payloads.cbor",
    "whole-floats.cbor",
];

#[test]
fn values_are_read_alike_in_every_way() {
    let mut sound = Vec::new();
    for (name, bytes) in files("value") {
        let taken = check::the_same(&bytes, &name);
        if taken {
            let told: Vec<_> = JsonPieces::of(&Encoded::checked(&bytes).unwrap()).unwrap().collect();
            let read = Encoded::trusted(bytes.clone()).value().unwrap();
            assert_eq!(String::from_utf8(told.concat()).unwrap(), read.to_json_text(), "{name}");
        }
        let is_json = name.ends_with("json");
        let text = str::from_utf8(&bytes).ok().filter(|_| is_json);
        if if is_json { text.is_some_and(json::the_same) } else { taken } {
            sound.push(name);
        }
    }
    assert_eq!(sound, SOUND);
}

#[test]
fn a_canonical_form_is_its_own_and_the_same_value() {
    let mut sound = Vec::new();
    for (name, bytes) in files("canonical") {
        let Ok(value) = Encoded::checked(&bytes) else { continue };
        let form = canonical(&value).unwrap();
        assert_eq!(canonical(&form), Ok(form.clone()), "{name}");
        let shown = |value: &Encoded| value.value().unwrap().to_json_text();
        assert_eq!(shown(&form), shown(&value), "{name}");
        sound.push(name);
    }
    assert_eq!(sound, SOUND_FORMS);
}

/// What a target begins with, by name.
fn files(target: &str) -> BTreeMap<String, Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus").join(target);
    let paths = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let name = |path: &Path| path.file_name().unwrap().to_str().unwrap().to_owned();
    paths.map(|path| (name(&path), fs::read(&path).unwrap())).collect()
}
