//! How what a line holds is written: each of these is one JSON string, and reads back as what it was.
//!
//! Owns the texts of types that other crates keep without a form for JSON. Never reads a line.

use std::fmt;

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serializer};
use weevil_model::trust::{AssumedShare, Policy};
use weevil_model::witness::{Engine, Rank};
use weevil_model::{Agree, ContentHash, DataType, RunId};

/// Something with one text form.
pub(super) trait Word: Sized {
    fn word(&self) -> String;

    fn of_word(text: &str) -> Option<Self>;
}

/// Types that print and parse the same text.
macro_rules! words {
    ($($name:ty),+) => {$(
        impl Word for $name {
            fn word(&self) -> String {
                self.to_string()
            }

            fn of_word(text: &str) -> Option<Self> {
                text.parse().ok()
            }
        }
    )+};
}

words!(ContentHash, Policy, AssumedShare, Agree<ContentHash>, RunId);

impl Word for DataType {
    fn word(&self) -> String {
        self.to_string()
    }

    fn of_word(text: &str) -> Option<Self> {
        Self::parse(text)
    }
}

impl Word for Engine {
    fn word(&self) -> String {
        self.as_str().to_owned()
    }

    fn of_word(text: &str) -> Option<Self> {
        Self::parse(text)
    }
}

impl Word for Rank {
    fn word(&self) -> String {
        self.as_str().to_owned()
    }

    fn of_word(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|rank| rank.as_str() == text)
    }
}

/// So many bytes, shown as twice as many lower-case hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Hex<const BYTES: usize>(pub [u8; BYTES]);

/// The public half of a server's Ed25519 key (RFC 8032, section 5.1.5).
pub type PublicKey = Hex<32>;
/// An Ed25519 signature (RFC 8032, section 5.1.6).
pub type Signature = Hex<64>;
/// A number that is larger than JSON's numbers are exact, most significant byte first: a device's pseudonym, a lot, a seed.
pub type Number = Hex<8>;

impl Number {
    pub const fn of(number: u64) -> Self {
        Self(number.to_be_bytes())
    }

    pub const fn get(self) -> u64 {
        u64::from_be_bytes(self.0)
    }
}

impl<const BYTES: usize> Hex<BYTES> {
    /// `None` for another number of digits, and for capitals.
    pub fn parse(text: &str) -> Option<Self> {
        if text.len() != 2 * BYTES || !text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f')) {
            return None;
        }
        let mut bytes = [0; BYTES];
        for (at, byte) in bytes.iter_mut().enumerate() {
            *byte = u8::from_str_radix(&text[2 * at..2 * at + 2], 16).ok()?;
        }
        Some(Self(bytes))
    }
}

impl<const BYTES: usize> fmt::Display for Hex<BYTES> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl<const BYTES: usize> fmt::Debug for Hex<BYTES> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Hex({self})")
    }
}

impl<const BYTES: usize> Word for Hex<BYTES> {
    fn word(&self) -> String {
        self.to_string()
    }

    fn of_word(text: &str) -> Option<Self> {
        Self::parse(text)
    }
}

pub(super) fn serialize<T: Word, S: Serializer>(word: &T, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(&word.word())
}

pub(super) fn deserialize<'de, T: Word, D: Deserializer<'de>>(from: D) -> Result<T, D::Error> {
    read(&String::deserialize(from)?)
}

fn read<T: Word, E: Error>(text: &str) -> Result<T, E> {
    T::of_word(text).ok_or_else(|| {
        let shown: String = text.chars().take(80).collect();
        E::custom(format!("`{shown}` is not what belongs here"))
    })
}

/// The same, or `null`.
pub(super) mod maybe {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use super::{Word, read};

    #[expect(clippy::ref_option, reason = "serde hands it over so")]
    pub(in super::super) fn serialize<T: Word, S: Serializer>(
        word: &Option<T>,
        to: S,
    ) -> Result<S::Ok, S::Error> {
        word.as_ref().map(Word::word).serialize(to)
    }

    pub(in super::super) fn deserialize<'de, T: Word, D: Deserializer<'de>>(
        from: D,
    ) -> Result<Option<T>, D::Error> {
        Option::<String>::deserialize(from)?.map(|text| read(&text)).transpose()
    }
}

/// Several in their order.
pub(super) mod many {
    use serde::{Deserialize, Deserializer, Serializer};

    use super::{Word, read};

    pub(in super::super) fn serialize<T: Word, S: Serializer>(words: &[T], to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(words.iter().map(Word::word))
    }

    pub(in super::super) fn deserialize<'de, T: Word, D: Deserializer<'de>>(
        from: D,
    ) -> Result<Vec<T>, D::Error> {
        Vec::<String>::deserialize(from)?.iter().map(|text| read(text)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hexadecimal_digits_have_one_form() {
        let number = Number::of(0x0102_0304_0506_0aff);
        assert_eq!((number.to_string().as_str(), number.get()), ("0102030405060aff", 0x0102_0304_0506_0aff));
        assert_eq!(Number::parse("0102030405060aff"), Some(number));
        for text in
            ["", "0102030405060AFF", "0102030405060af", "0102030405060aff0", "+102030405060aff", "é€é€é€"]
        {
            assert_eq!(Number::parse(text), None, "{text}");
        }
    }

    #[test]
    fn every_word_reads_back() {
        fn same<T: Word + PartialEq + fmt::Debug>(word: T) {
            assert_eq!(T::of_word(&word.word()), Some(word));
        }
        Engine::ALL.into_iter().for_each(same);
        Rank::ALL.into_iter().for_each(same);
        DataType::all().for_each(same);
        same(ContentHash::of(b"x"));
        same(AssumedShare::default());
        for text in ["none", "quorum(3)", "credible(0.001)"] {
            same(text.parse::<Policy>().unwrap());
        }
        for text in ["exact", "near(0.1, 0.2)", &"0f".repeat(32)] {
            same(text.parse::<Agree<ContentHash>>().unwrap());
        }
    }
}
