//! Which policies of trust a server can keep: the more liars it assumes, the less it can promise.
//!
//! Worked out once, when the server starts: a plan is thousands of sums, and anybody who may put jobs in can name a policy for
//! each of them.

use weevil_model::trust::{AssumedShare, ErrorShare, Policy};
use weevil_trust::Plan;

pub use weevil_trust::NoPlan;

/// The smallest share of wrong answers that can be promised. A larger one always can be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SmallestError(ErrorShare);

impl SmallestError {
    /// That of a server which assumes so many liars.
    pub fn assuming(liars: AssumedShare) -> Self {
        let plan = Plan::new(ErrorShare::SMALLEST, liars);
        Self(plan.map_or_else(|none| none.smallest, |_| ErrorShare::SMALLEST))
    }

    /// # Errors
    /// The policy promises more.
    pub fn check(self, policy: Policy) -> Result<(), NoPlan> {
        match policy {
            Policy::Credible(error) if error < self.0 => Err(NoPlan { smallest: self.0 }),
            Policy::None | Policy::Quorum(_) | Policy::Credible(_) => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_policy_is_refused_exactly_where_it_has_no_plan() {
        for liars in ["0.001", "0.05", "0.2", "0.4"] {
            let liars: AssumedShare = liars.parse().unwrap();
            let smallest = SmallestError::assuming(liars);
            for error in [100, 101, 1000, 10_000, 30_000, 99_999, 100_000] {
                let error = ErrorShare::of_millionths(error).unwrap();
                let plan = Plan::new(error, liars).map(drop);
                assert_eq!(smallest.check(Policy::Credible(error)), plan, "{error:?} {liars}");
            }
        }
    }

    #[test]
    fn what_needs_no_plan_is_never_refused() {
        let most = SmallestError::assuming(AssumedShare::LARGEST);
        for (policy, kept) in
            [("none", true), ("quorum(2)", true), ("quorum(7)", true), ("credible(0.0001)", false)]
        {
            assert_eq!(most.check(policy.parse().unwrap()).is_ok(), kept, "{policy}");
        }
    }
}
