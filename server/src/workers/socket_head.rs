//! Heads of WebSocket frames (RFC 6455, section 5.2), read where they lie, and written. Knows nothing of what frames carry.

/// The opcode of a frame, section 11.8.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Continuation,
    Text,
    Binary,
    Close,
    Ping,
    Pong,
}

impl Kind {
    pub(super) const fn is_control(self) -> bool {
        matches!(self, Self::Close | Self::Ping | Self::Pong)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Head {
    /// The last frame of its message.
    pub last: bool,
    pub kind: Kind,
    /// Bytes that it announces.
    pub announced: u64,
    pub mask: [u8; 4],
    /// Its own bytes.
    pub size: usize,
}

/// Bytes that a control frame may carry.
const MAX_CONTROL_BYTES: u64 = 125;

impl Head {
    /// The head that these bytes begin with; `None` while more of it has to come.
    pub(super) fn read(bytes: &[u8]) -> Result<Option<Self>, &'static str> {
        let [first, second, rest @ ..] = bytes else { return Ok(None) };
        if first & 0b0111_0000 != 0 {
            return Err("a frame has bits set that nothing was agreed for");
        }
        if second & 0b1000_0000 == 0 {
            return Err("a frame of a client has to be masked");
        }
        let (more, field) = match second & 0b0111_1111 {
            126 => (2, rest.get(..2)),
            127 => (8, rest.get(..8)),
            _ => (0, Some(&[][..])),
        };
        let (Some(field), Some(mask)) = (field, rest.get(more..more + 4)) else { return Ok(None) };
        let long = field.iter().fold(0, |sum: u64, byte| sum << 8 | u64::from(*byte));
        let announced = if more == 0 { u64::from(second & 0b0111_1111) } else { long };
        let (last, kind) = (first & 0b1000_0000 != 0, kind(first & 0b1111)?);
        if kind.is_control() && (!last || announced > MAX_CONTROL_BYTES) {
            return Err("a control frame is in pieces or too long");
        }
        let mask = [mask[0], mask[1], mask[2], mask[3]];
        Ok(Some(Self { last, kind, announced, mask, size: 6 + more }))
    }
}

const fn kind(opcode: u8) -> Result<Kind, &'static str> {
    Ok(match opcode {
        0 => Kind::Continuation,
        1 => Kind::Text,
        2 => Kind::Binary,
        8 => Kind::Close,
        9 => Kind::Ping,
        10 => Kind::Pong,
        _ => return Err("a frame is of no known kind"),
    })
}

/// The head of a message of so many bytes that a server sends: in one frame, without a mask.
pub(super) fn head(kind: Kind, bytes: usize) -> Vec<u8> {
    let mut head = vec![0b1000_0000 | opcode(kind)];
    match (u8::try_from(bytes), u16::try_from(bytes)) {
        (Ok(few @ ..126), _) => head.push(few),
        (_, Ok(more)) => {
            head.push(126);
            head.extend(more.to_be_bytes());
        }
        _ => {
            head.push(127);
            head.extend((bytes as u64).to_be_bytes());
        }
    }
    head
}

const fn opcode(kind: Kind) -> u8 {
    match kind {
        Kind::Continuation => 0,
        Kind::Text => 1,
        Kind::Binary => 2,
        Kind::Close => 8,
        Kind::Ping => 9,
        Kind::Pong => 10,
    }
}

/// Takes the mask off bytes that begin `at` bytes behind their head (section 5.3).
pub(super) fn unmask(bytes: &mut [u8], mask: [u8; 4], at: usize) {
    let turned = [0, 1, 2, 3].map(|byte| mask[(at + byte) % 4]);
    let mut wide = bytes.chunks_exact_mut(4);
    for chunk in &mut wide {
        for (byte, mask) in chunk.iter_mut().zip(turned) {
            *byte ^= mask;
        }
    }
    for (byte, mask) in wide.into_remainder().iter_mut().zip(turned) {
        *byte ^= mask;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn head(last: bool, kind: Kind, announced: u64, size: usize) -> Head {
        Head { last, kind, announced, mask: *b"mask", size }
    }

    #[test]
    fn heads_are_read_or_refused() {
        let long = u64::MAX.to_be_bytes();
        for (bytes, expected) in [
            (&[][..], Ok(None)),
            (b"\x82", Ok(None)),
            (b"\x82\x80mas", Ok(None)),
            (b"\x82\x80mask", Ok(Some(head(true, Kind::Binary, 0, 6)))),
            (b"\x02\xfdmask and more", Ok(Some(head(false, Kind::Binary, 125, 6)))),
            (b"\x80\xfe\x01", Ok(None)),
            (b"\x80\xfe\x01\x02mask", Ok(Some(head(true, Kind::Continuation, 258, 8)))),
            (&[b"\x81\xff", &long[..], b"mask"].concat(), Ok(Some(head(true, Kind::Text, u64::MAX, 14)))),
            (b"\x89\x84mask", Ok(Some(head(true, Kind::Ping, 4, 6)))),
            (b"\x82\x00", Err("a frame of a client has to be masked")),
            (b"\xc2\x80", Err("a frame has bits set that nothing was agreed for")),
            (b"\x83\x80mask", Err("a frame is of no known kind")),
            (b"\x09\x80mask", Err("a control frame is in pieces or too long")),
            (b"\x88\xfe\x00\x7emask", Err("a control frame is in pieces or too long")),
        ] {
            assert_eq!(Head::read(bytes), expected, "{bytes:x?}");
        }
    }

    #[test]
    fn heads_of_a_server_have_no_mask() {
        for (kind, bytes, expected) in [
            (Kind::Binary, 0, &b"\x82\x00"[..]),
            (Kind::Close, 0, b"\x88\x00"),
            (Kind::Pong, 125, b"\x8a\x7d"),
            (Kind::Binary, 126, b"\x82\x7e\x00\x7e"),
            (Kind::Binary, 256, b"\x82\x7e\x01\x00"),
            (Kind::Binary, 65_535, b"\x82\x7e\xff\xff"),
            (Kind::Binary, 65_536, b"\x82\x7f\x00\x00\x00\x00\x00\x01\x00\x00"),
        ] {
            assert_eq!(super::head(kind, bytes), expected, "{kind:?} {bytes}");
        }
    }

    #[test]
    fn masks_come_off_in_any_pieces() {
        let plain: Vec<u8> = (0..=255).collect();
        let masked: Vec<u8> =
            plain.iter().zip(b"mask".iter().cycle()).map(|(byte, mask)| byte ^ mask).collect();
        for cut in 0..plain.len() {
            let (mut first, mut second) = (masked[..cut].to_vec(), masked[cut..].to_vec());
            unmask(&mut first, *b"mask", 0);
            unmask(&mut second, *b"mask", cut);
            assert_eq!([first, second].concat(), plain, "{cut}");
        }
    }
}
