//! The frames of the worker's WebSocket by the numbers of docs/protocol.md, as CBOR that was put together by hand, and
//! what the server says. Any field may be what no worker would say.

use super::cbor::{Item, array, bytes, float, text, uint};

/// Job and token.
pub type Key = (u64, u64);

/// `[kind, [field 0, field 1, ..]]`.
pub fn frame(kind: u64, fields: &[Vec<u8>]) -> Vec<u8> {
    array(&[uint(kind), array(fields)])
}

pub fn key((job, token): Key) -> Vec<u8> {
    array(&[uint(job), uint(token)])
}

pub fn keys(keys: &[Key]) -> Vec<u8> {
    array(&keys.iter().copied().map(key).collect::<Vec<_>>())
}

/// The struct in `hello`: version, agent, slots, capacity, capabilities (JavaScript and WebAssembly), memory.
pub fn hello_fields(slots: u64, capacity: u64) -> Vec<Vec<u8>> {
    vec![uint(1), text("hostile"), uint(slots), uint(capacity), uint(5), uint(2048)]
}

pub fn hello(slots: u64, capacity: u64) -> Vec<u8> {
    frame(0, &[array(&hello_fields(slots, capacity))])
}

/// A report. `Claim::value` is one as it should be: change what is to be wrong.
#[derive(Debug, Clone)]
pub struct Claim {
    pub key: Key,
    /// The whole choice: `value_outcome`, `error_outcome` or anything.
    pub outcome: Vec<u8>,
    pub slot: u64,
    pub compute_us: u64,
    pub flops: f64,
    pub log: Option<String>,
}

impl Claim {
    /// This value, in CBOR.
    pub fn value(key: Key, value: &[u8]) -> Self {
        Self { key, outcome: value_outcome(value), slot: 0, compute_us: 1, flops: 0.0, log: None }
    }

    /// An error of this kind, by its number.
    pub fn error(key: Key, kind: u64, message: &str) -> Self {
        Self { outcome: error_outcome(kind, message), ..Self::value(key, &[]) }
    }

    pub fn bytes(&self) -> Vec<u8> {
        let fields =
            [key(self.key), self.outcome.clone(), uint(self.slot), uint(self.compute_us), float(self.flops)];
        array(&fields.into_iter().chain(self.log.as_deref().map(text)).collect::<Vec<_>>())
    }
}

pub fn value_outcome(value: &[u8]) -> Vec<u8> {
    frame(0, &[bytes(value)])
}

/// 0 thrown, 1 timeout, 2 tooLarge, 3 notAValue, 4 noMain, 5 syntax, 6 crashed.
pub fn error_outcome(kind: u64, message: &str) -> Vec<u8> {
    frame(1, &[array(&[uint(kind), text(message), text("")])])
}

pub fn results(claims: &[Claim], capacity: u64) -> Vec<u8> {
    frame(1, &[array(&claims.iter().map(Claim::bytes).collect::<Vec<_>>()), uint(capacity)])
}

pub fn heartbeat(holding: &[Key], slots: u64, capacity: u64) -> Vec<u8> {
    frame(2, &[keys(holding), uint(slots), uint(capacity)])
}

pub fn yields(given_back: &[Key], capacity: u64) -> Vec<u8> {
    frame(3, &[keys(given_back), uint(capacity)])
}

pub fn bye() -> Vec<u8> {
    frame(4, &[])
}

/// A job as it was handed out.
#[derive(Debug, Clone, PartialEq)]
pub struct Job {
    pub key: Key,
    /// A CBOR array of the arguments.
    pub input: Vec<u8>,
    pub timeout_ms: u64,
}

/// What the server says.
#[derive(Debug, Clone, PartialEq)]
pub enum Told {
    Welcome {
        worker: String,
        lease_ms: u64,
        heartbeat_ms: u64,
    },
    Assign(Vec<Job>),
    /// 0 accepted, 1 superseded, 2 unknown.
    Verdicts(Vec<(Key, u64)>),
    Revoke(Vec<Key>),
    Refused {
        message: String,
        reload: bool,
    },
    Drain,
    Pace(u64),
    Heard,
    /// A frame of another kind, or what is not a frame.
    Other(Vec<u8>),
}

impl Told {
    pub fn read(message: &[u8]) -> Self {
        Item::read(message).and_then(|item| told(&item)).unwrap_or_else(|| Self::Other(message.to_vec()))
    }
}

fn told(item: &Item) -> Option<Told> {
    let fields = item.at(1);
    let first = fields.at(0);
    Some(match item.at(0).number()? {
        0 => Told::Welcome {
            worker: first.at(1).text().to_owned(),
            lease_ms: first.at(2).number()?,
            heartbeat_ms: first.at(3).number()?,
        },
        1 => Told::Assign(fields.at(1).items().iter().map(job).collect::<Option<_>>()?),
        2 => Told::Verdicts(first.items().iter().map(verdict).collect::<Option<_>>()?),
        3 => Told::Revoke(first.items().iter().map(read_key).collect::<Option<_>>()?),
        4 => Told::Refused { message: first.text().to_owned(), reload: *fields.at(1) == Item::Boolean(true) },
        5 => Told::Drain,
        6 => Told::Pace(first.number()?),
        7 => Told::Heard,
        _ => return None,
    })
}

fn read_key(item: &Item) -> Option<Key> {
    Some((item.at(0).number()?, item.at(1).number()?))
}

fn verdict(item: &Item) -> Option<(Key, u64)> {
    Some((read_key(item.at(0))?, item.at(1).number()?))
}

fn job(item: &Item) -> Option<Job> {
    Some(Job {
        key: read_key(item.at(0))?,
        input: item.at(2).bytes().to_vec(),
        timeout_ms: item.at(4).number()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes_of(hex: &str) -> Vec<u8> {
        let digits: Vec<char> = hex.chars().filter(|digit| !digit.is_whitespace()).collect();
        let byte = |pair: &[char]| u8::from_str_radix(&pair.iter().collect::<String>(), 16).expect("hex");
        digits.chunks(2).map(byte).collect()
    }

    /// The lines of docs/protocol.md, "Bytes".
    #[test]
    fn frames_are_those_of_the_document() {
        let value = Claim { compute_us: 50_000, ..Claim::value((7, 11), &[0x18, 0x9d]) };
        let error = Claim { compute_us: 0, ..Claim::error((7, 11), 0, "no") };
        for (made, documented) in [
            (
                frame(0, &[array(&[uint(1), text("demo"), uint(2), uint(4)])]),
                "82 00 81 84 01 64 64656d6f 02 04",
            ),
            (
                results(&[value], 4),
                "82 01 82 81 85 82 07 0b 82 00 81 42 189d 00 19c350 fb0000000000000000 04",
            ),
            (
                results(&[error], 4),
                "82 01 82 81 85 82 07 0b 82 01 81 83 00 62 6e6f 60 00 00 fb0000000000000000 04",
            ),
            (heartbeat(&[(7, 11)], 2, 4), "82 02 83 81 82 07 0b 02 04"),
            (yields(&[(7, 11)], 0), "82 03 82 81 82 07 0b 00"),
            (bye(), "82 04 80"),
        ] {
            assert_eq!(made, bytes_of(documented), "{documented}");
        }
        let hash = |byte: &str| byte.repeat(32);
        let assign = format!(
            "82 01 82 81 84 5820 {} 5820 {} 63 616464 66 4164642e6a73 81 85 82 07 0b 00 44 82182c0d 01 1a000493e0",
            hash("aa"),
            hash("bb")
        );
        let job = Job { key: (7, 11), input: vec![0x82, 0x18, 0x2c, 0x0d], timeout_ms: 300_000 };
        let welcome = "82 00 81 85 01 71 77726b5f30303030303030303030303030 19ea60 194e20 1a01000000";
        let worker = "wrk_0000000000000".to_owned();
        for (documented, told) in [
            (welcome, Told::Welcome { worker, lease_ms: 60_000, heartbeat_ms: 20_000 }),
            (assign.as_str(), Told::Assign(vec![job])),
            ("82 02 81 81 82 82 07 0b 00", Told::Verdicts(vec![((7, 11), 0)])),
            ("82 03 81 81 82 07 0b", Told::Revoke(vec![(7, 11)])),
            (
                "82 04 82 70 68656c6c6f20636f6d6573206f6e6365 f4",
                Told::Refused { message: "hello comes once".into(), reload: false },
            ),
            ("82 05 81 192710", Told::Drain),
            ("82 06 81 19ea60", Told::Pace(60_000)),
            ("82 07 80", Told::Heard),
            ("82 09 80", Told::Other(vec![0x82, 9, 0x80])),
        ] {
            assert_eq!(Told::read(&bytes_of(documented)), told, "{documented}");
        }
    }
}
