//! Passes over instructions one by one (WebAssembly Core Specification, 5.4), to know where blocks begin and end and how often
//! values are carried from one place to another.
//!
//! Types are the engine's business: whatever is read rightly here only has to be right for modules that the engine takes.

use crate::reader::{Read, Reader, Unreadable};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Instruction {
    /// `block`, `loop` and `if`, with the index of their type where it has one.
    Begin(Option<usize>),
    End,
    /// Goes on elsewhere and takes values along.
    Branch,
    Other,
}

/// The next instruction, with all that belongs to it.
pub(crate) fn instruction(from: &mut Reader<'_>) -> Read<Instruction> {
    match from.byte()? {
        0x02..=0x04 => return from.type_index().map(Instruction::Begin),
        0x0b => return Ok(Instruction::End),
        0x05 | 0x0f => return Ok(Instruction::Branch),
        0x0c | 0x0d => return from.skip_number().map(|()| Instruction::Branch),
        0x0e => return branch_table(from),
        0x00 | 0x01 | 0x1a | 0x1b | 0x45..=0xc4 | 0xd1 => {}
        // Calls, variables, tables, constants, references: one number.
        0x10 | 0x12 | 0x20..=0x26 | 0x3f..=0x42 | 0xd0 | 0xd2 => from.skip_number()?,
        0x11 | 0x13 | 0x28..=0x3e => numbers(from, 2)?,
        0x1c => {
            let types = from.number()?;
            from.skip(types)?;
        }
        0x43 => from.skip(4)?,
        0x44 => from.skip(8)?,
        0xfc => bulk(from)?,
        0xfd => vector(from)?,
        _ => return Err(Unreadable),
    }
    Ok(Instruction::Other)
}

fn numbers(from: &mut Reader<'_>, many: usize) -> Read<()> {
    (0..many).try_for_each(|_| from.skip_number())
}

fn branch_table(from: &mut Reader<'_>) -> Read<Instruction> {
    let targets = from.number()?;
    numbers(from, targets)?;
    from.skip_number().map(|()| Instruction::Branch)
}

/// Saturating conversions, and instructions on whole memories and tables.
fn bulk(from: &mut Reader<'_>) -> Read<()> {
    match from.number()? {
        0..=7 => Ok(()),
        8 | 10 | 12 | 14 => numbers(from, 2),
        9 | 11 | 13 | 15..=17 => numbers(from, 1),
        _ => Err(Unreadable),
    }
}

/// Instructions on vectors of 128 bits.
fn vector(from: &mut Reader<'_>) -> Read<()> {
    match from.number()? {
        0..=11 | 92 | 93 => numbers(from, 2),
        12 | 13 => from.skip(16),
        21..=34 => from.skip(1),
        84..=91 => {
            numbers(from, 2)?;
            from.skip(1)
        }
        14..=20 | 35..=83 | 94..=255 => Ok(()),
        _ => Err(Unreadable),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_instruction_ends_where_the_next_begins() {
        use Instruction::{Begin, Branch, End, Other};
        for (bytes, read) in [
            (&[0x02, 0x40][..], Begin(None)),
            (&[0x03, 0x05], Begin(Some(5))),
            (&[0x04, 0x7b], Begin(None)),
            (&[0x05], Branch),
            (&[0x0b], End),
            (&[0x0c, 0x80, 0x01], Branch),
            (&[0x0e, 0x02, 1, 2, 3], Branch),
            (&[0x0f], Branch),
            (&[0x10, 0x07], Other),
            (&[0x11, 0x07, 0x00], Other),
            (&[0x1c, 0x01, 0x7f], Other),
            (&[0x28, 0x02, 0x80, 0x02], Other),
            (&[0x40, 0x00], Other),
            (&[0x42, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x00], Other),
            (&[0x44, 0x0b, 0x0b, 0x0b, 0x0b, 0x0b, 0x0b, 0x0b, 0x0b], Other),
            (&[0xc4], Other),
            (&[0xd0, 0x70], Other),
            (&[0xfc, 0x07], Other),
            (&[0xfc, 0x0a, 0, 0], Other),
            (&[0xfc, 0x0b, 0], Other),
            (&[0xfd, 0x00, 0x04, 0x10], Other),
            (&[0xfd, 0x0c, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16], Other),
            (&[0xfd, 0x15, 0x03], Other),
            (&[0xfd, 0x54, 0x00, 0x10, 0x03], Other),
            (&[0xfd, 0xae, 0x01], Other),
        ] {
            let mut reader = Reader::new(bytes);
            assert_eq!((instruction(&mut reader), reader.is_empty()), (Ok(read), true), "{bytes:x?}");
        }
    }

    #[test]
    fn what_uploads_refuse_is_unreadable() {
        for bytes in [
            &[0x06, 0x40][..],
            &[0x08, 0x00],
            &[0x14, 0x00],
            &[0xfb, 0x00],
            &[0xfc, 0x12],
            &[0xfd, 0x80, 0x02],
            &[0xfe, 0x10, 0x02, 0x00],
            &[0x41],
            &[],
        ] {
            assert_eq!(instruction(&mut Reader::new(bytes)), Err(Unreadable), "{bytes:x?}");
        }
    }
}
