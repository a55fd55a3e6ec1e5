//! One worker for people, connected or gone, and what it was handed.
//!
//! The board knows those that are connected, the store those that were given something. A job is named to those alone who may read
//! jobs in its project.

use actix_web::{HttpRequest, web};
use serde::Deserialize;
use weevil_access::may;
use weevil_api::{DeviceRank, HeldBackView, WorkerAttemptPage, WorkerAttemptView, WorkerJobView, WorkerView};
use weevil_engine::fleet::FleetWorker;
use weevil_model::witness::{device_name, device_number};
use weevil_model::{ContentHash, ProjectId, Right, Timestamp, WorkerId};
use weevil_queue::AttemptEnd;
use weevil_records::{AttemptMark, KeptWorker, Suspension, Term, WorkerAttempt, WorkerRecord};

use super::asker::Asker;
use super::job_look::{LOOKED_AT, cut};
use super::page::{Limit, no_mark};
use super::parameters::{query, sought};
use super::{AppState, devices};
use crate::refusal::Refusal;

/// A worker that people ask for.
pub(super) enum Found {
    Connected(Box<FleetWorker>),
    Gone(Box<KeptWorker>),
}

impl Found {
    pub(super) fn device(&self) -> Option<ContentHash> {
        match self {
            Self::Connected(worker) => worker.device,
            Self::Gone(kept) => kept.worker.device,
        }
    }

    pub(super) fn record(&self) -> WorkerRecord {
        match self {
            Self::Connected(worker) => worker.record(),
            Self::Gone(kept) => kept.worker.clone(),
        }
    }

    pub(super) fn view(&self, now: Timestamp) -> WorkerView {
        match self {
            Self::Connected(worker) => view(worker),
            Self::Gone(worker) => kept(worker, now),
        }
    }
}

/// Where it is connected, has left a moment ago, or is kept.
///
/// # Errors
/// It is not an id, or nothing is known of such a worker.
pub(super) async fn find(app: &AppState, worker: &str) -> Result<Found, Refusal> {
    let worker: WorkerId = worker.parse()?;
    let fleet = app.common.board.fleet().borrow().clone();
    if let Some(connected) = fleet.workers.iter().find(|connected| connected.id == worker) {
        return Ok(Found::Connected(Box::new(connected.clone())));
    }
    let kept = match app.common.board.left_worker(worker) {
        Some(left) => with_suspension(app, left).await?,
        None => app.common.store.worker(worker).await?.ok_or(Refusal::WorkerUnknown(worker))?,
    };
    Ok(Found::Gone(Box::new(kept)))
}

/// One that has left and is not written down yet.
pub(super) async fn with_suspension(app: &AppState, worker: WorkerRecord) -> Result<KeptWorker, Refusal> {
    let suspension = match worker.device {
        Some(device) => app.common.store.suspension(device).await?,
        None => None,
    };
    Ok(KeptWorker { worker, suspension })
}

pub(super) async fn show(
    app: web::Data<AppState>,
    asker: Asker,
    worker: web::Path<String>,
) -> Result<web::Json<WorkerView>, Refusal> {
    Ok(web::Json(find(&app, &worker).await?.view(asker.at)))
}

fn mark(worker: WorkerId, last: &WorkerAttempt) -> String {
    format!("{worker}.{}.{}", last.started_at.0, last.job)
}

/// Where a page of a history begins; one of another worker's is no mark here.
fn behind(worker: WorkerId, mark: &str) -> Result<AttemptMark, Refusal> {
    let read = || {
        let (at, job) = mark.strip_prefix(format!("{worker}.").as_str())?.split_once('.')?;
        Some(AttemptMark { started_at: Timestamp(at.parse().ok()?), job: job.parse().ok()? })
    };
    read().ok_or_else(no_mark)
}

/// Which attempts, and which page of them.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Asked {
    /// Those alone with this in the path of their job or in their error.
    q: Option<String>,
    /// Those alone that count against the worker.
    #[serde(default)]
    failed: bool,
    after: Option<String>,
    #[serde(default)]
    limit: Limit,
}

impl Asked {
    /// By what the caller may see: nobody learns by asking what a job is called that is not told.
    fn fits(&self, attempt: &WorkerAttemptView, sought: Option<&str>) -> bool {
        let failed = [AttemptEnd::Error, AttemptEnd::Expired].map(AttemptEnd::as_str);
        let counts = attempt.end.as_deref().is_some_and(|end| failed.contains(&end));
        (counts || !self.failed) && sought.is_none_or(|sought| says(attempt, sought))
    }
}

fn says(attempt: &WorkerAttemptView, sought: &str) -> bool {
    let Some(job) = &attempt.job else { return false };
    let told = [Some(&job.path), job.error.as_ref(), job.message.as_ref()];
    told.into_iter().flatten().any(|told| told.to_lowercase().contains(sought))
}

pub(super) async fn attempts(
    app: web::Data<AppState>,
    asker: Asker,
    worker: web::Path<String>,
    request: HttpRequest,
) -> Result<web::Json<WorkerAttemptPage>, Refusal> {
    let (worker, which): (WorkerId, Asked) = (worker.parse()?, query(&request)?);
    let sought = sought(which.q.as_deref())?;
    let before = which.after.as_deref().map(|mark| behind(worker, mark)).transpose()?;
    let is_all = sought.is_none() && !which.failed;
    let most = if is_all { which.limit.and_one() } else { LOOKED_AT };
    let found = app.common.store.worker_attempts(worker, before, most).await?;
    let is_full = found.len() >= most as usize;
    let last = found.last().filter(|_| is_full).map(|last| mark(worker, last));
    let reads = |project| may(&asker.caller, Right::JobsRead, Some(project)).is_ok();
    let told = found.into_iter().map(|attempt| (mark(worker, &attempt), attempt_view(attempt, &reads)));
    let meant = told.filter(|(_, attempt)| which.fits(attempt, sought.as_deref()));
    let (attempts, next) = cut(meant, which.limit.most(), last);
    Ok(web::Json(WorkerAttemptPage { attempts, next }))
}

fn attempt_view(attempt: WorkerAttempt, reads: &impl Fn(ProjectId) -> bool) -> WorkerAttemptView {
    WorkerAttemptView {
        started_at: attempt.started_at.0,
        ended_at: attempt.ended_at.map(|at| at.0),
        end: attempt.end.map(|end| end.as_str().to_owned()),
        compute_ms: attempt.compute_us as f64 / 1000.0,
        job: reads(attempt.project).then(|| WorkerJobView {
            id: attempt.job.to_string(),
            run: attempt.run.map(|run| run.to_string()),
            path: attempt.path,
            attempt: attempt.number,
            error: attempt.error_kind,
            message: attempt.error_message,
        }),
    }
}

pub(super) fn view(worker: &FleetWorker) -> WorkerView {
    WorkerView {
        busy: worker.busy(),
        in_flight: worker.in_flight,
        capacity: Some(worker.capacity),
        duty: worker.duty,
        mflops: worker.mflops,
        rank: devices::word(worker.rank),
        rests_until: worker.rests_until.map(|until| until.0),
        held_back: worker.suspension.as_ref().map(held_back),
        gone: false,
        ..gone(&worker.record())
    }
}

/// As it was when it was last written down.
pub(super) fn gone(worker: &WorkerRecord) -> WorkerView {
    WorkerView {
        id: worker.id.to_string(),
        agent: worker.agent.clone(),
        device: worker.device.map(|device| device_name(device_number(device))),
        adapter: worker.adapter.clone(),
        capabilities: worker.has.capabilities.names().into_iter().map(str::to_owned).collect(),
        memory_mb: worker.has.memory_mb,
        slots: worker.slots,
        busy: 0,
        in_flight: 0,
        capacity: None,
        duty: None,
        done: worker.done,
        errors: worker.errors,
        expired: worker.expired,
        mflops: 0.0,
        connected_at: worker.connected_at.0,
        last_heard_at: worker.heard_at.0,
        rank: DeviceRank::default(),
        rests_until: None,
        held_back: None,
        gone: true,
    }
}

pub(super) fn kept(kept: &KeptWorker, now: Timestamp) -> WorkerView {
    let suspension = kept.suspension.as_ref().filter(|suspension| !suspension.is_over(now));
    WorkerView { held_back: suspension.map(held_back), ..gone(&kept.worker) }
}

pub(super) fn held_back(suspension: &Suspension) -> HeldBackView {
    let paused_until = match suspension.term {
        Term::Paused { until } => Some(until.0),
        Term::Banned { .. } => None,
    };
    HeldBackView { banned: suspension.is_ban(), paused_until, note: suspension.note.clone() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn attempt(end: Option<AttemptEnd>, job: Option<WorkerJobView>) -> WorkerAttemptView {
        let end = end.map(|end| end.as_str().to_owned());
        WorkerAttemptView { started_at: 1, ended_at: None, end, compute_ms: 0.0, job }
    }

    #[test]
    fn attempts_are_found_by_how_they_ended_and_by_what_is_told_of_their_job() {
        let job = WorkerJobView {
            id: String::new(),
            run: None,
            path: "pool/3/Each".into(),
            attempt: 1,
            error: Some("thrown".into()),
            message: Some("Out of bounds".into()),
        };
        let known = attempt(Some(AttemptEnd::Error), Some(job));
        for (one, failed, sought, fits) in [
            (&known, false, None, true),
            (&known, true, Some("of bounds"), true),
            (&known, true, Some("each"), true),
            (&known, false, Some("thrown"), true),
            (&known, false, Some("%"), false),
            (&attempt(Some(AttemptEnd::Expired), None), true, None, true),
            (&attempt(Some(AttemptEnd::Expired), None), true, Some("each"), false),
            (&attempt(Some(AttemptEnd::Lost), None), true, None, false),
            (&attempt(None, None), true, None, false),
        ] {
            let asked = Asked { q: None, failed, after: None, limit: Limit::default() };
            assert_eq!(asked.fits(one, sought), fits, "{one:?} {failed} {sought:?}");
        }
    }
}
