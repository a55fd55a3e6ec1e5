//! The texts that prove something by being known: tokens and links, `wv` with a letter, an underline and 38 characters.
//!
//! It makes them from bytes that are handed in, reads them and hashes them. It never draws a byte, and `Debug` never
//! prints one: what is to show a secret calls `reveal`.

use std::fmt;

use sha2::{Digest, Sha256};

/// Digits of base 62, in the order of their values.
const DIGITS: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const PREFIX_CHARS: usize = 4;
const RANDOM_CHARS: usize = 32;
/// 62^6 is more than 2^32.
const CHECK_CHARS: usize = 6;
const SECRET_CHARS: usize = PREFIX_CHARS + RANDOM_CHARS + CHECK_CHARS;

/// What a secret opens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum SecretKind {
    /// A program's access to the API, in the name of an account.
    Token,
    /// Everything, for a process that can read a file of the server's own user while this server runs.
    LocalToken,
    /// A link that opens the console.
    Console,
    /// A link that makes an account.
    Invite,
    /// A link that sets a new password.
    Reset,
    /// A link that adds devices to a volunteer's account.
    Join,
}

impl SecretKind {
    pub const ALL: [Self; 6] =
        [Self::Token, Self::LocalToken, Self::Console, Self::Invite, Self::Reset, Self::Join];

    /// What each text of this kind begins with.
    pub const fn prefix(self) -> &'static str {
        match self {
            Self::Token => "wvt_",
            Self::LocalToken => "wvl_",
            Self::Console => "wvk_",
            Self::Invite => "wvi_",
            Self::Reset => "wvr_",
            Self::Join => "wvj_",
        }
    }
}

/// A well-formed secret: `wv[tlkirj]_[0-9A-Za-z]{38}`, whose last six characters are the CRC-32 of the 32 before them.
/// Whether the server knows it is another question.
#[derive(Clone)]
pub struct Secret {
    kind: SecretKind,
    text: String,
}

/// Why a text is no secret. It repeats nothing of the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SecretError {
    #[error("it does not begin as a token or link of this server: `wvt_` for a token")]
    Prefix,
    #[error("it has {0} bytes instead of {SECRET_CHARS}")]
    Length(usize),
    #[error("after its prefix stands a character other than 0-9, A-Z and a-z")]
    Character,
    #[error("its last six characters do not fit the others: it was mistyped or cut")]
    Check,
}

impl Secret {
    /// The secret of 32 random bytes. 32 characters hold 190 of their 256 bits, so that no character is likelier than
    /// another by more than one part in 2^65.
    pub fn of_bytes(kind: SecretKind, mut random: [u8; 32]) -> Self {
        let random: String = (0..RANDOM_CHARS).map(|_| take_digit(&mut random)).collect();
        Self { kind, text: format!("{}{random}{}", kind.prefix(), check(&random)) }
    }

    pub fn parse(text: &str) -> Result<Self, SecretError> {
        let kind = SecretKind::ALL.into_iter().find(|kind| text.starts_with(kind.prefix()));
        let kind = kind.ok_or(SecretError::Prefix)?;
        if text.len() != SECRET_CHARS {
            return Err(SecretError::Length(text.len()));
        }
        let body = &text[PREFIX_CHARS..];
        if !body.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
            return Err(SecretError::Character);
        }
        let (random, last) = body.split_at(RANDOM_CHARS);
        if last == check(random) { Ok(Self { kind, text: text.to_owned() }) } else { Err(SecretError::Check) }
    }

    pub const fn kind(&self) -> SecretKind {
        self.kind
    }

    /// The text itself, for the one answer that shows it.
    pub fn reveal(&self) -> &str {
        &self.text
    }

    /// What is stored and looked for in place of the text.
    pub fn hash(&self) -> SecretHash {
        SecretHash::of(self.text.as_bytes())
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Secret({:?}, ..)", self.kind)
    }
}

/// SHA-256 of a secret (FIPS 180-4). Secrets are random, so it needs neither salt nor time.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct SecretHash([u8; 32]);

impl SecretHash {
    pub(crate) fn of(secret: &[u8]) -> Self {
        Self(Sha256::digest(secret).into())
    }

    pub const fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl fmt::Debug for SecretHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SecretHash(..)")
    }
}

/// Divides a number of 256 bits, highest first, by 62, and answers the rest as a digit.
fn take_digit(number: &mut [u8; 32]) -> char {
    let mut rest = 0;
    for byte in number {
        let value = rest << 8 | u16::from(*byte);
        [_, *byte] = (value / 62).to_be_bytes();
        rest = value % 62;
    }
    char::from(DIGITS[usize::from(rest)])
}

/// The CRC-32 (ISO 3309) of some characters in six digits, highest first.
fn check(random: &str) -> String {
    let mut crc = crc32fast::hash(random.as_bytes());
    let mut digits = [0; CHECK_CHARS];
    for digit in digits.iter_mut().rev() {
        *digit = DIGITS[usize::try_from(crc % 62).unwrap_or_default()];
        crc /= 62;
    }
    digits.into_iter().map(char::from).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn each_kind_has_a_prefix_of_its_own_and_texts_of_one_form() {
        for (at, kind) in SecretKind::ALL.into_iter().enumerate() {
            let secret = Secret::of_bytes(kind, [7; 32]);
            assert_eq!(secret.kind(), kind);
            assert_eq!(&secret.reveal()[2..3], &"tlkirj"[at..=at], "{kind:?}");
            assert_eq!(secret.reveal().len(), SECRET_CHARS, "{kind:?}");
        }
    }

    #[test]
    fn the_text_of_given_bytes_never_changes() {
        let counted = std::array::from_fn(|at| u8::try_from(at).unwrap());
        for (random, expected) in [
            ([0; 32], "wvt_000000000000000000000000000000002wjyrI"),
            ([255; 32], "wvt_1pX8wOr5j2ACunjH7GLL8mWZWHmY1LA10FHZ2F"),
            (counted, "wvt_flDIBkGwcRKRL9GXCgaFM3UNu2jQTClj37DPMA"),
        ] {
            assert_eq!(Secret::of_bytes(SecretKind::Token, random).reveal(), expected);
        }
    }

    #[test]
    fn a_text_that_is_no_secret_is_refused_with_the_reason() {
        let sound = Secret::of_bytes(SecretKind::Token, [9; 32]).reveal().to_owned();
        for (text, reason) in [
            (String::new(), SecretError::Prefix),
            (sound.replace("wvt_", "wvx_"), SecretError::Prefix),
            (sound.replace("wvt_", "WVT_"), SecretError::Prefix),
            (format!(" {sound}"), SecretError::Prefix),
            ("wvt_".to_owned(), SecretError::Length(4)),
            (sound[..41].to_owned(), SecretError::Length(41)),
            (format!("{sound}0"), SecretError::Length(43)),
            (format!("{}-", &sound[..41]), SecretError::Character),
            (format!("wvt_{}", "é".repeat(19)), SecretError::Character),
            (format!("{}{}", &sound[..36], "000000"), SecretError::Check),
            (format!("wvt_{}zzzzzz", &sound[4..36]), SecretError::Check),
        ] {
            assert_eq!(Secret::parse(&text).map(|found| found.kind()), Err(reason), "{text}");
        }
    }

    #[test]
    fn nothing_of_a_secret_is_printed_by_debug() {
        let secret = Secret::of_bytes(SecretKind::Invite, [3; 32]);
        assert_eq!(format!("{secret:?} {:?}", secret.hash()), "Secret(Invite, ..) SecretHash(..)");
    }

    proptest! {
        #[test]
        fn what_was_made_is_read_again(random: [u8; 32], at in 0..6_usize) {
            let made = Secret::of_bytes(SecretKind::ALL[at], random);
            let read = Secret::parse(made.reveal()).unwrap();
            prop_assert_eq!((read.kind(), read.reveal(), read.hash()), (made.kind(), made.reveal(), made.hash()));
        }

        #[test]
        fn one_mistyped_character_is_noticed(random: [u8; 32], at in PREFIX_CHARS..SECRET_CHARS, digit in 0..62_usize) {
            let made = Secret::of_bytes(SecretKind::Token, random);
            let mut text = made.reveal().as_bytes().to_vec();
            prop_assume!(text[at] != DIGITS[digit]);
            text[at] = DIGITS[digit];
            prop_assert!(Secret::parse(str::from_utf8(&text).unwrap()).is_err());
        }

        #[test]
        fn any_text_is_read_or_refused(text: String) {
            prop_assert!(Secret::parse(&text).is_err());
        }
    }
}
