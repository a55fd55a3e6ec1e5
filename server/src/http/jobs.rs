//! Jobs and their attempts, looked back at: those of a run page by page, and one with its whole history.

use actix_web::{HttpRequest, web};
use serde::Deserialize;
use weevil_model::{JobId, RunId};
use weevil_protocol::api::{AttemptView, JobHistory, JobPage, JobView};
use weevil_queue::{AttemptRecord, JobRecord};

use super::Desk;
use crate::error::Refusal;

/// Jobs of one page, unless fewer are asked for.
const MAX_PAGE: u32 = 1000;

/// Which page of a run's jobs.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Page {
    /// Path of the last job of the page before.
    after: Option<String>,
    limit: Option<u32>,
}

pub(super) async fn of_run(
    desk: web::Data<Desk>,
    request: HttpRequest,
    run: web::Path<String>,
) -> Result<web::Json<JobPage>, Refusal> {
    let run: RunId = run.parse()?;
    let page = web::Query::<Page>::from_query(request.query_string());
    let Page { after, limit } = page.map_err(|error| Refusal::BadQuery(error.to_string()))?.into_inner();
    let most = limit.unwrap_or(MAX_PAGE).clamp(1, MAX_PAGE);
    let store = &*desk.common.store;
    store.run(run).await?.ok_or_else(|| Refusal::NoSuchRun(run.to_string()))?;
    let jobs = store.jobs(run, after.as_deref(), most).await?;
    let full = jobs.len() == most as usize;
    let next = jobs.last().filter(|_| full).map(|job| job.path.clone());
    Ok(web::Json(JobPage { jobs: jobs.into_iter().map(view).collect(), next }))
}

pub(super) async fn show(
    desk: web::Data<Desk>,
    job: web::Path<String>,
) -> Result<web::Json<JobHistory>, Refusal> {
    let id: JobId = job.parse()?;
    let found = desk.common.store.attempts(id).await?;
    let (job, attempts) = found.ok_or(Refusal::NoSuchJob(id))?;
    let run = job.run.to_string();
    Ok(web::Json(JobHistory { run, job: view(job), attempts: attempts.into_iter().map(attempt).collect() }))
}

fn view(job: JobRecord) -> JobView {
    JobView {
        id: job.id.to_string(),
        path: job.path,
        state: job.state,
        reused: job.reused.map(|id| id.to_string()),
        handed_out: job.handed_out,
        failures: job.failures,
        max_attempts: job.max_attempts,
        enqueued_at: job.enqueued_at.0,
        ended_at: job.ended_at.map(|at| at.0),
    }
}

fn attempt(attempt: AttemptRecord) -> AttemptView {
    let (kind, message, stack) = match attempt.failure {
        Some(failure) => (Some(failure.kind), Some(failure.message), Some(failure.stack)),
        None => (None, None, None),
    };
    AttemptView {
        number: attempt.number,
        worker: attempt.worker.to_string(),
        started_at: attempt.started_at.0,
        ended_at: attempt.ended_at.map(|at| at.0),
        end: attempt.end.map(|end| end.as_str().to_owned()),
        kind,
        message,
        stack,
        compute_us: attempt.compute_us,
    }
}
