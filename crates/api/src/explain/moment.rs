//! A moment as sentences tell it: the time of day in UTC, with its date where that is another day's. Only arithmetic.

use weevil_model::Timestamp;

const MINUTE_MS: i64 = 60_000;
const DAY_MS: i64 = 24 * 60 * MINUTE_MS;

/// `14:02 UTC`, or `2026-11-27 14:02 UTC` where `now` is on another day.
pub(super) fn moment(at: Timestamp, now: Timestamp) -> String {
    let (day, minutes) = (at.0.div_euclid(DAY_MS), at.0.rem_euclid(DAY_MS) / MINUTE_MS);
    let clock = format!("{:02}:{:02} UTC", minutes / 60, minutes % 60);
    if day == now.0.div_euclid(DAY_MS) { clock } else { format!("{} {clock}", date(day)) }
}

/// Days since 1970-01-01 as a date of the Gregorian calendar, in whose years of 400 a March comes first, so that leap days are last
/// (Hinnant, "chrono-Compatible Low-Level Date Algorithms").
fn date(day: i64) -> String {
    let from_march = day + 719_468;
    let (era, of_era) = (from_march.div_euclid(146_097), from_march.rem_euclid(146_097));
    let of_era_years = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * of_era_years + of_era_years / 4 - of_era_years / 100);
    let from_march_months = (5 * of_year + 2) / 153;
    let of_month = of_year - (153 * from_march_months + 2) / 5 + 1;
    let month = if from_march_months < 10 { from_march_months + 3 } else { from_march_months - 9 };
    let year = of_era_years + era * 400 + i64::from(month <= 2);
    format!("{year:04}-{month:02}-{of_month:02}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moment_has_its_date_where_that_is_not_today() {
        let noon = 12 * 60 * MINUTE_MS;
        for (at, now, expected) in [
            (noon, noon + 5, "12:00 UTC"),
            (0, DAY_MS - 1, "00:00 UTC"),
            (DAY_MS - 1, DAY_MS, "1970-01-01 23:59 UTC"),
            (951_782_400_000, 0, "2000-02-29 00:00 UTC"),
            (951_868_800_000, 0, "2000-03-01 00:00 UTC"),
            (1_795_290_899_507, 1_795_290_999_507, "19:54 UTC"),
            (1_795_290_899_507, 0, "2026-11-21 19:54 UTC"),
            (4_107_542_340_000, 0, "2100-02-28 23:59 UTC"),
            (4_107_542_400_000, 0, "2100-03-01 00:00 UTC"),
            (-1, 0, "1969-12-31 23:59 UTC"),
        ] {
            assert_eq!(moment(Timestamp(at), Timestamp(now)), expected, "{at} {now}");
        }
    }
}
