//! A value's CBOR form as it grows, while nobody knows yet how many elements an array will have.
//!
//! Heads are as short as they can be, as everywhere. Never holds more than a value may have; beyond that it only counts.

use std::convert::Infallible;

use minicbor::Encoder;
use minicbor::data::Tag;
use minicbor::encode::Write;

use crate::encoded::{Encoded, EncodedError, bounded};
use crate::limits::MAX_VALUE_BYTES;
use crate::value::write_number;

/// The most that the first byte of a head says by itself (RFC 8949, section 3).
const MAX_SHORT: usize = 23;

/// What a head with a length begins (RFC 8949, section 3.1).
#[derive(Debug, Clone, Copy)]
pub(crate) enum Major {
    Bytes = 2,
    Array = 4,
    Map = 5,
}

/// A head that was left open, and all that was there before it.
#[derive(Debug)]
pub(crate) struct Open {
    at: usize,
    len: usize,
    long: usize,
}

/// A head of more than the one byte that was kept free for it.
#[derive(Debug, Clone, Copy)]
struct Long {
    at: usize,
    count: usize,
    major: Major,
}

impl Long {
    /// Its bytes, from the right end.
    fn bytes(self) -> ([u8; 9], usize) {
        let width: usize = match self.count {
            ..=0xff => 1,
            0x100..=0xffff => 2,
            0x1_0000..=0xffff_ffff => 4,
            _ => 8,
        };
        let mut bytes = [0; 9];
        bytes[1..].copy_from_slice(&(self.count as u64).to_be_bytes());
        bytes[8 - width] = first(self.major, MAX_SHORT + 1 + width.ilog2() as usize);
        (bytes, 1 + width)
    }
}

#[expect(clippy::cast_possible_truncation, reason = "what the first byte says fits into five bits")]
const fn first(major: Major, info: usize) -> u8 {
    (major as u8) << 5 | info as u8
}

#[derive(Debug)]
struct Bounded {
    bytes: Vec<u8>,
    /// What there would be without a bound, heads in their full length.
    len: usize,
}

impl Write for Bounded {
    type Error = Infallible;

    fn write_all(&mut self, bytes: &[u8]) -> Result<(), Infallible> {
        self.len += bytes.len();
        if self.len <= MAX_VALUE_BYTES {
            self.bytes.extend_from_slice(bytes);
        }
        Ok(())
    }
}

#[derive(Debug)]
pub(crate) struct Packing {
    to: Encoder<Bounded>,
    long: Vec<Long>,
}

impl Packing {
    /// `bytes` is a guess.
    pub(crate) fn with_room_for(bytes: usize) -> Self {
        let bytes = Vec::with_capacity(bytes.min(MAX_VALUE_BYTES));
        Self { to: Encoder::new(Bounded { bytes, len: 0 }), long: Vec::new() }
    }

    pub(crate) fn undefined(&mut self) {
        let _infallible = self.to.undefined();
    }

    pub(crate) fn null(&mut self) {
        let _infallible = self.to.null();
    }

    pub(crate) fn boolean(&mut self, flag: bool) {
        let _infallible = self.to.bool(flag);
    }

    pub(crate) fn number(&mut self, number: f64) {
        let _infallible = write_number(number, &mut self.to);
    }

    pub(crate) fn text(&mut self, text: &str) {
        let _infallible = self.to.str(text);
    }

    pub(crate) fn tag(&mut self, tag: u64) {
        let _infallible = self.to.tag(Tag::new(tag));
    }

    /// Content of a text or byte string whose head is open.
    pub(crate) fn bytes(&mut self, bytes: &[u8]) {
        let _infallible = self.to.writer_mut().write_all(bytes);
    }

    pub(crate) fn open(&mut self) -> Open {
        let Bounded { bytes, len } = self.to.writer();
        let open = Open { at: bytes.len(), len: *len, long: self.long.len() };
        self.bytes(&[0]);
        open
    }

    /// So many elements, properties or bytes came since.
    pub(crate) fn close(&mut self, open: &Open, major: Major, count: usize) {
        let to = self.to.writer_mut();
        if count <= MAX_SHORT {
            if let Some(head) = to.bytes.get_mut(open.at) {
                *head = first(major, count);
            }
            return;
        }
        let long = Long { at: open.at, count, major };
        to.len += long.bytes().1 - 1;
        if to.len <= MAX_VALUE_BYTES {
            self.long.push(long);
        }
    }

    /// As if nothing had come since, the head included.
    pub(crate) fn undo(&mut self, open: &Open) {
        let to = self.to.writer_mut();
        to.bytes.truncate(open.at);
        to.len = open.len;
        self.long.truncate(open.long);
    }

    pub(crate) fn finish(self) -> Result<Encoded, EncodedError> {
        let Bounded { mut bytes, len } = self.to.into_writer();
        bounded(len)?;
        let mut long = self.long;
        long.sort_unstable_by_key(|head| head.at);
        // From the end, so that nothing is overwritten that is still to be moved.
        let mut end = bytes.len();
        bytes.resize(len, 0);
        let mut free = len;
        for head in long.into_iter().rev() {
            let body = head.at + 1..end;
            free -= body.len();
            bytes.copy_within(body, free);
            let (long, width) = head.bytes();
            free -= width;
            bytes[free..free + width].copy_from_slice(&long[long.len() - width..]);
            end = head.at;
        }
        Ok(Encoded::trusted(bytes))
    }
}
