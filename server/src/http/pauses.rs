//! Pause and resume, of a run and of the whole queue; and how much is in it, as it was counted last.

use actix_web::web;
use weevil_access::audit::{Action, AuditEntry};
use weevil_api::{QueueView, RunView};
use weevil_engine::feeder::Request;
use weevil_engine::root::{ChangeRun, RunChange};
use weevil_model::Pause;
use weevil_records::{RunHead, Scope};

use super::asker::Asker;
use super::own_page::OwnPage;
use super::walls::Wall;
use super::{AppState, runs, views};
use crate::refusal::Refusal;

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
    (view.summary.paused, view.summary.paused_why) = (paused, None);
    Ok(web::Json(view))
}

pub(super) async fn pause_queue(
    _own: OwnPage,
    app: web::Data<AppState>,
    asker: Asker,
) -> Result<web::Json<QueueView>, Refusal> {
    set(&app, Scope::Queue, true, asker.entry(Action::QueuePaused, None)).await?;
    look(&app).await
}

pub(super) async fn resume_queue(
    _own: OwnPage,
    app: web::Data<AppState>,
    asker: Asker,
) -> Result<web::Json<QueueView>, Refusal> {
    set(&app, Scope::Queue, false, asker.entry(Action::QueueResumed, None)).await?;
    look(&app).await
}

pub(super) async fn queue(app: web::Data<AppState>) -> Result<web::Json<QueueView>, Refusal> {
    look(&app).await
}

async fn set(app: &AppState, scope: Scope, paused: bool, entry: AuditEntry) -> Result<bool, Refusal> {
    let there = app.written(app.access.store.pause_audited(scope, paused, &entry).await)?;
    if !paused {
        app.common.feeder.ask(Request::Resumed);
    }
    Ok(there)
}

async fn look(app: &AppState) -> Result<web::Json<QueueView>, Refusal> {
    let (depth, since) = (app.depth.last(), app.common.store.paused_since().await?);
    Ok(web::Json(QueueView {
        ready: depth.ready,
        leased: depth.leased,
        delayed: depth.delayed,
        held: depth.held,
        answered: depth.answered,
        paused_since: since.map(|since| since.0),
    }))
}
