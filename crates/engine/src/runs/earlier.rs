//! What workers have computed for a run while nobody stood for it. Reads, and never adds up.

use weevil_model::RunId;
use weevil_queue::profile::Profile;
use weevil_records::{JobTimes, Runs, SlotTotals, StoreError};

/// What earlier lives of a run have computed.
#[derive(Debug, Default)]
pub struct Earlier {
    pub slots: Vec<SlotTotals>,
    pub times: Vec<JobTimes>,
    pub profile: Profile,
}

impl Earlier {
    pub(crate) async fn read(runs: &dyn Runs, run: RunId) -> Result<Self, StoreError> {
        Ok(Self {
            slots: runs.slot_totals(run).await?,
            times: runs.job_times(run).await?,
            profile: runs.computed(run).await?,
        })
    }
}
