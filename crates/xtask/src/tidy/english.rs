//! Words that comments and pages do without: references that no reader of this repository can follow, and the first four
//! of CONTRIBUTING's don'ts, where a line shows them. It never looks at code or at what stands in double quotes, and knows
//! no grammar.

use super::finding::Finding;

/// The texts are split so that this file does not break its own rule.
const NOWHERE: [&str; 2] = [concat!("DESIGN", " section"), concat!("DESIGN", ".md")];
/// A verdict, but behind "there": then something is only said to be missing.
const VERDICTS: [&str; 4] = [" is none", " are none", " was none", " were none"];
/// What follows "none" where a field or an answer is meant that is missing.
const MISSING: [&str; 8] =
    [" where ", " when ", " while ", " once ", " until ", " for ", " of a ", " of one "];

/// A rule that a line breaks, and the cure.
type Broken = (&'static str, &'static str);

/// All findings in the file at `path`.
pub(super) fn check(path: &str, text: &str) -> Vec<Finding> {
    let words: fn(&str) -> Option<&str> = match path.rsplit_once('.') {
        Some((_, "md")) => |line| Some(line),
        Some((_, "rs" | "ts" | "tsx")) => comment,
        _ => return Vec::new(),
    };
    let mut findings = Vec::new();
    let mut opens = true;
    for (at, line) in text.lines().enumerate() {
        let said = words(line.trim());
        if let Some((what, cure)) = said.and_then(|said| broken(said, opens)) {
            findings.push(Finding::new(path, at + 1, what, cure));
        }
        opens = said.is_none_or(str::is_empty);
    }
    findings
}

/// What a line that begins with a comment says; lines of a block begin with a star.
fn comment(line: &str) -> Option<&str> {
    let marks = ["///", "//!", "//", "/**", "/*", "*"];
    marks.iter().find_map(|mark| line.strip_prefix(mark)).map(str::trim_start)
}

/// `opens`: nothing stands before the line that it could continue.
fn broken(line: &str, opens: bool) -> Option<Broken> {
    let said: String = line.split('"').step_by(2).collect();
    let item = said.strip_prefix("- ");
    let has = |words: &str| said.contains(words);
    if NOWHERE.iter().any(|words| has(words)) {
        Some(("a reference that no reader has", "say the figure, or name an ADR"))
    } else if (opens || item.is_some()) && item.unwrap_or(&said).starts_with("Of ") {
        Some(("a sentence begins with \"Of\"", "say what of it is meant"))
    } else if has("so with `") {
        Some(("\"so with\" for a second field", "say \"like\""))
    } else if has("As of [`") || has("as of [`") {
        Some(("\"as of\" for \"as in\"", "say what is the same"))
    } else if is_verdict(&said) || names_none(item.unwrap_or(&said)) {
        Some(("\"none\" as a noun or a verdict", "write `None` or `undefined`, or say what is missing"))
    } else {
        None
    }
}

fn is_verdict(said: &str) -> bool {
    let found = VERDICTS.iter().flat_map(|verdict| said.match_indices(verdict));
    found.map(|(at, verdict)| (&said[..at], &said[at + verdict.len()..])).any(|(before, after)| {
        let is_whole = !after.starts_with(char::is_alphanumeric) && !after.starts_with(" of ");
        is_whole && !before.ends_with("there") && !before.ends_with("There")
    })
}

fn names_none(said: &str) -> bool {
    let answers = said.split("; none").skip(1).chain(said.strip_prefix("None"));
    answers.into_iter().any(|after| MISSING.iter().any(|words| after.starts_with(words)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_line_shows_is_found_in_comments_and_pages() {
        for (path, text, lines) in [
            ("a.rs", concat!("/// Measured (DESIGN", " section 7)."), &[1][..]),
            ("a.ts", concat!(" * See DESIGN", ".md."), &[1]),
            ("a.md", concat!("as in DESIGN", " section 7"), &[1]),
            (
                "a.rs",
                "    /// Of a stand-alone job the hash.\n    pub hash: Hash,\n    // Of each run.",
                &[1, 3],
            ),
            ("a.ts", "/** Of the job. */\nlet a;\n/**\n * Of a job.\n */", &[1, 4]),
            ("a.md", "One.\n\nOf the jobs one.\n- Of an input.", &[3, 4]),
            ("a.rs", "/// Of an error; so with `message`.\n/// A hash; so with `end`.", &[1, 2]),
            ("a.rs", "/// # Errors\n/// As of [`load`].\n/// Or as of [`load`].", &[2, 3]),
            (
                "a.rs",
                "/// A frame that is none.\n/// A value that is none ends it.\n/// Why it was none, if so.",
                &[1, 2, 3],
            ),
            (
                "a.rs",
                "/// None of a job.\n/// None while it runs.\n/// A name; none where it is lost.",
                &[1, 2, 3],
            ),
        ] {
            assert_eq!(
                check(path, text).iter().map(|found| found.line).collect::<Vec<_>>(),
                lines,
                "{path}: {text}"
            );
        }
    }

    #[test]
    fn plain_english_code_and_quotations_are_no_findings() {
        for (path, text) in [
            ("a.rs", "let a = \"DESIGN section 7\";\nlet b = \"Of a job\";"),
            ("a.rs", "/// Measured (ADR 0002)."),
            ("a.rs", "/// The hash\n/// Of Merkle's kind. Often, not Of a job."),
            ("a.md", "Some words\nOf one sentence.\n\nOften enough. | Of a job |"),
            (
                "a.md",
                "| \"so with\" | \"None while it runs; so with `end`.\" | \"A value that is none counts\" |",
            ),
            ("a.rs", "/// It says so with this.\n/// What is true as of today.\n/// As [`load`]."),
            ("a.rs", "/// Why there is none.\n/// It is none of these, and is nonetheless there."),
            ("a.rs", "/// None of them moves.\n/// `None` while it runs; `None` of a job; none is lost."),
            ("a.css", "/* Of a job. */"),
        ] {
            assert_eq!(check(path, text), [], "{path}: {text}");
        }
    }
}
