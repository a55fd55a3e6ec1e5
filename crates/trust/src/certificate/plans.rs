//! The plans of a certificate's policies, each computed once.

use std::sync::Arc;

use weevil_model::trust::{AssumedShare, Policy};

use super::lines::PlanEntry;
use crate::plan::Plan;

/// Plans that are kept; a certificate with more policies has them computed again.
const MAX_KEPT: usize = 64;

#[derive(Debug)]
pub(super) struct Plans {
    assumed: AssumedShare,
    kept: Vec<(Policy, Option<Arc<Plan>>)>,
}

impl Plans {
    pub(super) const fn new(assumed: AssumedShare) -> Self {
        Self { assumed, kept: Vec::new() }
    }

    /// `None` for what is not credible, and where no plan is enough.
    pub(super) fn of(&mut self, policy: Policy) -> Option<Arc<Plan>> {
        let Policy::Credible(error) = policy else { return None };
        if let Some((_, plan)) = self.kept.iter().find(|(kept, _)| *kept == policy) {
            return plan.clone();
        }
        if self.kept.len() == MAX_KEPT {
            self.kept.clear();
        }
        let plan = Plan::new(error, self.assumed).ok().map(Arc::new);
        self.kept.push((policy, plan.clone()));
        plan
    }
}

impl PlanEntry {
    /// What the head of a certificate tells of a plan.
    pub fn of(plan: &Plan) -> Self {
        let small = (1..=plan.lot()).find(|answers| plan.depth(*answers).devices == 1);
        Self { small, devices: plan.alone(), lot: plan.lot() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_policy_has_one_plan() {
        let mut plans = Plans::new(AssumedShare::default());
        let entry = plans.of("credible(0.001)".parse().unwrap()).map(|plan| PlanEntry::of(&plan));
        assert_eq!(entry, Some(PlanEntry { small: Some(4), devices: 3, lot: 194 }));
        for policy in ["none", "quorum(2)"] {
            assert_eq!(plans.of(policy.parse().unwrap()), None, "{policy}");
        }
        for millionths in 1000..1100 {
            assert!(plans.of(Policy::from_number(millionths).unwrap()).is_some());
            assert!(plans.kept.len() <= MAX_KEPT);
        }
    }
}
