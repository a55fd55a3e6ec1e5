//! The three facts of a certificate that decide whether a pair fits: who issued it, for whom, until when.
//!
//! Reads files of the operator's own, never what a stranger sent; checks no signature.

/// Tags of DER (X.690, section 8).
const INTEGER: u8 = 0x02;
const SEQUENCE: u8 = 0x30;
const UTC_TIME: u8 = 0x17;
const GENERALIZED_TIME: u8 = 0x18;
/// The version, where it is written (RFC 5280, section 4.1).
const VERSION: u8 = 0xa0;

/// What a certificate says of itself. Names are compared byte by byte.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Facts<'d> {
    pub issuer: &'d [u8],
    pub subject: &'d [u8],
    /// Seconds since 1970.
    pub expires_at: i64,
}

/// Reads a certificate; `None` where it is not one.
pub(super) fn read(der: &[u8]) -> Option<Facts<'_>> {
    let mut certificate = Reader(der).enter(SEQUENCE)?;
    let mut body = certificate.enter(SEQUENCE)?;
    if body.0.first() == Some(&VERSION) {
        body.enter(VERSION)?;
    }
    body.enter(INTEGER)?;
    body.enter(SEQUENCE)?;
    let issuer = body.enter(SEQUENCE)?.0;
    let mut validity = body.enter(SEQUENCE)?;
    validity.next()?;
    let (kind, until) = validity.next()?;
    let subject = body.enter(SEQUENCE)?.0;
    Some(Facts { issuer, subject, expires_at: moment(kind, until)? })
}

struct Reader<'d>(&'d [u8]);

impl<'d> Reader<'d> {
    /// The next element: its tag, and what is in it.
    fn next(&mut self) -> Option<(u8, &'d [u8])> {
        let (&[tag, first], rest) = self.0.split_first_chunk()?;
        let (length, rest) = match first {
            0..=0x7f => (usize::from(first), rest),
            0x81..=0x84 => {
                let (bytes, rest) = rest.split_at_checked(usize::from(first & 0x7f))?;
                (bytes.iter().fold(0, |sum, byte| sum << 8 | usize::from(*byte)), rest)
            }
            _ => return None,
        };
        let (inside, rest) = rest.split_at_checked(length)?;
        self.0 = rest;
        Some((tag, inside))
    }

    fn enter(&mut self, tag: u8) -> Option<Self> {
        self.next().filter(|(found, _)| *found == tag).map(|(_, inside)| Self(inside))
    }
}

/// `YYMMDDHHMMSSZ` or `YYYYMMDDHHMMSSZ` (RFC 5280, section 4.1.2.5), in seconds since 1970.
fn moment(kind: u8, text: &[u8]) -> Option<i64> {
    let text = str::from_utf8(text).ok()?.strip_suffix('Z')?;
    let (year, rest) = match kind {
        UTC_TIME => {
            let (year, rest) = text.split_at_checked(2)?;
            let year: i64 = year.parse().ok()?;
            (if year < 50 { 2000 + year } else { 1900 + year }, rest)
        }
        GENERALIZED_TIME => {
            let (year, rest) = text.split_at_checked(4)?;
            (year.parse().ok()?, rest)
        }
        _ => return None,
    };
    let pair = |at: usize| rest.get(at..at + 2)?.parse::<i64>().ok();
    let (month, day) = (pair(0)?, pair(2)?);
    let of_day = pair(4)? * 3600 + pair(6)? * 60 + pair(8)?;
    (rest.len() == 10).then(|| days(year, month, day) * 86_400 + of_day)
}

/// Days since 1970-01-01 in the Gregorian calendar: years begin in March, so that the leap day comes last.
const fn days(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let (era, of_era) = (year.div_euclid(400), year.rem_euclid(400));
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_read_in_both_forms() {
        for (kind, text, expected) in [
            (UTC_TIME, "700101000000Z", Some(0)),
            (UTC_TIME, "260228235959Z", Some(1_772_323_199)),
            (UTC_TIME, "491231235959Z", Some(2_524_607_999)),
            (UTC_TIME, "500101000000Z", Some(-631_152_000)),
            (GENERALIZED_TIME, "20240229120000Z", Some(1_709_208_000)),
            (GENERALIZED_TIME, "99991231235959Z", Some(253_402_300_799)),
            (GENERALIZED_TIME, "20240229120000", None),
            (GENERALIZED_TIME, "202402291200Z", None),
            (UTC_TIME, "Z", None),
            (SEQUENCE, "700101000000Z", None),
        ] {
            assert_eq!(moment(kind, text.as_bytes()), expected, "{text}");
        }
    }

    #[test]
    fn what_is_cut_off_is_no_certificate() {
        let made = rcgen::generate_simple_self_signed(["weevil.example".to_owned()]).unwrap();
        let der = made.cert.der();
        let facts = read(der).unwrap();
        assert_eq!(facts.issuer, facts.subject);
        for length in 0..der.len() {
            // Nothing of it panics, and what is cut off is refused.
            assert_eq!(read(&der[..length]), None, "{length}");
        }
    }
}
