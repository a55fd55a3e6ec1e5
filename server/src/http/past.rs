//! What the server remembers for people who look at it, in memory alone.

use weevil_model::Timestamp;

use super::counts::Depths;
use super::explain::Waiting;
use super::layouts::Layouts;
use super::stored_plans::StoredPlans;
use crate::disk::Disk;
use crate::series::Series;
use crate::setting::Setting;
use crate::stream::Frames;

pub(crate) struct Past {
    /// The disk with the data folder.
    pub(crate) disk: Disk,
    /// What was in the queue when it was counted last.
    pub(crate) depth: Depths,
    /// How the server fared.
    pub(crate) series: Series,
    /// What was told of it lately, to those who listen.
    pub(crate) frames: Frames,
    /// Pictures of workflows.
    pub(super) layouts: Layouts,
    /// What runs did that have ended.
    pub(super) plans: StoredPlans,
    /// What waits, by needs and by queue.
    pub(super) waiting: Waiting,
    /// All settings as they were at the start.
    pub(super) settings: Vec<Setting>,
}

impl Past {
    /// There is nothing from before the start.
    pub(crate) fn new(disk: Disk, depth: Depths, started_at: Timestamp, settings: Vec<Setting>) -> Self {
        Self {
            disk,
            depth,
            series: Series::new(started_at),
            frames: Frames::new(started_at),
            layouts: Layouts::default(),
            plans: StoredPlans::default(),
            waiting: Waiting::default(),
            settings,
        }
    }
}
