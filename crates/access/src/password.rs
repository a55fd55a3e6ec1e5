//! Passwords: one form for each text, argon2id for what is stored, and the comparison with it.
//!
//! It never draws a salt, keeps no password, and `Debug` never prints one. A hash takes tens of milliseconds and 19 MiB:
//! who calls it, and how often, is decided elsewhere.

mod breached;
mod strength;

use std::fmt;

use argon2::password_hash::phc::{self, PasswordHash};
use argon2::password_hash::{Error, PasswordHasher, PasswordVerifier};
use argon2::{Algorithm, Argon2, Params, Version};
use unicode_normalization::UnicodeNormalization;

pub use breached::{BreachedError, BreachedList};
pub use strength::WeakPassword;

/// The hash of nothing: names that nobody has are compared with it, so that they take as long as others.
const DECOY: &str =
    "$argon2id$v=19$m=19456,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";

/// A password as somebody typed it, in NFC (Unicode Standard Annex 15): however a keyboard composes é, it is the same.
#[derive(Clone, PartialEq, Eq)]
pub struct Password(String);

/// What a comparison found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Comparison {
    /// Another password, or a name that nobody has.
    Wrong,
    Right,
    /// Right, and stored with smaller numbers than those of today: it is to be hashed anew.
    RightButOutdated,
}

/// A hash could be neither made nor read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum HashingError {
    #[error("the stored hash of a password cannot be read: {0}")]
    Stored(phc::Error),
    #[error("a password could not be hashed: {0}")]
    Hashing(Error),
}

impl Password {
    pub fn of(text: &str) -> Self {
        Self(text.nfc().collect())
    }

    /// What is stored: argon2id (RFC 9106) with 19,456 KiB, two passes and one lane, as PHC text.
    pub fn hash(&self, salt: [u8; 16]) -> Result<String, HashingError> {
        let hash: PasswordHash =
            hasher().hash_password_with_salt(self.0.as_bytes(), &salt).map_err(HashingError::Hashing)?;
        Ok(hash.to_string())
    }

    /// Compares with what is stored, or with nothing of anybody, which takes as long.
    pub fn compare(&self, stored: Option<&str>) -> Result<Comparison, HashingError> {
        let hash = PasswordHash::new(stored.unwrap_or(DECOY)).map_err(HashingError::Stored)?;
        match hasher().verify_password(self.0.as_bytes(), &hash) {
            Ok(()) if stored.is_none() => Ok(Comparison::Wrong),
            Ok(()) if is_outdated(&hash) => Ok(Comparison::RightButOutdated),
            Ok(()) => Ok(Comparison::Right),
            Err(Error::PasswordInvalid) => Ok(Comparison::Wrong),
            Err(error) => Err(HashingError::Hashing(error)),
        }
    }
}

fn hasher() -> Argon2<'static> {
    Argon2::new(Algorithm::Argon2id, Version::V0x13, Params::DEFAULT)
}

/// Whether one of the numbers is smaller than today's.
fn is_outdated(hash: &PasswordHash) -> bool {
    let today = Params::DEFAULT;
    Params::try_from(hash).map_or(true, |stored| {
        stored.m_cost() < today.m_cost()
            || stored.t_cost() < today.t_cost()
            || stored.p_cost() < today.p_cost()
    })
}

impl fmt::Debug for Password {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Password(..)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SALT: [u8; 16] = *b"sixteen of bytes";

    fn stored(memory: u32, passes: u32) -> String {
        let params = Params::new(memory, passes, 1, None).unwrap();
        let hasher = Argon2::new(Algorithm::Argon2id, Version::V0x13, params);
        let hash: PasswordHash = hasher.hash_password_with_salt(b"correct", &SALT).unwrap();
        hash.to_string()
    }

    #[test]
    fn the_stored_text_says_how_it_was_made() {
        let hash = Password::of("correct").hash(SALT).unwrap();
        assert!(hash.starts_with("$argon2id$v=19$m=19456,t=2,p=1$c2l4dGVlbiBvZiBieXRlcw$"), "{hash}");
        assert_eq!(hash, stored(19_456, 2));
        assert_ne!(hash, Password::of("correct").hash([0; 16]).unwrap());
    }

    #[test]
    fn a_password_is_compared_with_what_is_stored() {
        for (typed, stored, expected) in [
            ("correct", Some(stored(19_456, 2)), Comparison::Right),
            ("incorrect", Some(stored(19_456, 2)), Comparison::Wrong),
            ("correct", Some(stored(64, 2)), Comparison::RightButOutdated),
            ("correct", Some(stored(19_456, 1)), Comparison::RightButOutdated),
            ("correct", Some(stored(20_000, 3)), Comparison::Right),
            ("incorrect", Some(stored(64, 1)), Comparison::Wrong),
            ("correct", None, Comparison::Wrong),
        ] {
            assert_eq!(Password::of(typed).compare(stored.as_deref()), Ok(expected), "{typed} {stored:?}");
        }
    }

    #[test]
    fn a_name_that_nobody_has_costs_what_others_cost() {
        let decoy = PasswordHash::new(DECOY).unwrap();
        let real = Password::of("x").hash(SALT).unwrap();
        let real = PasswordHash::new(&real).unwrap();
        assert_eq!(
            (decoy.algorithm, decoy.version, decoy.params),
            (real.algorithm, real.version, real.params)
        );
    }

    #[test]
    fn a_stored_text_that_is_no_hash_is_an_error() {
        for text in ["", "$", "plain", "$argon2id$v=19$m=19456,t=2,p=1$c2l4"] {
            let found = Password::of("x").compare(Some(text));
            assert!(found.is_err(), "{text}: {found:?}");
        }
    }

    #[test]
    fn composed_and_decomposed_letters_are_the_same() {
        assert_eq!(Password::of("ros\u{e9}"), Password::of("rose\u{301}"));
        assert_ne!(Password::of("rosé"), Password::of("rose"));
    }

    #[test]
    fn debug_prints_no_password() {
        assert_eq!(format!("{:?}", Password::of("correct")), "Password(..)");
    }
}
