//! When two answers are the same: words for documents and requests. Never compares any.

use std::fmt;
use std::str::FromStr;

/// Bytes of the name of a module that compares.
const MAX_NAME_BYTES: usize = 200;
/// How a module ends.
const MODULE: &str = ".wasm";

/// How the answers of a judged job are compared.
#[derive(Debug, Clone, Default, PartialEq)]
pub enum Agree {
    /// Their canonical forms have the same bytes.
    #[default]
    Exact,
    /// They have the same shape, and numbers within a tolerance.
    Near(Tolerance),
    /// This file of the workflow, a WebAssembly module, says so.
    Module(String),
}

/// Numbers agree within the larger of the two: `absolute`, and `relative` of the larger magnitude. Both from 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tolerance {
    pub relative: f64,
    pub absolute: f64,
}

/// Why a text does not say how answers are compared.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{found}` {why}: `exact`, `near(1e-9)` (numbers within this share of the larger one), `near(1e-9, 1e-12)` (or within this \
     distance), or a module of the workflow, `Same.wasm`"
)]
pub struct AgreeError {
    found: String,
    why: &'static str,
}

impl fmt::Display for Agree {
    /// As it is written in a document.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exact => f.write_str("exact"),
            Self::Near(Tolerance { relative, absolute: 0.0 }) => write!(f, "near({relative})"),
            Self::Near(Tolerance { relative, absolute }) => write!(f, "near({relative}, {absolute})"),
            Self::Module(name) => f.write_str(name),
        }
    }
}

impl FromStr for Agree {
    type Err = AgreeError;

    fn from_str(text: &str) -> Result<Self, AgreeError> {
        read(text).map_err(|why| AgreeError { found: text.chars().take(80).collect(), why })
    }
}

fn read(text: &str) -> Result<Agree, &'static str> {
    if text == "exact" {
        return Ok(Agree::Exact);
    }
    if let Some(numbers) = text.strip_prefix("near(").and_then(|rest| rest.strip_suffix(')')) {
        return tolerance(numbers).map(Agree::Near);
    }
    let is_module =
        text.len() <= MAX_NAME_BYTES && text.strip_suffix(MODULE).is_some_and(|name| !name.is_empty());
    if is_module { Ok(Agree::Module(text.to_owned())) } else { Err("compares nothing") }
}

fn tolerance(numbers: &str) -> Result<Tolerance, &'static str> {
    let (relative, absolute) =
        numbers.split_once(',').map_or((numbers, "0"), |(one, other)| (one, other.trim_start()));
    Ok(Tolerance { relative: share(relative)?, absolute: share(absolute)? })
}

/// A number from 0 to 1 in decimal notation.
fn share(text: &str) -> Result<f64, &'static str> {
    let is_plain = |byte: u8| byte.is_ascii_digit() || matches!(byte, b'.' | b'e' | b'E' | b'-');
    let number =
        Some(text).filter(|text| text.bytes().all(is_plain)).and_then(|text| text.parse::<f64>().ok());
    let number = number.ok_or("has a tolerance that is not a number")?;
    if (0.0..=1.0).contains(&number) { Ok(number) } else { Err("has a tolerance beyond 0 to 1") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_compared_in_one_of_three_ways() {
        let near = |relative, absolute| Agree::Near(Tolerance { relative, absolute });
        for (text, agree, written) in [
            ("exact", Agree::Exact, "exact"),
            ("near(1e-9)", near(1e-9, 0.0), "near(0.000000001)"),
            ("near(0)", near(0.0, 0.0), "near(0)"),
            ("near(1, 0.5)", near(1.0, 0.5), "near(1, 0.5)"),
            ("near(0.25,1E-3)", near(0.25, 0.001), "near(0.25, 0.001)"),
            ("Same.wasm", Agree::Module("Same.wasm".into()), "Same.wasm"),
            ("lib/Same.wasm", Agree::Module("lib/Same.wasm".into()), "lib/Same.wasm"),
        ] {
            let found: Agree = text.parse().unwrap();
            assert_eq!((&found, found.to_string().as_str()), (&agree, written), "{text}");
            assert_eq!(written.parse(), Ok(agree), "{text} again");
        }
        assert_eq!(Agree::default(), Agree::Exact);
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
        let long = format!("{}.wasm", "x".repeat(MAX_NAME_BYTES));
        assert!(long.parse::<Agree>().unwrap_err().to_string().len() < 400);
    }
}
