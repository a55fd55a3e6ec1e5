//! What a topic is made from, whichever it is, and the line of an event that tells it.

use std::sync::Arc;

use actix_web::web::Bytes;
use serde::Serialize;
use weevil_api::{QueueFrame, WorkersFrame};
use weevil_engine::fleet::Fleet;
use weevil_engine::published::Published;
use weevil_model::ProjectId;

use super::overview::OverviewSource;
use super::run::RunSource;
use super::sums;
use super::topic::Topic;
use crate::http::AppState;

/// What somebody may listen to, with what it takes to begin.
#[derive(Debug)]
pub(crate) enum Subject {
    /// That of a project; `None`: of all.
    Overview(Option<ProjectId>),
    Run(Box<RunSource>),
    Workers,
    Queue,
}

impl Subject {
    pub(super) fn topic(&self) -> Topic {
        match self {
            Self::Overview(project) => Topic::Overview(*project),
            Self::Run(run) => Topic::Run(run.run()),
            Self::Workers => Topic::Workers,
            Self::Queue => Topic::Queue,
        }
    }
}

#[derive(Debug)]
pub(super) enum Source {
    Overview(Box<OverviewSource>),
    Run(Box<RunSource>),
    Workers(Arc<Published<Fleet>>, WorkersFrame),
    Queue(QueueFrame),
}

impl Source {
    pub(super) fn new(app: &AppState, subject: Subject) -> Self {
        match subject {
            Subject::Overview(project) => Self::Overview(Box::new(OverviewSource::new(app, project))),
            Subject::Run(run) => Self::Run(run),
            Subject::Workers => {
                let fleet = app.common.board.fleet().borrow().clone();
                let told = sums::workers(&fleet);
                Self::Workers(fleet, told)
            }
            Subject::Queue => Self::Queue(queue(app)),
        }
    }

    /// What has changed since the last time.
    pub(super) fn change(&mut self, app: &AppState) -> Option<Bytes> {
        match self {
            Self::Overview(overview) => overview.change(app).map(|frame| data(&frame)),
            Self::Run(run) => run.change(app).map(|frame| data(&frame)),
            Self::Workers(fleet, told) => {
                let now = app.common.board.fleet().borrow().clone();
                if Arc::ptr_eq(fleet, &now) {
                    return None;
                }
                *fleet = now;
                replaced(told, sums::workers(fleet))
            }
            Self::Queue(told) => replaced(told, queue(app)),
        }
    }

    /// All that was told.
    pub(super) fn snapshot(&mut self, app: &AppState) -> Bytes {
        match self {
            Self::Overview(overview) => data(&overview.snapshot()),
            Self::Run(run) => data(&run.snapshot(app)),
            Self::Workers(_, told) => data(told),
            Self::Queue(told) => data(told),
        }
    }
}

fn queue(app: &AppState) -> QueueFrame {
    sums::queue(app.past.depth.last(), app.past.depth.paused_since())
}

/// A frame that always says everything.
fn replaced<T: PartialEq + Serialize>(told: &mut T, now: T) -> Option<Bytes> {
    (*told != now).then(|| {
        *told = now;
        data(told)
    })
}

/// The last lines of an event.
fn data(frame: &impl Serialize) -> Bytes {
    // JSON has no line breaks of its own, so one data line is enough.
    let json = serde_json::to_string(frame).unwrap_or_default();
    Bytes::from(format!("data: {json}\n\n"))
}
