//! What each policy asks for, worked out once: a plan takes up to two thousand sums, and a batch asks for it with every answer.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use weevil_model::trust::{AssumedShare, ErrorShare};
use weevil_trust::{NoPlan, Plan};

/// Plans that are kept. A policy is one of a million, and whoever starts a run may name another one each time.
const MAX_KEPT: usize = 64;

/// A memo of a pure function.
static KEPT: Mutex<BTreeMap<(ErrorShare, AssumedShare), Arc<Plan>>> = Mutex::new(BTreeMap::new());

/// # Errors
/// The policy asks for more than there may be. None is served, so only a server that assumes more liars than before meets one.
pub(crate) fn plan(error: ErrorShare, assumed: AssumedShare) -> Result<Arc<Plan>, NoPlan> {
    let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(plan) = kept.get(&(error, assumed)) {
        return Ok(plan.clone());
    }
    let plan = Arc::new(Plan::new(error, assumed)?);
    if kept.len() >= MAX_KEPT {
        kept.clear();
    }
    kept.insert((error, assumed), plan.clone());
    Ok(plan)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plan_is_made_once_and_few_are_kept() {
        let of = |millionths: u32| {
            plan(ErrorShare::of_millionths(millionths).unwrap(), AssumedShare::default()).unwrap()
        };
        let first = of(10_000);
        assert!(Arc::ptr_eq(&first, &of(10_000)));
        for millionths in 0..200 {
            of(10_001 + millionths);
        }
        assert!(KEPT.lock().unwrap().len() <= MAX_KEPT);
    }
}
