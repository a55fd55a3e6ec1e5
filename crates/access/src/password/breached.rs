//! A list of passwords that were stolen elsewhere: sorted lines of SHA-1 in hex, each perhaps with a colon and a count,
//! as Have I Been Pwned hands them out. Found by bisection, since such a list has many gigabytes.
//!
//! It never opens a file: who has the list reads pieces of it.

use std::cmp::Ordering;

use sha1::{Digest, Sha1};

use super::Password;
use crate::limits::MAX_BREACHED_LINE_BYTES;

/// Bytes that can be read from anywhere.
pub trait BreachedList {
    type Error;

    /// Bytes of the list.
    fn size(&mut self) -> Result<u64, Self::Error>;

    /// Reads from a place of the list until the buffer is full or the list ends. Answers how much was read.
    fn read_at(&mut self, at: u64, buffer: &mut [u8]) -> Result<usize, Self::Error>;
}

/// Why a list was not searched to the end.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BreachedError<E> {
    #[error(
        "the list of breached passwords has a line of more than {MAX_BREACHED_LINE_BYTES} bytes, at byte {0}"
    )]
    LongLine(u64),
    #[error(transparent)]
    Read(#[from] E),
}

/// A line of the list: where it begins, where the next one does, and how its hash compares with the one looked for.
struct Line {
    begin: u64,
    end: u64,
    order: Ordering,
}

impl Password {
    /// Whether a list holds it. A list that is not sorted may hold more than is found.
    pub fn is_breached<L: BreachedList>(&self, list: &mut L) -> Result<bool, BreachedError<L::Error>> {
        let hash = hex::encode_upper(Sha1::digest(self.0.as_bytes()));
        // The line looked for begins from `low` on and before `high`; `low` is the beginning of a line.
        let (mut low, mut high) = (0, list.size()?);
        while low < high {
            let middle = low.midpoint(high);
            let line = line_from(list, middle, &hash)?;
            match line {
                Some(Line { begin, order: Ordering::Equal, .. }) if begin < high => return Ok(true),
                Some(Line { begin, end, order: Ordering::Less }) if begin < high => low = end,
                _ => high = middle,
            }
        }
        Ok(false)
    }
}

/// The first line that begins at a place or after it.
fn line_from<L: BreachedList>(
    list: &mut L,
    at: u64,
    hash: &str,
) -> Result<Option<Line>, BreachedError<L::Error>> {
    // From the byte before, which ends a line if one begins here; and as much as the rest of one line and another one.
    let from = at.saturating_sub(1);
    let mut buffer = [0; 2 * MAX_BREACHED_LINE_BYTES];
    let count = list.read_at(from, &mut buffer)?;
    let found = buffer.get(..count).unwrap_or_default();
    let skipped =
        if at == 0 { Some(0) } else { found.iter().position(|byte| *byte == b'\n').map(|at| at + 1) };
    let ends_here = count < buffer.len();
    let Some(rest) = skipped.and_then(|skipped| found.get(skipped..)) else {
        return if ends_here { Ok(None) } else { Err(BreachedError::LongLine(from)) };
    };
    if rest.is_empty() && ends_here {
        return Ok(None);
    }
    let begin = from + (found.len() - rest.len()) as u64;
    let length = rest.iter().position(|byte| *byte == b'\n').or(ends_here.then_some(rest.len()));
    let line = &rest[..length.ok_or(BreachedError::LongLine(begin))?];
    let key = line.split(|byte| *byte == b':').next().unwrap_or_default().trim_ascii().to_ascii_uppercase();
    Ok(Some(Line { begin, end: begin + line.len() as u64 + 1, order: key.as_slice().cmp(hash.as_bytes()) }))
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use proptest::prelude::*;

    use super::*;

    /// A list in memory that counts how often it is read.
    struct Text(Vec<u8>, usize);

    impl BreachedList for Text {
        type Error = Infallible;

        fn size(&mut self) -> Result<u64, Infallible> {
            Ok(self.0.len() as u64)
        }

        fn read_at(&mut self, at: u64, buffer: &mut [u8]) -> Result<usize, Infallible> {
            self.1 += 1;
            let rest = &self.0[usize::try_from(at).unwrap()..];
            let count = rest.len().min(buffer.len());
            buffer[..count].copy_from_slice(&rest[..count]);
            Ok(count)
        }
    }

    fn sha1(word: &str) -> String {
        hex::encode_upper(Sha1::digest(word))
    }

    fn found(list: &str, word: &str) -> Result<bool, BreachedError<Infallible>> {
        Password::of(word).is_breached(&mut Text(list.as_bytes().to_vec(), 0))
    }

    #[test]
    fn lists_of_each_form_are_read() {
        let (one, two) = (sha1("correct horse"), sha1("battery staple"));
        let (first, last) = if one < two { (&one, &two) } else { (&two, &one) };
        for list in [
            format!("{first}\n{last}\n"),
            format!("{first}\n{last}"),
            format!("{first}\r\n{last}\r\n"),
            format!("{first}:3\n{last}:123456789\n"),
            format!("{first}:3\r\n{last}:1").to_lowercase(),
        ] {
            for (word, held) in [("correct horse", true), ("battery staple", true), ("other", false)] {
                assert_eq!(found(&list, word), Ok(held), "{word} in {list:?}");
            }
        }
        for list in ["", "\n", "\n\n\n", "no hash\nat all"] {
            assert_eq!(found(list, "correct horse"), Ok(false), "{list:?}");
        }
    }

    #[test]
    fn a_file_that_is_no_list_is_an_error() {
        let found = found(&"x".repeat(10_000), "correct horse");
        assert!(matches!(found, Err(BreachedError::LongLine(_))), "{found:?}");
    }

    #[test]
    fn a_large_list_is_read_in_a_few_places() {
        let mut hashes = (0..20_000).map(|at| sha1(&at.to_string())).collect::<Vec<_>>();
        hashes.sort();
        let mut list = Text(hashes.join("\n").into_bytes(), 0);
        assert_eq!(Password::of("777").is_breached(&mut list), Ok(true));
        assert!(list.1 <= 21, "{} reads", list.1);
    }

    proptest! {
        #[test]
        fn exactly_the_words_of_the_list_are_found(words in prop::collection::btree_set("[a-f]{1,2}", 0..40), count in 0..u64::MAX) {
            let mut lines = words.iter().map(|word| format!("{}:{}\n", sha1(word), count >> (word.len() * 13))).collect::<Vec<_>>();
            lines.sort();
            for word in ["a", "b", "c", "ab", "bb", "ff", "fe", "cc", "dd"] {
                prop_assert_eq!(found(&lines.concat(), word), Ok(words.contains(word)), "{} in {:?}", word, lines);
            }
        }

        #[test]
        fn any_bytes_are_searched_without_a_panic(bytes: Vec<u8>) {
            let _ = Password::of("word").is_breached(&mut Text(bytes, 0));
        }
    }
}
