//! A pool whose elements all answer while nothing is believed: what an answer that waits costs shows here.

use std::sync::Arc;

use weevil_queue::Ended;
use weevil_records::{Store, StoreError};
use weevil_workflow::Plan;

use super::rehearse::{OpenJob, rehearse};
use crate::job_news::{Cost, JobChange};

/// In so many rounds without a new job everybody has heard everything: each lets dozens of executors go on.
const ROUNDS: usize = 5_000;

/// Runs a plan of one pool in which each of so many elements answers and nothing is believed. When all have, and nothing
/// moves any more, `look` is called; then a job fails, which ends the run.
///
/// # Errors
/// Those of `store`, which is opened in the rehearsal's own runtime.
pub fn hold(
    plan: Plan,
    store: impl Future<Output = Result<Arc<dyn Store>, StoreError>>,
    elements: usize,
    mut look: impl FnMut(),
) -> Result<(), StoreError> {
    let (mut answered, mut quiet) = (0, 0);
    let fleet = |waiting: &mut Vec<OpenJob>| {
        // The first job stays, so that the fleet is asked again; the others are nobody's any more but the executors'.
        for job in waiting.drain(answered.min(1)..).collect::<Vec<_>>() {
            job.tell([JobChange::Claimed, JobChange::Answered]);
            quiet = 0;
            answered += 1;
            if answered == 1 {
                waiting.push(job);
            }
        }
        quiet += 1;
        if answered == elements && quiet == ROUNDS {
            look();
            let failed = JobChange::Ended(Ended::Failed(Vec::new()), Cost::Nothing);
            waiting.drain(..).for_each(|job| job.tell([failed.clone()]));
        }
    };
    actix::System::new().block_on(rehearse(plan, store, fleet)).map(drop)
}
