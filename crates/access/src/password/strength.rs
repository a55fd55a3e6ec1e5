//! Whether a new password is good enough: its length, and how soon an estimator would guess it.
//!
//! The estimator knows the current year, which it reads from the clock by itself: dates near it are guessed first. It
//! decides nothing else by it.

use zxcvbn::feedback::Feedback;
use zxcvbn::{Score, zxcvbn};

use super::Password;
use crate::limits::{ESTIMATED_CHARS, PASSWORD_CHARS};

/// Words of the product, which are tried first here.
const PRODUCT: [&str; 3] = ["weevilscout", "weevil", "scout"];

/// Why a password is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum WeakPassword {
    #[error("a password has {} to {} characters, and this one has {found}", PASSWORD_CHARS.start(), PASSWORD_CHARS.end())]
    Length { found: usize },
    /// The estimator's own words.
    #[error("{reason} {hint}")]
    Guessable { reason: String, hint: String },
    #[error("this password is in a list of those that were stolen elsewhere")]
    Breached,
}

impl Password {
    /// Whether it may become a password, where names of the account and of the server are words that are tried first.
    pub fn check(&self, names: &[&str]) -> Result<(), WeakPassword> {
        let found = self.0.chars().count();
        if !PASSWORD_CHARS.contains(&found) {
            return Err(WeakPassword::Length { found });
        }
        let words = names.iter().flat_map(|name| words(name)).chain(PRODUCT).collect::<Vec<_>>();
        let begin: String = self.0.chars().take(ESTIMATED_CHARS).collect();
        let estimate = zxcvbn(&begin, &words);
        if estimate.score() >= Score::Three { Ok(()) } else { Err(guessable(estimate.feedback())) }
    }
}

/// A name as a whole, and what it is made of.
fn words(name: &str) -> impl Iterator<Item = &str> {
    let parts = name.split(|char: char| !char.is_alphanumeric()).filter(|part| part.len() > 2);
    std::iter::once(name).chain(parts)
}

fn guessable(feedback: Option<&Feedback>) -> WeakPassword {
    let warning = feedback.and_then(Feedback::warning).map(|warning| warning.to_string());
    let reason = warning.unwrap_or_else(|| "This password would be guessed soon.".to_owned());
    let hints = feedback.map(Feedback::suggestions).unwrap_or_default();
    let hint = hints.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
    WeakPassword::Guessable { reason, hint }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_is_taken_or_refused_with_a_reason() {
        let strong_at_its_end = format!("{}vPq2-x8ZmT4w", "a".repeat(ESTIMATED_CHARS));
        let (longest, too_long) = ("q7$Kd 2x".repeat(32), format!("{}!", "q7$Kd 2x".repeat(32)));
        for (text, taken) in [
            ("stapler giraffe nozzle 41", true),
            ("vPq2-x8ZmT4w", true),
            ("ключ дятел вагон", true),
            (longest.as_str(), true),
            (strong_at_its_end.as_str(), false),
            ("vPq2-x8ZmT4", false),
            ("", false),
            (too_long.as_str(), false),
            ("password1234", false),
            ("aaaaaaaaaaaaaaaa", false),
            ("qwertyuiop12", false),
            ("weevilscout!", false),
            ("ada.lovelace@example.org", false),
            ("lovelace1815", false),
            ("compute.example.org", false),
        ] {
            let found = Password::of(text).check(&["ada.lovelace@example.org", "compute.example.org"]);
            assert_eq!(found.is_ok(), taken, "{text}: {found:?}");
        }
    }

    #[test]
    fn twelve_letters_that_take_two_characters_each_are_not_six() {
        let decomposed = "e\u{301}".repeat(6);
        assert_eq!(Password::of(&decomposed).check(&[]), Err(WeakPassword::Length { found: 6 }));
    }

    #[test]
    fn the_refusal_says_what_to_do() {
        for (text, words) in [
            ("short", "a password has 12 to 256 characters, and this one has 5"),
            (
                "aaaaaaaaaaaaaaaa",
                "Repeats like \"aaa\" are easy to guess. Add another word or two. Uncommon words are better. Avoid repeated words and characters.",
            ),
        ] {
            assert_eq!(Password::of(text).check(&[]).unwrap_err().to_string(), words, "{text}");
        }
    }
}
