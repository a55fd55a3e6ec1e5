//! What a terminal gets to see: the only way to stdout and stderr. The server's log passes here, too.
//!
//! Results, errors, stacks, logs and names are strangers' text. None of it moves the cursor, sets a title, fills a
//! clipboard, turns the direction of what follows or begins a line of its own where one line is meant. Only what this
//! program itself writes between such texts is printed as it is.

use std::borrow::Cow;
use std::fmt;
use std::io::{ErrorKind, Write, stderr, stdout};

use serde::Serialize;

/// Stands where a character was that a terminal would obey.
const REPLACEMENT: &str = "\u{FFFD}";

/// Text that a terminal shows and does not obey. Colours are this program's own.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Inert(String);

impl Inert {
    /// Text that stays on one line.
    pub fn line(text: &str) -> Self {
        Self(one_line(text))
    }

    /// Text of several lines, in which tabs are meant as well.
    pub fn lines(text: &str) -> Self {
        Self(replace(text, |letter| !matches!(letter, '\n' | '\t') && is_obeyed(letter)))
    }

    /// What this program writes between: `{}` stands for one part each.
    pub fn fill(template: &'static str, parts: &[&Self]) -> Self {
        let mut words = template.split("{}");
        let mut text = words.next().unwrap_or_default().to_owned();
        for (word, part) in words.zip(parts) {
            text.push_str(&part.0);
            text.push_str(word);
        }
        Self(text)
    }

    /// In a colour by its number (ECMA-48, section 8.3.117).
    pub(crate) fn painted(self, colour: &'static str) -> Self {
        Self(format!("\x1b[{colour}m{}\x1b[0m", self.0))
    }

    #[cfg(test)]
    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Inert {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromIterator<Self> for Inert {
    fn from_iter<I: IntoIterator<Item = Self>>(parts: I) -> Self {
        Self(parts.into_iter().map(|part| part.0).collect())
    }
}

/// Controls (C0, DEL, C1), and what changes the direction of text, ends lines or is not seen.
pub(crate) const fn is_obeyed(letter: char) -> bool {
    matches!(
        letter,
        '\0'..='\u{1F}'
            | '\u{7F}'..='\u{9F}'
            | '\u{61C}'
            | '\u{200E}'
            | '\u{200F}'
            | '\u{202A}'..='\u{202E}'
            | '\u{2028}'
            | '\u{2029}'
            | '\u{2066}'..='\u{2069}'
            | '\u{FEFF}'
    )
}

fn replace(text: &str, obeyed: impl Fn(char) -> bool) -> String {
    text.replace(obeyed, REPLACEMENT)
}

/// A text among others on a line.
pub fn one_line(text: &str) -> String {
    replace(text, is_obeyed)
}

/// Text of JSON with the same meaning, in which nothing is obeyed: such characters stand in its strings only.
pub fn in_json(json: &str) -> Cow<'_, str> {
    if !json.contains(is_obeyed) {
        return Cow::Borrowed(json);
    }
    let letter = |letter: char| match letter {
        // Behind an object of the log.
        '\n' => "\n".to_owned(),
        obeyed if is_obeyed(obeyed) => format!("\\u{:04x}", u32::from(obeyed)),
        other => other.to_string(),
    };
    Cow::Owned(json.chars().map(letter).collect())
}

/// Prints on stdout.
pub fn say(text: &Inert) {
    print(stdout().lock(), text.0.as_bytes());
}

/// Prints one line on stdout.
pub fn say_line(text: &str) {
    say(&Inert::fill("{}\n", &[&Inert::line(text)]));
}

/// Prints one line for tools on stdout.
pub fn say_json(answer: &impl Serialize) {
    let json = serde_json::to_string(answer).unwrap_or_default();
    print(stdout().lock(), format!("{}\n", in_json(&json)).as_bytes());
}

/// Prints on stderr.
pub fn complain(text: &Inert) {
    print(stderr().lock(), text.0.as_bytes());
}

/// A pipe that nobody reads any more has been read enough.
fn print(mut to: impl Write, bytes: &[u8]) {
    match to.write_all(bytes) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => panic!("cannot print: {error}"),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_terminal_would_obey_is_replaced() {
        for (text, line, lines) in [
            ("plain, ä 漢字 🐛", "plain, ä 漢字 🐛", "plain, ä 漢字 🐛"),
            ("a\u{1b}]0;title\u{7}b", "a\u{FFFD}]0;title\u{FFFD}b", "a\u{FFFD}]0;title\u{FFFD}b"),
            ("\u{9b}31m\u{7f}\0", "\u{FFFD}31m\u{FFFD}\u{FFFD}", "\u{FFFD}31m\u{FFFD}\u{FFFD}"),
            ("one\ntwo\tthree\r", "one\u{FFFD}two\u{FFFD}three\u{FFFD}", "one\ntwo\tthree\u{FFFD}"),
            ("\u{2028}\u{2029}\u{FEFF}", "\u{FFFD}\u{FFFD}\u{FFFD}", "\u{FFFD}\u{FFFD}\u{FFFD}"),
            ("\u{200D}\u{A0}\u{200B}", "\u{200D}\u{A0}\u{200B}", "\u{200D}\u{A0}\u{200B}"),
        ] {
            assert_eq!((Inert::line(text).as_str(), Inert::lines(text).as_str()), (line, lines), "{text:?}");
        }
        let turns =
            "\u{61C}\u{200E}\u{200F}\u{202A}\u{202B}\u{202C}\u{202D}\u{202E}\u{2066}\u{2067}\u{2068}\u{2069}";
        for letter in turns.chars() {
            assert_eq!(Inert::lines(&letter.to_string()).as_str(), REPLACEMENT, "{letter:?}");
        }
    }

    #[test]
    fn only_what_stands_between_is_as_it_was_written() {
        let part = Inert::line("\u{1b}[31m{}");
        let filled = Inert::fill("a\t{}: {}\n", &[&part, &Inert::line("x").painted("1;31")]);
        assert_eq!(filled.as_str(), "a\t\u{FFFD}[31m{}: \x1b[1;31mx\x1b[0m\n");
    }

    #[test]
    fn json_means_the_same_afterwards() {
        let value = serde_json::json!({ "k\u{7f}": "\u{1b}\u{9b}\u{202E}\n\u{FEFF}\"\\ä" });
        let text = in_json(&value.to_string()).into_owned();
        assert!(!text.contains(is_obeyed), "{text:?}");
        assert_eq!(serde_json::from_str::<serde_json::Value>(&text).unwrap(), value);
    }
}
