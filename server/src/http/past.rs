//! What the server remembers for people who look at it, in memory alone.

use weevil_model::Timestamp;

use super::counts::Depths;
use super::layouts::Layouts;
use super::stored_plans::StoredPlans;
use crate::series::Series;

pub(crate) struct Past {
    /// What was in the queue when it was counted last.
    pub(crate) depth: Depths,
    /// How the server fared.
    pub(crate) series: Series,
    /// Pictures of workflows.
    pub(super) layouts: Layouts,
    /// What runs did that have ended.
    pub(super) plans: StoredPlans,
}

impl Past {
    /// There is nothing from before the start.
    pub(crate) fn new(depth: Depths, started_at: Timestamp) -> Self {
        Self {
            depth,
            series: Series::new(started_at),
            layouts: Layouts::default(),
            plans: StoredPlans::default(),
        }
    }
}
