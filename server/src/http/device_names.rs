//! How a device is named by people, and all that is known of devices put together: what is kept, and who is connected.
//!
//! Reads nothing: lists and names are handed in.

use std::collections::{BTreeMap, BTreeSet};

use weevil_model::ContentHash;
use weevil_model::witness::{Rank, Record, device_name, device_number};
use weevil_records::{Credit, KnownDevice};

/// Digits by which people know a device.
pub(super) const NAME_DIGITS: usize = 8;
/// Digits of a fingerprint, and of what is known of one that nobody has kept.
pub(super) const FINGERPRINT_DIGITS: usize = 64;
const NUMBER_DIGITS: usize = 15;

/// How a fingerprint begins: eight digits at least.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Beginning(String);

impl Beginning {
    pub(super) fn parse(text: &str) -> Option<Self> {
        let is_one = (NAME_DIGITS..=FINGERPRINT_DIGITS).contains(&text.len())
            && text.bytes().all(|digit| digit.is_ascii_hexdigit());
        is_one.then(|| Self(text.to_ascii_lowercase()))
    }

    pub(super) const fn digits(&self) -> usize {
        self.0.len()
    }

    /// The first and the last number that a device may have which is named so.
    pub(super) fn numbers(&self) -> (i64, i64) {
        let head = &self.0[..self.0.len().min(NUMBER_DIGITS)];
        let number = |filled: String| i64::from_str_radix(&filled, 16).unwrap_or_default();
        (number(format!("{head:0<NUMBER_DIGITS$}")), number(format!("{head:f<NUMBER_DIGITS$}")))
    }

    /// What lies behind the digits that are known could be its.
    pub(super) fn fits(&self, device: &Seen) -> bool {
        let known = device.digits();
        known.starts_with(&self.0) || self.0.starts_with(&known)
    }
}

/// A device that is kept, or connected, or both.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Seen {
    pub known: KnownDevice,
    pub fingerprint: Option<ContentHash>,
    pub is_connected: bool,
    /// Its place among those with the same name.
    pub nth: u32,
}

impl Seen {
    pub(super) fn name(&self) -> String {
        device_name(self.known.number)
    }

    /// As much of its fingerprint as is known.
    pub(super) fn digits(&self) -> String {
        match self.fingerprint {
            Some(fingerprint) => fingerprint.to_string(),
            None => format!("{:0NUMBER_DIGITS$x}", self.known.number),
        }
    }
}

/// What is kept of some devices together with those that are connected, in their order. A record belongs to all devices of its
/// number, and where one of them is connected it is nobody else's.
pub(super) fn together(known: Vec<KnownDevice>, connected: &BTreeSet<ContentHash>) -> Vec<Seen> {
    let fingerprint = |device: &KnownDevice| device.work.map(|work| work.fingerprint);
    let mut all: BTreeMap<(i64, Option<ContentHash>), KnownDevice> =
        known.into_iter().map(|device| ((device.number, fingerprint(&device)), device)).collect();
    for fingerprint in connected {
        let number = device_number(*fingerprint);
        let kept = all.range((number, None)..).next().filter(|((of, _), _)| *of == number);
        let new = KnownDevice {
            number,
            work: None,
            record: Record::default(),
            credit: Credit::default(),
            rank: Rank::Newcomer,
            waiting: 0,
        };
        let device = kept.map_or(new, |(_, kept)| KnownDevice { work: None, ..*kept });
        all.entry((number, Some(*fingerprint))).or_insert(device);
        all.remove(&(number, None));
    }
    let (mut name, mut nth) = (String::new(), 0);
    let seen = |((_, fingerprint), known): ((i64, Option<ContentHash>), KnownDevice)| {
        let is_connected = fingerprint.is_some_and(|fingerprint| connected.contains(&fingerprint));
        let own = device_name(known.number);
        nth = if own == name { nth + 1 } else { 1 };
        name = own;
        Seen { known, fingerprint, is_connected, nth }
    };
    all.into_iter().map(seen).collect()
}

#[cfg(test)]
mod tests {
    use weevil_model::Timestamp;
    use weevil_records::Device;

    use super::*;

    /// A fingerprint that begins with these digits and goes on with zeros.
    fn fingerprint(head: &str) -> ContentHash {
        format!("{head:0<64}").parse().unwrap()
    }

    fn known(number: i64, passes: u32, of: Option<ContentHash>) -> KnownDevice {
        let at = Timestamp(1);
        let work = of.map(|fingerprint| Device { fingerprint, first_seen: at, last_seen: at, accepted: 1 });
        KnownDevice {
            credit: Credit::default(),
            number,
            work,
            record: Record { passes, ..Record::default() },
            rank: Rank::Newcomer,
            waiting: 0,
        }
    }

    #[test]
    fn a_beginning_is_eight_digits_at_least_and_bounds_the_numbers() {
        for (text, numbers) in [
            ("1a2b3c4", None),
            ("1a2b3c4g", None),
            ("1a2b3c4é", None),
            ("", None),
            ("1a2b3c4d", Some((0x1a2b_3c4d << 28, (0x1a2b_3c4e << 28) - 1))),
            ("1A2B3C4D", Some((0x1a2b_3c4d << 28, (0x1a2b_3c4e << 28) - 1))),
            ("ffffffff", Some((0xffff_ffff << 28, (1 << 60) - 1))),
            ("0000000000000017", Some((1, 1))),
            (&"0".repeat(64), Some((0, 0))),
            (&"0".repeat(65), None),
        ] {
            assert_eq!(Beginning::parse(text).map(|beginning| beginning.numbers()), numbers, "{text}");
        }
    }

    #[test]
    fn a_beginning_fits_what_is_known_of_a_fingerprint() {
        let whole = together(vec![known(1, 0, Some(fingerprint("000000000000001a")))], &BTreeSet::new());
        let head = together(vec![known(1, 0, None)], &BTreeSet::new());
        for (text, fits) in [
            ("00000000", [true, true]),
            ("000000000000001", [true, true]),
            ("000000000000001a", [true, true]),
            ("000000000000001b", [false, true]),
            ("000000000000002", [false, false]),
            ("00000001", [false, false]),
        ] {
            let beginning = Beginning::parse(text).unwrap();
            assert_eq!([&whole, &head].map(|device| beginning.fits(&device[0])), fits, "{text}");
        }
    }

    /// Digits, passes, whether it is connected, and which of its name it is.
    fn told(found: &[Seen]) -> Vec<(String, u32, bool, u32)> {
        let digits = |seen: &Seen| seen.digits().trim_end_matches('0').to_owned();
        found
            .iter()
            .map(|seen| (digits(seen), seen.known.record.passes, seen.is_connected, seen.nth))
            .collect()
    }

    #[test]
    fn what_is_kept_and_who_is_connected_are_put_together() {
        let number = |head: &str| device_number(fingerprint(head));
        let own = |head: &str, passes| known(number(head), passes, Some(fingerprint(head)));
        let compared = |head: &str, passes| known(number(head), passes, None);
        let row = |head: &str, passes, connected, nth| (head.to_owned(), passes, connected, nth);
        for (kept, connected, expected) in [
            (vec![], &[][..], vec![]),
            (vec![own("b", 1), own("a", 2)], &["a"], vec![row("a", 2, true, 1), row("b", 1, false, 1)]),
            (vec![compared("a", 3)], &["a", "c"], vec![row("a", 3, true, 1), row("c", 0, true, 1)]),
            (vec![compared("a", 3)], &[], vec![row("a", 3, false, 1)]),
            (
                vec![own("123456780", 1), compared("123456781", 2)],
                &["123456782"],
                vec![
                    row("12345678", 1, false, 1),
                    row("123456781", 2, false, 2),
                    row("123456782", 0, true, 3),
                ],
            ),
            // Two keys with the same fifteen digits have one record.
            (
                vec![compared("123456789abcdef", 4)],
                &["123456789abcdef1", "123456789abcdef2"],
                vec![row("123456789abcdef1", 4, true, 1), row("123456789abcdef2", 4, true, 2)],
            ),
        ] {
            let connected = connected.iter().map(|head| fingerprint(head)).collect();
            assert_eq!(told(&together(kept, &connected)), expected);
        }
    }
}
