//! What is wrong with a certificate, in words for people: where, what was expected, what was found.

use std::fmt::Display;

/// Characters of what was expected or found that are told.
const MAX_SHOWN_CHARS: usize = 200;

/// Something that does not follow.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{what}: expected {expected}, found {found}")]
pub struct Flaw {
    /// What it is about.
    pub what: String,
    pub expected: String,
    pub found: String,
}

/// A line that does not hold.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {flaw}")]
pub struct Broken {
    /// From 1 on.
    pub line: u64,
    pub flaw: Flaw,
}

impl Flaw {
    pub fn new(what: impl Display, expected: impl Display, found: impl Display) -> Self {
        let shown = |text: &dyn Display| {
            let text = text.to_string();
            match text.char_indices().nth(MAX_SHOWN_CHARS) {
                Some((end, _)) => format!("{}..", &text[..end]),
                None => text,
            }
        };
        Self { what: shown(&what), expected: shown(&expected), found: shown(&found) }
    }

    /// With the line that it is in.
    pub const fn at(self, line: u64) -> Broken {
        Broken { line, flaw: self }
    }

    /// # Errors
    /// The two differ.
    pub fn same<T: PartialEq + Display>(what: impl Display, expected: T, found: T) -> Result<(), Self> {
        if expected == found { Ok(()) } else { Err(Self::new(what, expected, found)) }
    }

    /// # Errors
    /// It does not hold.
    pub fn unless(
        holds: bool,
        what: impl Display,
        expected: impl Display,
        found: impl Display,
    ) -> Result<(), Self> {
        if holds { Ok(()) } else { Err(Self::new(what, expected, found)) }
    }
}

/// What stands in the place of nothing.
pub fn or_nothing<T: Display>(found: Option<T>) -> String {
    found.map_or_else(|| "nothing".to_owned(), |found| found.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flaw_says_where_what_was_expected_and_what_was_found() {
        assert_eq!(Flaw::same("k", 3, 3), Ok(()));
        let flaw = Flaw::same("k", 3, 4).unwrap_err();
        assert_eq!(flaw.at(7).to_string(), "line 7: k: expected 3, found 4");
        let long = Flaw::unless(false, "it", "é".repeat(1000), or_nothing::<u8>(None)).unwrap_err();
        assert_eq!((long.expected.chars().count(), &*long.found), (MAX_SHOWN_CHARS + 2, "nothing"));
    }
}
