//! Pause and resume, of a run and of the whole queue; and how much is in it, as it was counted last.

use actix_web::web;
use weevil_access::audit::Action;
use weevil_api::{QueueView, RunView};
use weevil_engine::feeder::Request;
use weevil_engine::root::PauseRun;
use weevil_model::RunId;
use weevil_records::Scope;

use super::asker::Asker;
use super::own_page::OwnPage;
use super::{AppState, runs, views};
use crate::refusal::Refusal;

pub(super) async fn pause_run(
    _own: OwnPage,
    app: web::Data<AppState>,
    asker: Asker,
    run: web::Path<String>,
) -> Result<web::Json<RunView>, Refusal> {
    set_run(&app, &asker, run.parse()?, true).await
}

pub(super) async fn resume_run(
    _own: OwnPage,
    app: web::Data<AppState>,
    asker: Asker,
    run: web::Path<String>,
) -> Result<web::Json<RunView>, Refusal> {
    set_run(&app, &asker, run.parse()?, false).await
}

async fn set_run(
    app: &AppState,
    asker: &Asker,
    run: RunId,
    paused: bool,
) -> Result<web::Json<RunView>, Refusal> {
    if !set(app, asker, Scope::Run(run), paused).await? {
        let known = app.common.store.run(run).await?;
        return Err(known.map_or(Refusal::NoSuchRun(run.to_string()), |_| Refusal::RunEnded(run)));
    }
    app.root.do_send(PauseRun { run, paused });
    let mut view = views::run(&*runs::shown(app, run).await?);
    view.summary.paused = paused;
    Ok(web::Json(view))
}

pub(super) async fn pause_queue(
    _own: OwnPage,
    app: web::Data<AppState>,
    asker: Asker,
) -> Result<web::Json<QueueView>, Refusal> {
    set(&app, &asker, Scope::Queue, true).await?;
    look(&app).await
}

pub(super) async fn resume_queue(
    _own: OwnPage,
    app: web::Data<AppState>,
    asker: Asker,
) -> Result<web::Json<QueueView>, Refusal> {
    set(&app, &asker, Scope::Queue, false).await?;
    look(&app).await
}

pub(super) async fn queue(app: web::Data<AppState>) -> Result<web::Json<QueueView>, Refusal> {
    look(&app).await
}

async fn set(app: &AppState, asker: &Asker, scope: Scope, paused: bool) -> Result<bool, Refusal> {
    let (action, subject) = match (scope, paused) {
        (Scope::Run(run), true) => (Action::RunPaused, Some(run.to_string())),
        (Scope::Run(run), false) => (Action::RunResumed, Some(run.to_string())),
        (Scope::Queue, true) => (Action::QueuePaused, None),
        (Scope::Queue, false) => (Action::QueueResumed, None),
    };
    let entry = match scope {
        Scope::Run(_) => asker.work_entry(action, subject),
        Scope::Queue => asker.entry(action, subject),
    };
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
        paused_since: since.map(|since| since.0),
    }))
}
