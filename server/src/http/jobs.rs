//! A job and its attempts, looked back at.

use actix_web::{HttpRequest, HttpResponse, web};
use serde::Deserialize;
use weevil_api::{
    AnswerView, AttemptView, JobFleet, JobHistory, JobInput, JobNeeds, JobView, JobWait, LotView,
};
use weevil_engine::job_fleet;
use weevil_model::witness::{Engine, Rank, device_name};
use weevil_model::{JobId, NodeState, Timestamp, WorkerId};
use weevil_queue::{Origin, Proof, Waiting};
use weevil_records::{AnswerFate, AnswerRecord, AttemptRecord, JobRecord, LotRecord};

use super::forms::{Form, Wanted};
use super::large::Found;
use super::parameters::query;
use super::standalone::visible_job;
use super::stream_json::Answer;
use super::walls::Wall;
use super::{AppState, devices, values};
use crate::refusal::Refusal;

pub(super) async fn show(
    wall: Wall,
    app: web::Data<AppState>,
    request: HttpRequest,
    job: web::Path<String>,
) -> Result<web::Json<JobHistory>, Refusal> {
    let id: JobId = job.parse()?;
    let Before { before } = query(&request)?;
    let found = app.common.store.attempts_before(id, before.unwrap_or(u32::MAX)).await?;
    let (job, attempts) = found.ok_or(Refusal::NoSuchJob(id))?;
    wall.judge(job.project, || Refusal::NoSuchJob(id))?;
    let (run, queue) = match &job.origin {
        Origin::Run(run) => (Some(run.to_string()), None),
        Origin::Queue(name) => (None, Some(name.to_string())),
    };
    let (answered, basis) = (answered(&attempts), basis(&job, &attempts));
    let attempts = attempts.into_iter().map(attempt).collect();
    let fleet = fleet_for(&app, &job).await?;
    let computes = app.common.store.job_code(id).await?.ok_or(Refusal::NoSuchJob(id))?;
    let waited_ms = waited_ms(&job, computes.first_handed_out, app.common.clock.now());
    let code = job.code.to_string();
    let job = JobView { answered, basis: basis.map(str::to_owned), ..view(job) };
    Ok(web::Json(JobHistory {
        run,
        queue,
        stopped_code: (job.waits == Some(JobWait::Code)).then(|| code.clone()),
        code,
        source: computes.source,
        seed: format!("{:016x}", computes.seed),
        workflow: computes.workflow.map(|hash| hash.to_string()),
        returns: computes.returns.map(|returns| returns.name().to_owned()),
        timeout_ms: computes.timeout_ms,
        waited_ms,
        job,
        attempts,
        fleet,
    }))
}

/// From when it was put in.
fn waited_ms(job: &JobRecord, first_handed_out: Option<Timestamp>, now: Timestamp) -> i64 {
    let until = first_handed_out.or(job.ended_at).unwrap_or(now);
    until.0.saturating_sub(job.enqueued_at.0).max(0)
}

/// What a job was given: whoever checks a certificate may compute it again.
pub(super) async fn input(
    wall: Wall,
    app: web::Data<AppState>,
    request: HttpRequest,
    job: web::Path<String>,
) -> Result<HttpResponse, Refusal> {
    let id: JobId = job.parse()?;
    visible_job(&app, &wall, id).await?;
    let wanted = Wanted::of(&request, Form::Cbor)?;
    let look = async || {
        let values = app.common.store.job_values(&[id]).await?.pop().ok_or(Refusal::NoSuchJob(id))?;
        Ok(Found { answer: JobInput { job: id.to_string(), input: None }, value: Some(values.input) })
    };
    values::answer(&app, &request, wanted, look).await
}

impl Answer for JobInput {
    const NAME: &'static str = "input";

    fn with_value(self, input: Option<serde_json::Value>) -> Self {
        Self { input, ..self }
    }
}

/// `None` unless it is a judged job that waits for a worker: whoever asks may have any other.
async fn fleet_for(app: &AppState, job: &JobRecord) -> Result<Option<JobFleet>, Refusal> {
    let Some(found) = judged_fleet(app, job).await? else { return Ok(None) };
    Ok(Some(JobFleet {
        connected: found.connected,
        may: found.may,
        known: found.known,
        known_only: found.known_only,
        needed: found.needed,
        answered: found.answered,
        keyless: found.keyless,
        resting: found.resting,
        rests_until: found.rests_until.map(|until| until.0),
        left_out: found.left_out.iter().map(|engine| engine.as_str().to_owned()).collect(),
    }))
}

/// What judging makes of the connected workers, of such a job.
pub(super) async fn judged_fleet(
    app: &AppState,
    job: &JobRecord,
) -> Result<Option<job_fleet::JobFleet>, Refusal> {
    if !job.trust.is_judged() || !matches!(job.waiting, Some(Waiting::Worker(_))) {
        return Ok(None);
    }
    let fleet = app.common.board.fleet().borrow().clone();
    let witnesses = job_fleet::witnesses(&fleet.workers);
    let overlaps = app.common.store.overlaps(job.id, job.origin.run(), &witnesses).await?;
    Ok(Some(job_fleet::job_fleet(job, &fleet.workers, &overlaps, app.common.assumed)))
}

fn answered(attempts: &[AttemptRecord]) -> Option<u32> {
    let answers = attempts.iter().filter(|attempt| attempt.answer.is_some()).count();
    u32::try_from(answers).ok().filter(|answers| *answers > 0)
}

/// What a value is believed on that answers were compared for. An error never is for its lot.
fn basis(job: &JobRecord, attempts: &[AttemptRecord]) -> Option<&'static str> {
    if !job.trust.is_judged() {
        return None;
    }
    if job.reused.is_some() {
        return Some("reused");
    }
    let answers = attempts.iter().filter_map(|attempt| attempt.answer.as_ref());
    let agreed: Vec<_> = answers.filter(|answer| answer.fate == Some(AnswerFate::Agreed)).collect();
    let is_in_lot = |answer: &&AnswerRecord| answer.lot.is_some_and(|lot| lot.is_accepted);
    if agreed.iter().any(|answer| answer.proof == Some(Proof::Right)) {
        Some("proved")
    } else if agreed.iter().any(|answer| answer.engine == Engine::Server) {
        Some("referee")
    } else if agreed.iter().any(|answer| answer.rank == Rank::Trusted) {
        Some("trusted")
    } else if job.state == NodeState::Finished && agreed.iter().any(is_in_lot) {
        Some("lot")
    } else {
        (!agreed.is_empty()).then_some("agreed")
    }
}

/// Which attempts of a job.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Before {
    /// Number of the oldest attempt that is known already.
    before: Option<u32>,
}

pub(super) fn view(job: JobRecord) -> JobView {
    let (waits, waits_until) = match waits(job.state, job.waiting) {
        (Some(JobWait::Resume), until) if job.origin.queue().is_some() => (Some(JobWait::Code), until),
        waits => waits,
    };
    JobView {
        id: job.id.to_string(),
        path: job.path,
        state: job.state,
        waits,
        waits_until: waits_until.map(|until| until.0),
        needs: JobNeeds {
            capabilities: job.needs.capabilities.names().into_iter().map(str::to_owned).collect(),
            memory_mb: job.needs.memory_mb,
        },
        reused: job.reused.map(|id| id.to_string()),
        handed_out: job.handed_out,
        failures: job.failures,
        max_attempts: job.max_attempts,
        worker: None,
        error: None,
        trust: job.trust.is_judged().then(|| job.trust.to_string()),
        doubted: job.is_doubted,
        answered: None,
        basis: None,
        enqueued_at: job.enqueued_at.0,
        ended_at: job.ended_at.map(|at| at.0),
    }
}

fn waits(state: NodeState, waiting: Option<Waiting>) -> (Option<JobWait>, Option<Timestamp>) {
    match waiting {
        None => (None, None),
        Some(Waiting::Worker(until)) if state == NodeState::Answered => (Some(JobWait::Check), until),
        Some(Waiting::Worker(until)) => (Some(JobWait::Worker), until),
        Some(Waiting::Until(until)) => (Some(JobWait::Delay), Some(until)),
        Some(Waiting::Resume) => (Some(JobWait::Resume), None),
        Some(Waiting::Lot) => (Some(JobWait::Lot), None),
        Some(Waiting::Module) => (Some(JobWait::Module), None),
        Some(Waiting::Overdue) => (Some(JobWait::Overdue), None),
    }
}

fn answer(answer: &AnswerRecord) -> AnswerView {
    AnswerView {
        digest: answer.digest.map(|digest| digest.to_string()),
        device: answer.device.map(device_name),
        engine: answer.engine.as_str().to_owned(),
        rank: devices::word(answer.rank),
        role: answer.role.as_str().to_owned(),
        lot: answer.lot.map(lot),
        proof: answer.proof.map(|proof| proof.as_str().to_owned()),
        fate: answer.fate.map(|fate| fate.as_str().to_owned()),
    }
}

fn lot(lot: LotRecord) -> LotView {
    let LotRecord { answers, chosen, checking, is_closed, .. } = lot;
    LotView { answers, closed: is_closed, checks: chosen, passed: chosen.saturating_sub(checking) }
}

pub(super) fn worker(id: WorkerId) -> String {
    if id == WorkerId::SERVER { Engine::Server.as_str().to_owned() } else { id.to_string() }
}

fn attempt(attempt: AttemptRecord) -> AttemptView {
    let (kind, message, stack) = match attempt.failure {
        Some(failure) => (Some(failure.kind), Some(failure.message), Some(failure.stack)),
        None => (None, None, None),
    };
    AttemptView {
        number: attempt.number,
        worker: worker(attempt.worker),
        started_at: attempt.started_at.0,
        ended_at: attempt.ended_at.map(|at| at.0),
        end: attempt.end.map(|end| end.as_str().to_owned()),
        kind,
        message,
        stack,
        compute_us: attempt.compute_us,
        progress: attempt.progress,
        log: attempt.log,
        answer: attempt.answer.as_ref().map(answer),
    }
}
