//! When two answers are the same, and who is asked for another one: words for documents, requests and the store. Never compares any.

use std::fmt;
use std::str::FromStr;

use crate::hash::ContentHash;

/// Letters of the name of a module that compares.
pub const MAX_MODULE_NAME_CHARS: usize = 200;
/// How a module ends.
const MODULE: &str = ".wasm";
/// Digits of the exponent of a tolerance.
const MAX_EXPONENT_DIGITS: usize = 3;

/// How the answers of a judged job are compared. A document names its modules, everybody else knows them by their hashes.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub enum Agree<Module = String> {
    /// Their canonical forms have the same bytes.
    #[default]
    Exact,
    /// They have the same shape, and numbers within a tolerance.
    Near(Tolerance),
    /// This WebAssembly module says so.
    Module(Module),
}

/// Numbers agree within the larger of the two: `absolute`, and `relative` of the larger magnitude. Both from 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tolerance {
    pub relative: f64,
    pub absolute: f64,
}

/// Whose answers are compared with each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Within {
    /// Those of the engine that answered first.
    Engine,
}

/// Why a text does not say how answers are compared.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{found}` {why}: {forms}")]
pub struct AgreeError {
    found: String,
    why: &'static str,
    forms: &'static str,
}

/// How the answers of a job are compared that belongs to no document.
const STORED_FORMS: &str = "`exact`, `near(1e-9)` (numbers within this share of the larger one), `near(1e-9, 1e-12)` (or within \
                            this distance), or the hash of a stored module";

impl Agree {
    /// What it may be in a document, with examples.
    pub const FORMS: &str = "`exact`, `near(1e-9)` (numbers within this share of the larger one), `near(1e-9, 1e-12)` (or within \
                             this distance), or a module of the workflow, `Same.wasm`";
}

impl<Module> Agree<Module> {
    pub const fn is_exact(&self) -> bool {
        matches!(self, Self::Exact)
    }
}

impl AgreeError {
    /// Goes on after the text that was found: "`near(2)`, which ..".
    pub const fn why(&self) -> &'static str {
        self.why
    }
}

impl Within {
    pub const ALL: [Self; 1] = [Self::Engine];

    /// As it is written in a document, and kept by the store.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Engine => "engine",
        }
    }

    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|within| within.as_str() == text)
    }
}

impl<Module: fmt::Display> fmt::Display for Agree<Module> {
    /// As it is written in a document; for the store at most 64 letters.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exact => f.write_str("exact"),
            Self::Near(Tolerance { relative, absolute: 0.0 }) => write!(f, "near({})", short(*relative)),
            Self::Near(Tolerance { relative, absolute }) => {
                write!(f, "near({}, {})", short(*relative), short(*absolute))
            }
            Self::Module(module) => module.fmt(f),
        }
    }
}

/// A number in the shorter one of two notations.
fn short(number: f64) -> String {
    let (plain, scientific) = (number.to_string(), format!("{number:e}"));
    if scientific.len() < plain.len() { scientific } else { plain }
}

impl FromStr for Agree {
    type Err = AgreeError;

    fn from_str(text: &str) -> Result<Self, AgreeError> {
        let is_module = text.chars().count() <= MAX_MODULE_NAME_CHARS
            && text.strip_suffix(MODULE).is_some_and(|name| !name.is_empty());
        read(text, Self::FORMS, || is_module.then(|| text.to_owned()))
    }
}

impl FromStr for Agree<ContentHash> {
    type Err = AgreeError;

    fn from_str(text: &str) -> Result<Self, AgreeError> {
        read(text, STORED_FORMS, || text.parse().ok())
    }
}

fn read<Module>(
    text: &str,
    forms: &'static str,
    module: impl FnOnce() -> Option<Module>,
) -> Result<Agree<Module>, AgreeError> {
    let error = |why| AgreeError { found: text.chars().take(80).collect(), why, forms };
    if text == "exact" {
        return Ok(Agree::Exact);
    }
    if let Some(numbers) = text.strip_prefix("near(").and_then(|rest| rest.strip_suffix(')')) {
        return tolerance(numbers).map(Agree::Near).map_err(error);
    }
    module().map(Agree::Module).ok_or_else(|| error("compares nothing"))
}

fn tolerance(numbers: &str) -> Result<Tolerance, &'static str> {
    let (relative, absolute) =
        numbers.split_once(',').map_or((numbers, "0"), |(one, other)| (one, other.trim_start()));
    Ok(Tolerance { relative: share(relative)?, absolute: share(absolute)? })
}

/// A number from 0 to 1, as `0.001` or `1e-3`.
fn share(text: &str) -> Result<f64, &'static str> {
    let is_plain = |byte: u8| byte.is_ascii_digit() || matches!(byte, b'.' | b'e' | b'E' | b'-');
    let number =
        Some(text).filter(|text| text.bytes().all(is_plain)).and_then(|text| text.parse::<f64>().ok());
    match number {
        Some(number) if !(0.0..=1.0).contains(&number) => Err("has a tolerance beyond 0 to 1"),
        Some(number) if is_written_plainly(text) => Ok(number),
        _ => Err("has a tolerance that is not a number as `0.001` or `1e-9`"),
    }
}

/// One digit before the point, digits behind it, and an exponent below zero: what a pattern of letters can tell to be within 0 to 1.
fn is_written_plainly(text: &str) -> bool {
    let (mantissa, exponent) =
        text.split_once(['e', 'E']).map_or((text, None), |(mantissa, exponent)| (mantissa, Some(exponent)));
    let (whole, decimals) =
        mantissa.split_once('.').map_or((mantissa, None), |(whole, decimals)| (whole, Some(decimals)));
    let are_digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let is_below_zero = |exponent: &str| {
        exponent.strip_prefix('-').is_some_and(|digits| {
            are_digits(digits) && digits.len() <= MAX_EXPONENT_DIGITS && !digits.starts_with('0')
        })
    };
    whole.len() == 1
        && are_digits(whole)
        && decimals.is_none_or(are_digits)
        && exponent.is_none_or(is_below_zero)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_compared_in_one_of_three_ways() {
        let near = |relative, absolute| Agree::Near(Tolerance { relative, absolute });
        for (text, agree, written) in [
            ("exact", Agree::Exact, "exact"),
            ("near(1e-9)", near(1e-9, 0.0), "near(1e-9)"),
            ("near(0.000000001)", near(1e-9, 0.0), "near(1e-9)"),
            ("near(9.99e-300,   5e-324)", near(9.99e-300, 5e-324), "near(9.99e-300, 5e-324)"),
            ("near(0)", near(0.0, 0.0), "near(0)"),
            ("near(1, 0.5)", near(1.0, 0.5), "near(1, 0.5)"),
            ("near(0.25,1E-3)", near(0.25, 0.001), "near(0.25, 1e-3)"),
            ("Same.wasm", Agree::Module("Same.wasm".into()), "Same.wasm"),
            ("lib/Same.wasm", Agree::Module("lib/Same.wasm".into()), "lib/Same.wasm"),
        ] {
            let found: Agree = text.parse().unwrap();
            assert_eq!((&found, found.to_string().as_str()), (&agree, written), "{text}");
            assert_eq!(written.parse(), Ok(agree), "{text} again");
        }
        assert!(<Agree>::default().is_exact() && !near(0.0, 0.0).is_exact());
    }

    #[test]
    fn the_store_knows_modules_by_their_hashes_and_bounds_its_words() {
        let hash = ContentHash::of(b"module");
        for agree in [
            Agree::Exact,
            Agree::Near(Tolerance { relative: 1.0 / 3.0, absolute: f64::from_bits(1) }),
            Agree::Near(Tolerance { relative: 0.123_456_789_012_345_67e-300, absolute: 2.0_f64.powi(-1000) }),
            Agree::Module(hash),
        ] {
            let written = agree.to_string();
            assert!(written.len() <= 64, "{written}");
            assert_eq!(written.parse(), Ok(agree), "{written}");
        }
        let refused = "Same.wasm".parse::<Agree<ContentHash>>().unwrap_err().to_string();
        assert!(
            refused.contains("compares nothing") && refused.contains("the hash of a stored module"),
            "{refused}"
        );
    }

    #[test]
    fn copies_may_stay_within_one_engine() {
        assert!(Within::ALL.into_iter().all(|within| Within::parse(within.as_str()) == Some(within)));
        assert_eq!(Within::parse("Engine"), None);
    }

    #[test]
    fn what_compares_nothing_is_told_with_the_forms() {
        for (text, why) in [
            ("", "compares nothing"),
            ("Exact", "compares nothing"),
            ("near", "compares nothing"),
            ("near(1", "compares nothing"),
            (".wasm", "compares nothing"),
            ("Same.js", "compares nothing"),
            ("near()", "not a number"),
            ("near( 1)", "not a number"),
            ("near(1,)", "not a number"),
            ("near(1, 2, 3)", "not a number"),
            ("near(10e-2)", "not a number"),
            ("near(.5)", "not a number"),
            ("near(1.)", "not a number"),
            ("near(1e0)", "not a number"),
            ("near(1e-0)", "not a number"),
            ("near(1e-1000)", "not a number"),
            ("near(NaN)", "not a number"),
            ("near(inf)", "not a number"),
            ("near(+1)", "not a number"),
            ("near(-1)", "beyond 0 to 1"),
            ("near(1.1)", "beyond 0 to 1"),
            ("near(0.1, 2)", "beyond 0 to 1"),
            ("near(1e999)", "beyond 0 to 1"),
        ] {
            let refused = text.parse::<Agree>().unwrap_err().to_string();
            assert!(refused.contains(why) && refused.contains("near(1e-9, 1e-12)"), "{text}: {refused}");
        }
        let long = format!("{}.wasm", "x".repeat(MAX_MODULE_NAME_CHARS));
        assert!(long.parse::<Agree>().unwrap_err().to_string().len() < 400);
    }
}
