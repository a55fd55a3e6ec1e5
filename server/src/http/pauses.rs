//! Pause and resume, of a run and of the whole queue; and how much is in it.

use actix_web::web;
use weevil_api::{QueueView, RunView};
use weevil_engine::feeder::Ask;
use weevil_engine::root::PauseRun;
use weevil_model::RunId;
use weevil_records::Scope;

use super::own_page::OwnPage;
use super::{Desk, runs};
use crate::refusal::Refusal;

pub(super) async fn pause_run(
    _own: OwnPage,
    desk: web::Data<Desk>,
    run: web::Path<String>,
) -> Result<web::Json<RunView>, Refusal> {
    set_run(&desk, run.parse()?, true).await
}

pub(super) async fn resume_run(
    _own: OwnPage,
    desk: web::Data<Desk>,
    run: web::Path<String>,
) -> Result<web::Json<RunView>, Refusal> {
    set_run(&desk, run.parse()?, false).await
}

async fn set_run(desk: &Desk, run: RunId, paused: bool) -> Result<web::Json<RunView>, Refusal> {
    if !set(desk, Scope::Run(run), paused).await? {
        let known = desk.common.store.run(run).await?;
        return Err(known.map_or(Refusal::NoSuchRun(run.to_string()), |_| Refusal::RunEnded(run)));
    }
    desk.root.do_send(PauseRun { run, paused });
    let mut view = (*runs::view(desk, run).await?).clone();
    view.summary.paused = paused;
    Ok(web::Json(view))
}

pub(super) async fn pause_queue(
    _own: OwnPage,
    desk: web::Data<Desk>,
) -> Result<web::Json<QueueView>, Refusal> {
    set(&desk, Scope::Queue, true).await?;
    look(&desk).await
}

pub(super) async fn resume_queue(
    _own: OwnPage,
    desk: web::Data<Desk>,
) -> Result<web::Json<QueueView>, Refusal> {
    set(&desk, Scope::Queue, false).await?;
    look(&desk).await
}

pub(super) async fn queue(desk: web::Data<Desk>) -> Result<web::Json<QueueView>, Refusal> {
    look(&desk).await
}

async fn set(desk: &Desk, scope: Scope, paused: bool) -> Result<bool, Refusal> {
    let now = desk.common.clock.now();
    let there = desk.written(desk.common.store.pause(scope, paused, now).await)?;
    if !paused {
        desk.common.feeder.ask(Ask::Resumed);
    }
    Ok(there)
}

async fn look(desk: &Desk) -> Result<web::Json<QueueView>, Refusal> {
    let store = &*desk.common.store;
    let (depth, since) = (desk.depth.get(store).await?, store.paused_since().await?);
    Ok(web::Json(QueueView {
        ready: depth.ready,
        leased: depth.leased,
        delayed: depth.delayed,
        held: depth.held,
        paused_since: since.map(|since| since.0),
    }))
}
