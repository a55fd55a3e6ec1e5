//! From a byte offset to line and column, the same for `\n`, `\r\n` and `\r` line ends.
//!
//! Keeps one checkpoint per block of text, not one per line: a document of nothing but line ends costs no memory.

use std::ops::Range;

const BLOCK: usize = 4096;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Place {
    /// From 1.
    pub(crate) line: u32,
    /// From 1, in characters.
    pub(crate) column: u32,
}

const START: Place = Place { line: 1, column: 1 };

#[derive(Debug)]
pub(crate) struct Places<'t> {
    text: &'t [u8],
    /// The place of each block's first byte.
    blocks: Vec<Place>,
}

impl<'t> Places<'t> {
    pub(crate) fn new(text: &'t str) -> Self {
        let text = text.as_bytes();
        let mut blocks = vec![START];
        let mut place = START;
        for start in (0..text.len()).step_by(BLOCK) {
            place = advance(text, start, start + BLOCK, place);
            blocks.push(place);
        }
        Self { text, blocks }
    }

    pub(crate) fn place(&self, offset: usize) -> Place {
        let block = offset / BLOCK;
        let known = self.blocks.get(block).copied().unwrap_or(START);
        advance(self.text, block * BLOCK, offset, known)
    }

    /// The character at an offset; nothing at the end of the text.
    pub(crate) fn letter(&self, offset: usize) -> Range<usize> {
        let bytes = self.text.get(offset..).unwrap_or_default();
        let more = bytes.iter().skip(1).take_while(|byte| continues_character(**byte)).count();
        offset..offset + bytes.len().min(1 + more)
    }

    pub(crate) fn line(&self, offset: usize) -> u32 {
        self.place(offset).line
    }
}

/// A byte of UTF-8 that begins no character.
const fn continues_character(byte: u8) -> bool {
    byte & 0b1100_0000 == 0b1000_0000
}

fn advance(text: &[u8], from: usize, to: usize, start: Place) -> Place {
    let to = to.min(text.len());
    (from..to).fold(start, |place, at| {
        let ends_line = match text[at] {
            b'\n' => true,
            b'\r' => text.get(at + 1) != Some(&b'\n'),
            _ => false,
        };
        if ends_line {
            Place { line: place.line + 1, column: 1 }
        } else if continues_character(text[at]) {
            place
        } else {
            Place { column: place.column + 1, ..place }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_exact_for_every_line_end_and_width() {
        for (text, offset, line, column) in [
            ("", 0, 1, 1),
            ("ab", 2, 1, 3),
            ("a\nb", 2, 2, 1),
            ("a\r\nb", 3, 2, 1),
            ("a\r\nb", 2, 1, 3),
            ("a\rb", 2, 2, 1),
            ("\r\n\r\n\tx", 5, 3, 2),
            ("é😀x", 6, 1, 3),
        ] {
            assert_eq!(Places::new(text).place(offset), Place { line, column }, "{text:?} {offset}");
        }
    }

    #[test]
    fn blocks_change_nothing() {
        let text = "äb\r\n".repeat(5000);
        let places = Places::new(&text);
        for line in [0, 818, 819, 820, 1638, 4999] {
            let column_two = line * 5 + 2;
            assert_eq!(places.place(column_two).line, u32::try_from(line).unwrap() + 1);
            assert_eq!(places.place(column_two).column, 2);
        }
    }
}
