//! Several values in one text, so that a file and a variable can name as many as a flag.

use std::fmt::Display;
use std::str::FromStr;

/// At most `MOST` values, with commas between.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct UpTo<T, const MOST: usize>(Vec<T>);

impl<T, const MOST: usize> UpTo<T, MOST> {
    /// The values, none where nothing was said.
    pub(super) fn list(given: Option<Self>) -> Vec<T> {
        given.map(|given| given.0).unwrap_or_default()
    }
}

impl<T: FromStr<Err: Display>, const MOST: usize> FromStr for UpTo<T, MOST> {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let values: Vec<&str> = text.split(',').map(str::trim).collect();
        if values.len() > MOST {
            return Err(format!("{} values; at most {MOST} are allowed", values.len()));
        }
        let read = |value: &str| value.parse().map_err(|error: T::Err| format!("{value}: {error}"));
        values.into_iter().map(read).collect::<Result<_, _>>().map(Self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_few_values_stand_in_one_text() {
        for (text, expected) in [
            ("1", Ok(vec![1])),
            ("1, 2,3", Ok(vec![1, 2, 3])),
            ("1,2,3,4", Err("4 values; at most 3 are allowed".to_owned())),
            ("1,,3", Err(": cannot parse integer from empty string".to_owned())),
            ("1,x", Err("x: invalid digit found in string".to_owned())),
        ] {
            assert_eq!(text.parse::<UpTo<u8, 3>>().map(|list| list.0), expected, "{text}");
        }
        assert!(UpTo::<u8, 3>::list(None).is_empty());
    }
}
