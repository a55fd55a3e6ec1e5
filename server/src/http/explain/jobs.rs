//! The facts about one job: its attempts, what holds it, who may have it, and how many come first.

use weevil_engine::job_fleet::JobFleet;
use weevil_model::{NodeState, RunPause};
use weevil_queue::explain::{Ahead, AttemptTold, JobCase, Known, Others, Reason, explain_job};
use weevil_queue::{Origin, Waiting};
use weevil_records::{AttemptRecord, JobRecord};

use super::scene::Gathered;
use super::views::About;
use crate::http::{AppState, jobs, runs};
use crate::refusal::Refusal;

/// Codes that are stopped in one project, which are looked through for one.
const MAX_STOPPED_READ: u32 = 1024;

/// Why it stands as it does. `counted`: whether it is told how many jobs come first.
///
/// # Errors
/// The database does not tell what the answer cannot do without.
pub(super) async fn reasons(
    app: &AppState,
    gathered: &Gathered,
    job: &JobRecord,
    attempts: Vec<AttemptRecord>,
    counted: bool,
) -> Result<Vec<Reason>, Refusal> {
    let others = jobs::judged_fleet(app, job).await?.map(|fleet| others(&fleet));
    let ahead = if counted { ahead(app, gathered, job).await } else { None };
    let case = JobCase {
        state: job.state,
        waiting: job.waiting,
        needs: job.needs,
        enqueued_at: job.enqueued_at,
        ended_at: job.ended_at,
        failures: job.failures,
        max_attempts: job.max_attempts,
        run_paused: run_paused(app, job).await?,
        code_stopped: code_stopped(app, job).await,
        attempts: Some(attempts.into_iter().map(attempt).collect()),
        ahead,
        others,
    };
    Ok(explain_job(&case, &gathered.scene))
}

/// What sentences about it name.
pub(super) fn about(job: &JobRecord) -> About {
    match &job.origin {
        Origin::Run(run) => About { run: Some(*run), ..About::default() },
        Origin::Queue(queue) => About { code: Some((queue.to_string(), job.code)), ..About::default() },
    }
}

/// Nobody counts for a job that no worker could have: another reason is told for it.
async fn ahead(app: &AppState, gathered: &Gathered, job: &JobRecord) -> Option<Ahead> {
    let takers = gathered.takers(job.needs);
    let counts = matches!(job.waiting, Some(Waiting::Worker(_))) && !takers.is_empty();
    if !counts {
        return None;
    }
    app.common.store.ahead(job.id, &takers).await.ok().flatten()
}

async fn run_paused(app: &AppState, job: &JobRecord) -> Result<Known<RunPause>, Refusal> {
    let (Some(run), None) = (job.origin.run(), job.ended_at) else { return Ok(Known::No) };
    Ok(runs::head(app, run).await?.paused.map_or(Known::No, Known::Yes))
}

async fn code_stopped(app: &AppState, job: &JobRecord) -> Known<weevil_model::JobId> {
    let waits = matches!(job.waiting, Some(Waiting::Resume | Waiting::Worker(_)));
    let Origin::Queue(queue) = &job.origin else { return Known::No };
    if !waits || job.state == NodeState::Failed {
        return Known::No;
    }
    let Ok(stopped) = app.common.store.stopped_codes(Some(job.project), MAX_STOPPED_READ).await else {
        return Known::Unknown;
    };
    let own =
        stopped.into_iter().find(|stopped| stopped.code.queue == *queue && stopped.code.code == job.code);
    own.map_or(Known::No, |stopped| Known::Yes(stopped.example))
}

fn others(fleet: &JobFleet) -> Others {
    Others {
        may: fleet.may,
        answered: fleet.answered,
        keyless: fleet.keyless,
        resting: fleet.resting,
        rests_until: fleet.rests_until,
    }
}

fn attempt(attempt: AttemptRecord) -> AttemptTold {
    AttemptTold {
        number: attempt.number,
        worker: attempt.worker,
        started_at: attempt.started_at,
        end: attempt.end,
        failure: attempt.failure,
        progress: attempt.progress,
    }
}
