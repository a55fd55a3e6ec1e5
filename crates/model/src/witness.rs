//! Who gave an answer: device, network and engine; and when two of them cannot be one.
//!
//! Never holds an address or a key: numbers and pseudonyms alone.

use crate::hash::ContentHash;
use crate::time::Timestamp;

/// Bits of a fingerprint that a device is known by: the first fifteen hexadecimal digits. Whoever looks for a key with the digits of
/// another one's tries 2^60 of them, and has then only spoiled its chance to vouch for it.
const DEVICE_BITS: u32 = 60;
/// Eight digits of them.
const NAME_BITS: u32 = 32;

/// The number of a device, from the fingerprint of its key: told without asking anybody.
pub fn device_number(fingerprint: ContentHash) -> i64 {
    let mut head = [0; 8];
    head.copy_from_slice(&fingerprint.as_bytes()[..8]);
    (u64::from_be_bytes(head) >> (u64::BITS - DEVICE_BITS)).cast_signed()
}

/// The first eight digits of a device's fingerprint, by which people know it.
pub fn device_name(number: i64) -> String {
    format!("{:08x}", number >> (DEVICE_BITS - NAME_BITS))
}

/// Whom an answer came from, as far as the server can tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Witness {
    /// The number of a device that has proved its key; without one it can be anybody.
    pub device: Option<i64>,
    /// The pseudonym of the IPv4 /24 or IPv6 /48; addresses that everybody has at home belong to none.
    pub network: Option<i64>,
    pub engine: Engine,
}

impl Witness {
    /// Somebody of whom nothing is known but what they call their browser.
    pub fn nobody(agent: &str) -> Self {
        Self { device: None, network: None, engine: Engine::of_agent(agent) }
    }

    /// Whether this one and the other are certainly two: they differ in all that both have, and that is enough to tell them
    /// apart. Without a device only two networks are. The server is nobody else.
    pub fn is_independent_of(&self, other: &Self) -> bool {
        if self.engine == Engine::Server || other.engine == Engine::Server {
            return self.engine != other.engine;
        }
        let differs = |one: Option<i64>, other: Option<i64>| one.zip(other).map(|(one, other)| one != other);
        let network = differs(self.network, other.network);
        match differs(self.device, other.device) {
            Some(device) => device && network != Some(false),
            None => network == Some(true),
        }
    }

    /// How many of these are certainly others than those before them, counted up to `most`.
    pub fn apart(witnesses: &[Self], most: usize) -> usize {
        let mut counted: Vec<&Self> = Vec::new();
        for witness in witnesses {
            if counted.len() == most {
                break;
            }
            if counted.iter().all(|other| witness.is_independent_of(other)) {
                counted.push(witness);
            }
        }
        counted.len()
    }
}

/// What runs a worker's code. Only these, so that nobody can make a class of their own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Engine {
    Chromium,
    Gecko,
    WebKit,
    Other,
    /// What the server itself computes modules by.
    Server,
}

impl Engine {
    /// Those that workers have.
    pub const ALL: [Self; 4] = [Self::Chromium, Self::Gecko, Self::WebKit, Self::Other];

    /// The stable text form.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Chromium => "chromium",
            Self::Gecko => "gecko",
            Self::WebKit => "webkit",
            Self::Other => "other",
            Self::Server => "server",
        }
    }

    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().chain([Self::Server]).find(|engine| engine.as_str() == text)
    }

    /// From what a browser says of itself (Chromium says what Apple's engine says as well, so it is looked for first), or from what
    /// the volunteer's page calls it: `Firefox 140 on Linux`. On iOS every browser has Apple's engine.
    pub fn of_agent(agent: &str) -> Self {
        let says = |words: &[&str]| words.iter().any(|word| agent.contains(word));
        let is_called = |names: &[&str]| names.iter().any(|name| agent.starts_with(name));
        if agent.ends_with(" on iOS") {
            Self::WebKit
        } else if says(&["Chrome/", "Chromium/"]) || is_called(&["Chrome ", "Edge ", "Opera "]) {
            Self::Chromium
        } else if says(&["Gecko/"]) && says(&["Firefox/"]) || is_called(&["Firefox "]) {
            Self::Gecko
        } else if says(&["AppleWebKit/"]) || is_called(&["Safari "]) {
            Self::WebKit
        } else {
            Self::Other
        }
    }
}

/// How much the answers of a device count. The later, the more.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Rank {
    /// Every new device, and whoever has no key for ever.
    Newcomer,
    /// One whose answers have agreed often enough.
    Established,
    /// One that somebody in charge has marked, and the server itself.
    Trusted,
}

impl Rank {
    pub const ALL: [Self; 3] = [Self::Newcomer, Self::Established, Self::Trusted];

    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|rank| rank.as_str() == text)
    }

    /// The stable text form.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Newcomer => "newcomer",
            Self::Established => "established",
            Self::Trusted => "trusted",
        }
    }
}

/// What somebody in charge says of a device.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mark {
    Trusted,
    /// It is not trusted, and begins anew.
    Distrusted,
    /// What it was found wrong in counts no more.
    Forgiven,
}

/// What is kept of a device. What follows from it is in `weevil-trust`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Record {
    /// Answers that agreed with one of an established or trusted device, or with an accepted one.
    pub passes: u32,
    /// Somebody in charge has marked it.
    pub is_trusted: bool,
    /// How often it had to rest.
    pub refuted: u32,
    pub rests_until: Option<Timestamp>,
    /// When its newest errors were found wrong that cost it no rest, the newest first.
    pub refuted_errors: [Option<Timestamp>; 2],
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    const ONE: Witness = witness(Some(1), Some(10));

    const fn witness(device: Option<i64>, network: Option<i64>) -> Witness {
        Witness { device, network, engine: Engine::Other }
    }

    #[test]
    fn two_witnesses_differ_in_all_that_both_have() {
        for (other, independent) in [
            (ONE, false),
            (witness(Some(2), Some(20)), true),
            (witness(Some(1), Some(20)), false),
            (witness(Some(2), Some(10)), false),
            (witness(Some(2), None), true),
            (witness(Some(1), None), false),
            (witness(None, Some(20)), true),
            (witness(None, Some(10)), false),
            (witness(None, None), false),
        ] {
            assert_eq!(ONE.is_independent_of(&other), independent, "{other:?}");
            assert_eq!(other.is_independent_of(&ONE), independent, "{other:?} the other way");
        }
    }

    proptest! {
        /// Nobody is two, whatever is known of it: as many are apart as devices or networks tell.
        #[test]
        fn witnesses_that_are_apart_differ_in_device_and_network(
            known in prop::collection::vec((prop::option::of(0..4_i64), prop::option::of(0..4_i64)), 0..12)
        ) {
            let witnesses: Vec<Witness> = known.iter().map(|(device, network)| witness(*device, *network)).collect();
            for one in &witnesses {
                prop_assert!(!one.is_independent_of(one));
                for other in &witnesses {
                    let shares = |one: Option<i64>, other: Option<i64>| one.is_some() && one == other;
                    let shared = shares(one.device, other.device) || shares(one.network, other.network);
                    prop_assert_eq!(one.is_independent_of(other), other.is_independent_of(one));
                    prop_assert!(!(shared && one.is_independent_of(other)));
                }
            }
            let apart = Witness::apart(&witnesses, witnesses.len());
            let devices: BTreeSet<i64> = known.iter().filter_map(|(device, _)| *device).collect();
            let networks: BTreeSet<i64> = known.iter().filter_map(|(_, network)| *network).collect();
            // One of whom nothing is known may be the only one.
            prop_assert!(apart <= (devices.len() + networks.len()).max(1), "{} {:?}", apart, known);
            prop_assert_eq!(Witness::apart(&witnesses, 1), usize::from(!known.is_empty()));
        }
    }

    #[test]
    fn the_server_is_independent_of_all_but_itself() {
        let server = Witness { engine: Engine::Server, ..witness(None, None) };
        for other in [ONE, witness(None, Some(20)), witness(None, None)] {
            assert!(server.is_independent_of(&other) && other.is_independent_of(&server), "{other:?}");
        }
        assert!(!server.is_independent_of(&server));
        assert_eq!(Engine::parse("server"), Some(Engine::Server));
    }

    #[test]
    fn an_engine_is_one_of_four() {
        for (agent, engine) in [
            (
                "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36",
                "chromium",
            ),
            ("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", "gecko"),
            (
                "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15",
                "webkit",
            ),
            ("Chrome 140 on Windows", "chromium"),
            ("Edge 140 on macOS", "chromium"),
            ("Opera 121 on Android", "chromium"),
            ("Firefox 140 on Linux", "gecko"),
            ("Firefox 140", "gecko"),
            ("Safari 18 on macOS", "webkit"),
            ("Chrome 140 on iOS", "webkit"),
            ("Firefox 140 on iOS", "webkit"),
            ("A browser on Linux", "other"),
            ("python-worker/1", "other"),
            ("", "other"),
        ] {
            assert_eq!(Engine::of_agent(agent).as_str(), engine, "{agent}");
            assert_eq!(Engine::parse(engine), Some(Engine::of_agent(agent)), "{engine}");
        }
    }

    #[test]
    fn a_device_is_known_by_the_head_of_its_fingerprint() {
        let number = |bytes: [u8; 32]| device_number(ContentHash::from_bytes(bytes));
        let mut fingerprint = [0xff; 32];
        assert_eq!(number(fingerprint), (1 << DEVICE_BITS) - 1);
        assert_eq!(format!("{:015x}", number([0x1a; 32])), "1a1a1a1a1a1a1a1");
        assert_eq!(device_name(number([0x1a; 32])), "1a1a1a1a");
        assert_eq!(
            (device_name(0), device_name(number(fingerprint))),
            ("00000000".into(), "ffffffff".into())
        );
        fingerprint[7] = 0xf0;
        assert_eq!(number(fingerprint), number([0xff; 32]), "its last four bits do not count");
        fingerprint[0] = 0;
        assert_ne!(number(fingerprint), number([0xff; 32]));
    }

    #[test]
    fn ranks_are_in_order() {
        assert!(Rank::ALL.is_sorted());
        let words: std::collections::BTreeSet<_> = Rank::ALL.map(Rank::as_str).into_iter().collect();
        assert_eq!(words.len(), Rank::ALL.len());
        assert!(Rank::ALL.into_iter().all(|rank| Rank::parse(rank.as_str()) == Some(rank)));
    }
}
