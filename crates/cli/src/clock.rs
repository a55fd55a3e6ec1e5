//! This machine's clock, and how long ago or how far off something is, in words.

use std::time::{SystemTime, UNIX_EPOCH};

const MINUTE: i64 = 60;
const HOUR: i64 = 60 * MINUTE;
const DAY: i64 = 24 * HOUR;

/// Milliseconds since 1970, by this machine's clock.
pub(crate) fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}

/// How long ago something was; both in milliseconds since 1970.
pub(crate) fn age(at: i64, now: i64) -> String {
    format!("{} ago", span((now - at) / 1000))
}

/// How long it is until something, rounded down; both in milliseconds since 1970.
pub(crate) fn left(until: i64, now: i64) -> String {
    span((until - now) / 1000)
}

fn span(seconds: i64) -> String {
    match seconds {
        ..MINUTE => format!("{} s", seconds.max(0)),
        MINUTE..HOUR => format!("{} min", seconds / MINUTE),
        HOUR..DAY => format!("{} h", seconds / HOUR),
        DAY.. => format!("{} d", seconds / DAY),
    }
}

/// How far off something is, in days that have begun; both in milliseconds since 1970.
pub(crate) fn days_until(at: i64, now: i64) -> String {
    match ((at - now).max(0) + 1000 * DAY - 1) / (1000 * DAY) {
        1 => "1 day".to_owned(),
        days => format!("{days} days"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ages_are_told_in_their_largest_unit() {
        for (seconds, expected) in [
            (-5, "0 s ago"),
            (0, "0 s ago"),
            (59, "59 s ago"),
            (60, "1 min ago"),
            (3599, "59 min ago"),
            (3600, "1 h ago"),
            (86_399, "23 h ago"),
            (86_400, "1 d ago"),
            (864_000, "10 d ago"),
        ] {
            assert_eq!(age(1_000_000_000, 1_000_000_000 + seconds * 1000), expected);
        }
    }

    #[test]
    fn a_day_that_has_begun_counts() {
        for (ms, expected) in
            [(-1, "0 days"), (0, "0 days"), (1, "1 day"), (86_400_000, "1 day"), (86_400_001, "2 days")]
        {
            assert_eq!(days_until(1000 + ms, 1000), expected);
        }
    }
}
