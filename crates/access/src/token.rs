//! Tokens of programs: how long one is good, what it is for, and why one is refused. It never asks a store, and whether
//! the owner may do what a scope names is for `may.rs`.

use weevil_model::{Right, Timestamp};

use crate::SecretError;
use crate::limits::{TOKEN_DAYS, TOKEN_DAYS_UNASKED};

const DAY_MS: i64 = 86_400_000;

/// What a token is for: one right at least, each once, in the order of `Right`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scopes(Vec<Right>);

/// Why a token is not made.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TokenRequestError {
    #[error("a token is good for {} to {} days, not for {days}", TOKEN_DAYS.start(), TOKEN_DAYS.end(), days = .0)]
    Days(u32),
    #[error("a token has one scope at least, such as `runs:read`")]
    NoScope,
    #[error("`{0}` is no scope; `runs:read` is one")]
    UnknownScope(String),
}

/// Why a token is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum BadToken {
    #[error("the token is malformed: {0}")]
    Malformed(#[from] SecretError),
    #[error("this server does not know the token")]
    Unknown,
    #[error("the token has expired")]
    Expired,
    #[error("the token was revoked")]
    Revoked,
}

impl Scopes {
    pub fn of_words<'a>(words: impl IntoIterator<Item = &'a str>) -> Result<Self, TokenRequestError> {
        let right = |word: &str| Right::ALL.into_iter().find(|right| right.as_str() == word);
        let unknown = |word: &str| TokenRequestError::UnknownScope(word.chars().take(40).collect());
        let found = words.into_iter().map(|word| right(word).ok_or_else(|| unknown(word)));
        let mut rights = found.collect::<Result<Vec<_>, _>>()?;
        rights.sort_unstable();
        rights.dedup();
        if rights.is_empty() { Err(TokenRequestError::NoScope) } else { Ok(Self(rights)) }
    }

    pub fn holds(&self, right: Right) -> bool {
        self.0.contains(&right)
    }

    pub fn rights(&self) -> &[Right] {
        &self.0
    }
}

/// When a token that is made now is over. `None`: in 90 days.
pub fn token_expires_at(days: Option<u32>, now: Timestamp) -> Result<Timestamp, TokenRequestError> {
    let days = days.unwrap_or(TOKEN_DAYS_UNASKED);
    if !TOKEN_DAYS.contains(&days) {
        return Err(TokenRequestError::Days(days));
    }
    Ok(now.plus_ms(i64::from(days) * DAY_MS))
}

/// Whether a token that the server knows is good at this moment.
pub fn check_token(
    expires_at: Timestamp,
    revoked_at: Option<Timestamp>,
    now: Timestamp,
) -> Result<(), BadToken> {
    if revoked_at.is_some() {
        Err(BadToken::Revoked)
    } else if now >= expires_at {
        Err(BadToken::Expired)
    } else {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_token_goes_on_for_the_days_that_were_asked_for() {
        for (asked, expected) in [
            (None, Ok(90)),
            (Some(1), Ok(1)),
            (Some(366), Ok(366)),
            (Some(0), Err(TokenRequestError::Days(0))),
            (Some(367), Err(TokenRequestError::Days(367))),
        ] {
            let end = token_expires_at(asked, Timestamp(7));
            assert_eq!(end, expected.map(|days| Timestamp(7 + days * DAY_MS)), "{asked:?}");
        }
    }

    #[test]
    fn scopes_are_rights_by_their_words() {
        let text = |words: &[&str]| match Scopes::of_words(words.iter().copied()) {
            Ok(scopes) => scopes.rights().iter().map(|right| right.as_str()).collect::<Vec<_>>().join(" "),
            Err(error) => error.to_string(),
        };
        for (words, expected) in [
            (["runs:read"].as_slice(), "runs:read"),
            (&["runs:write", "runs:read", "runs:write"], "runs:read runs:write"),
            (&[], "a token has one scope at least, such as `runs:read`"),
            (&["runs:read", "self"], "`self` is no scope; `runs:read` is one"),
            (&["Runs:read"], "`Runs:read` is no scope; `runs:read` is one"),
        ] {
            assert_eq!(text(words), expected, "{words:?}");
        }
    }

    #[test]
    fn a_token_is_refused_for_what_ended_it() {
        let (end, revoked) = (Timestamp(10), Some(Timestamp(3)));
        for (revoked, now, expected) in [
            (None, 9, Ok(())),
            (None, 10, Err(BadToken::Expired)),
            (revoked, 9, Err(BadToken::Revoked)),
            (revoked, 10, Err(BadToken::Revoked)),
        ] {
            assert_eq!(check_token(end, revoked, Timestamp(now)), expected, "{revoked:?} at {now}");
        }
    }

    proptest! {
        #[test]
        fn a_token_of_some_scopes_holds_no_other(picked in prop::collection::vec(0..Right::ALL.len(), 1..6)) {
            let scopes = Scopes::of_words(picked.iter().map(|at| Right::ALL[*at].as_str())).unwrap();
            for (at, right) in Right::ALL.into_iter().enumerate() {
                prop_assert_eq!(scopes.holds(right), picked.contains(&at));
            }
        }
    }
}
