//! What it costs a device that its answer differs from the one that is believed.

use weevil_model::Timestamp;

/// The first rest; each further one is six times as long.
pub const FIRST_REST_MS: i64 = 60 * 60 * 1000;
pub const MAX_REST_MS: i64 = 30 * 24 * FIRST_REST_MS;
const LONGER_EACH_TIME: i64 = 6;
/// Refuted errors within a day that cost the rest: machines run out of memory without lying.
pub const ERRORS_A_DAY: usize = 3;
const DAY_MS: i64 = 24 * 60 * 60 * 1000;

/// How an answer was found wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Difference<'a> {
    /// The engines of both answers have agreed often enough that they should have now; a proof needs none.
    pub should_agree: bool,
    pub is_error: bool,
    /// When errors of this device were refuted before, in any order.
    pub refuted_errors: &'a [Timestamp],
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cost {
    /// Its lots in this run are refused.
    Lot,
    /// All its open lots are, everywhere, and it rests.
    Rest,
}

pub fn cost(difference: &Difference<'_>, now: Timestamp) -> Cost {
    let lately = difference.refuted_errors.iter().filter(|at| now.since(**at) < DAY_MS).count();
    let third = lately + 1 >= ERRORS_A_DAY;
    if difference.should_agree && (!difference.is_error || third) { Cost::Rest } else { Cost::Lot }
}

/// How long a device rests that is refuted for the `times`th time, milliseconds.
pub fn rest_ms(times: u32) -> i64 {
    let longer = LONGER_EACH_TIME.saturating_pow(times.saturating_sub(1));
    FIRST_REST_MS.saturating_mul(longer).min(MAX_REST_MS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_rest_is_six_times_as_long_up_to_thirty_days() {
        for (times, hours) in [(0, 1), (1, 1), (2, 6), (3, 36), (4, 216), (5, 720), (6, 720), (u32::MAX, 720)]
        {
            assert_eq!(rest_ms(times), hours * FIRST_REST_MS, "{times}");
        }
    }

    #[test]
    fn a_difference_costs_the_rest_where_it_counts() {
        let now = Timestamp(10 * DAY_MS);
        let ago = |ms| Timestamp(now.0 - ms);
        for (should_agree, is_error, refuted_errors, expected) in [
            (true, false, &[][..], Cost::Rest),
            (false, false, &[], Cost::Lot),
            (true, true, &[], Cost::Lot),
            (true, true, &[ago(1)], Cost::Lot),
            (true, true, &[ago(1), ago(DAY_MS - 1)], Cost::Rest),
            (true, true, &[ago(1), ago(DAY_MS)], Cost::Lot),
            (false, true, &[ago(1), ago(2)], Cost::Lot),
        ] {
            let difference = Difference { should_agree, is_error, refuted_errors };
            assert_eq!(cost(&difference, now), expected, "{difference:?}");
        }
    }
}
