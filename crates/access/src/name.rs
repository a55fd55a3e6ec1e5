//! Names that people choose: of accounts, projects and tokens, checked once into types that say so.
//!
//! It never knows which are taken.

use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

use crate::limits::{ACCOUNT_NAME_CHARS, PROJECT_SLUG_CHARS, TITLE_CHARS};

/// Why a text is no name of its kind.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NameError {
    #[error("{what} has {least} to {most} characters, and this one has {found}")]
    Length { what: &'static str, least: usize, most: usize, found: usize },
    #[error("{what} is written with {allowed}, and this one has {found:?}")]
    Character { what: &'static str, allowed: &'static str, found: char },
}

/// What names of one kind look like.
struct Form {
    what: &'static str,
    chars: RangeInclusive<usize>,
    allowed: &'static str,
    allows: fn(char) -> bool,
}

const ACCOUNT: Form = Form {
    what: "an account's name",
    chars: ACCOUNT_NAME_CHARS,
    allowed: "a-z 0-9 . _ - @",
    allows: |char| matches!(char, 'a'..='z' | '0'..='9' | '.' | '_' | '-' | '@'),
};

const SLUG: Form = Form {
    what: "a project's short name",
    chars: PROJECT_SLUG_CHARS,
    allowed: "a-z 0-9 -",
    allows: |char| matches!(char, 'a'..='z' | '0'..='9' | '-'),
};

const TITLE: Form = Form {
    what: "a shown name",
    chars: TITLE_CHARS,
    allowed: "characters that can be seen, and blanks",
    allows: |char| !char.is_control() && !turns_text(char),
};

/// What changes the direction of text (Unicode Standard Annex 9), ends a line or is not seen: with it one name reads like
/// another.
const fn turns_text(char: char) -> bool {
    matches!(
        char,
        '\u{61C}' | '\u{200E}' | '\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2066}'..='\u{2069}' | '\u{FEFF}'
    )
}

impl Form {
    fn check(&self, text: &str) -> Result<(), NameError> {
        let &Self { what, ref chars, allowed, allows } = self;
        if let Some(found) = text.chars().find(|char| !allows(*char)) {
            return Err(NameError::Character { what, allowed, found });
        }
        let found = text.chars().count();
        let (least, most) = (*chars.start(), *chars.end());
        if chars.contains(&found) { Ok(()) } else { Err(NameError::Length { what, least, most, found }) }
    }
}

macro_rules! name {
    ($(#[$doc:meta])+ $name:ident, $form:ident, $normal:expr) => {
        $(#[$doc])+
        #[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(String);

        impl $name {
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl FromStr for $name {
            type Err = NameError;

            fn from_str(text: &str) -> Result<Self, NameError> {
                let normal: fn(&str) -> String = $normal;
                let text = normal(text);
                $form.check(&text).map(|()| Self(text))
            }
        }
    };
}

name!(
    /// What an account signs in with. Names that differ in case alone are the same; it is kept in lower case.
    AccountName,
    ACCOUNT,
    str::to_ascii_lowercase
);
name!(
    /// A project's name in addresses.
    ProjectSlug,
    SLUG,
    str::to_owned
);
name!(
    /// How an account, a project or a token is shown to people.
    Title,
    TITLE,
    |text| text.trim().to_owned()
);

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read<N: FromStr<Err = NameError> + fmt::Display>(text: &str) -> Result<String, String> {
        text.parse::<N>().map(|name| name.to_string()).map_err(|error| error.to_string())
    }

    #[test]
    fn names_of_accounts_have_one_case() {
        let long = "a".repeat(65);
        for (text, expected) in [
            ("ada", Ok("ada")),
            ("Ada.Lovelace_1815-@example.org", Ok("ada.lovelace_1815-@example.org")),
            (&long[..64], Ok(&long[..64])),
            ("ad", Err("an account's name has 3 to 64 characters, and this one has 2")),
            ("", Err("an account's name has 3 to 64 characters, and this one has 0")),
            (&long, Err("an account's name has 3 to 64 characters, and this one has 65")),
            ("a b", Err("an account's name is written with a-z 0-9 . _ - @, and this one has ' '")),
            ("adá", Err("an account's name is written with a-z 0-9 . _ - @, and this one has 'á'")),
            ("ada\n", Err("an account's name is written with a-z 0-9 . _ - @, and this one has '\\n'")),
            // The Kelvin sign is no k.
            (
                "\u{212a}ay",
                Err("an account's name is written with a-z 0-9 . _ - @, and this one has '\u{212a}'"),
            ),
        ] {
            assert_eq!(
                read::<AccountName>(text),
                expected.map(str::to_owned).map_err(str::to_owned),
                "{text:?}"
            );
        }
    }

    #[test]
    fn names_of_projects_fit_into_addresses() {
        let long = "a".repeat(41);
        for (text, taken) in [
            ("default", true),
            ("x2", true),
            ("--", true),
            (&long[..40], true),
            ("x", false),
            (&long, false),
            ("Default", false),
            ("a_b", false),
            ("a/b", false),
            ("*", false),
        ] {
            assert_eq!(read::<ProjectSlug>(text).is_ok(), taken, "{text:?}");
        }
    }

    #[test]
    fn shown_names_hold_any_characters_that_can_be_seen() {
        let long = "é".repeat(101);
        for (text, expected) in [
            ("Ada Lovelace", Some("Ada Lovelace")),
            ("  韓愈 ", Some("韓愈")),
            (&long[..200], Some(&long[..200])),
            (&long, None),
            ("", None),
            (" ", None),
            ("a\u{1b}[2J", None),
            ("a\u{0}", None),
            ("a\u{202e}b", None),
            ("a\u{2028}b", None),
        ] {
            assert_eq!(read::<Title>(text).ok().as_deref(), expected, "{text:?}");
        }
    }

    proptest! {
        #[test]
        fn a_name_is_itself_again(text in "\\PC{0,120}") {
            for name in [read::<AccountName>(&text), read::<ProjectSlug>(&text), read::<Title>(&text)].into_iter().flatten() {
                prop_assert!(name.chars().count() <= 100 && !name.chars().any(char::is_control));
            }
            if let Ok(name) = text.parse::<AccountName>() {
                prop_assert_eq!(name.as_str().to_ascii_uppercase().parse(), Ok(name));
            }
        }
    }
}
