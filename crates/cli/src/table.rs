//! Lines of columns: as wide as their widest cell, and cut where a terminal ends.
//!
//! Never prints; cells are strangers' text and stay on their line.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use crate::inert::one_line;

/// Stands where the rest of a cell was.
const CUT: char = '…';

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Side {
    Left,
    Right,
}

/// A heading and rows; the last column takes what is left of the line.
#[derive(Debug)]
pub(crate) struct Table<const COLUMNS: usize> {
    heads: [(&'static str, Side); COLUMNS],
    rows: Vec<[String; COLUMNS]>,
}

impl<const COLUMNS: usize> Table<COLUMNS> {
    pub(crate) const fn new(heads: [(&'static str, Side); COLUMNS]) -> Self {
        Self { heads, rows: Vec::new() }
    }

    pub(crate) fn row(&mut self, cells: [String; COLUMNS]) {
        self.rows.push(cells.map(|cell| one_line(&cell)));
    }

    /// For a terminal of so many columns with the heading, else for a program: without it, and nothing cut.
    pub(crate) fn lines(&self, columns: Option<usize>) -> Vec<String> {
        let heads = self.heads.map(|(head, _)| head.to_owned());
        let rows: Vec<&[String; COLUMNS]> =
            columns.map(|_| &heads).into_iter().chain(self.rows.iter()).collect();
        let widest = |at: usize| rows.iter().map(|row| row[at].width()).max().unwrap_or_default();
        let widths: Vec<usize> = (0..COLUMNS).map(widest).collect();
        rows.iter().map(|row| cut(&self.line(row, &widths), columns)).collect()
    }

    fn line(&self, row: &[String; COLUMNS], widths: &[usize]) -> String {
        let cells = row.iter().zip(&self.heads).zip(widths).map(|((cell, (_, side)), width)| {
            let gap = " ".repeat(width.saturating_sub(cell.width()));
            match side {
                Side::Left => cell.clone() + &gap,
                Side::Right => gap + cell,
            }
        });
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    }
}

/// The beginning that fits.
pub(crate) fn cut(line: &str, columns: Option<usize>) -> String {
    let Some(columns) = columns.filter(|columns| line.width() > *columns) else { return line.to_owned() };
    let mut width = 1;
    let fits = |letter: &char| {
        width += letter.width().unwrap_or_default();
        width <= columns
    };
    line.chars().take_while(fits).chain([CUT]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_stand_below_each_other_and_end_with_the_terminal() {
        let mut table = Table::new([("name", Side::Left), ("n", Side::Right), ("what", Side::Left)]);
        table.row(["a".into(), "1".into(), "short".into()]);
        table.row(["漢字x".into(), "1234".into(), "a longer one\u{1b}[31m".into()]);
        for (columns, expected) in [
            (None, &["a         1  short", "漢字x  1234  a longer one\u{FFFD}[31m"][..]),
            (Some(80), &["name      n  what", "a         1  short", "漢字x  1234  a longer one\u{FFFD}[31m"]),
            (Some(16), &["name      n  wh…", "a         1  sh…", "漢字x  1234  a …"]),
        ] {
            assert_eq!(table.lines(columns), expected, "{columns:?}");
        }
    }

    #[test]
    fn a_wide_letter_is_not_halved() {
        for (line, columns, expected) in [
            ("漢字漢", 6, "漢字漢"),
            ("漢字漢", 5, "漢字…"),
            ("漢字漢", 4, "漢…"),
            ("abc", 1, "…"),
            ("", 0, ""),
        ] {
            assert_eq!(cut(line, Some(columns)), expected, "{line} {columns}");
        }
    }
}
