//! The line of a text that a problem is about, and carets below what is meant. Text in, text out.
//!
//! Safe to print: control characters, which a terminal would obey, are replaced. Never reads files, never colours.

use unicode_width::UnicodeWidthChar;

use crate::inert::is_obeyed;

/// Columns of a terminal that a line may fill; a longer one is cut around what is meant.
const WIDTH: usize = 100;
/// Columns that stay in front of what is meant when a line is cut.
const LEAD: usize = 30;
const TAB: &str = "    ";
const CUT: &str = "…";

/// From 1, columns in characters; the end is exclusive. As in a `Diagnostic`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Span {
    pub(crate) line: u32,
    pub(crate) column: u32,
    pub(crate) end_line: u32,
    pub(crate) end_column: u32,
}

/// Two lines of equal indentation.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Snippet {
    pub(crate) line: String,
    pub(crate) carets: String,
}

/// The first line of the span; `None` where the text has no such line.
pub(crate) fn snippet(text: &str, span: Span) -> Option<Snippet> {
    let text = text.strip_prefix('\u{FEFF}').unwrap_or(text);
    let cells: Vec<Cell> = line(text, index(span.line)?)?.chars().map(Cell::of).collect();
    let start = index(span.column)?.min(cells.len());
    let last = if span.end_line > span.line { cells.len() } else { index(span.end_column)? };
    let end = last.clamp(start, cells.len());
    let shown = window(&cells, start);
    let marked = &cells[start..end.min(shown.end).max(start)];
    let head = if shown.start > 0 { CUT } else { "" };
    let tail = if shown.end < cells.len() { CUT } else { "" };
    let before = head.chars().count() + width(&cells[shown.start..start]);
    let carets = width(marked).max(1);
    let middle: String = cells[shown].iter().map(|cell| cell.text.as_str()).collect();
    Some(Snippet {
        line: format!("{head}{middle}{tail}").trim_end().to_owned(),
        carets: format!("{}{}", " ".repeat(before), "^".repeat(carets)),
    })
}

/// From what people count to what slices count.
fn index(number: u32) -> Option<usize> {
    usize::try_from(number).ok()?.checked_sub(1)
}

/// A line without its end, which is `\n`, `\r\n` or `\r`.
fn line(text: &str, number: usize) -> Option<&str> {
    let mut rest = text;
    for _ in 0..number {
        let end = rest.find(['\n', '\r'])?;
        let width = if rest[end..].starts_with("\r\n") { 2 } else { 1 };
        rest = &rest[end + width..];
    }
    rest.split(['\n', '\r']).next()
}

/// One character as it is shown.
struct Cell {
    text: String,
    width: usize,
}

impl Cell {
    fn of(letter: char) -> Self {
        match letter {
            '\t' => Self { text: TAB.to_owned(), width: TAB.len() },
            _ if is_obeyed(letter) => Self { text: '\u{FFFD}'.to_string(), width: 1 },
            _ => Self { text: letter.to_string(), width: letter.width().unwrap_or(0) },
        }
    }
}

fn width(cells: &[Cell]) -> usize {
    cells.iter().map(|cell| cell.width).sum()
}

/// The cells that are shown: all, or as many as fit around `start`.
fn window(cells: &[Cell], start: usize) -> std::ops::Range<usize> {
    if width(cells) <= WIDTH {
        return 0..cells.len();
    }
    let mut room = LEAD;
    let fits = |room: &mut usize, cell: &Cell| {
        let left = room.checked_sub(cell.width);
        *room = left.unwrap_or(0);
        left.is_some()
    };
    let before = cells[..start].iter().rev().take_while(|cell| fits(&mut room, cell)).count();
    room = WIDTH;
    let from = start - before;
    let shown = cells[from..].iter().take_while(|cell| fits(&mut room, cell)).count();
    from..from + shown
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(line: u32, column: u32, end_line: u32, end_column: u32) -> Span {
        Span { line, column, end_line, end_column }
    }

    #[test]
    fn carets_stand_below_what_is_meant() {
        for (text, span, line, carets) in [
            ("one\ntwo three\n", at(2, 5, 2, 10), "two three", "    ^^^^^"),
            ("one\r\ntwo", at(2, 1, 2, 4), "two", "^^^"),
            ("one\rtwo\r", at(2, 2, 2, 2), "two", " ^"),
            ("\ta\tb", at(1, 4, 1, 5), "    a    b", "         ^"),
            ("\ta", at(1, 1, 1, 2), "    a", "^^^^"),
            ("漢字 x 🐛", at(1, 4, 1, 5), "漢字 x 🐛", "     ^"),
            ("漢字", at(1, 1, 1, 3), "漢字", "^^^^"),
            ("e\u{301}x", at(1, 3, 1, 4), "e\u{301}x", " ^"),
            ("\u{FEFF}abc", at(1, 1, 1, 4), "abc", "^^^"),
            ("a\u{1b}[31mb", at(1, 2, 1, 3), "a\u{FFFD}[31mb", " ^"),
            ("<edge\n  x/>", at(1, 2, 2, 6), "<edge", " ^^^^"),
            ("end", at(1, 4, 1, 4), "end", "   ^"),
            ("end\n", at(2, 1, 2, 1), "", "^"),
            ("short", at(1, 90, 1, 99), "short", "     ^"),
            ("short", at(1, 4, 1, 2), "short", "   ^"),
        ] {
            let expected = Snippet { line: line.to_owned(), carets: carets.to_owned() };
            assert_eq!(snippet(text, span), Some(expected), "{text:?} {span:?}");
        }
        for (text, span) in [("one", at(2, 1, 2, 1)), ("one", at(0, 1, 0, 1)), ("one", at(1, 0, 1, 0))] {
            assert_eq!(snippet(text, span), None, "{text:?} {span:?}");
        }
    }

    #[test]
    fn long_lines_are_cut_around_what_is_meant() {
        let text = format!("{}<bad>{}", "a".repeat(500), "b".repeat(500));
        let found = snippet(&text, at(1, 502, 1, 505)).unwrap();
        assert_eq!(found.line, format!("…{}<bad>{}…", "a".repeat(29), "b".repeat(66)));
        assert_eq!(found.carets, format!("{}^^^", " ".repeat(31)));
        let start = snippet(&text, at(1, 1, 1, 1000)).unwrap();
        assert_eq!((start.line, start.carets.len()), (format!("{}…", "a".repeat(100)), 100));
        let end = snippet(&text, at(1, 1006, 1, 1006)).unwrap();
        assert_eq!((end.line, end.carets.len()), (format!("…{}", "b".repeat(30)), 32));
    }
}
