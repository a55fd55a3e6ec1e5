//! Pause and resume, of a run and of the whole queue; and how much is in it, as it was counted last.

use actix_web::web;
use weevil_api::{QueueView, RunView};
use weevil_engine::feeder::Request;
use weevil_engine::root::PauseRun;
use weevil_model::RunId;
use weevil_records::Scope;

use super::own_page::OwnPage;
use super::{AppState, runs, views};
use crate::refusal::Refusal;

pub(super) async fn pause_run(
    _own: OwnPage,
    app: web::Data<AppState>,
    run: web::Path<String>,
) -> Result<web::Json<RunView>, Refusal> {
    set_run(&app, run.parse()?, true).await
}

pub(super) async fn resume_run(
    _own: OwnPage,
    app: web::Data<AppState>,
    run: web::Path<String>,
) -> Result<web::Json<RunView>, Refusal> {
    set_run(&app, run.parse()?, false).await
}

async fn set_run(app: &AppState, run: RunId, paused: bool) -> Result<web::Json<RunView>, Refusal> {
    if !set(app, Scope::Run(run), paused).await? {
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
) -> Result<web::Json<QueueView>, Refusal> {
    set(&app, Scope::Queue, true).await?;
    look(&app).await
}

pub(super) async fn resume_queue(
    _own: OwnPage,
    app: web::Data<AppState>,
) -> Result<web::Json<QueueView>, Refusal> {
    set(&app, Scope::Queue, false).await?;
    look(&app).await
}

pub(super) async fn queue(app: web::Data<AppState>) -> Result<web::Json<QueueView>, Refusal> {
    look(&app).await
}

async fn set(app: &AppState, scope: Scope, paused: bool) -> Result<bool, Refusal> {
    let now = app.common.clock.now();
    let there = app.written(app.common.store.pause(scope, paused, now).await)?;
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
