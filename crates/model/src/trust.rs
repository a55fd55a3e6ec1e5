//! How far answers of strangers are believed, and when two of them are the same: words for documents and settings, a number for
//! the store.
//!
//! Never decides about an answer.

use std::fmt;
use std::str::FromStr;

/// Answers that a quorum may ask for at most.
pub const MAX_VOTES: u8 = 7;
const QUORUM: std::ops::RangeInclusive<u8> = 2..=MAX_VOTES;
/// Millionths of accepted answers that may be wrong: 0.0001 to 0.1.
const ERROR: std::ops::RangeInclusive<u32> = 100..=100_000;
/// Millionths of all work that liars may do: 0.001 to 0.4.
const ASSUMED: std::ops::RangeInclusive<u32> = 1000..=400_000;
/// One, in millionths.
const ONE: u32 = 1_000_000;

/// What a policy may be, with an example of each.
pub const FORMS: &str = "`none`, `quorum(3)` (2 to 7 answers that agree) or `credible(0.001)` (at most this share of the accepted \
                     answers is wrong, 0.0001 to 0.1)";

/// From which answers on a job's value is believed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Policy {
    /// From the first one of the right type.
    #[default]
    None,
    /// Once so many witnesses agree who are independent of each other.
    Quorum(Votes),
    /// As soon as at most this share of all accepted answers is expected to be wrong.
    Credible(ErrorShare),
}

/// How many answers a quorum takes, 2 to 7.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Votes(u8);

/// The share of accepted answers that may be wrong, 0.0001 to 0.1, exact to the millionth.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ErrorShare(u32);

/// The share of all work that liars are assumed to do at most, 0.001 to 0.4, exact to the millionth. A setting of the server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AssumedShare(u32);

/// Why a text is no policy, in words for people.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{found}` {why}: {FORMS}")]
pub struct PolicyError {
    found: String,
    why: &'static str,
}

/// A text is no share of liars that can be assumed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("it is a share from 0.001 to 0.4, written as `0.05`, with six decimals at most")]
pub struct AssumedShareError;

impl PolicyError {
    /// Goes on after the text that was found: "`quorum(1)`, which ..".
    pub const fn why(&self) -> &'static str {
        self.why
    }
}

impl Votes {
    pub const MOST: Self = Self(MAX_VOTES);

    pub fn new(votes: u8) -> Option<Self> {
        QUORUM.contains(&votes).then_some(Self(votes))
    }

    pub const fn get(self) -> u8 {
        self.0
    }
}

impl ErrorShare {
    pub const SMALLEST: Self = Self(*ERROR.start());
    pub const LARGEST: Self = Self(*ERROR.end());

    pub fn of_millionths(millionths: u32) -> Option<Self> {
        ERROR.contains(&millionths).then_some(Self(millionths))
    }

    pub fn as_f64(self) -> f64 {
        f64::from(self.0) / f64::from(ONE)
    }

    /// One in the middle; `None` where nothing lies between the two.
    pub fn between(self, larger: Self) -> Option<Self> {
        let middle = self.0.midpoint(larger.0);
        (self.0 < middle && middle < larger.0).then_some(Self(middle))
    }
}

impl AssumedShare {
    pub const LARGEST: Self = Self(*ASSUMED.end());

    pub fn of_millionths(millionths: u32) -> Option<Self> {
        ASSUMED.contains(&millionths).then_some(Self(millionths))
    }

    /// As the store keeps it.
    pub const fn millionths(self) -> u32 {
        self.0
    }

    pub fn as_f64(self) -> f64 {
        f64::from(self.0) / f64::from(ONE)
    }
}

impl Default for AssumedShare {
    /// A twentieth.
    fn default() -> Self {
        Self(50_000)
    }
}

impl fmt::Display for AssumedShare {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.as_f64())
    }
}

impl FromStr for AssumedShare {
    type Err = AssumedShareError;

    fn from_str(text: &str) -> Result<Self, AssumedShareError> {
        millionths(text).and_then(Self::of_millionths).ok_or(AssumedShareError)
    }
}

impl Policy {
    /// Whether its answers are compared before one of them is believed.
    pub const fn is_judged(self) -> bool {
        !matches!(self, Self::None)
    }

    /// Whether answers are believed in lots, by what is kept of devices.
    pub const fn is_by_lots(self) -> bool {
        matches!(self, Self::Credible(_))
    }

    /// As the store keeps it: 0, the votes, or millionths, which are more than there are votes.
    pub const fn number(self) -> u32 {
        match self {
            Self::None => 0,
            Self::Quorum(Votes(votes)) => votes as u32,
            Self::Credible(ErrorShare(millionths)) => millionths,
        }
    }

    pub fn from_number(number: u32) -> Option<Self> {
        if number == 0 {
            return Some(Self::None);
        }
        let votes = u8::try_from(number).ok().and_then(Votes::new).map(Self::Quorum);
        votes.or_else(|| ErrorShare::of_millionths(number).map(Self::Credible))
    }
}

impl fmt::Display for Policy {
    /// As it is written in a document.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::None => f.write_str("none"),
            Self::Quorum(votes) => write!(f, "quorum({})", votes.0),
            Self::Credible(share) => write!(f, "credible({})", share.as_f64()),
        }
    }
}

impl FromStr for Policy {
    type Err = PolicyError;

    fn from_str(text: &str) -> Result<Self, PolicyError> {
        read(text).map_err(|why| PolicyError { found: text.chars().take(80).collect(), why })
    }
}

fn read(text: &str) -> Result<Policy, &'static str> {
    if text == "none" {
        return Ok(Policy::None);
    }
    let (word, argument) =
        text.strip_suffix(')').and_then(|text| text.split_once('(')).ok_or("is no policy")?;
    match word {
        "quorum" => votes(argument).map(Policy::Quorum),
        "credible" => error_share(argument).map(Policy::Credible),
        _ => Err("is no policy"),
    }
}

fn votes(text: &str) -> Result<Votes, &'static str> {
    let votes = Some(text).filter(|text| is_plain(text)).and_then(|text| text.parse().ok());
    match votes.ok_or("does not say in plain digits how many answers")? {
        0 | 1 => Err("has nothing to compare: one answer agrees with itself"),
        votes => Votes::new(votes).ok_or("asks for too many answers"),
    }
}

fn error_share(text: &str) -> Result<ErrorShare, &'static str> {
    let millionths =
        millionths(text).ok_or("does not name a share as `0.001` does, with six decimals at most")?;
    if millionths == 0 {
        return Err("cannot be had from strangers: no number of answers rules out that all of them lie");
    }
    ErrorShare::of_millionths(millionths).ok_or("names a share that is too small or too large")
}

/// A decimal number below ten, exactly.
fn millionths(text: &str) -> Option<u32> {
    let (whole, decimals) = text.split_once('.').unwrap_or((text, "0"));
    if whole.len() != 1 || decimals.len() > 6 || !is_plain(whole) || !is_plain(decimals) {
        return None;
    }
    let whole: u32 = whole.parse().ok()?;
    let decimals: u32 = format!("{decimals:0<6}").parse().ok()?;
    Some(whole * ONE + decimals)
}

/// Digits and nothing else: a sign or a blank would be spelled in two ways.
fn is_plain(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_policy_has_one_word_and_one_number() {
        for (text, number) in [
            ("none", 0),
            ("quorum(2)", 2),
            ("quorum(7)", 7),
            ("credible(0.0001)", 100),
            ("credible(0.001)", 1000),
            ("credible(0.012345)", 12_345),
            ("credible(0.1)", 100_000),
        ] {
            let policy: Policy = text.parse().unwrap();
            assert_eq!((policy.to_string(), policy.number()), (text.to_owned(), number));
            assert_eq!(Policy::from_number(number), Some(policy));
        }
        for number in [1, 8, 99, 100_001, u32::MAX] {
            assert_eq!(Policy::from_number(number), None, "{number}");
        }
        assert_eq!("credible(0.0010)".parse(), "credible(0.001)".parse::<Policy>());
    }

    #[test]
    fn what_is_no_policy_is_told_with_the_three_forms() {
        for (text, why) in [
            ("", "is no policy"),
            ("None", "is no policy"),
            ("quorum", "is no policy"),
            ("quorum(2", "is no policy"),
            ("majority(2)", "is no policy"),
            (" none", "is no policy"),
            ("quorum()", "in plain digits how many"),
            ("quorum(+2)", "in plain digits how many"),
            ("quorum(2.0)", "in plain digits how many"),
            ("quorum(300)", "in plain digits how many"),
            ("quorum(0)", "one answer agrees with itself"),
            ("quorum(1)", "one answer agrees with itself"),
            ("quorum(8)", "too many answers"),
            ("credible(0)", "rules out that all of them lie"),
            ("credible(0.000)", "rules out that all of them lie"),
            ("credible(1e-3)", "with six decimals at most"),
            ("credible(0.0000001)", "with six decimals at most"),
            ("credible(.001)", "with six decimals at most"),
            ("credible(0.)", "with six decimals at most"),
            ("credible(0.00009)", "too small or too large"),
            ("credible(0.100001)", "too small or too large"),
            ("credible(1)", "too small or too large"),
        ] {
            let told = text.parse::<Policy>().unwrap_err().to_string();
            assert!(told.contains(why) && told.contains("credible(0.001)"), "{text}: {told}");
        }
        assert!("x".repeat(1000).parse::<Policy>().unwrap_err().to_string().len() < 400);
    }
    #[test]
    fn an_assumed_share_is_exact_to_the_millionth() {
        for (text, millionths) in [
            ("0.001", Some(1000)),
            ("0.0010", Some(1000)),
            ("0.05", Some(50_000)),
            ("0.123456", Some(123_456)),
            ("0.4", Some(400_000)),
            ("0", None),
            ("0.000999", None),
            ("0.400001", None),
            ("0.1234567", None),
            ("1", None),
            ("5%", None),
            ("-0.05", None),
            (" 0.05", None),
            ("5e-2", None),
            (".05", None),
            ("", None),
        ] {
            let share = text.parse::<AssumedShare>();
            assert_eq!(share.ok(), millionths.and_then(AssumedShare::of_millionths), "{text}");
            assert!(share.is_err() || share.unwrap().to_string().parse() == share, "{text}");
        }
        assert_eq!(AssumedShare::default().to_string(), "0.05");
    }
}
