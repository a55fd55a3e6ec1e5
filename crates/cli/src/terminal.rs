//! What a place to print on can take: colour and bars, and how many columns.
//!
//! Never prints.

use std::ffi::OsStr;
use std::io::{IsTerminal, stderr, stdout};

use rustix::termios::tcgetwinsize;

/// Whether nothing but plain text is wanted, whatever the place (<https://no-color.org>; terminfo's `dumb` moves no cursor).
pub fn plain() -> bool {
    let variable = |name: &str| std::env::var_os(name);
    plain_by(variable("NO_COLOR").as_deref(), variable("TERM").as_deref())
}

fn plain_by(no_color: Option<&OsStr>, term: Option<&OsStr>) -> bool {
    no_color.is_some_and(|value| !value.is_empty()) || is_dumb(term)
}

/// Whether the terminal moves no cursor. One whose owner wants no colour may still be drawn on.
pub(crate) fn dumb() -> bool {
    is_dumb(std::env::var_os("TERM").as_deref())
}

fn is_dumb(term: Option<&OsStr>) -> bool {
    term.is_some_and(|term| term == "dumb")
}

/// Whether a bar may move on stderr beside what goes to stdout.
pub(crate) fn bars(json: bool) -> bool {
    !json && stderr().is_terminal() && !plain()
}

/// Columns and rows of the terminal that stdout is; `None` for another place, and for a terminal that does not know.
pub(crate) fn size() -> Option<(u16, u16)> {
    let size = tcgetwinsize(stdout()).ok()?;
    (size.ws_col > 0 && size.ws_row > 0).then_some((size.ws_col, size.ws_row))
}

/// Its columns; where there are none, nothing needs to be cut.
pub(crate) fn columns() -> Option<usize> {
    size().map(|(columns, _)| columns.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_is_what_either_variable_asks_for() {
        for (no_color, term, plain) in [
            (None, None, false),
            (None, Some("xterm"), false),
            (Some(""), Some("xterm"), false),
            (Some("1"), Some("xterm"), true),
            (Some("0"), None, true),
            (None, Some("dumb"), true),
        ] {
            assert_eq!(
                plain_by(no_color.map(OsStr::new), term.map(OsStr::new)),
                plain,
                "{no_color:?} {term:?}"
            );
        }
    }
}
