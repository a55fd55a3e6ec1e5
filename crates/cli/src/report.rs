//! Problems as compilers print them: `file:line:column: error[W0101]: message`, the line and carets, the cure.
//!
//! Owns the wording and the colours. Never decides where it is printed.

use std::io::{IsTerminal, stderr};

use clap::ValueEnum;
use weevil_api::DiagnosticView;
use weevil_client::Refused;

use crate::files::OnDisk;
use crate::inert::{Inert, complain};
use crate::snippet::{Snippet, Span, snippet};
use crate::terminal::plain;

const ERROR: &str = "1;31";
const WARNING: &str = "1;33";
const GUTTER: &str = "34";
const HELP: &str = "36";

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Colour {
    /// On a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`.
    Auto,
    Always,
    Never,
}

/// What a place to print on can take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Style {
    /// For people: with the line that is meant.
    pub(crate) lines: bool,
    pub(crate) colour: bool,
}

impl Style {
    pub(crate) fn of(place: &impl IsTerminal, wanted: Colour) -> Self {
        let terminal = place.is_terminal();
        let colour = match wanted {
            Colour::Auto => terminal && !plain(),
            Colour::Always => true,
            Colour::Never => false,
        };
        Self { lines: terminal || colour, colour }
    }

    fn paint(self, code: &'static str, text: Inert) -> Inert {
        if self.colour { text.painted(code) } else { text }
    }
}

/// Prints problems beside what a command prints.
pub(crate) fn tell(found: &[DiagnosticView], files: &OnDisk) {
    complain(&report(found, files, Style::of(&stderr(), Colour::Auto)));
}

/// Prints what is wrong with a workflow that was refused; the rest is for the caller to say.
pub(crate) fn told(refused: Refused, files: &OnDisk) -> String {
    tell(&refused.diagnostics, files);
    refused.message
}

/// All problems of the files, each ended by a line end.
pub(crate) fn report(found: &[DiagnosticView], files: &OnDisk, style: Style) -> Inert {
    found.iter().map(|found| problem(found, files, style)).collect()
}

fn problem(found: &DiagnosticView, files: &OnDisk, style: Style) -> Inert {
    let place = format!("{}:{}:{}", files.shown(&found.file), found.line, found.column);
    let kind = Inert::line(&format!("{}[{}]", found.severity, found.code));
    let kind = style.paint(severity(found), kind);
    let head = Inert::fill("{}: {}: {}\n", &[&Inert::line(&place), &kind, &Inert::line(&found.message)]);
    let text = files.text(&found.file).filter(|_| style.lines);
    let meant = text.and_then(|text| snippet(text, span(found))).map(|shown| lines(found, shown, style));
    let help = found.help.as_deref().map(|help| {
        let word = style.paint(HELP, Inert::line("help"));
        Inert::fill("    {}: {}\n", &[&word, &Inert::line(help)])
    });
    [Some(head), meant, help].into_iter().flatten().collect()
}

/// The line that is meant, and the carets below it.
fn lines(found: &DiagnosticView, Snippet { line, carets }: Snippet, style: Style) -> Inert {
    let number = found.line.to_string();
    let gap = Inert::line(&" ".repeat(number.len()));
    let numbered = style.paint(GUTTER, Inert::line(&format!("{number} |")));
    let bar = style.paint(GUTTER, Inert::line("|"));
    let carets = style.paint(severity(found), Inert::line(&carets));
    Inert::fill("  {} {}\n  {} {} {}\n", &[&numbered, &Inert::line(&line), &gap, &bar, &carets])
}

fn severity(found: &DiagnosticView) -> &'static str {
    if found.severity == "error" { ERROR } else { WARNING }
}

fn span(found: &DiagnosticView) -> Span {
    let DiagnosticView { line, column, end_line, end_column, .. } = *found;
    Span { line, column, end_line, end_column }
}

/// `2 errors, 1 warning`
pub(crate) fn summary(errors: usize, warnings: usize) -> String {
    let count = |number: usize, what: &str| match number {
        0 => None,
        1 => Some(format!("1 {what}")),
        _ => Some(format!("{number} {what}s")),
    };
    let counts: Vec<_> = [count(errors, "error"), count(warnings, "warning")].into_iter().flatten().collect();
    if counts.is_empty() { "no problems".to_owned() } else { counts.join(", ") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(help: Option<&str>) -> DiagnosticView {
        DiagnosticView {
            code: "W0136".into(),
            severity: "error".into(),
            file: "workflow.xml".into(),
            line: 2,
            column: 3,
            end_line: 2,
            end_column: 6,
            message: "no file".into(),
            help: help.map(str::to_owned),
        }
    }

    #[test]
    fn the_same_problem_for_people_and_for_pipes() {
        let folder = tempfile::TempDir::new().unwrap();
        std::fs::write(folder.path().join("workflow.xml"), "<a>\n\t<job/>").unwrap();
        let files = OnDisk::read(folder.path()).unwrap();
        let path = files.shown("workflow.xml");
        for (lines, colour, expected) in [
            (false, false, format!("{path}:2:3: error[W0136]: no file\n    help: add it\n")),
            (
                true,
                false,
                format!(
                    "{path}:2:3: error[W0136]: no file\n  2 |     <job/>\n    |      ^^^\n    help: add it\n"
                ),
            ),
            (
                true,
                true,
                format!(
                    "{path}:2:3: \x1b[1;31merror[W0136]\x1b[0m: no file\n  \x1b[34m2 |\x1b[0m     <job/>\n    \
                     \x1b[34m|\x1b[0m \x1b[1;31m     ^^^\x1b[0m\n    \x1b[36mhelp\x1b[0m: add it\n"
                ),
            ),
        ] {
            assert_eq!(report(&[found(Some("add it"))], &files, Style { lines, colour }).as_str(), expected);
        }
        let elsewhere = DiagnosticView { file: "gone.js".into(), ..found(None) };
        let told = report(&[elsewhere], &files, Style { lines: true, colour: false });
        assert_eq!(told.as_str().lines().count(), 1, "{told:?}");
    }

    #[test]
    fn the_summary_counts() {
        for (errors, warnings, expected) in
            [(0, 0, "no problems"), (1, 0, "1 error"), (0, 1, "1 warning"), (2, 3, "2 errors, 3 warnings")]
        {
            assert_eq!(summary(errors, warnings), expected);
        }
    }
}
