//! Stand-alone jobs: put in, asked for their result, ended.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use actix_web::web::Bytes;
use actix_web::{HttpRequest, HttpResponse, web};
use serde::Deserialize;
use tokio::sync::oneshot;
use weevil_access::audit::Action;
use weevil_api::{AttemptError, JobKept, JobResult};
use weevil_engine::feeder::{NotStored, Request};
use weevil_engine::plans::SmallestError;
use weevil_engine::seeds;
use weevil_model::{ContentHash, JobId, ProjectId, is_kernel_file};
use weevil_queue::{AttemptEnd, Duplicate, Failure, NewJob, Origin};
use weevil_records::{AttemptRecord, JobRecord};
use weevil_workflow::{check_module, is_module};

use super::asker::Asker;
use super::etag;
use super::forms::{Form, Wanted};
use super::job_request::{self, Code, JobRequest};
use super::large::Found;
use super::own_page::OwnPage;
use super::parameters::query;
use super::patience::Patience;
use super::stream_json::{self, Answer};
use super::walls::Wall;
use super::{AppState, body, comparators, room, values};
use crate::refusal::Refusal;

/// The project that jobs are put into.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Into {
    project: Option<String>,
}

/// Puts one job in, or several; answers when they are durable. None is kept where one has a mistake.
pub(super) async fn submit(
    _own: OwnPage,
    wall: Wall,
    app: web::Data<AppState>,
    request: HttpRequest,
    asker: Asker,
    payload: web::Payload,
) -> Result<HttpResponse, Refusal> {
    let Into { project } = query(&request)?;
    let project = wall.upload(project.as_deref()).await?;
    let body = body::json(&app, &request, payload);
    let (body, _held, checking) = body::take(&app, &request, body).await?;
    let (requests, many) = off_thread(body, app.smallest).await?;
    drop(checking);
    let _admitted = room::for_jobs(&app, &project, &requests).await?;
    let project = project.id;
    comparators::check(&app, project, &requests, many).await?;
    let jobs = keep_code(&app, project, requests).await?;
    let (reply, answer) = oneshot::channel();
    let mut kept: Vec<JobKept> = jobs.iter().map(created).collect();
    app.common.feeder.ask(Request::Submit { jobs, reply });
    mark(&mut kept, &answer.await.map_err(|_| ending())?.map_err(not_stored)?);
    let made = kept.iter().filter(|job| job.created).count();
    app.access.sums.count(asker.work_entry(project, Action::JobsSubmitted, None), made as u64);
    if many {
        return Ok(HttpResponse::Ok().json(kept));
    }
    let kept = kept.pop().ok_or_else(|| Refusal::Internal("no answer for the job".into()))?;
    match kept {
        JobKept { conflict: true, queue, key, job, .. } => Err(Refusal::KeyTaken { queue, key, job }),
        JobKept { created: true, .. } => Ok(HttpResponse::Created().json(kept)),
        JobKept { .. } => Ok(HttpResponse::Ok().json(kept)),
    }
}

/// Reading up to 32 MiB takes a while.
async fn off_thread(body: Bytes, smallest: SmallestError) -> Result<(Vec<JobRequest>, bool), Refusal> {
    let read = web::block(move || job_request::read(&body, smallest)).await;
    read.map_err(|error| Refusal::Internal(error.to_string()))?
}

/// Every code is stored before a job names it.
async fn keep_code(
    app: &AppState,
    project: ProjectId,
    asked: Vec<JobRequest>,
) -> Result<Vec<NewJob>, Refusal> {
    let mut stored = HashMap::new();
    let mut jobs = Vec::with_capacity(asked.len());
    for mut job in asked {
        let code = job.code.hash();
        let is_module = match stored.entry(code) {
            Entry::Occupied(known) => *known.get(),
            Entry::Vacant(new) => *new.insert(keep_one(app, project, &job).await?),
        };
        if is_module {
            job.is_module();
        }
        let kernels = match job.workflow {
            Some(workflow) => Some(kernels_of(app, project, (workflow, code), &mut job).await?),
            None => None,
        };
        jobs.push(new_job(app, (project, kernels), job, code));
    }
    Ok(jobs)
}

/// Answers whether the code is a WebAssembly module.
async fn keep_one(app: &AppState, project: ProjectId, job: &JobRequest) -> Result<bool, Refusal> {
    let store = &*app.common.store;
    match &job.code {
        Code::Source(source) => {
            app.written(store.keep_code(project, source.as_bytes(), app.common.clock.now()).await)?;
            Ok(false)
        }
        Code::Stored(hash) => {
            let missing = || Refusal::NoSuchBlob(hash.to_string());
            if !store.blob_projects(*hash).await?.contains(&project) {
                return Err(missing());
            }
            let blob = store.blob(*hash).await?.ok_or_else(missing)?;
            let (is_module, bytes) = judged(blob.bytes, job.name.to_string()).await?;
            if !blob.code {
                // What somebody runs, volunteers are given.
                app.written(store.keep_code(project, &bytes, app.common.clock.now()).await)?;
            }
            Ok(is_module)
        }
    }
}

/// By what a job with this code finds the kernels of a workflow that its project has. Code with the name of a kernel is to be one of
/// these, which were checked with their workflow.
async fn kernels_of(
    app: &AppState,
    project: ProjectId,
    (workflow, code): (ContentHash, ContentHash),
    job: &mut JobRequest,
) -> Result<ContentHash, Refusal> {
    let (store, missing) = (&*app.common.store, || Refusal::NoSuchWorkflow(workflow));
    if !store.workflow_projects(workflow).await?.contains(&project) {
        return Err(missing());
    }
    if is_kernel_file(&job.name) {
        let listed = store.workflow_files(workflow).await?.ok_or_else(missing)?;
        if !listed.files.iter().any(|file| *file.path == *job.name && file.hash == code) {
            let words = format!("`workflow` has no kernel `{}` with this code", job.name);
            return Err(Refusal::BadJob(words));
        }
        job.is_kernel();
    }
    app.written(store.keep_kernels(code, workflow, app.common.clock.now()).await)
}

/// A module is checked, like an upload; other code that is stored need only be text. Answers whether it is a module, and the
/// bytes again.
async fn judged(bytes: Vec<u8>, name: String) -> Result<(bool, Vec<u8>), Refusal> {
    if !is_module(&bytes) {
        let text = String::from_utf8(bytes).map(|text| (false, text.into_bytes()));
        return text.map_err(|_| Refusal::BadJob("`code` is neither text nor a WebAssembly module".into()));
    }
    let checked = web::block(move || check_module(&name, &bytes).map(|()| bytes)).await;
    let checked = checked.map_err(|error| Refusal::Internal(error.to_string()))?;
    let bytes = checked.map_err(|found| Refusal::BadCode { job: None, found })?;
    Ok((true, bytes))
}

fn new_job(
    app: &AppState,
    (project, kernels): (ProjectId, Option<ContentHash>),
    asked: JobRequest,
    code: ContentHash,
) -> NewJob {
    let id = app.common.ids.job(app.common.clock.now());
    let path = asked.key.unwrap_or_else(|| id.to_string().into());
    NewJob {
        id,
        // The same code under the same key draws the same numbers.
        seed: asked.seed.unwrap_or_else(|| seeds::job_seed(code.seed(), &path)),
        project,
        origin: Origin::Queue(asked.queue),
        path,
        code,
        source: asked.name,
        input: asked.input.into(),
        returns: asked.returns,
        reuse: false,
        priority: asked.priority,
        needs: asked.needs,
        delay_ms: asked.delay_ms,
        max_wait_ms: asked.max_wait_ms,
        retry_ms: asked.retry_ms,
        timeout_ms: asked.timeout_ms,
        max_attempts: asked.attempts,
        copies: 1,
        trust: asked.trust.unwrap_or(app.common.trust),
        assumed: app.common.assumed,
        agree: asked.agree,
        proof: None,
        within: None,
        kernels,
        in_pool: false,
    }
}

fn created(job: &NewJob) -> JobKept {
    JobKept {
        job: job.id.to_string(),
        queue: job.origin.queue().unwrap_or_default().to_owned(),
        key: job.path.to_string(),
        created: true,
        conflict: false,
    }
}

/// Names the job that was there before.
fn mark(kept: &mut [JobKept], duplicates: &[Duplicate]) {
    let known: HashMap<String, &Duplicate> =
        duplicates.iter().map(|duplicate| (duplicate.asked.to_string(), duplicate)).collect();
    for kept in kept {
        if let Some(duplicate) = known.get(&kept.job) {
            kept.job = duplicate.kept.to_string();
            kept.created = false;
            kept.conflict = !duplicate.equal;
        }
    }
}

/// What a job has come to, in the form that is wanted; with `waitMs`, once it has ended or that time is over.
pub(super) async fn result(
    wall: Wall,
    app: web::Data<AppState>,
    request: HttpRequest,
    job: web::Path<String>,
) -> Result<HttpResponse, Refusal> {
    let id: JobId = job.parse()?;
    let (patience, wanted) = (Patience::of(&request)?, Wanted::of(&request, Form::Json)?);
    // Before the first look: an end between the two is heard.
    let end = patience.waits().then(|| app.common.listeners.end_of(id));
    let mut job = visible_job(&app, &wall, id).await?;
    if let Some(end) = end.filter(|_| !job.state.is_terminal()) {
        patience.wait(&app, &request, end).await;
        job = self::job(&app, id).await?;
    }
    let ended = job.ended_at.filter(|_| job.state.is_terminal());
    let tag = ended.and_then(|end| wanted.tag(&id.to_string(), end));
    let answer = async || values::answer(&app, &request, wanted, async || outcome(&app, id).await).await;
    etag::unless_known(tag, &request, answer).await
}

/// A job with which the caller may do what is asked.
pub(super) async fn visible_job(app: &AppState, wall: &Wall, id: JobId) -> Result<JobRecord, Refusal> {
    let job = job(app, id).await?;
    wall.judge(job.project, || Refusal::NoSuchJob(id))?;
    Ok(job)
}

/// Without reading its value.
async fn job(app: &AppState, id: JobId) -> Result<JobRecord, Refusal> {
    app.common.store.attempts(id).await?.map(|(job, _)| job).ok_or(Refusal::NoSuchJob(id))
}

impl Answer for JobResult {
    const NAME: &'static str = "result";

    fn with_value(self, result: Option<serde_json::Value>) -> Self {
        Self { result, ..self }
    }
}

async fn outcome(app: &AppState, id: JobId) -> Result<Found<JobResult>, Refusal> {
    Ok(Found { answer: look(app, id).await?, value: app.common.store.value(id).await? })
}

/// All but the result.
async fn look(app: &AppState, id: JobId) -> Result<JobResult, Refusal> {
    let (job, attempts) = app.common.store.attempts(id).await?.ok_or(Refusal::NoSuchJob(id))?;
    let errors = attempts.into_iter().filter_map(attempt_error).collect();
    Ok(JobResult { job: id.to_string(), state: job.state, result: None, errors })
}

/// Whatever counts against a job.
fn attempt_error(attempt: AttemptRecord) -> Option<AttemptError> {
    let silent = || Failure {
        kind: AttemptEnd::Expired.as_str().to_owned(),
        message: "the worker fell silent".to_owned(),
        stack: String::new(),
    };
    let expired = attempt.end == Some(AttemptEnd::Expired);
    let Failure { kind, message, stack } = attempt.failure.or_else(|| expired.then(silent))?;
    let (attempt, worker) = (attempt.number, attempt.worker.to_string());
    Some(AttemptError { attempt, worker, kind, message, stack })
}

/// Ends a job and answers how it ended, once that is durable. One that has ended already stays as it is.
pub(super) async fn cancel(
    _own: OwnPage,
    wall: Wall,
    app: web::Data<AppState>,
    request: HttpRequest,
    job: web::Path<String>,
) -> Result<HttpResponse, Refusal> {
    let id: JobId = job.parse()?;
    if let JobRecord { origin: Origin::Run(run), .. } = visible_job(&app, &wall, id).await? {
        return Err(Refusal::JobOfRun { job: id, run });
    }
    let (reply, done) = oneshot::channel();
    app.common.feeder.ask(Request::CancelJob { job: id, reply });
    done.await.map_err(|_| ending())?.map_err(not_stored)?;
    stream_json::answer(&app, app.peer(&request), async || outcome(&app, id).await).await
}

fn not_stored(NotStored(words): NotStored) -> Refusal {
    Refusal::JobNotStored(words)
}

/// The feeder has gone: what was asked of it may or may not be durable.
fn ending() -> Refusal {
    Refusal::NotReady(weevil_engine::health::Unready::Draining)
}
