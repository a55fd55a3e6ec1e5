//! The heads of HTTP/2 requests while they come in: one that is too long ends its connection before it is unpacked.
//!
//! Follows frames by their nine bytes (RFC 9113, section 4.1) and looks into none of them.

/// Bytes of a request's head as they travel.
pub(super) const MAX_HEAD_BYTES: usize = 16 * 1024;
/// What a connection begins with (section 3.4).
const PREFACE_BYTES: usize = 24;
const FRAME_HEAD_BYTES: usize = 9;
/// Kinds of frames that carry a head.
const HEADERS: u8 = 0x1;
const CONTINUATION: u8 = 0x9;

/// A head is longer than anybody needs.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct TooLong;

/// Where the bytes of a connection stand.
#[derive(Debug)]
pub(super) struct Heads {
    /// Bytes that do not matter before the next frame begins.
    skip: usize,
    /// What has come of the next frame's beginning.
    begun: Vec<u8>,
    /// Bytes of the head that is coming in.
    head: usize,
}

impl Heads {
    pub(super) fn new() -> Self {
        Self { skip: PREFACE_BYTES, begun: Vec::with_capacity(FRAME_HEAD_BYTES), head: 0 }
    }

    /// Follows what has come.
    pub(super) fn follow(&mut self, mut bytes: &[u8]) -> Result<(), TooLong> {
        while !bytes.is_empty() {
            let skipped = self.skip.min(bytes.len());
            self.skip -= skipped;
            bytes = &bytes[skipped..];
            let missing = FRAME_HEAD_BYTES - self.begun.len();
            let (more, rest) = bytes.split_at(missing.min(bytes.len()));
            self.begun.extend_from_slice(more);
            bytes = rest;
            self.enter()?;
        }
        Ok(())
    }

    /// Once a frame's beginning is there.
    fn enter(&mut self) -> Result<(), TooLong> {
        let [high, middle, low, kind, ..] = self.begun[..] else { return Ok(()) };
        if self.begun.len() < FRAME_HEAD_BYTES {
            return Ok(());
        }
        self.begun.clear();
        self.skip = usize::from(high) << 16 | usize::from(middle) << 8 | usize::from(low);
        self.head = match kind {
            HEADERS => self.skip,
            CONTINUATION => self.head + self.skip,
            _ => return Ok(()),
        };
        if self.head > MAX_HEAD_BYTES { Err(TooLong) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(kind: u8, bytes: usize) -> Vec<u8> {
        let length = u32::try_from(bytes).unwrap().to_be_bytes();
        let head = [length[1], length[2], length[3], kind, 0, 0, 0, 0, 1];
        [&head[..], &vec![kind; bytes]].concat()
    }

    #[test]
    fn a_head_is_bounded_however_it_is_cut() {
        const DATA: u8 = 0;
        for (frames, fine) in [
            (vec![(HEADERS, 10), (DATA, 60_000), (HEADERS, MAX_HEAD_BYTES)], true),
            (vec![(HEADERS, MAX_HEAD_BYTES + 1)], false),
            (vec![(HEADERS, 16_000), (CONTINUATION, 384)], true),
            (vec![(HEADERS, 16_000), (CONTINUATION, 385)], false),
            (vec![(HEADERS, 1), (CONTINUATION, 16_000), (CONTINUATION, 16_000)], false),
            (vec![(HEADERS, 16_000), (HEADERS, 16_000), (HEADERS, 16_000)], true),
            (vec![(DATA, 0), (HEADERS, 0), (CONTINUATION, 0)], true),
        ] {
            let sent: Vec<u8> = frames.iter().flat_map(|(kind, bytes)| frame(*kind, *bytes)).collect();
            let sent = [vec![b'p'; PREFACE_BYTES], sent].concat();
            for piece in [1, 7, 9, 24, 4096, sent.len()] {
                let mut heads = Heads::new();
                let found = sent.chunks(piece).try_for_each(|bytes| heads.follow(bytes));
                assert_eq!(found.is_ok(), fine, "{frames:?} in pieces of {piece}");
            }
        }
    }
}
