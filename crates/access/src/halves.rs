//! The two halves of a session: a cookie that no script reads, and a key that lies in the page's own storage.
//!
//! Cookies know no ports and storage knows no cookies, so neither half is worth anything alone. It never draws a byte,
//! and `Debug` never prints one.

use std::fmt;

use crate::SecretHash;
use crate::server_secret::{Purpose, ServerSecret};

/// The half that travels as a cookie: 32 random bytes, in hex.
#[derive(Clone)]
pub struct CookieHalf([u8; 32]);

/// The half that the page holds and sends in a header: the HMAC of the cookie under the server's secret, in hex.
#[derive(Clone)]
pub struct KeyHalf([u8; 32]);

impl CookieHalf {
    pub const fn of_bytes(random: [u8; 32]) -> Self {
        Self(random)
    }

    pub fn parse(text: &str) -> Option<Self> {
        parse(text).map(Self)
    }

    /// The cookie's value, for the one answer that sets it.
    pub fn reveal(&self) -> String {
        hex::encode(self.0)
    }

    /// What is stored and looked for in place of the cookie.
    pub fn hash(&self) -> SecretHash {
        SecretHash::of(&self.0)
    }

    /// The other half.
    pub fn key(&self, secret: &ServerSecret) -> KeyHalf {
        KeyHalf(secret.tag(Purpose::SessionKey, &self.0))
    }

    /// Whether a key is the other half, in a time that does not depend on where it differs.
    pub fn fits(&self, key: &KeyHalf, secret: &ServerSecret) -> bool {
        secret.vouches(Purpose::SessionKey, &self.0, &key.0)
    }
}

impl KeyHalf {
    pub fn parse(text: &str) -> Option<Self> {
        parse(text).map(Self)
    }

    /// The key's text, for the one answer that tells it.
    pub fn reveal(&self) -> String {
        hex::encode(self.0)
    }
}

fn parse(text: &str) -> Option<[u8; 32]> {
    let mut bytes = [0; 32];
    hex::decode_to_slice(text, &mut bytes).ok().map(|()| bytes)
}

impl fmt::Debug for CookieHalf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("CookieHalf(..)")
    }
}

impl fmt::Debug for KeyHalf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("KeyHalf(..)")
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn halves_fit_each_other_and_no_other(cookie: [u8; 32], other: [u8; 32], server: [u8; 32]) {
            prop_assume!(cookie != other);
            let secret = ServerSecret::from_bytes(server);
            let (one, two) = (CookieHalf::of_bytes(cookie), CookieHalf::of_bytes(other));
            let read = (CookieHalf::parse(&one.reveal()).unwrap(), KeyHalf::parse(&one.key(&secret).reveal()).unwrap());
            prop_assert_eq!(read.0.hash(), one.hash());
            prop_assert!(read.0.fits(&read.1, &secret));
            prop_assert!(!two.fits(&read.1, &secret));
            prop_assert_ne!(one.hash(), two.hash());
            prop_assert_ne!(one.reveal(), one.key(&secret).reveal());
        }

        #[test]
        fn a_text_of_another_form_is_no_half(text: String) {
            prop_assert!(CookieHalf::parse(&text).is_none() && KeyHalf::parse(&text).is_none());
        }
    }

    #[test]
    fn only_64_hex_digits_are_a_half() {
        for (text, taken) in [
            ("0".repeat(64), true),
            ("aF".repeat(32), true),
            (String::new(), false),
            ("0".repeat(63), false),
            ("0".repeat(66), false),
            (format!("{}g", "0".repeat(63)), false),
            (format!(" {}", "0".repeat(63)), false),
        ] {
            assert_eq!(CookieHalf::parse(&text).is_some(), taken, "{text:?}");
        }
    }

    #[test]
    fn debug_prints_no_half() {
        let cookie = CookieHalf::of_bytes([1; 32]);
        let key = cookie.key(&ServerSecret::from_bytes([2; 32]));
        assert_eq!(format!("{cookie:?} {key:?}"), "CookieHalf(..) KeyHalf(..)");
    }
}
