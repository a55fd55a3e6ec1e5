//! The bound that people see: how many accepted answers of a node are expected to be wrong at most.

use crate::plan::Plan;

/// Adds up over a node that is done. Trusted and proved answers add to the jobs alone.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Bound {
    wrong: f64,
    jobs: u64,
}

impl Bound {
    /// A lot that was accepted as it was.
    pub fn lot(&mut self, plan: &Plan, answers: u32) {
        self.wrong += plan.wrong_in_lot(answers);
        self.jobs += u64::from(answers);
    }

    /// Answers that each stand on devices that agree.
    pub fn alone(&mut self, plan: &Plan, answers: u64) {
        self.wrong += plan.wrong_alone() * answers as f64;
        self.jobs += answers;
    }

    /// Answers of those who are trusted.
    pub const fn trusted(&mut self, answers: u64) {
        self.jobs += answers;
    }

    /// How many are expected to be wrong at most.
    pub const fn wrong(&self) -> f64 {
        self.wrong
    }

    pub const fn jobs(&self) -> u64 {
        self.jobs
    }

    /// The share of wrong ones, from 0 to 1; `None` of nothing.
    pub fn share(&self) -> Option<f64> {
        (self.jobs > 0).then(|| self.wrong / self.jobs as f64)
    }
}

#[cfg(test)]
mod tests {
    use weevil_model::trust::{AssumedShare, ErrorShare};

    use super::*;

    #[test]
    fn the_bound_is_what_lots_and_single_answers_may_get_wrong() {
        let plan = Plan::new(ErrorShare::of_millionths(1000).unwrap(), AssumedShare::default()).unwrap();
        assert_eq!(Bound::default().share(), None);
        let share = |fill: &dyn Fn(&mut Bound)| {
            let mut bound = Bound::default();
            fill(&mut bound);
            bound.share().unwrap()
        };
        let near = |one: f64, other: f64| assert!((one - other).abs() < 1e-12, "{one} {other}");
        near(share(&|bound| bound.trusted(7)), 0.0);
        near(share(&|bound| bound.alone(&plan, 5)), 0.05_f64.powi(3));
        near(share(&|bound| bound.lot(&plan, 1)), 0.05_f64.powi(3));
        near(share(&|bound| bound.lot(&plan, 62)), plan.wrong_in_lot(62) / 62.0);
        let mixed = share(&|bound| {
            bound.lot(&plan, 62);
            bound.trusted(62);
        });
        near(mixed, plan.wrong_in_lot(62) / 124.0);
        assert!(share(&|bound| bound.lot(&plan, 194)) <= 0.0008);
    }
}
