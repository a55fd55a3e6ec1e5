//! How many answers of a lot are computed again, so that no gang gets more than its share of lies through.
//!
//! Plans with acceptance number zero (Dodge and Romig, Sampling Inspection Tables, 1959). A lot of n answers of which k are chosen by
//! chance passes with m lies only if whoever computes a chosen lie again belongs to the gang, which happens with the assumed
//! share f. Computed once for a policy; why the sum bounds every gang is in docs/trust.md.

use weevil_model::trust::{AssumedShare, ErrorShare};

/// Answers that a lot takes, whatever the policy.
pub const MIN_LOT: u32 = 50;
pub const MAX_LOT: u32 = 2000;
/// Answers of a lot that may have to be computed again.
pub const MAX_SAMPLE: u32 = 1000;
/// Devices that may have to agree on an answer outside of lots.
pub const MAX_REPEATS: u32 = 8;

/// What the argument may use of the error: a fifth is kept for what it leaves out.
const USED: f64 = 0.8;
/// Rounding never decides in favour of a liar.
const ROUNDING: f64 = 1.0 - 1e-9;

/// What one policy asks for.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    assumed: f64,
    repeats: u32,
    small: u32,
    /// How many answers of a lot of so many are checked; the last is the largest lot.
    checks: Vec<u32>,
}

/// The policy would have to compute too much again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "with this share of liars assumed, the smallest error that can be promised is {}: ask for `credible({})`, or assume fewer \
     liars", .smallest.as_f64(), .smallest.as_f64()
)]
pub struct NoPlan {
    pub smallest: ErrorShare,
}

impl Plan {
    /// # Errors
    /// More than [`MAX_REPEATS`] devices would have to agree, or more than [`MAX_SAMPLE`] answers of a lot be checked.
    pub fn new(error: ErrorShare, assumed: AssumedShare) -> Result<Self, NoPlan> {
        Self::of(error, assumed).ok_or_else(|| NoPlan { smallest: smallest(assumed) })
    }

    fn of(error: ErrorShare, assumed: AssumedShare) -> Option<Self> {
        let (budget, assumed) = (USED * error.as_f64(), assumed.as_f64());
        let repeats = (1..=MAX_REPEATS).find(|repeats| alone(assumed, *repeats) <= budget)?;
        let small = (1..=MAX_LOT).find(|n| wrong_share(*n, *n, assumed) <= budget * ROUNDING)?;
        let mut checks: Vec<u32> = (0..small).collect();
        for answers in small..=lot_size(budget, assumed).max(small) {
            let least = checks.last().copied().unwrap_or(0).min(answers);
            // A small lot is checked whole, so the first one that is not may need fewer than the one before.
            let least = if answers == small { 1 } else { least };
            let fits = |checked: &u32| wrong_share(answers, *checked, assumed) <= budget * ROUNDING;
            checks.push((least..=answers.min(MAX_SAMPLE)).find(fits)?);
        }
        Some(Self { assumed, repeats, small, checks })
    }

    /// Answers after which a lot is closed.
    pub fn lot(&self) -> u32 {
        u32::try_from(self.checks.len() - 1).unwrap_or(MAX_LOT)
    }

    /// The least number of answers that are accepted as a lot; those of a smaller one stand on `repeats` devices each.
    pub const fn small(&self) -> u32 {
        self.small
    }

    /// Devices that have to agree on an answer that no lot carries.
    pub const fn repeats(&self) -> u32 {
        self.repeats
    }

    /// How many of so many answers are checked: all of a small lot, and of one that no policy knows.
    pub fn checks(&self, answers: u32) -> u32 {
        self.checks.get(answers as usize).copied().unwrap_or(answers)
    }

    /// How many wrong answers a lot of so many gets accepted at most, as expected of a gang that does the assumed share of all work.
    pub fn wrong_in_lot(&self, answers: u32) -> f64 {
        if answers < self.small {
            return f64::from(answers) * self.wrong_alone();
        }
        f64::from(answers) * wrong_share(answers, self.checks(answers), self.assumed)
    }

    /// The same for one answer that stands on devices that agree.
    pub fn wrong_alone(&self) -> f64 {
        alone(self.assumed, self.repeats)
    }
}

/// The chance that so many devices in a row belong to the gang.
fn alone(assumed: f64, repeats: u32) -> f64 {
    assumed.powi(repeats.cast_signed())
}

/// The size at which a lot costs the least beside what is lost when it is refused.
fn lot_size(budget: f64, assumed: f64) -> u32 {
    let size = (8.0 * assumed / ((1.0 - assumed) * std::f64::consts::E * budget)).ceil();
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is clamped before")]
    let size = size.clamp(f64::from(MIN_LOT), f64::from(MAX_LOT)) as u32;
    size
}

/// The share of lies among accepted answers, s(n, k) = f/n x the largest, over m, of m x P(m), where P(m) is the chance that m lies
/// pass: the sum over j of C(m, j) C(n-m, k-j) / C(n, k) x f^j, that is 2F1(-k, -m; -n; 1-f).
///
/// P follows from its two predecessors (Gauss's contiguous relations), and is log-concave in m, so m x P(m) rises once and falls
/// once. At least one answer, and at most all of them checked.
fn wrong_share(answers: u32, checked: u32, assumed: f64) -> f64 {
    let (n, k, z) = (f64::from(answers), f64::from(checked), 1.0 - assumed);
    let (mut before, mut here) = (1.0, 1.0 - k * z / n);
    let mut most = here;
    for lies in 1..answers {
        let m = f64::from(lies);
        let next = ((n - 2.0 * m + (m - k) * z) * here + m * assumed * before) / (n - m);
        if (m + 1.0) * next <= most {
            break;
        }
        most = (m + 1.0) * next;
        (before, here) = (here, next);
    }
    assumed / n * most
}

/// The smallest error, in millionths, that has a plan. A larger one always has one, too.
fn smallest(assumed: AssumedShare) -> ErrorShare {
    let (mut without, mut with) = (ErrorShare::SMALLEST, ErrorShare::LARGEST);
    while let Some(between) = without.between(with) {
        if Plan::of(between, assumed).is_some() {
            with = between;
        } else {
            without = between;
        }
    }
    with
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(millionths: u32) -> ErrorShare {
        ErrorShare::of_millionths(millionths).unwrap()
    }

    fn assumed(millionths: u32) -> AssumedShare {
        AssumedShare::of_millionths(millionths).unwrap()
    }

    #[test]
    fn plans_are_those_of_the_table() {
        for (f, e, small, repeats, lot, checks) in [
            (50_000, 10_000, 1, 2, 50, &[(1, 1), (10, 2), (25, 2), (50, 2)][..]),
            (50_000, 1_000, 4, 3, 194, &[(1, 1), (3, 3), (10, 9), (25, 16), (62, 20), (100, 22), (194, 23)]),
            (50_000, 100, 32, 4, 1_937, &[(31, 31), (62, 59), (100, 89), (194, 141), (200, 144)]),
            (200_000, 1_000, 51, 5, 920, &[(50, 50), (62, 59), (100, 76), (194, 92), (200, 92)]),
        ] {
            let plan = Plan::new(error(e), assumed(f)).unwrap();
            assert_eq!((plan.small(), plan.repeats(), plan.lot()), (small, repeats, lot), "{f} {e}");
            for (answers, expected) in checks {
                assert_eq!(plan.checks(*answers), *expected, "{answers} of {f} {e}");
            }
        }
    }

    #[test]
    fn larger_lots_are_checked_no_less_and_no_answer_more_often_than_once() {
        for (f, e) in [(50_000, 10_000), (50_000, 1_000), (50_000, 100), (200_000, 1_000), (1_000, 100)] {
            let plan = Plan::new(error(e), assumed(f)).unwrap();
            for answers in 1..=plan.lot() {
                let checked = plan.checks(answers);
                assert!((1..=answers).contains(&checked), "{answers} of {f} {e}");
                let falls = answers > plan.small() && checked < plan.checks(answers - 1);
                assert!(!falls, "{answers} of {f} {e}");
                let lots = plan.wrong_in_lot(answers) <= USED * error(e).as_f64() * f64::from(answers);
                assert!(lots, "{answers} of {f} {e}");
            }
            assert_eq!(plan.checks(plan.lot() + 1), plan.lot() + 1, "all of what cannot be");
        }
    }

    /// P(m) as it is defined.
    fn passes(n: u32, k: u32, m: u32, f: f64) -> f64 {
        let choose = |n: u32, k: u32| {
            let part = |i: u32| f64::from(n - i) / f64::from(k - i);
            if k > n { 0.0 } else { (0..k).map(part).product::<f64>() }
        };
        let one = |j: u32| choose(m, j) * choose(n - m, k - j) / choose(n, k) * f.powi(j.cast_signed());
        (0..=k.min(m)).map(one).sum()
    }

    #[test]
    fn the_recurrence_finds_the_largest_sum() {
        for f in [0.001, 0.05, 0.2, 0.4] {
            for n in 1..=40 {
                for k in 1..=n {
                    let sum = |m: u32| f64::from(m) * passes(n, k, m, f);
                    let most = (1..=n).map(sum).fold(0.0, f64::max) * f / f64::from(n);
                    let found = wrong_share(n, k, f);
                    assert!((found - most).abs() <= 1e-9 * most, "{found} for {most}: {n} {k} {f}");
                    if let Some(fewer) = (k > 1).then(|| wrong_share(n, k - 1, f)) {
                        assert!(found <= fewer, "{n} {k} {f}");
                    }
                }
            }
        }
        for (n, k, f) in [(194, 23, 0.05), (920, 120, 0.2), (2000, 150, 0.05)] {
            let most = (1..=n / 2).map(|m| f64::from(m) * passes(n, k, m, f)).fold(0.0, f64::max);
            let found = wrong_share(n, k, f) * f64::from(n) / f;
            assert!((found - most).abs() <= 1e-6 * most, "{found} for {most}: {n} {k} {f}");
        }
    }

    #[test]
    fn what_asks_for_too_much_is_told_what_can_be_had() {
        let refused = Plan::new(error(100), assumed(400_000)).unwrap_err();
        assert!(Plan::new(refused.smallest, assumed(400_000)).is_ok(), "{refused}");
        let one_less = (refused.smallest.as_f64() * 1e6).round() - 1.0;
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "millionths")]
        let one_less = error(one_less as u32);
        assert_eq!(Plan::new(one_less, assumed(400_000)), Err(refused));
        assert!(refused.to_string().contains(&format!("`credible({})`", refused.smallest.as_f64())));
        assert!(Plan::new(ErrorShare::LARGEST, AssumedShare::LARGEST).is_ok(), "something can always be had");
    }
}
