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
    /// How deep a lot of so many answers is looked at; the last is the largest lot.
    depths: Vec<Depth>,
}

/// How many devices stand behind the answers of a closed lot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Depth {
    /// Behind each answer, its own device among them. One: most are not checked at all.
    pub devices: u32,
    /// So many answers, chosen by chance, have one device more behind them.
    pub chosen: u32,
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
        let mut depths = vec![Depth { devices: 1, chosen: 0 }];
        for answers in 1..=lot_size(budget, assumed) {
            let before = depths.last().copied().filter(|before| before.devices == 1);
            let least = before.map_or(1, |before| before.chosen.max(1));
            depths.push(
                (1..repeats.max(2)).find_map(|devices| depth(answers, devices, least, budget, assumed))?,
            );
        }
        Some(Self { assumed, repeats, depths })
    }

    /// Answers after which a lot is closed.
    pub fn lot(&self) -> u32 {
        u32::try_from(self.depths.len() - 1).unwrap_or(MAX_LOT)
    }

    /// Devices that have to agree on an answer that no others stand beside.
    pub const fn repeats(&self) -> u32 {
        self.repeats
    }

    /// The same for an answer that is a lot by itself: one at least computes it again, however few liars are assumed.
    pub fn alone(&self) -> u32 {
        let depth = self.depth(1);
        depth.devices + depth.chosen
    }

    /// How deep a lot of so many answers is looked at. One that no policy knows is computed as often as a single answer.
    pub fn depth(&self, answers: u32) -> Depth {
        let all = Depth { devices: self.repeats, chosen: 0 };
        self.depths.get(answers as usize).copied().unwrap_or(all)
    }

    /// How many wrong answers a lot of so many gets accepted at most, as expected of a gang that does the assumed share of all work.
    pub fn wrong_in_lot(&self, answers: u32) -> f64 {
        if answers == 0 || answers > self.lot() {
            return f64::from(answers) * self.wrong_alone();
        }
        f64::from(answers) * wrong_share(answers, self.depth(answers), self.assumed)
    }

    /// The same for one answer that stands on devices that agree, and on no lot.
    pub fn wrong_alone(&self) -> f64 {
        alone(self.assumed, self.repeats)
    }
}

/// The least number of chosen answers that is enough, with so many devices behind each of the others.
fn depth(answers: u32, devices: u32, least: u32, budget: f64, assumed: f64) -> Option<Depth> {
    let least = if devices == 1 { least } else { 1 };
    let depths = (least..=answers.min(MAX_SAMPLE)).map(|chosen| Depth { devices, chosen });
    let fits = |depth: &Depth| wrong_share(answers, *depth, assumed) <= budget * ROUNDING;
    let all = Depth { devices, chosen: answers };
    Some(all).filter(fits).and_then(|_| depths.into_iter().find(fits))
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

/// The share of lies among accepted answers: f/n x the largest, over m, of m x P(m), where P(m) is the chance that m lies pass. With c
/// devices behind each answer and one more behind k of them it is f^((c-1) m) x the sum over j of
/// C(m, j) C(n-m, k-j) / C(n, k) x f^j, that is 2F1(-k, -m; -n; 1-f).
///
/// The sum follows from its two predecessors (Gauss's contiguous relations) and is log-concave in m, so m x P(m) rises once and
/// falls once. At least one answer, and at most all of them chosen.
fn wrong_share(answers: u32, depth: Depth, assumed: f64) -> f64 {
    let (n, k, z) = (f64::from(answers), f64::from(depth.chosen), 1.0 - assumed);
    let covered = alone(assumed, depth.devices - 1);
    let (mut before, mut here) = (1.0, 1.0 - k * z / n);
    let (mut all_covered, mut most) = (covered, covered * here);
    for lies in 1..answers {
        let m = f64::from(lies);
        let next = ((n - 2.0 * m + (m - k) * z) * here + m * assumed * before) / (n - m);
        all_covered *= covered;
        let many = (m + 1.0) * next * all_covered;
        if many <= most {
            break;
        }
        most = many;
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
        for (f, e, small, repeats, lot, chosen) in [
            (50_000, 10_000, 1, 2, 50, &[(1, 1), (10, 2), (25, 2), (50, 2)][..]),
            (50_000, 1_000, 4, 3, 194, &[(10, 9), (25, 16), (62, 20), (100, 22), (194, 23)]),
            (50_000, 100, 32, 4, 1_937, &[(62, 59), (100, 89), (194, 141), (200, 144)]),
            (200_000, 1_000, 51, 5, 920, &[(62, 59), (100, 76), (194, 92), (200, 92)]),
        ] {
            let plan = Plan::new(error(e), assumed(f)).unwrap();
            let first = (1..=plan.lot()).find(|answers| plan.depth(*answers).devices == 1);
            assert_eq!((first, plan.repeats(), plan.lot()), (Some(small), repeats, lot), "{f} {e}");
            for (answers, chosen) in chosen.iter().copied() {
                assert_eq!(plan.depth(answers), Depth { devices: 1, chosen }, "{answers} of {f} {e}");
            }
            assert_eq!((plan.alone(), plan.depth(1).chosen), (repeats, 1), "a single answer of {f} {e}");
        }
    }

    #[test]
    fn small_lots_are_looked_at_deeper() {
        let plan = Plan::new(error(1_000), assumed(200_000)).unwrap();
        for (answers, devices, chosen) in
            [(1, 4, 1), (2, 4, 1), (10, 3, 1), (11, 2, 11), (40, 2, 11), (50, 2, 1), (51, 1, 51)]
        {
            assert_eq!(plan.depth(answers), Depth { devices, chosen }, "{answers}");
        }
    }

    #[test]
    fn every_lot_stays_within_the_budget_and_larger_ones_are_checked_no_less() {
        for (f, e) in [(50_000, 10_000), (50_000, 1_000), (50_000, 100), (200_000, 1_000), (1_000, 100)] {
            let plan = Plan::new(error(e), assumed(f)).unwrap();
            for answers in 1..=plan.lot() {
                let (depth, before) = (plan.depth(answers), plan.depth(answers - 1));
                assert!((1..=answers).contains(&depth.chosen), "{answers} of {f} {e}");
                assert!(answers == 1 || depth.devices <= before.devices, "{answers} of {f} {e}");
                let falls = depth.devices == 1 && before.devices == 1 && depth.chosen < before.chosen;
                assert!(!falls, "{answers} of {f} {e}");
                let within = plan.wrong_in_lot(answers) <= USED * error(e).as_f64() * f64::from(answers);
                assert!(within, "{answers} of {f} {e}");
            }
            let beyond = Depth { devices: plan.repeats(), chosen: 0 };
            assert_eq!(plan.depth(plan.lot() + 1), beyond, "what no policy knows");
        }
    }

    /// P(m) as it is defined.
    fn passes(n: u32, depth: Depth, m: u32, f: f64) -> f64 {
        let (k, covered) = (depth.chosen, f.powi(((depth.devices - 1) * m).cast_signed()));
        let choose = |n: u32, k: u32| {
            let part = |i: u32| f64::from(n - i) / f64::from(k - i);
            if k > n { 0.0 } else { (0..k).map(part).product::<f64>() }
        };
        let one = |j: u32| choose(m, j) * choose(n - m, k - j) / choose(n, k) * f.powi(j.cast_signed());
        covered * (0..=k.min(m)).map(one).sum::<f64>()
    }

    #[test]
    fn the_recurrence_finds_the_largest_sum() {
        for (f, n, devices) in [0.001, 0.05, 0.2, 0.4]
            .into_iter()
            .flat_map(|f| (1..=40).flat_map(move |n| (1..4).map(move |c| (f, n, c))))
        {
            for chosen in 1..=n {
                let depth = Depth { devices, chosen };
                let sum = |m: u32| f64::from(m) * passes(n, depth, m, f);
                let most = (1..=n).map(sum).fold(0.0, f64::max) * f / f64::from(n);
                let found = wrong_share(n, depth, f);
                assert!((found - most).abs() <= 1e-9 * most, "{found} for {most}: {n} {depth:?} {f}");
                let fewer = Depth { chosen: chosen - 1, ..depth };
                assert!(chosen == 1 || found <= wrong_share(n, fewer, f), "{n} {depth:?} {f}");
            }
        }
        for (n, chosen, f) in [(194, 23, 0.05), (920, 120, 0.2), (2000, 150, 0.05)] {
            let depth = Depth { devices: 1, chosen };
            let most = (1..=n / 2).map(|m| f64::from(m) * passes(n, depth, m, f)).fold(0.0, f64::max);
            let found = wrong_share(n, depth, f) * f64::from(n) / f;
            assert!((found - most).abs() <= 1e-6 * most, "{found} for {most}: {n} {chosen} {f}");
        }
    }

    #[test]
    fn an_answer_by_itself_is_computed_twice_at_least() {
        let plan = Plan::new(error(100_000), assumed(1_000)).unwrap();
        assert_eq!((plan.repeats(), plan.alone()), (1, 2));
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
