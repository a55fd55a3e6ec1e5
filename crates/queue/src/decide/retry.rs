//! How long a job waits after an error: exponential back-off, shortened by chance.

use weevil_model::JobId;

/// No pause is longer, milliseconds, unless the first one is.
pub const MAX_PAUSE_MS: u32 = 5 * 60 * 1000;

/// Milliseconds until a job is ready again. The pause doubles with each failure; chance takes up to half of it, so that
/// what failed together does not come back together. The chance is a function of the job and the failure.
pub fn pause(first_ms: u32, failures: u32, job: JobId) -> u32 {
    let grown = u64::from(first_ms) << failures.saturating_sub(1).min(31);
    let longest = grown.min(MAX_PAUSE_MS.max(first_ms).into());
    let chance = scatter(job.number().cast_unsigned() ^ u64::from(failures).rotate_left(48)) >> 32;
    let shorter = (longest / 2 * chance) >> 32;
    u32::try_from(longest - shorter).unwrap_or(u32::MAX)
}

/// The finaliser of `SplitMix64` (Steele, Lea, Flood 2014): near numbers come out far apart.
const fn scatter(number: u64) -> u64 {
    let number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ (number >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn job(number: i64) -> JobId {
        JobId::from_number(number).unwrap()
    }

    #[test]
    fn pauses_double_up_to_a_bound_and_lose_at_most_half() {
        for (first_ms, failures, longest) in [
            (1_000, 1, 1_000),
            (1_000, 2, 2_000),
            (1_000, 5, 16_000),
            (1_000, 60, MAX_PAUSE_MS),
            (MAX_PAUSE_MS * 2, 3, MAX_PAUSE_MS * 2),
            (u32::MAX, u32::MAX, u32::MAX),
            (0, 3, 0),
        ] {
            for number in 0..100 {
                let found = pause(first_ms, failures, job(number));
                assert!((longest / 2..=longest).contains(&found), "{first_ms} {failures}: {found}");
            }
        }
    }

    #[test]
    fn jobs_that_fail_together_come_back_apart() {
        let mut pauses: Vec<u32> = (0..100).map(|number| pause(1_000, 1, job(number))).collect();
        pauses.sort_unstable();
        pauses.dedup();
        assert!(pauses.len() > 80, "{}", pauses.len());
        assert_eq!(pause(1_000, 1, job(7)), pause(1_000, 1, job(7)));
    }
}
