//! A WebSocket by hand (RFC 6455, 5.2): each frame as it is written, whether it may be or not. Answers no ping and no
//! close by itself.

use std::time::Duration;

use super::Line;

/// What masks each frame of a client that says nothing else.
pub const MASK: [u8; 4] = [0x12, 0x34, 0x56, 0x78];

/// The four bits of a frame that say what it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Opcode(pub u8);

impl Opcode {
    pub const CONTINUATION: Self = Self(0);
    pub const TEXT: Self = Self(1);
    pub const BINARY: Self = Self(2);
    pub const CLOSE: Self = Self(8);
    pub const PING: Self = Self(9);
    pub const PONG: Self = Self(10);
}

/// A frame of a client. `RawFrame::binary` is one as it should be: change what is to be wrong.
#[derive(Debug, Clone)]
pub struct RawFrame {
    /// The last of its message.
    pub last: bool,
    /// Three bits that nobody may set.
    pub reserved: u8,
    pub opcode: Opcode,
    /// `None` sends the payload as it is.
    pub mask: Option<[u8; 4]>,
    /// The length that the head tells; `None` tells the payload's own.
    pub announced: Option<u64>,
    pub payload: Vec<u8>,
}

impl RawFrame {
    pub fn binary(payload: &[u8]) -> Self {
        Self {
            last: true,
            reserved: 0,
            opcode: Opcode::BINARY,
            mask: Some(MASK),
            announced: None,
            payload: payload.to_vec(),
        }
    }

    /// The head of a binary message of this length, and nothing of it.
    pub fn announcing(length: u64) -> Self {
        Self { announced: Some(length), ..Self::binary(&[]) }
    }

    pub fn bytes(&self) -> Vec<u8> {
        let length = self.announced.unwrap_or(self.payload.len() as u64);
        let first = |short: u8| (u8::from(self.mask.is_some()) << 7) + short;
        let mut bytes = vec![(u8::from(self.last) << 7) + (self.reserved << 4) + self.opcode.0];
        match (u8::try_from(length), u16::try_from(length)) {
            (Ok(short @ ..126), _) => bytes.push(first(short)),
            (_, Ok(middle)) => {
                bytes.push(first(126));
                bytes.extend(middle.to_be_bytes());
            }
            _ => {
                bytes.push(first(127));
                bytes.extend(length.to_be_bytes());
            }
        }
        bytes.extend(self.mask.iter().flatten());
        let mask = self.mask.unwrap_or_default();
        bytes.extend(self.payload.iter().zip(mask.iter().cycle()).map(|(byte, mask)| byte ^ mask));
        bytes
    }
}

/// Dropping it vanishes without a word.
#[derive(Debug)]
pub struct RawSocket {
    pub line: Line,
}

impl RawSocket {
    pub(super) fn over(line: Line) -> Self {
        Self { line }
    }

    /// Answers whether the server takes it all.
    pub fn send(&mut self, frame: &RawFrame) -> bool {
        self.line.send(&frame.bytes())
    }

    /// A whole binary message in one frame.
    pub fn say(&mut self, payload: &[u8]) -> bool {
        self.send(&RawFrame::binary(payload))
    }

    /// A whole binary message in frames of `piece` bytes.
    pub fn say_in_pieces(&mut self, payload: &[u8], piece: usize) -> bool {
        let count = payload.chunks(piece).count();
        payload.chunks(piece).enumerate().all(|(at, part)| {
            let opcode = if at == 0 { Opcode::BINARY } else { Opcode::CONTINUATION };
            self.send(&RawFrame { last: at + 1 == count, opcode, ..RawFrame::binary(part) })
        })
    }

    /// A whole binary message, `piece` bytes every `pause`. Answers how many bytes of frame were sent.
    pub fn say_slowly(&mut self, payload: &[u8], piece: usize, pause: Duration) -> usize {
        self.line.trickle(&RawFrame::binary(payload).bytes(), piece, pause)
    }

    /// The next frame of the server, of whatever kind; `None` once the connection has ended.
    pub fn frame(&mut self) -> Option<(Opcode, Vec<u8>)> {
        let head = self.line.take(2)?;
        let length = match head[1] & 127 {
            126 => self.line.take(2)?.iter().fold(0, |sum, byte| (sum << 8) | usize::from(*byte)),
            127 => self.line.take(8)?.iter().fold(0, |sum, byte| (sum << 8) | usize::from(*byte)),
            short => usize::from(short),
        };
        Some((Opcode(head[0] & 15), self.line.take(length)?))
    }

    /// The next binary message; `None` once the connection has ended or says that it will.
    pub fn message(&mut self) -> Option<Vec<u8>> {
        loop {
            match self.frame()? {
                (Opcode::BINARY, payload) => return Some(payload),
                (Opcode::CLOSE, _) => return None,
                _ => {}
            }
        }
    }
}
