//! The fenced blocks of Markdown pages, and how what a page shows is compared with what a machine says.
//!
//! Never runs anything.

/// A fenced block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    /// Where its text begins, from 1.
    pub line: usize,
    pub language: String,
    /// The file that it shows, where the fence names one.
    pub file: Option<String>,
    pub text: String,
    /// Nothing but blank lines is between the block before and this one.
    pub follows: bool,
}

/// All fenced blocks of a page, in its order; a block inside of a list is indented, and its text is, too.
pub fn blocks(page: &str) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    let mut open: Option<Block> = None;
    let mut between = true;
    for (at, line) in page.lines().enumerate() {
        let fence = line.trim_start().strip_prefix("```");
        match (&mut open, fence) {
            (None, Some(info)) => {
                let (language, file) = info.trim().split_once(' ').unwrap_or((info.trim(), ""));
                let file = (!file.is_empty()).then(|| file.to_owned());
                let language = language.to_owned();
                open = Some(Block { line: at + 2, language, file, text: String::new(), follows: !between });
            }
            (None, None) => between |= !line.trim().is_empty(),
            (Some(block), None) => {
                block.text += line;
                block.text.push('\n');
            }
            (Some(_), Some(_)) => {
                blocks.extend(open.take());
                between = false;
            }
        }
    }
    blocks
}

/// The commands of a shell block, each with its line in it from 0: those that go on in the next line are one.
pub fn commands(text: &str) -> Vec<(usize, String)> {
    let mut commands: Vec<(usize, String)> = Vec::new();
    let mut goes_on = false;
    for (at, line) in text.lines().enumerate() {
        match commands.last_mut().filter(|_| goes_on) {
            Some((_, command)) => *command = format!("{command}\n{line}"),
            None => commands.push((at, line.to_owned())),
        }
        goes_on = line.ends_with('\\');
    }
    commands
}

/// Whether a machine has said what is shown, but for ids, hashes, times and speeds, which nobody can foresee. A line `..`
/// stands for any lines, a word `..` for the rest of its line.
pub fn alike(shown: &str, said: &str) -> bool {
    let lines = |text: &str| text.lines().map(str::trim_end).map(str::to_owned).collect::<Vec<_>>();
    alike_lines(&lines(shown), &lines(said))
}

fn alike_lines(shown: &[String], said: &[String]) -> bool {
    let Some((first, rest)) = shown.split_first() else { return said.is_empty() };
    if first == ".." {
        return (0..=said.len()).any(|skipped| alike_lines(rest, &said[skipped..]));
    }
    let Some((line, others)) = said.split_first() else { return false };
    alike_words(first, line) && alike_lines(rest, others)
}

fn alike_words(shown: &str, said: &str) -> bool {
    let shown: Vec<&str> = shown.split_whitespace().collect();
    let mut said = said.split_whitespace();
    for (at, word) in shown.iter().enumerate() {
        if *word == ".." {
            return true;
        }
        let measured =
            shown.get(at + 1).is_some_and(|unit| UNITS.contains(&unit.trim_end_matches([',', '.', ':'])));
        let alike = |real: &str| *word == real || measured && is_number(real) || of_one_kind(word, real);
        if !said.next().is_some_and(alike) {
            return false;
        }
    }
    said.next().is_none()
}

/// What stands behind a number that differs each time.
const UNITS: [&str; 5] = ["ms", "s", "µs", "min", "h"];

fn is_number(word: &str) -> bool {
    word.parse::<f64>().is_ok()
}

fn of_one_kind(shown: &str, said: &str) -> bool {
    kind(shown).is_some_and(|of| kind(said) == Some(of))
}

/// What a word is that differs each time.
fn kind(word: &str) -> Option<&str> {
    let word =
        word.trim_matches(|it: char| matches!(it, '"' | '\'' | '(' | ')' | ',' | '.' | ':' | '{' | '}'));
    let id =
        ["job_", "run_", "wrk_", "tok_", "acc_", "prj_"].into_iter().find(|prefix| word.starts_with(prefix));
    let is_hex = word.chars().all(|it| it.is_ascii_hexdigit() && !it.is_uppercase());
    // Digits alone are a number, which is to be the same.
    let is_hash = word.len() >= 8 && is_hex && word.contains(|it: char| it.is_alphabetic());
    let is_time = word.starts_with(|it: char| it.is_ascii_digit()) && is_measured(word);
    id.or(is_hash.then_some("hash")).or(is_time.then_some("time"))
}

/// A date, a time of day, a duration.
fn is_measured(word: &str) -> bool {
    let rest = word.trim_start_matches(|it: char| it.is_ascii_digit() || matches!(it, '-' | ':' | '.' | 'T'));
    let is_clock = word.contains(':') || word.matches('-').count() == 2;
    UNITS.contains(&rest) || is_clock && ["", "Z"].contains(&rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_found_in_their_order() {
        let page = "# A\n\n```sh\none\n```\n\n```text\ntwo\n```\nb\n\n```js c/d.js\nthree\n```\n";
        let found = blocks(page);
        let shown: Vec<_> =
            found.iter().map(|block| (block.line, &*block.language, &*block.text, block.follows)).collect();
        assert_eq!(
            shown,
            [(4, "sh", "one\n", false), (8, "text", "two\n", true), (13, "js", "three\n", false),]
        );
        assert_eq!(found[2].file.as_deref(), Some("c/d.js"));
    }

    #[test]
    fn commands_go_on_behind_a_backslash() {
        assert_eq!(commands("a \\\n  b\nc\n"), [(0, "a \\\n  b".to_owned()), (2, "c".to_owned())]);
    }

    #[test]
    fn only_what_nobody_foresees_may_differ() {
        for (shown, said, expected) in [
            ("57", "57\n", true),
            ("57", "58", false),
            ("run_38f1: done", "run_9abc: done", true),
            ("run_38f1: done", "job_9abc: done", false),
            ("in 3.2 s, 12ms", "in 3.1 s, 7ms", true),
            ("12 of 3", "13 of 3", false),
            ("at 2026-11-28 03:04:05", "at 2026-12-01 13:14:15", true),
            ("a ..", "a b c", true),
            ("a\n..\nd", "a\nb\nc\nd", true),
            ("a\n..\nd", "a\nb\nc", false),
            ("a", "a b", false),
            ("1.5", "1.25", false),
        ] {
            assert_eq!(alike(shown, said), expected, "{shown} {said}");
        }
    }
}
