//! Collects problems while a document is read and checked, and turns them into diagnostics.
//!
//! Owns the bound on their number, the wording of quotes and suggestions, and which errors came too late to count as
//! such. Never decides what is a problem.

use std::cmp::Reverse;
use std::ops::Range;

use weevil_model::{Diagnostic, Severity};

use crate::codes::{self, Code};
use crate::document::{Attribute, Element};
use crate::limits::{MAX_DIAGNOSTICS, MAX_QUOTED_CHARS};
use crate::places::Places;
use crate::suggest;

#[derive(Debug)]
pub(crate) struct Findings<'t> {
    file: &'t str,
    text: &'t str,
    places: Places<'t>,
    /// The checker whose errors are errors here; those of newer ones are warnings.
    checker: u32,
    kept: Vec<Diagnostic>,
    errors: usize,
    warnings: usize,
}

/// Another file of the bundle, ready to be pointed into.
#[derive(Debug)]
pub(crate) struct OtherFile<'t> {
    path: &'t str,
    places: Places<'t>,
}

impl<'t> OtherFile<'t> {
    pub(crate) fn new(path: &'t str, text: &'t str) -> Self {
        Self { path, places: Places::new(text) }
    }

    /// The character at a byte offset.
    pub(crate) fn letter(&self, at: usize) -> Range<usize> {
        self.places.letter(at)
    }

    pub(crate) const fn path(&self) -> &str {
        self.path
    }

    /// File and line of a byte offset, as messages name them: `Add.js:1`.
    pub(crate) fn line_of(&self, at: usize) -> String {
        format!("{}:{}", self.path, self.places.line(at))
    }
}

impl<'t> Findings<'t> {
    pub(crate) fn new(file: &'t str, text: &'t str, checker: u32) -> Self {
        Self { file, text, places: Places::new(text), checker, kept: Vec::new(), errors: 0, warnings: 0 }
    }

    /// A problem with these bytes of the document.
    pub(crate) fn report(
        &mut self,
        code: &'static Code,
        at: Range<usize>,
        message: String,
        help: Option<String>,
    ) {
        let severity = code.severity_after(self.checker);
        if self.has_room(severity) {
            let found = diagnostic(code, self.file, &self.places, &at, message, help);
            self.kept.push(Diagnostic { severity, ..found });
        }
    }

    /// A problem with these bytes of another file of the bundle.
    pub(crate) fn report_in(
        &mut self,
        code: &'static Code,
        file: &OtherFile<'_>,
        at: Range<usize>,
        message: String,
        help: Option<String>,
    ) {
        let severity = code.severity_after(self.checker);
        if self.has_room(severity) {
            let found = diagnostic(code, file.path, &file.places, &at, message, help);
            self.kept.push(Diagnostic { severity, ..found });
        }
    }

    /// Counts a problem, and tells whether it is one of those to be kept.
    fn has_room(&mut self, severity: Severity) -> bool {
        let count = match severity {
            Severity::Error => &mut self.errors,
            Severity::Warning => &mut self.warnings,
        };
        *count += 1;
        *count <= MAX_DIAGNOSTICS
    }

    /// The character at a byte offset of the document.
    pub(crate) fn letter(&self, at: usize) -> Range<usize> {
        self.places.letter(at)
    }

    /// Where the name of an element stands in its start tag. The element itself may be called as it was meant.
    pub(crate) fn tag(&self, element: &Element<'_>) -> Range<usize> {
        self.name(element.tag().start)
    }

    /// As [`Self::tag`], for an attribute.
    pub(crate) fn name_of(&self, attribute: &Attribute<'_>) -> Range<usize> {
        self.name(attribute.at)
    }

    /// Where the value of an attribute stands; the tag of an element without it.
    pub(crate) fn value_of(&self, element: &Element<'_>, attribute: &str) -> Range<usize> {
        let found = element.attribute(attribute);
        found.map_or_else(|| self.tag(element), |found| found.value_at.clone())
    }

    fn name(&self, start: usize) -> Range<usize> {
        let rest = &self.text[start..];
        let ends = |letter: char| letter.is_ascii_whitespace() || matches!(letter, '=' | '/' | '>');
        start..start + rest.find(ends).unwrap_or(rest.len())
    }

    pub(crate) fn has_errors(&self) -> bool {
        self.errors > 0
    }

    /// The line of a byte offset of the document, for messages that point at a second place.
    pub(crate) fn line(&self, at: usize) -> u32 {
        self.places.line(at)
    }

    /// The known name nearest to `found`, while there is room to tell it.
    pub(crate) fn nearest<'k>(
        &self,
        found: &str,
        known: impl IntoIterator<Item = &'k str>,
    ) -> Option<&'k str> {
        if self.is_full() { None } else { suggest::nearest(found, known) }
    }

    /// No more errors are kept: there is no use in looking for their cures.
    pub(crate) const fn is_full(&self) -> bool {
        self.errors >= MAX_DIAGNOSTICS
    }

    /// As [`Self::nearest`], in words.
    pub(crate) fn did_you_mean<'k>(
        &self,
        found: &str,
        known: impl IntoIterator<Item = &'k str>,
    ) -> Option<String> {
        self.nearest(found, known).map(|name| format!("did you mean `{name}`?"))
    }

    /// Everything found: the document's problems in its order, then those of other files.
    pub(crate) fn finish(mut self) -> Vec<Diagnostic> {
        let document = self.file;
        self.kept.sort_by(|one, other| {
            let elsewhere = |found: &Diagnostic| Reverse(found.file == document);
            let place = |found: &Diagnostic| (found.line, found.column);
            let files = || elsewhere(one).cmp(&elsewhere(other)).then_with(|| one.file.cmp(&other.file));
            files().then_with(|| place(one).cmp(&place(other)))
        });
        let left_out = self.errors + self.warnings - self.kept.len();
        if left_out > 0 {
            let message = format!("{left_out} more problems are not listed");
            let help = Some("cure those above first".to_owned());
            self.kept.push(diagnostic(&codes::MORE_PROBLEMS, document, &self.places, &(0..0), message, help));
        }
        self.kept
    }
}

fn diagnostic(
    code: &'static Code,
    file: &str,
    places: &Places<'_>,
    at: &Range<usize>,
    message: String,
    help: Option<String>,
) -> Diagnostic {
    let (start, end) = (places.place(at.start), places.place(at.end));
    Diagnostic {
        code: code.id,
        severity: code.severity,
        file: file.to_owned(),
        line: start.line,
        column: start.column,
        end_line: end.line,
        end_column: end.column,
        message,
        help,
    }
}

/// Text of the document as a message repeats it: in backquotes, bounded, without control characters.
pub(crate) fn quoted(text: &str) -> String {
    let mut shown: String = text
        .chars()
        .take(MAX_QUOTED_CHARS)
        .map(|letter| if letter.is_control() { '\u{FFFD}' } else { letter })
        .collect();
    if shown.len() < text.len() && text.chars().nth(MAX_QUOTED_CHARS).is_some() {
        shown.push('…');
    }
    format!("`{shown}`")
}
