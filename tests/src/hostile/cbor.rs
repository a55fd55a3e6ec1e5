//! CBOR by hand (RFC 8949): each function gives the bytes of one item, `Item` is one that was read. Whatever is already
//! bytes can stand for any item, so that wrong ones are as easy as right ones.

/// The head of an item: its major type, 0 to 7, and its argument in the shortest form.
pub fn head(major: u8, argument: u64) -> Vec<u8> {
    let first = |short: u8| vec![(major << 5) + short];
    match (u8::try_from(argument), u16::try_from(argument), u32::try_from(argument)) {
        (Ok(small @ ..24), ..) => first(small),
        (Ok(small), ..) => [first(24), vec![small]].concat(),
        (_, Ok(middle), _) => [first(25), middle.to_be_bytes().to_vec()].concat(),
        (.., Ok(large)) => [first(26), large.to_be_bytes().to_vec()].concat(),
        _ => [first(27), argument.to_be_bytes().to_vec()].concat(),
    }
}

pub fn uint(number: u64) -> Vec<u8> {
    head(0, number)
}

pub fn int(number: i64) -> Vec<u8> {
    if number < 0 { head(1, !number.cast_unsigned()) } else { uint(number.cast_unsigned()) }
}

/// A float of 64 bits, whatever its value.
pub fn float(number: f64) -> Vec<u8> {
    [&[0xfb][..], &number.to_be_bytes()].concat()
}

pub fn bytes(bytes: &[u8]) -> Vec<u8> {
    [head(2, bytes.len() as u64).as_slice(), bytes].concat()
}

pub fn text(text: &str) -> Vec<u8> {
    [head(3, text.len() as u64).as_slice(), text.as_bytes()].concat()
}

pub fn array(items: &[Vec<u8>]) -> Vec<u8> {
    [head(4, items.len() as u64), items.concat()].concat()
}

pub fn map(pairs: &[(Vec<u8>, Vec<u8>)]) -> Vec<u8> {
    let items: Vec<u8> = pairs.iter().flat_map(|(key, value)| [key.as_slice(), value].concat()).collect();
    [head(5, pairs.len() as u64), items].concat()
}

pub fn boolean(is: bool) -> Vec<u8> {
    vec![0xf4 | u8::from(is)]
}

pub fn null() -> Vec<u8> {
    vec![0xf6]
}

/// What the server says: definite lengths, floats of any size.
#[derive(Debug, Clone, PartialEq)]
pub enum Item {
    Int(i128),
    Float(f64),
    Bytes(Vec<u8>),
    Text(String),
    Array(Vec<Item>),
    Map(Vec<(Item, Item)>),
    Boolean(bool),
    Null,
}

impl Item {
    /// The first item of these bytes; `None` where they are no CBOR of this kind.
    pub fn read(bytes: &[u8]) -> Option<Self> {
        Reader(bytes).item()
    }

    /// An element of an array; null where it has fewer, or where this is not an array.
    pub fn at(&self, index: usize) -> &Self {
        let Self::Array(items) = self else { return &Self::Null };
        items.get(index).unwrap_or(&Self::Null)
    }

    pub fn items(&self) -> &[Self] {
        if let Self::Array(items) = self { items } else { &[] }
    }

    /// A whole number that is not negative.
    pub fn number(&self) -> Option<u64> {
        if let Self::Int(number) = self { u64::try_from(*number).ok() } else { None }
    }

    pub fn bytes(&self) -> &[u8] {
        if let Self::Bytes(bytes) = self { bytes } else { &[] }
    }

    pub fn text(&self) -> &str {
        if let Self::Text(text) = self { text } else { "" }
    }
}

struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    fn take(&mut self, count: usize) -> Option<&[u8]> {
        let (taken, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(taken)
    }

    fn big(&mut self, bytes: usize) -> Option<u64> {
        Some(self.take(bytes)?.iter().fold(0, |sum, byte| (sum << 8) | u64::from(*byte)))
    }

    fn item(&mut self) -> Option<Item> {
        let first = self.take(1)?[0];
        let (major, short) = (first >> 5, first & 31);
        let argument = match short {
            0..24 => u64::from(short),
            24..28 => self.big(1 << (short - 24))?,
            _ => return None,
        };
        match major {
            0 => Some(Item::Int(argument.into())),
            1 => Some(Item::Int(-1 - i128::from(argument))),
            2 => Some(Item::Bytes(self.take(argument.try_into().ok()?)?.to_vec())),
            3 => Some(Item::Text(String::from_utf8(self.take(argument.try_into().ok()?)?.to_vec()).ok()?)),
            4 => (0..argument).map(|_| self.item()).collect::<Option<_>>().map(Item::Array),
            5 => (0..argument)
                .map(|_| Some((self.item()?, self.item()?)))
                .collect::<Option<_>>()
                .map(Item::Map),
            6 => self.item(),
            _ => simple(short, argument),
        }
    }
}

fn simple(short: u8, argument: u64) -> Option<Item> {
    match short {
        20 | 21 => Some(Item::Boolean(short == 21)),
        22 | 23 => Some(Item::Null),
        25 => Some(Item::Float(half(u16::try_from(argument).ok()?))),
        26 => Some(Item::Float(f32::from_bits(u32::try_from(argument).ok()?).into())),
        27 => Some(Item::Float(f64::from_bits(argument))),
        _ => None,
    }
}

/// A float of 16 bits (RFC 8949, appendix D).
fn half(bits: u16) -> f64 {
    let (exponent, fraction) = (i32::from(bits >> 10 & 31), f64::from(bits & 1023));
    let size = match exponent {
        0 => fraction * 2f64.powi(-24),
        31 if fraction > 0.0 => f64::NAN,
        31 => f64::INFINITY,
        _ => (fraction + 1024.0) * 2f64.powi(exponent - 25),
    };
    if bits >> 15 == 1 { -size } else { size }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_are_written_as_the_rfc_shows_them_and_read_back() {
        let rows: [(Vec<u8>, &[u8], Item); 12] = [
            (uint(10), &[0x0a], Item::Int(10)),
            (uint(100), &[0x18, 100], Item::Int(100)),
            (uint(1000), &[0x19, 3, 232], Item::Int(1000)),
            (uint(1_000_000), &[0x1a, 0, 15, 66, 64], Item::Int(1_000_000)),
            (uint(u64::MAX), &[0x1b, 255, 255, 255, 255, 255, 255, 255, 255], Item::Int(u64::MAX.into())),
            (int(-1000), &[0x39, 3, 231], Item::Int(-1000)),
            (float(1.1), &[0xfb, 0x3f, 0xf1, 0x99, 0x99, 0x99, 0x99, 0x99, 0x9a], Item::Float(1.1)),
            (bytes(&[1, 2]), &[0x42, 1, 2], Item::Bytes(vec![1, 2])),
            (text("IETF"), &[0x64, 73, 69, 84, 70], Item::Text("IETF".into())),
            (array(&[uint(1), null()]), &[0x82, 1, 0xf6], Item::Array(vec![Item::Int(1), Item::Null])),
            (
                map(&[(text("a"), boolean(true))]),
                &[0xa1, 0x61, 97, 0xf5],
                Item::Map(vec![(Item::Text("a".into()), Item::Boolean(true))]),
            ),
            (vec![0xf9, 0x3e, 0x00], &[0xf9, 0x3e, 0x00], Item::Float(1.5)),
        ];
        for (written, expected, item) in rows {
            assert_eq!(written, expected, "{item:?}");
            assert_eq!(Item::read(&written), Some(item.clone()), "{item:?}");
            assert_eq!(Item::read(&written[..written.len() - 1]), None, "{item:?} cut short");
        }
    }
}
