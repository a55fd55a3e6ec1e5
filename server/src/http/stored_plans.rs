//! The plans of stored workflows, for runs that have ended: read when somebody looks back, a few of them kept.
//!
//! A plan never changes, and nothing is lost with it. What a run put in the place of its values is not here.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use actix_web::web;
use weevil_engine::budget::Peer;
use weevil_model::ContentHash;
use weevil_model::limits::MAX_NODES;
use weevil_records::StoredWorkflow;
use weevil_workflow::{Bundle, Plan};

use super::AppState;
use crate::refusal::Refusal;

/// Plans that are kept.
const MAX_PLANS: usize = 8;
/// Nodes that they have together: as many as the two largest workflows.
const MAX_NODES_KEPT: usize = 2 * MAX_NODES;

#[derive(Debug, Default)]
pub(super) struct StoredPlans {
    /// The one that was asked for last comes first.
    kept: Mutex<Vec<(ContentHash, Arc<Plan>)>>,
    /// One is read at a time: a large one takes a while, and memory.
    reading: tokio::sync::Mutex<()>,
}

impl StoredPlans {
    fn kept(&self) -> MutexGuard<'_, Vec<(ContentHash, Arc<Plan>)>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn find(&self, hash: ContentHash) -> Option<Arc<Plan>> {
        let mut kept = self.kept();
        let place = kept.iter().position(|(known, _)| *known == hash)?;
        kept[..=place].rotate_right(1);
        kept.first().map(|(_, plan)| plan.clone())
    }

    fn keep(&self, hash: ContentHash, plan: &Arc<Plan>) {
        let mut kept = self.kept();
        kept.insert(0, (hash, plan.clone()));
        kept.truncate(MAX_PLANS);
        while kept.len() > 1
            && kept.iter().map(|(_, plan)| plan.nodes().len()).sum::<usize>() > MAX_NODES_KEPT
        {
            kept.pop();
        }
    }

    /// The plan of a stored workflow.
    ///
    /// # Errors
    /// There is none, this release refuses it, or the database does not answer.
    pub(super) async fn plan(
        &self,
        app: &AppState,
        peer: Peer,
        hash: ContentHash,
    ) -> Result<Arc<Plan>, Refusal> {
        if let Some(plan) = self.find(hash) {
            return Ok(plan);
        }
        let _turn = app.budget.checking(peer).await;
        let _reading = self.reading.lock().await;
        // Somebody else may have read it meanwhile.
        if let Some(plan) = self.find(hash) {
            return Ok(plan);
        }
        let stored = app.common.store.workflow(hash).await?.ok_or(Refusal::NoSuchWorkflow(hash))?;
        let read = web::block(move || read(stored)).await;
        let plan = Arc::new(read.map_err(|error| Refusal::Internal(error.to_string()))??);
        self.keep(hash, &plan);
        Ok(plan)
    }
}

fn read(stored: StoredWorkflow) -> Result<Plan, Refusal> {
    let bundle = Bundle::new(stored.files.into_iter().collect())?;
    let loaded = weevil_workflow::load_accepted(&bundle, stored.checked_by);
    Ok(loaded.map_err(Refusal::BadWorkflow)?.plan)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A workflow of so many values.
    fn plan(nodes: usize) -> Arc<Plan> {
        let value = |n: usize| format!(r#"<value id="v{n}" value="1" returntype="Number"/>"#);
        let values = (0..nodes).map(value).collect::<Vec<_>>().concat();
        let document = format!(r#"<workflow><nodes>{values}</nodes><edges/><finalnode id="v0"/></workflow>"#);
        let files = [("workflow.xml".to_owned(), document.into_bytes())];
        let bundle = Bundle::new(files.into_iter().collect()).unwrap();
        Arc::new(weevil_workflow::load(&bundle).unwrap().plan)
    }

    fn hash(n: u8) -> ContentHash {
        ContentHash::from_bytes([n; 32])
    }

    #[test]
    fn those_that_nobody_asked_for_lately_are_let_go() {
        let plans = StoredPlans::default();
        let small = plan(1);
        for n in 0..8 {
            plans.keep(hash(n), &small);
        }
        assert!(plans.find(hash(0)).is_some());
        plans.keep(hash(8), &small);
        let there = |n| plans.find(hash(n)).is_some();
        assert_eq!([0, 1, 2, 8].map(there), [true, false, true, true]);
    }

    #[test]
    fn large_ones_leave_room_for_fewer() {
        let plans = StoredPlans::default();
        let large = plan(MAX_NODES);
        for n in 0..3 {
            plans.keep(hash(n), &large);
        }
        assert_eq!([0, 1, 2].map(|n| plans.find(hash(n)).is_some()), [false, true, true]);
    }
}
