//! Numbers as sentences have them.

use std::time::Duration;

const SECOND: u64 = 1_000;
const MINUTE: u64 = 60 * SECOND;
const HOUR: u64 = 60 * MINUTE;
const DAY: u64 = 24 * HOUR;

/// Milliseconds in their largest unit, rounded down.
pub(super) fn span(ms: u64) -> String {
    match ms {
        ..SECOND => "less than a second".to_owned(),
        SECOND..MINUTE => format!("{} s", ms / SECOND),
        MINUTE..HOUR => format!("{} min", ms / MINUTE),
        HOUR..DAY => format!("{} h", ms / HOUR),
        DAY.. => format!("{} d", ms / DAY),
    }
}

/// The same for seconds.
pub(super) fn of_seconds(seconds: f64) -> String {
    let ms = Duration::try_from_secs_f64(seconds.max(0.0)).map(|span| span.as_millis());
    span(ms.ok().and_then(|ms| u64::try_from(ms).ok()).unwrap_or(u64::MAX))
}

/// `30/s`, `2.5/s`, or `6.0/min` where less than one is done in a second.
pub(super) fn per_second(rate: f64) -> String {
    match rate {
        10.0.. => format!("{rate:.0}/s"),
        1.0.. => format!("{rate:.1}/s"),
        _ => format!("{:.1}/min", rate * 60.0),
    }
}

/// A number with a comma before each three of its digits.
pub(super) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() * 2);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// `1 job`, `3 jobs`.
pub(super) fn many(number: impl Into<u64>, one: &str, several: &str) -> String {
    let number = number.into();
    format!("{} {}", grouped(number), if number == 1 { one } else { several })
}

/// `a`, `a and b`, `a, b and c`.
pub(super) fn list(words: &[String]) -> String {
    match words {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// ` for 5 min`, or nothing where that is not known.
pub(super) fn since(ms: Option<u64>) -> String {
    ms.map(|ms| format!(" for {}", span(ms))).unwrap_or_default()
}

/// A person's note behind a sentence that it ends.
pub(super) fn noted(note: Option<&str>) -> String {
    match note.filter(|note| !note.is_empty()) {
        Some(note) => format!(": {note}"),
        None => ".".to_owned(),
    }
}

/// Milliseconds as a number of the body: exact below 2^53, which is 285,000 years.
pub(super) fn ms(ms: u64) -> f64 {
    ms as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_and_numbers_are_short() {
        for (ms, expected) in [
            (0, "less than a second"),
            (999, "less than a second"),
            (1_000, "1 s"),
            (59_999, "59 s"),
            (60_000, "1 min"),
            (3_599_999, "59 min"),
            (3_600_000, "1 h"),
            (86_399_999, "23 h"),
            (86_400_000, "1 d"),
            (u64::MAX, "213503982334 d"),
        ] {
            assert_eq!(span(ms), expected);
        }
        for (number, expected) in [
            (0_u64, "0 jobs"),
            (1, "1 job"),
            (999, "999 jobs"),
            (1_203, "1,203 jobs"),
            (1_000_000, "1,000,000 jobs"),
        ] {
            assert_eq!(many(number, "job", "jobs"), expected);
        }
    }

    #[test]
    fn seconds_and_rates_are_short() {
        for (seconds, rate, expected) in [
            (40.1, 30.4, "40 s at 30/s"),
            (200.0, 2.54, "3 min at 2.5/s"),
            (0.0, 0.1, "less than a second at 6.0/min"),
            (f64::NAN, 1.0, "less than a second at 1.0/s"),
            (f64::MAX, 10.0, "213503982334 d at 10/s"),
        ] {
            assert_eq!(format!("{} at {}", of_seconds(seconds), per_second(rate)), expected);
        }
    }

    #[test]
    fn words_are_joined() {
        let words = ["a", "b", "c"].map(str::to_owned);
        for (count, expected) in [(0, ""), (1, "a"), (2, "a and b"), (3, "a, b and c")] {
            assert_eq!(list(&words[..count]), expected);
        }
    }
}
