//! Reads a module's bytes piece by piece (WebAssembly Core Specification, 5).
//!
//! Checks only that they do not end too soon. Knows no section's meaning.

/// The bytes end too soon, or hold what no module has there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Unreadable;

pub(crate) type Read<T> = Result<T, Unreadable>;

/// Bytes of the longest number, of 64 bits.
const MAX_NUMBER_BYTES: u32 = 10;

#[derive(Debug, Clone, Copy)]
pub(crate) struct Reader<'b>(&'b [u8]);

impl<'b> Reader<'b> {
    pub(crate) const fn new(bytes: &'b [u8]) -> Self {
        Self(bytes)
    }

    pub(crate) const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn byte(&mut self) -> Read<u8> {
        let (first, rest) = self.0.split_first().ok_or(Unreadable)?;
        self.0 = rest;
        Ok(*first)
    }

    /// The next bytes alone.
    pub(crate) fn part(&mut self, bytes: usize) -> Read<Self> {
        let (part, rest) = self.0.split_at_checked(bytes).ok_or(Unreadable)?;
        self.0 = rest;
        Ok(Self(part))
    }

    pub(crate) fn skip(&mut self, bytes: usize) -> Read<()> {
        self.part(bytes).map(drop)
    }

    /// An unsigned number of 32 bits.
    pub(crate) fn number(&mut self) -> Read<usize> {
        let number = u32::try_from(self.leb()?.bits).map_err(|_| Unreadable)?;
        usize::try_from(number).map_err(|_| Unreadable)
    }

    /// A number of any kind whose value does not matter.
    pub(crate) fn skip_number(&mut self) -> Read<()> {
        self.leb().map(drop)
    }

    /// The index of a type where one stands; nothing for the types that have a negative number.
    pub(crate) fn type_index(&mut self) -> Read<Option<usize>> {
        let mut ahead = *self;
        let is_negative = ahead.leb()?.is_negative;
        if is_negative {
            *self = ahead;
            return Ok(None);
        }
        self.number().map(Some)
    }

    /// LEB128.
    fn leb(&mut self) -> Read<Leb> {
        let mut bits = 0;
        for group in 0..MAX_NUMBER_BYTES {
            let byte = self.byte()?;
            bits |= u64::from(byte & 0x7f).checked_shl(7 * group).unwrap_or(0);
            if byte < 0x80 {
                return Ok(Leb { bits, is_negative: byte & 0x40 != 0 });
            }
        }
        Err(Unreadable)
    }
}

struct Leb {
    bits: u64,
    /// Whether it is below zero where it has a sign.
    is_negative: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_up_to_their_last_group() {
        for (bytes, number, left) in [
            (&[0x00][..], Ok(0), 0),
            (&[0x7f, 1], Ok(127), 1),
            (&[0x80, 0x01], Ok(128), 0),
            (&[0x80, 0x80, 0x00], Ok(0), 0),
            (&[0xff, 0xff, 0xff, 0xff, 0x0f], Ok(0xffff_ffff), 0),
            (&[0xff, 0xff, 0xff, 0xff, 0x1f], Err(Unreadable), 0),
            (&[0x80; 10], Err(Unreadable), 0),
            (&[0x80], Err(Unreadable), 0),
            (&[], Err(Unreadable), 0),
        ] {
            let mut reader = Reader::new(bytes);
            assert_eq!((reader.number(), reader.0.len()), (number, left), "{bytes:x?}");
        }
    }

    #[test]
    fn types_are_indices_or_have_a_negative_number() {
        for (bytes, index) in [
            (&[0x40][..], Ok(None)),
            (&[0x7f], Ok(None)),
            (&[0x05], Ok(Some(5))),
            (&[0xc0, 0x00], Ok(Some(64))),
            (&[], Err(Unreadable)),
        ] {
            let mut reader = Reader::new(bytes);
            assert_eq!((reader.type_index(), reader.is_empty()), (index, true), "{bytes:x?}");
        }
    }
}
