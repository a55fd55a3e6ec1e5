//! Ids: 63-bit numbers in a checked text form (`run_`, `job_`, `acc_` and others, each before 13 base-32 digits).
//!
//! An id is 42 bits of milliseconds, 8 bits of replica, 13 bits of sequence: replicas never meet, order is by age. That
//! of an audit row is its number in the chain, that of a project its number. Never reads a clock and never makes randomness.

use std::fmt;
use std::str::FromStr;

use crate::Timestamp;

/// Crockford's base 32: no `i`, `l`, `o`, `u`, so that a read-out id is not misheard.
const DIGITS: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";
const TEXT_DIGITS: usize = 13;
const SEQUENCE_BITS: u32 = 13;
const REPLICA_BITS: u32 = 8;
/// The last millisecond that an id can name.
const MAX_MS: i64 = (1 << 42) - 1;

/// Why a text is not an id of the kind asked for.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{found}` is not {what} id: `{prefix}` and 13 characters of 0-9 a-z without i, l, o, u are expected"
)]
pub struct IdError {
    pub what: &'static str,
    pub prefix: &'static str,
    pub found: String,
}

/// The smallest and the largest id whose texts begin so. Of the number something has to be there.
///
/// # Errors
/// No id of this kind begins so.
pub fn beginning<I: FromStr<Err = IdError>>(text: &str) -> Result<(I, I), IdError> {
    let wrong = match text.parse::<I>() {
        Ok(id) => return Ok((id, text.parse()?)),
        Err(wrong) => wrong,
    };
    let digits = text.strip_prefix(wrong.prefix).map_or(0, str::len);
    if digits == 0 || digits >= TEXT_DIGITS {
        return Err(wrong);
    }
    let filled = |with: &str| (text.to_owned() + &with.repeat(TEXT_DIGITS - digits)).parse().ok();
    filled("0").zip(filled("z")).ok_or(wrong)
}

macro_rules! id {
    ($name:ident, $what:literal, $prefix:literal, $doc:literal) => {
        #[doc = $doc]
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(i64);

        impl $name {
            /// The id with this number; negative numbers are not ids.
            pub const fn from_number(number: i64) -> Option<Self> {
                if number < 0 { None } else { Some(Self(number)) }
            }

            pub const fn number(self) -> i64 {
                self.0
            }

            /// The smallest that could be made at this moment: those of earlier moments are smaller, all others are not.
            pub fn first_at(moment: Timestamp) -> Self {
                Self(moment.0.clamp(0, MAX_MS) << (SEQUENCE_BITS + REPLICA_BITS))
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str($prefix)?;
                f.write_str(&digits(self.0))
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{self}")
            }
        }

        impl FromStr for $name {
            type Err = IdError;

            fn from_str(text: &str) -> Result<Self, IdError> {
                text.strip_prefix($prefix).and_then(number).map(Self).ok_or_else(|| IdError {
                    what: $what,
                    prefix: $prefix,
                    found: text.chars().take(40).collect(),
                })
            }
        }
    };
}

id!(RunId, "a run", "run_", "One execution of a workflow.");
id!(JobId, "a job", "job_", "A unit of work in the queue.");
id!(WorkerId, "a worker", "wrk_", "One connected place that runs jobs.");
id!(AccountId, "an account", "acc_", "Somebody who may sign in. It stays when the account is removed.");
id!(
    ProjectId,
    "a project",
    "prj_",
    "A room with walls: runs, jobs and files, and the people who may see them."
);
id!(TokenId, "a token", "tok_", "A program's way in, made by an account.");
id!(
    SessionId,
    "a session",
    "ses_",
    "A browser in which somebody is signed in. New halves leave it as it is."
);
id!(AuditId, "an audit row", "aud_", "A row of the audit: its number in the chain, from 1 on.");

impl ProjectId {
    /// The first project, which every database has.
    pub const DEFAULT: Self = Self(1);
}

impl WorkerId {
    /// The server, where it computes itself. No worker has this one, since ids have a moment in them.
    pub const SERVER: Self = Self(0);
}

fn digits(number: i64) -> String {
    (0..TEXT_DIGITS)
        .rev()
        .map(|at| {
            let digit = number >> (at * 5) & 31;
            char::from(DIGITS[usize::try_from(digit).unwrap_or_default()])
        })
        .collect()
}

fn number(text: &str) -> Option<i64> {
    if text.len() != TEXT_DIGITS {
        return None;
    }
    text.bytes().try_fold(0_i64, |sum, byte| {
        let digit = DIGITS.iter().position(|d| *d == byte)?;
        sum.checked_mul(32)?.checked_add(i64::try_from(digit).ok()?)
    })
}

/// Makes ids that grow and never repeat, for one replica of the server.
#[derive(Debug)]
pub struct Minter {
    replica: u8,
    last: i64,
}

impl Minter {
    pub const fn new(replica: u8) -> Self {
        Self { replica, last: 0 }
    }

    /// The next number. More than 8192 in one millisecond, or a clock that jumps back, borrow from the future.
    fn next(&mut self, now: Timestamp) -> i64 {
        let sequence_end = 1_i64 << SEQUENCE_BITS;
        let floor = now.0.clamp(0, MAX_MS) << SEQUENCE_BITS;
        self.last = floor.max(self.last + 1);
        let (ms, sequence) = (self.last >> SEQUENCE_BITS, self.last % sequence_end);
        ms << (SEQUENCE_BITS + REPLICA_BITS) | i64::from(self.replica) << SEQUENCE_BITS | sequence
    }

    pub fn run(&mut self, now: Timestamp) -> RunId {
        RunId(self.next(now))
    }

    pub fn job(&mut self, now: Timestamp) -> JobId {
        JobId(self.next(now))
    }

    pub fn worker(&mut self, now: Timestamp) -> WorkerId {
        WorkerId(self.next(now))
    }

    pub fn account(&mut self, now: Timestamp) -> AccountId {
        AccountId(self.next(now))
    }

    pub fn project(&mut self, now: Timestamp) -> ProjectId {
        ProjectId(self.next(now))
    }

    pub fn token(&mut self, now: Timestamp) -> TokenId {
        TokenId(self.next(now))
    }

    pub fn session(&mut self, now: Timestamp) -> SessionId {
        SessionId(self.next(now))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_form_round_trips_and_is_checked() {
        for number in [0, 1, 31, 32, 1 << 40, i64::MAX] {
            let id = RunId::from_number(number).unwrap();
            assert_eq!(id.to_string().parse(), Ok(id));
            assert_eq!(id.to_string().len(), 17);
        }
        for bad in
            ["", "run_", "job_0000000000001", "run_000000000000u", "run_00000000000001", "run_zzzzzzzzzzzzz"]
        {
            assert!(bad.parse::<RunId>().is_err(), "{bad}");
        }
        assert_eq!(RunId::from_number(-1), None);
    }

    #[test]
    fn an_id_of_one_kind_is_none_of_another() {
        let texts = [
            RunId(7).to_string(),
            JobId(7).to_string(),
            WorkerId(7).to_string(),
            AccountId(7).to_string(),
            ProjectId(7).to_string(),
            TokenId(7).to_string(),
            SessionId(7).to_string(),
            AuditId(7).to_string(),
        ];
        for text in &texts {
            assert_eq!(texts.iter().filter(|other| other[..4] == text[..4]).count(), 1, "{text}");
            assert_eq!(text.parse::<AccountId>().is_ok(), text.starts_with("acc_"), "{text}");
        }
        let error = "acc_7".parse::<AccountId>().unwrap_err().to_string();
        assert!(error.starts_with("`acc_7` is not an account id"), "{error}");
    }

    #[test]
    fn minted_ids_grow_even_when_the_clock_does_not() {
        let mut minter = Minter::new(3);
        let mut last = minter.job(Timestamp(1_000));
        for step in 0..20_000 {
            let next = minter.job(Timestamp(1_000 - step / 10_000));
            assert!(next > last);
            last = next;
        }
    }

    #[test]
    fn two_replicas_never_mint_the_same_id() {
        let (mut one, mut two) = (Minter::new(1), Minter::new(2));
        assert_ne!(one.run(Timestamp(5)).number(), two.run(Timestamp(5)).number());
    }

    #[test]
    fn a_beginning_stands_for_all_ids_between_two() {
        for (text, expected) in [
            ("run_0123456789abc", Some(("run_0123456789abc", "run_0123456789abc"))),
            ("run_0123456789ab", Some(("run_0123456789ab0", "run_0123456789abz"))),
            ("run_0", Some(("run_0000000000000", "run_0zzzzzzzzzzzz"))),
            ("run_7", Some(("run_7000000000000", "run_7zzzzzzzzzzzz"))),
            // Ids have 63 bits.
            ("run_8", None),
            ("run_", None),
            ("run", None),
            ("job_0", None),
            ("run_0i", None),
            ("run_é", None),
            ("run_0 of two", None),
            ("run_0123456789abcd", None),
            ("", None),
        ] {
            let found =
                beginning::<RunId>(text).ok().map(|(first, last)| (first.to_string(), last.to_string()));
            let found = found.as_ref().map(|(first, last)| (first.as_str(), last.as_str()));
            assert_eq!(found, expected, "{text}");
        }
    }
}
