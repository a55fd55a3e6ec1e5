//! Any text as what somebody sends to prove who they are: a secret, either half of a session, a header of cookies, the cookie
//! of a known browser, a code of a login. Each is refused, or is itself again when it is written.

#![no_main]

use libfuzzer_sys::fuzz_target;
use weevil_access::{CookieHalf, KeyHalf, KnownBrowser, Secret, ServerSecret, UserCode, cookie_value};
use weevil_model::Timestamp;

fuzz_target!(|text: &str| {
    if let Ok(secret) = Secret::parse(text) {
        assert_eq!(secret.reveal(), text);
        assert!(text.starts_with(secret.kind().prefix()));
    }
    let server = ServerSecret::from_bytes([7; 32]);
    if let (Some(cookie), Some(key)) = (CookieHalf::parse(text), KeyHalf::parse(text)) {
        assert!(cookie.reveal().eq_ignore_ascii_case(text));
        assert!(!cookie.fits(&key, &server), "a text that is its own HMAC");
    }
    if let Some(value) = cookie_value(text, "weevil-8080") {
        assert!(text.contains(&format!("weevil-8080={value}")));
    }
    if let Some(known) = KnownBrowser::open(text, &server, Timestamp(0)) {
        assert!(known.seal(&server).eq_ignore_ascii_case(text));
    }
    if let Ok(code) = text.parse::<UserCode>() {
        assert_eq!(code.to_string().parse(), Ok(code));
    }
});
