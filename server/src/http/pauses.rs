//! Pause and resume, of a run and of the whole queue; and how much is in it, as it was counted last.

use actix_web::{HttpRequest, web};
use serde::Deserialize;
use weevil_access::audit::{Action, AuditEntry};
use weevil_access::{Caller, may};
use weevil_api::{QueueView, RunView, StoppedCodeView};
use weevil_engine::feeder::Request;
use weevil_engine::root::{ChangeRun, RunChange};
use weevil_model::{Pause, ProjectId, Right};
use weevil_queue::QueueCode;
use weevil_records::{RunHead, Scope, StoppedSince};

use super::asker::Asker;
use super::own_page::OwnPage;
use super::parameters::query;
use super::walls::Wall;
use super::{AppState, runs, views};
use crate::refusal::Refusal;

/// Stopped codes that are looked at for one answer, of each project; of all together for who may see all.
const MAX_STOPPED_SHOWN: u32 = 1024;
/// Projects of somebody that are looked at for that.
const MAX_PROJECTS_SHOWN: usize = 64;

pub(super) async fn pause_run(
    _own: OwnPage,
    wall: Wall,
    app: web::Data<AppState>,
    asker: Asker,
    run: web::Path<String>,
) -> Result<web::Json<RunView>, Refusal> {
    set_run(&app, &asker, &wall.run(&run).await?, true).await
}

pub(super) async fn resume_run(
    _own: OwnPage,
    wall: Wall,
    app: web::Data<AppState>,
    asker: Asker,
    run: web::Path<String>,
) -> Result<web::Json<RunView>, Refusal> {
    set_run(&app, &asker, &wall.run(&run).await?, false).await
}

async fn set_run(
    app: &AppState,
    asker: &Asker,
    head: &RunHead,
    paused: bool,
) -> Result<web::Json<RunView>, Refusal> {
    let run = head.id;
    let action = if paused { Action::RunPaused } else { Action::RunResumed };
    let entry = asker.work_entry(head.project, action, Some(run.to_string()));
    if !set(app, Scope::Run(run), paused, entry).await? {
        return Err(Refusal::RunEnded(run));
    }
    app.root.do_send(ChangeRun { run, change: RunChange::Paused(paused.then_some(Pause::Wanted)) });
    let mut view = views::run(&*runs::shown(app, run).await?);
    (view.summary.paused, view.summary.paused_why, view.summary.paused_words) = (paused, None, None);
    Ok(web::Json(view))
}

pub(super) async fn pause_queue(
    _own: OwnPage,
    app: web::Data<AppState>,
    asker: Asker,
) -> Result<web::Json<QueueView>, Refusal> {
    set(&app, Scope::Queue, true, asker.entry(Action::QueuePaused, None)).await?;
    look(&app, &asker).await
}

pub(super) async fn resume_queue(
    _own: OwnPage,
    app: web::Data<AppState>,
    asker: Asker,
) -> Result<web::Json<QueueView>, Refusal> {
    set(&app, Scope::Queue, false, asker.entry(Action::QueueResumed, None)).await?;
    look(&app, &asker).await
}

/// In which queue of which project.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct InQueue {
    project: Option<String>,
    queue: String,
}

pub(super) async fn resume_code(
    _own: OwnPage,
    wall: Wall,
    app: web::Data<AppState>,
    asker: Asker,
    code: web::Path<String>,
    request: HttpRequest,
) -> Result<web::Json<QueueView>, Refusal> {
    let InQueue { project, queue } = query(&request)?;
    let project = wall.one(project.as_deref()).await?;
    let code = QueueCode { project, queue: queue.into(), code: code.parse()? };
    let entry = asker.work_entry(project, Action::CodeResumed, Some(code.code.to_string()));
    if app.written(app.access.store.resume_code(&code, &entry).await)? {
        app.common.feeder.ask(Request::CodeResumed(code));
    }
    look(&app, &asker).await
}

pub(super) async fn queue(app: web::Data<AppState>, asker: Asker) -> Result<web::Json<QueueView>, Refusal> {
    look(&app, &asker).await
}

async fn set(app: &AppState, scope: Scope, paused: bool, entry: AuditEntry) -> Result<bool, Refusal> {
    let there = app.written(app.access.store.pause_audited(scope, paused, &entry).await)?;
    if !paused {
        app.common.feeder.ask(Request::Resumed);
    }
    Ok(there)
}

/// Names of queues and ids of jobs stay within the walls of their projects; the counts are of all.
async fn look(app: &AppState, asker: &Asker) -> Result<web::Json<QueueView>, Refusal> {
    let stopped = stopped(app, &asker.caller).await?;
    let (depth, since) = (app.past.depth.last(), app.common.store.paused_since().await?);
    Ok(web::Json(QueueView {
        ready: depth.ready,
        leased: depth.leased,
        delayed: depth.delayed,
        held: depth.held,
        answered: depth.answered,
        paused_since: since.map(|since| since.0),
        stopped,
    }))
}

async fn stopped(app: &AppState, caller: &Caller) -> Result<Vec<StoppedCodeView>, Refusal> {
    let projects: Vec<Option<ProjectId>> = match caller.person() {
        Some(person) if !person.admin => person.memberships.iter().map(|(own, _)| Some(*own)).collect(),
        _ => vec![None],
    };
    let mut shown = Vec::new();
    for project in projects.into_iter().take(MAX_PROJECTS_SHOWN) {
        shown.extend(app.common.store.stopped_codes(project, MAX_STOPPED_SHOWN).await?);
    }
    shown.retain(|stopped| may(caller, Right::JobsRead, Some(stopped.code.project)).is_ok());
    let view = |stopped: StoppedSince| StoppedCodeView {
        project: stopped.code.project.to_string(),
        queue: stopped.code.queue.to_string(),
        code: stopped.code.code.to_string(),
        example: stopped.example.to_string(),
        stopped_at: stopped.since.0,
    };
    Ok(shown.into_iter().map(view).collect())
}
