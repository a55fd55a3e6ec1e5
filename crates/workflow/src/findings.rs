//! Collects problems while a document is read and checked, and turns them into diagnostics.
//!
//! Owns the bound on their number and the wording of quotes and suggestions. Never decides what is a problem.

use std::cmp::Reverse;

use crate::codes::{self, Code};
use crate::diagnostic::{Diagnostic, Severity};
use crate::limits::{MAX_DIAGNOSTICS, MAX_QUOTED_CHARS};
use crate::places::{Place, Places};
use crate::suggest;

#[derive(Debug)]
pub(crate) struct Findings<'t> {
    file: &'t str,
    places: Places<'t>,
    kept: Vec<Diagnostic>,
    errors: usize,
    warnings: usize,
}

impl<'t> Findings<'t> {
    pub(crate) fn new(file: &'t str, text: &'t str) -> Self {
        Self { file, places: Places::new(text), kept: Vec::new(), errors: 0, warnings: 0 }
    }

    /// A problem at a byte offset of the document.
    pub(crate) fn report(&mut self, code: &'static Code, at: usize, message: String, help: Option<String>) {
        if self.has_room(code.severity) {
            self.keep(code, self.file, self.places.place(at), message, help);
        }
    }

    /// A problem inside another file of the bundle.
    pub(crate) fn report_in(&mut self, code: &'static Code, file: &str, place: Place, message: String) {
        if self.has_room(code.severity) {
            self.keep(code, file, place, message, None);
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

    fn keep(&mut self, code: &'static Code, file: &str, at: Place, message: String, help: Option<String>) {
        let (line, column) = (at.line, at.column);
        let (file, code, severity) = (file.to_owned(), code.id, code.severity);
        self.kept.push(Diagnostic { code, severity, file, line, column, message, help });
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
        if self.errors < MAX_DIAGNOSTICS { suggest::nearest(found, known) } else { None }
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
            let key = |d: &'_ Diagnostic| (Reverse(d.file == document), d.line, d.column);
            key(one).cmp(&key(other)).then_with(|| one.file.cmp(&other.file))
        });
        let left_out = self.errors + self.warnings - self.kept.len();
        if left_out > 0 {
            self.kept.push(Diagnostic {
                code: codes::MORE_PROBLEMS.id,
                severity: codes::MORE_PROBLEMS.severity,
                file: document.to_owned(),
                line: 1,
                column: 1,
                message: format!("{left_out} more problems are not listed"),
                help: Some("cure those above first".to_owned()),
            });
        }
        self.kept
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
