//! Content hashes: the name of every immutable thing (code, workflow). SHA-256, 64 hex digits.
//!
//! Never stores content.

use std::fmt;
use std::str::FromStr;

use sha2::{Digest, Sha256};

/// SHA-256 of some bytes (FIPS 180-4).
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ContentHash([u8; 32]);

/// Why a text is not a content hash.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a content hash: 64 lower-case hex digits are expected")]
pub struct HashError(pub String);

impl ContentHash {
    /// The hash of `bytes`.
    pub fn of(bytes: &[u8]) -> Self {
        Self(Sha256::digest(bytes).into())
    }

    /// The hash of several named parts, each counted with its length so that parts cannot run together.
    pub fn of_parts<'a>(parts: impl IntoIterator<Item = (&'a str, &'a [u8])>) -> Self {
        let mut digest = Sha256::new();
        for (name, bytes) in parts {
            digest.update((name.len() as u64).to_le_bytes());
            digest.update(name.as_bytes());
            digest.update((bytes.len() as u64).to_le_bytes());
            digest.update(bytes);
        }
        Self(digest.finalize().into())
    }

    /// The hash of several pieces of bytes, as if they were one.
    pub fn of_joined<'a>(pieces: impl IntoIterator<Item = &'a [u8]>) -> Self {
        let mut digest = Sha256::new();
        pieces.into_iter().for_each(|piece| digest.update(piece));
        Self(digest.finalize().into())
    }

    pub const fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// The first eight bytes as a number: a seed that follows from the content alone.
    pub fn seed(&self) -> u64 {
        let mut head = [0; 8];
        head.copy_from_slice(&self.0[..8]);
        u64::from_le_bytes(head)
    }
}

impl fmt::Display for ContentHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for ContentHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ContentHash({self})")
    }
}

impl FromStr for ContentHash {
    type Err = HashError;

    fn from_str(text: &str) -> Result<Self, HashError> {
        let fail = || HashError(text.chars().take(80).collect());
        if text.len() != 64 || !text.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f')) {
            return Err(fail());
        }
        let mut bytes = [0; 32];
        for (at, byte) in bytes.iter_mut().enumerate() {
            *byte = u8::from_str_radix(&text[at * 2..at * 2 + 2], 16).map_err(|_| fail())?;
        }
        Ok(Self(bytes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_form_round_trips_and_is_checked() {
        let hash = ContentHash::of(b"abc");
        assert_eq!(hash.to_string(), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        assert_eq!(hash.to_string().parse(), Ok(hash));
        for bad in ["", "ba78", &"G".repeat(64), &"é".repeat(32)] {
            assert!(bad.parse::<ContentHash>().is_err(), "{bad}");
        }
    }

    #[test]
    fn joined_pieces_are_one() {
        assert_eq!(ContentHash::of_joined([b"a".as_slice(), b"", b"bc"]), ContentHash::of(b"abc"));
    }

    #[test]
    fn parts_do_not_run_together() {
        let one = ContentHash::of_parts([("ab", b"c".as_slice())]);
        let other = ContentHash::of_parts([("a", b"bc".as_slice())]);
        assert_ne!(one, other);
    }
}
