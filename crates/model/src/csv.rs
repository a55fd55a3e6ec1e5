//! A value as a table (RFC 4180) in pieces, from its bytes: as much memory as a piece and the names of the columns.
//!
//! Numbers are written as JavaScript writes them, texts always in quotes, so that `NaN` and `"NaN"` stay apart; a text that a
//! spreadsheet would take for a formula has a `'` in front. `web/src/console/viewer/csv.ts` writes the same. Never makes the value.

use std::collections::HashMap;
use std::io::Write as _;
use std::sync::Arc;

use minicbor::Decoder;
use minicbor::data::Type;
use minicbor::decode::Error as DecodeError;

use crate::encoded::{Encoded, EncodedError, malformed};
use crate::number_text::write_number_text;
use crate::types::TypedArrayKind;
use crate::value::{indefinite, read_integer, typed_bytes};

/// Columns of one table at most.
pub const MAX_COLUMNS: usize = 16_384;
/// Bytes behind which a piece ends with its row.
const PIECE_BYTES: usize = 64 * 1024;
/// The name of the only column.
const ONLY: &str = "value";
/// RFC 4180, section 2.
const LINE_END: &[u8] = b"\r\n";
/// A table may have so many times the cells that its objects have properties: the others are empty.
const MAX_SPREAD: u64 = 2;

/// Why a value is no table.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoTable {
    #[error("an object is no table")]
    Object,
    #[error("one of its cells would hold an array or an object")]
    Nested,
    #[error("its rows have different lengths")]
    Uneven,
    #[error("its objects have little in common")]
    Unlike,
    #[error("it would have more than {MAX_COLUMNS} columns")]
    Wide,
    #[error(transparent)]
    Value(#[from] EncodedError),
}

impl From<DecodeError> for NoTable {
    fn from(error: DecodeError) -> Self {
        Self::Value(malformed(error))
    }
}

#[derive(Debug, Clone)]
enum Layout {
    /// One column of these, or of one value alone.
    Column,
    /// One column of a typed array's elements.
    Elements(TypedArrayKind),
    /// Each row is an array, typed or not.
    Rows(u64),
    /// Each row is an object with some of these names.
    Records(Arc<HashMap<String, usize>>),
}

/// What is left of a table. Each piece is UTF-8 by itself, and ends with a row.
#[derive(Debug, Clone)]
pub struct CsvPieces {
    whole: Encoded,
    layout: Layout,
    /// Into the bytes.
    at: usize,
    /// Rows.
    left: u64,
    has_begun: bool,
    /// Bytes that may still come.
    room: u64,
}

impl CsvPieces {
    /// Looks over all of it first: behind this nothing can fail.
    ///
    /// # Errors
    /// The value is no table.
    pub fn of(whole: &Encoded) -> Result<Self, NoTable> {
        let mut from = Decoder::new(whole.as_bytes());
        let (layout, left) = match from.datatype()? {
            Type::Map => return Err(NoTable::Object),
            Type::Tag => {
                let (kind, elements) = typed_bytes(&mut from)?;
                from.set_position(from.position() - elements.len());
                (Layout::Elements(kind), (elements.len() / kind.width()) as u64)
            }
            Type::Array => {
                let rows = from.array()?.ok_or_else(indefinite)?;
                (layout(from.clone(), rows)?, rows)
            }
            _ => (Layout::Column, 1),
        };
        let at = from.position();
        Ok(Self { whole: whole.clone(), layout, at, left, has_begun: false, room: u64::MAX })
    }

    /// Bytes of all that is left.
    pub fn bytes(&self) -> u64 {
        self.clone().map(|piece| piece.len() as u64).sum()
    }

    /// As many whole rows as fit into so many bytes.
    #[must_use]
    pub fn within(self, room: u64) -> Self {
        Self { room, ..self }
    }

    fn write_head(&self, to: &mut Vec<u8>) {
        match &self.layout {
            Layout::Column | Layout::Elements(_) => to.extend_from_slice(ONLY.as_bytes()),
            Layout::Rows(width) => cells(0..*width, to, write),
            Layout::Records(names) => {
                let mut names: Vec<_> = names.iter().collect();
                names.sort_unstable_by_key(|(_, column)| **column);
                cells(names, to, |(name, _), to| write_text(name, to));
            }
        }
        to.extend_from_slice(LINE_END);
    }

    fn write_row(&mut self, to: &mut Vec<u8>) -> Result<(), DecodeError> {
        let mut from = Decoder::new(self.whole.as_bytes());
        from.set_position(self.at);
        match &self.layout {
            Layout::Column => write_cell(&mut from, to)?,
            Layout::Elements(kind) => {
                let end = self.at + kind.width();
                write_element(*kind, &self.whole.as_bytes()[self.at..end], to);
                from.set_position(end);
            }
            Layout::Rows(_) => write_cells(&mut from, to)?,
            Layout::Records(names) => write_record(&mut from, names, to)?,
        }
        to.extend_from_slice(LINE_END);
        self.at = from.position();
        self.left -= 1;
        Ok(())
    }

    /// Takes what was written behind `before` back where there is no room for it, and ends there.
    fn fits(&mut self, piece: &mut Vec<u8>, before: usize) -> bool {
        let written = (piece.len() - before) as u64;
        if let Some(room) = self.room.checked_sub(written) {
            self.room = room;
            return true;
        }
        piece.truncate(before);
        self.left = 0;
        false
    }
}

impl Iterator for CsvPieces {
    type Item = Vec<u8>;

    fn next(&mut self) -> Option<Vec<u8>> {
        let mut piece = Vec::new();
        if !self.has_begun {
            self.has_begun = true;
            self.write_head(&mut piece);
            self.fits(&mut piece, 0);
        }
        while self.left > 0 && piece.len() < PIECE_BYTES {
            let before = piece.len();
            self.write_row(&mut piece).ok()?;
            self.fits(&mut piece, before);
        }
        Some(piece).filter(|piece| !piece.is_empty())
    }
}

/// That of an array with so many elements, which come next.
fn layout(mut from: Decoder<'_>, rows: u64) -> Result<Layout, NoTable> {
    if rows == 0 {
        return Ok(Layout::Column);
    }
    match from.datatype()? {
        Type::Map => records(from, rows),
        Type::Array | Type::Tag => {
            let width = width(&mut from)?;
            (1..rows).try_for_each(|_| {
                if self::width(&mut from)? == width { Ok(()) } else { Err(NoTable::Uneven) }
            })?;
            Ok(Layout::Rows(width))
        }
        _ => (0..rows).try_for_each(|_| pass_cell(&mut from)).map(|()| Layout::Column),
    }
}

/// Goes on behind a row, and answers its length.
fn width(from: &mut Decoder<'_>) -> Result<u64, NoTable> {
    let width = match from.datatype()? {
        Type::Tag => typed_bytes(from).map(|(kind, bytes)| (bytes.len() / kind.width()) as u64)?,
        Type::Array => {
            let width = from.array()?.ok_or_else(indefinite)?;
            (0..width).try_for_each(|_| pass_cell(from))?;
            width
        }
        _ => return Err(NoTable::Uneven),
    };
    if width > MAX_COLUMNS as u64 { Err(NoTable::Wide) } else { Ok(width) }
}

/// Columns in the order in which their names come first.
fn records(mut from: Decoder<'_>, rows: u64) -> Result<Layout, NoTable> {
    let (mut names, mut entries) = (HashMap::new(), 0_u64);
    for _ in 0..rows {
        if from.datatype()? != Type::Map {
            return Err(NoTable::Unlike);
        }
        let here = from.map()?.ok_or_else(indefinite)?;
        for _ in 0..here {
            let (name, next) = (from.str()?, names.len());
            if !names.contains_key(name) {
                names.insert(name.to_owned(), next);
            }
            pass_cell(&mut from)?;
        }
        entries += here;
        if names.len() > MAX_COLUMNS {
            return Err(NoTable::Wide);
        }
    }
    if names.is_empty() || rows.saturating_mul(names.len() as u64) > entries.saturating_mul(MAX_SPREAD) {
        return Err(NoTable::Unlike);
    }
    Ok(Layout::Records(Arc::new(names)))
}

fn pass_cell(from: &mut Decoder<'_>) -> Result<(), NoTable> {
    match from.datatype()? {
        Type::Array | Type::Map | Type::Tag => Err(NoTable::Nested),
        _ => Ok(from.skip()?),
    }
}

fn cells<T>(all: impl IntoIterator<Item = T>, to: &mut Vec<u8>, mut cell: impl FnMut(T, &mut Vec<u8>)) {
    for (column, each) in all.into_iter().enumerate() {
        if column > 0 {
            to.push(b',');
        }
        cell(each, to);
    }
}

fn write_cells(from: &mut Decoder<'_>, to: &mut Vec<u8>) -> Result<(), DecodeError> {
    if from.datatype()? == Type::Tag {
        let (kind, bytes) = typed_bytes(from)?;
        cells(bytes.chunks_exact(kind.width()), to, |element, to| write_element(kind, element, to));
        return Ok(());
    }
    for column in 0..from.array()?.ok_or_else(indefinite)? {
        if column > 0 {
            to.push(b',');
        }
        write_cell(from, to)?;
    }
    Ok(())
}

fn write_record(
    from: &mut Decoder<'_>,
    names: &HashMap<String, usize>,
    to: &mut Vec<u8>,
) -> Result<(), DecodeError> {
    let mut places = vec![None; names.len()];
    for _ in 0..from.map()?.ok_or_else(indefinite)? {
        let column = names.get(from.str()?);
        if let Some(place) = column.and_then(|column| places.get_mut(*column)) {
            *place = Some(from.position());
        }
        from.skip()?;
    }
    let mut there = from.clone();
    cells(places, to, |place, to| {
        if let Some(place) = place {
            there.set_position(place);
            // All of it was passed before.
            let _passed = write_cell(&mut there, to);
        }
    });
    Ok(())
}

fn write_cell(from: &mut Decoder<'_>, to: &mut Vec<u8>) -> Result<(), DecodeError> {
    match from.datatype()? {
        Type::Undefined => from.undefined().map(|()| write("undefined", to)),
        Type::Null => from.null().map(|()| write("null", to)),
        Type::Bool => from.bool().map(|flag| write(flag, to)),
        Type::F16 => from.f16().map(|number| write_number_text(number.into(), to)),
        Type::F32 => from.f32().map(|number| write_number_text(number.into(), to)),
        Type::F64 => from.f64().map(|number| write_number_text(number, to)),
        Type::String => from.str().map(|text| write_text(text, to)),
        _ => read_integer(from).map(|number| write_number_text(number, to)),
    }
}

fn write_element(kind: TypedArrayKind, element: &[u8], to: &mut Vec<u8>) {
    use TypedArrayKind as Kind;
    let mut wide = [0; 8];
    wide[..element.len()].copy_from_slice(element);
    let unsigned = u64::from_le_bytes(wide);
    let unused = 64 - 8 * u32::try_from(element.len()).unwrap_or(8);
    match kind {
        Kind::Float64 => write_number_text(f64::from_bits(unsigned), to),
        Kind::Float32 => {
            write_number_text(f32::from_le_bytes([wide[0], wide[1], wide[2], wide[3]]).into(), to);
        }
        Kind::Int8 | Kind::Int16 | Kind::Int32 | Kind::BigInt64 => {
            write((unsigned << unused).cast_signed() >> unused, to);
        }
        Kind::Uint8 | Kind::Uint8Clamped | Kind::Uint16 | Kind::Uint32 | Kind::BigUint64 => {
            write(unsigned, to);
        }
    }
}

/// In quotes, and no formula (RFC 4180, section 2; OWASP, CSV injection).
fn write_text(text: &str, to: &mut Vec<u8>) {
    to.push(b'"');
    if text.starts_with(['=', '+', '-', '@']) {
        to.push(b'\'');
    }
    for byte in text.bytes() {
        if byte == b'"' {
            to.push(b'"');
        }
        to.push(byte);
    }
    to.push(b'"');
}

fn write(what: impl std::fmt::Display, to: &mut Vec<u8>) {
    // A Vec never refuses bytes.
    let _infallible = write!(to, "{what}");
}

#[cfg(test)]
#[path = "csv_test.rs"]
mod tests;
