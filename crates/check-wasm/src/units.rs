//! From places in UTF-8, which Rust counts in, to places in UTF-16, which editors in browsers count in, and back.

/// The places of one text.
pub(crate) enum Units {
    /// Both count the same.
    Ascii,
    /// For each byte the units before it, and for the end of the text all of them.
    Wide(Vec<u32>),
}

impl Units {
    pub(crate) fn new(text: &str) -> Self {
        if text.is_ascii() {
            return Self::Ascii;
        }
        let mut before = 0;
        let mut table = Vec::with_capacity(text.len() + 1);
        for letter in text.chars() {
            table.extend(std::iter::repeat_n(before, letter.len_utf8()));
            before += if u32::from(letter) > 0xFFFF { 2 } else { 1 };
        }
        table.push(before);
        Self::Wide(table)
    }

    /// Units before this byte.
    pub(crate) fn at(&self, byte: usize) -> u32 {
        match self {
            Self::Ascii => u32::try_from(byte).unwrap_or(u32::MAX),
            Self::Wide(table) => table.get(byte).or(table.last()).copied().unwrap_or_default(),
        }
    }

    /// The first byte with this many units before it.
    pub(crate) fn byte(&self, unit: u32) -> usize {
        match self {
            Self::Ascii => unit as usize,
            Self::Wide(table) => table.partition_point(|before| *before < unit),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_lead_there_and_back() {
        for (text, byte, unit) in
            [("", 0, 0), ("ab", 1, 1), ("éb", 2, 1), ("é😀b", 6, 3), ("é😀b", 7, 4), ("€", 3, 1)]
        {
            let units = Units::new(text);
            assert_eq!((units.at(byte), units.byte(unit)), (unit, byte), "{text} {byte}");
        }
    }
}
