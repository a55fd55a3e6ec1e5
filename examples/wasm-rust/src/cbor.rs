//! As much CBOR as this job needs (docs/protocol.md, "Values"): an argument list in, an object of numbers out.
//!
//! Reads bytes that the server has checked, so it knows nothing of what it does not expect.

const ARRAY: u8 = 4 << 5;
const BYTES: u8 = 2 << 5;
const TEXT: u8 = 3 << 5;
const MAP: u8 = 5 << 5;
const TAG: u8 = 6 << 5;
const FLOAT64: u8 = 0xfb;
/// RFC 8746: doubles, the lowest byte first.
const FLOAT64_ARRAY: u64 = 86;
const WIDTH: usize = 8;

/// The argument, if there is one and it is a Float64Array.
pub fn only_float64_array(arguments: &[u8]) -> Option<Vec<f64>> {
    let (1, rest) = head(arguments, ARRAY)? else { return None };
    let (FLOAT64_ARRAY, rest) = head(rest, TAG)? else { return None };
    let (length, rest) = head(rest, BYTES)?;
    let bytes = rest.get(..usize::try_from(length).ok()?)?;
    bytes.chunks(WIDTH).map(|bytes| bytes.try_into().ok().map(f64::from_le_bytes)).collect()
}

/// The number in an item's head, if the item is of this kind; and what follows.
fn head(bytes: &[u8], kind: u8) -> Option<(u64, &[u8])> {
    let (first, rest) = bytes.split_first()?;
    let small = first & 0x1f;
    let width = match small {
        _ if first & 0xe0 != kind => return None,
        0..24 => return Some((small.into(), rest)),
        24..28 => 1 << (small - 24),
        _ => return None,
    };
    let (number, rest) = rest.split_at_checked(width)?;
    Some((number.iter().fold(0, |number, byte| number << 8 | u64::from(*byte)), rest))
}

/// Fewer than 24 entries, their names shorter than 24 bytes.
pub fn object(entries: &[(&str, f64)]) -> Vec<u8> {
    let mut bytes = vec![MAP | entries.len() as u8];
    for (name, number) in entries {
        bytes.push(TEXT | name.len() as u8);
        bytes.extend(name.as_bytes());
        bytes.push(FLOAT64);
        bytes.extend(number.to_be_bytes());
    }
    bytes
}
