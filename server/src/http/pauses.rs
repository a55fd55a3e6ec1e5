//! Pause and resume, of a run and of the whole queue; and how much is in it, as it was counted last.

use actix_web::{HttpRequest, web};
use serde::Deserialize;
use serde_json::json;
use weevil_access::audit::{Action, AuditEntry};
use weevil_access::{Caller, may};
use weevil_api::{NoteAsked, QueueView, RunView, StoppedCodeView};
use weevil_engine::board::ShownRun;
use weevil_engine::feeder::Request;
use weevil_engine::root::{ChangeRun, RunChange};
use weevil_model::{PauseWords, ProjectId, QueuePause, Right};
use weevil_queue::QueueCode;
use weevil_records::{RunHead, Scope, StoppedSince};

use super::asker::Asker;
use super::own_page::OwnPage;
use super::parameters::query;
use super::walls::Wall;
use super::{AppState, json_body, notes, runs, views};
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
    request: HttpRequest,
    payload: web::Payload,
) -> Result<web::Json<RunView>, Refusal> {
    let head = wall.run(request.match_info().query("run")).await?;
    let words = said(&app, &asker, &request, payload).await?;
    set_run(&app, &asker, &head, Some(&words)).await
}

pub(super) async fn resume_run(
    _own: OwnPage,
    wall: Wall,
    app: web::Data<AppState>,
    asker: Asker,
    run: web::Path<String>,
) -> Result<web::Json<RunView>, Refusal> {
    set_run(&app, &asker, &wall.run(&run).await?, None).await
}

async fn set_run(
    app: &AppState,
    asker: &Asker,
    head: &RunHead,
    words: Option<&PauseWords>,
) -> Result<web::Json<RunView>, Refusal> {
    let run = head.id;
    let action = if words.is_some() { Action::RunPaused } else { Action::RunResumed };
    let entry = asker.work_entry(head.project, action, Some(run.to_string()));
    if !set(app, Scope::Run(run), words, entry).await? {
        return Err(Refusal::RunEnded(run));
    }
    let paused = app.common.store.run_pause(run).await?;
    // Whoever asks next is to see it so. A root that is gone has nobody to tell.
    let _ending = app.root.send(ChangeRun { run, change: RunChange::Paused(paused.clone()) }).await;
    let shown = runs::shown(app, run).await?;
    let head = RunHead { paused, ..shown.head.clone() };
    Ok(web::Json(views::run(&ShownRun { head, ..(*shown).clone() })))
}

pub(super) async fn pause_queue(
    _own: OwnPage,
    app: web::Data<AppState>,
    asker: Asker,
    request: HttpRequest,
    payload: web::Payload,
) -> Result<web::Json<QueueView>, Refusal> {
    let words = said(&app, &asker, &request, payload).await?;
    set(&app, Scope::Queue, Some(&words), asker.entry(Action::QueuePaused, None)).await?;
    look(&app, &asker).await
}

pub(super) async fn resume_queue(
    _own: OwnPage,
    app: web::Data<AppState>,
    asker: Asker,
) -> Result<web::Json<QueueView>, Refusal> {
    set(&app, Scope::Queue, None, asker.entry(Action::QueueResumed, None)).await?;
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

/// What they say of a pause; an older client sends no body.
async fn said(
    app: &AppState,
    asker: &Asker,
    request: &HttpRequest,
    payload: web::Payload,
) -> Result<PauseWords, Refusal> {
    let NoteAsked { note } = json_body::read_or_default(app, request, payload).await?;
    let note = Some(notes::checked(note)?).filter(|note| !note.trim().is_empty());
    Ok(PauseWords { by: notes::name(app, asker).await?.map(Into::into), note: note.map(Into::into) })
}

/// Pauses with these words, or resumes; the audit has the note as well.
async fn set(
    app: &AppState,
    scope: Scope,
    words: Option<&PauseWords>,
    entry: AuditEntry,
) -> Result<bool, Refusal> {
    let note = words.and_then(|words| words.note.as_deref());
    let entry = AuditEntry { details: note.map(|note| json!({ "note": note }).to_string()), ..entry };
    let there = app.written(app.access.store.pause_audited(scope, words, &entry).await)?;
    if words.is_none() {
        app.common.feeder.ask(Request::Resumed);
    }
    Ok(there)
}

/// Names of queues and ids of jobs stay within the walls of their projects; the counts are of all.
async fn look(app: &AppState, asker: &Asker) -> Result<web::Json<QueueView>, Refusal> {
    let stopped = stopped(app, &asker.caller).await?;
    let (depth, pause) = (app.past.depth.last(), app.common.store.queue_pause().await?);
    let (since, words) = pause.map(|QueuePause { since, words }| (since.0, words)).unzip();
    let PauseWords { by, note } = words.unwrap_or_default();
    Ok(web::Json(QueueView {
        ready: depth.ready,
        leased: depth.leased,
        delayed: depth.delayed,
        held: depth.held,
        answered: depth.answered,
        paused_since: since,
        paused_by: by.as_deref().map(str::to_owned),
        paused_note: note.as_deref().map(str::to_owned),
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
