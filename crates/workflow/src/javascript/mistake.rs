//! What the parser finds wrong, in the words of the other diagnostics. Never decides what is wrong.

use std::ops::Range;

use oxc_diagnostics::OxcDiagnostic;
use oxc_span::Span;

use super::range;
use crate::suggest;

#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Mistake {
    pub(crate) at: Range<usize>,
    pub(crate) message: String,
    pub(crate) help: Option<String>,
}

/// The words that another word or a block may follow: misspelt, they are what the parser takes offence behind.
const KEYWORDS: &[&str] = &[
    "async", "await", "break", "case", "class", "const", "continue", "delete", "do", "else", "finally",
    "for", "function", "if", "let", "new", "return", "switch", "throw", "try", "typeof", "var", "void",
    "while", "yield",
];

/// Shorter words are near to too many keywords.
const SHORTEST_MISSPELT: usize = 3;

impl Mistake {
    pub(super) fn of(found: &OxcDiagnostic, text: &str) -> Self {
        // A second label is where the parser noticed; the first one is what it had seen before.
        let label = found.labels.iter().max_by_key(|label| label.offset());
        let start = label.map_or(0, |label| label.offset() as usize).min(text.len());
        let end = label.map_or(0, |label| (label.offset() + label.len()) as usize).clamp(start, text.len());
        let help = found.help.as_ref().map(|help| in_our_words(help));
        misspelt(text, start).unwrap_or_else(|| Self {
            at: start..end,
            message: in_our_words(&found.message),
            help,
        })
    }

    pub(super) fn module(text: &str, statement: Span) -> Self {
        let at = range(statement);
        let keyword = if text[at.clone()].starts_with("import") { "import" } else { "export" };
        Self {
            at: at.start..at.start + keyword.len(),
            message: format!("`{keyword}` makes this a module, but job code is a classic script"),
            help: Some(format!("delete `{keyword}`, and put everything the job needs into this file")),
        }
    }
}

/// The word before a place where the parser stumbled over another word or a block, if it is nearly a keyword.
fn misspelt(text: &str, at: usize) -> Option<Mistake> {
    let is_part = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '$');
    let (before, after) = text.split_at_checked(at)?;
    let (before, after) = (before.trim_end(), after.trim_start());
    let others = before.trim_end_matches(is_part);
    let word = &before[others.len()..];
    let could_be = word.len() >= SHORTEST_MISSPELT && !others.ends_with('.');
    if !could_be || !after.starts_with(|next| is_part(next) || matches!(next, '{' | '"' | '\'' | '`')) {
        return None;
    }
    let meant = suggest::nearest(word, KEYWORDS.iter().copied()).filter(|meant| *meant != word)?;
    Some(Mistake {
        at: others.len()..before.len(),
        message: format!("unexpected `{word}`"),
        help: Some(format!("did you mean `{meant}`?")),
    })
}

/// Without a capital, a full stop and a `Try`.
fn in_our_words(sentence: &str) -> String {
    let plain = sentence.strip_suffix('.').unwrap_or(sentence).replacen("Try inserting", "insert", 1);
    if plain.chars().nth(1).is_some_and(char::is_uppercase) {
        return plain;
    }
    let mut letters = plain.chars();
    let first = letters.next().into_iter().flat_map(char::to_lowercase);
    first.chain(letters).collect()
}
