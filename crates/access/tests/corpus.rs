//! What the fuzzer of credentials begins with, replayed: each text is taken for what it is, or for nothing.

use std::fs;
use std::path::Path;

use weevil_access::{CookieHalf, KeyHalf, KnownBrowser, Secret, ServerSecret, UserCode, cookie_value};
use weevil_model::Timestamp;

/// The files that are taken for something; the others are refused.
const SOUND: [(&str, &str); 12] = [
    ("code-many-hyphens.txt", "code"),
    ("code-small.txt", "code"),
    ("code.txt", "code"),
    ("cookies-no-value.txt", "cookie"),
    ("cookies.txt", "cookie"),
    ("half-capital.txt", "half"),
    ("half.txt", "half"),
    ("invite.txt", "secret"),
    ("known-browser-capitals.txt", "known browser"),
    ("known-browser.txt", "known browser"),
    ("local-token.txt", "secret"),
    ("token.txt", "secret"),
];

fn taken_for(text: &str) -> Option<&'static str> {
    let server = ServerSecret::from_bytes([7; 32]);
    let ways = [
        ("secret", Secret::parse(text).is_ok_and(|secret| secret.reveal() == text)),
        ("half", CookieHalf::parse(text).is_some() && KeyHalf::parse(text).is_some()),
        ("cookie", cookie_value(text, "weevil-8080").is_some()),
        (
            "known browser",
            KnownBrowser::open(text, &server, Timestamp(0))
                .is_some_and(|known| known.seal(&server).eq_ignore_ascii_case(text)),
        ),
        ("code", text.parse::<UserCode>().is_ok()),
    ];
    ways.into_iter().find(|(_, taken)| *taken).map(|(way, _)| way)
}

#[test]
fn credentials_are_taken_for_what_they_are() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus/credential");
    let mut sound = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        let way = taken_for(&fs::read_to_string(&path).unwrap());
        sound.extend(way.map(|way| (name, way)));
    }
    sound.sort_unstable();
    let sound = sound.iter().map(|(name, way)| (name.as_str(), *way)).collect::<Vec<_>>();
    assert_eq!(sound, SOUND);
}
