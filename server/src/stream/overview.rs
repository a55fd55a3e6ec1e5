//! The frames of a project's overview: sums of the whole server, and runs of the project that have changed.

use std::sync::Arc;

use weevil_api::{OverviewFrame, RunSummary};
use weevil_model::ProjectId;
use weevil_records::ListedRun;

use super::listed::Listed;
use super::room::Room;
use super::sums;
use crate::http::{AppState, run_summary};

/// Bytes of a frame, and the name around it.
const MAX_BYTES: usize = 8 * 1024;

#[derive(Debug)]
pub(super) struct OverviewSource {
    project: Option<ProjectId>,
    listed: Listed,
    /// What was told beside the runs.
    sums: OverviewFrame,
}

impl OverviewSource {
    pub(super) fn new(app: &AppState, project: Option<ProjectId>) -> Self {
        Self { project, listed: Listed::of(&runs(app, project)), sums: sums(app) }
    }

    /// What has changed since the last time.
    pub(super) fn change(&mut self, app: &AppState) -> Option<OverviewFrame> {
        let (now, sums) = (runs(app, self.project), sums(app));
        let gone = self.listed.gone(&now).iter().map(ToString::to_string).collect();
        let mut frame = OverviewFrame { gone, ..sums.clone() };
        let mut room = Room::beside(MAX_BYTES, &frame);
        let changed = self.listed.changed(&now, |run| room.take(&summary(run)));
        frame.runs = changed.iter().map(|run| summary(run)).collect();
        let is_news = sums != self.sums || !frame.runs.is_empty() || !frame.gone.is_empty();
        self.sums = sums;
        is_news.then_some(frame)
    }

    /// All that was told, as far as it fits.
    pub(super) fn snapshot(&self) -> OverviewFrame {
        let mut frame = OverviewFrame { whole: true, ..self.sums.clone() };
        let mut room = Room::beside(MAX_BYTES, &frame);
        frame.runs = self.listed.newest().map(|run| summary(run)).take_while(|run| room.take(run)).collect();
        frame
    }
}

fn runs(app: &AppState, project: Option<ProjectId>) -> Vec<Arc<ListedRun>> {
    app.common.board.runs(project).borrow().to_vec()
}

fn summary(run: &ListedRun) -> RunSummary {
    run_summary(&run.head, run.progress)
}

fn sums(app: &AppState) -> OverviewFrame {
    OverviewFrame {
        fleet: sums::fleet(&app.common.board.fleet().borrow()),
        queue: sums::queue(app.past.depth.last(), app.past.depth.paused_since()),
        trouble: app.common.health.check().err().map(|unready| unready.to_string()),
        disk_left: app.past.disk.short(),
        sample: app.past.series.newest().as_ref().map(sums::sample),
        ..OverviewFrame::default()
    }
}
