//! Runs: made from an upload, shown, asked for their result, cancelled.

use std::sync::Arc;

use actix_web::{HttpRequest, HttpResponse, web};
use weevil_access::audit::Action;
use weevil_api::{DiagnosticView, Fleet, RunCreated, RunResult};
use weevil_engine::board::ShownRun;
use weevil_engine::root::{CancelRun, Earlier, Start};
use weevil_failpoint::{Point, pass};
use weevil_model::{RunId, RunState};
use weevil_queue::RunJudgement;
use weevil_records::{Retrace, RunHead, RunList, RunRecord};

use super::asker::Asker;
use super::check::{Checked, check};
use super::etag::{self, Tag};
use super::forms::{Form, Wanted};
use super::large::Found;
use super::own_page::OwnPage;
use super::patience::Patience;
use super::stream_json::{self, Answer};
use super::walls::Wall;
use super::{AppState, body, policies, room, values, views};
use crate::refusal::Refusal;

/// Checks the workflow, keeps it, starts a run of it. Nothing is kept of a workflow that has errors.
pub(super) async fn create(
    _own: OwnPage,
    wall: Wall,
    app: web::Data<AppState>,
    request: HttpRequest,
    asker: Asker,
    payload: web::Payload,
) -> Result<HttpResponse, Refusal> {
    wall.before_the_body(&request).await?;
    let body = body::read(&app, &request, payload);
    let (upload, _held, _checking) = body::take(&app, &request, body).await?;
    let project = wall.upload(upload.project.as_deref()).await?;
    let (name, reuse, trust) = (upload.name.clone(), upload.reuse.unwrap_or_default(), upload.trust);
    let Checked { workflow, plan, inputs, warnings } =
        check(&*app.common.store, project.id, upload, app.common.trust).await?;
    policies::check_run(trust, &plan, app.smallest)?;
    let _admitted = room::for_run(&app, &project, &workflow, &inputs).await?;
    let now = app.common.clock.now();
    let record = RunRecord {
        id: app.common.ids.run(now),
        project: project.id,
        created_by: Some(asker.caller.actor().to_string()),
        name: name.unwrap_or_else(|| workflow.name.clone()),
        workflow: workflow.hash,
        // The same workflow gives the same numbers: results can be reproduced from the workflow alone.
        seed: workflow.hash.seed(),
        state: RunState::Started,
        created_at: now,
        paused: None,
        reuse,
        trust,
        assumed: policies::is_judged(trust, &plan, app.common.trust).then_some(app.common.assumed),
        left_out: Vec::new(),
        doubted: 0,
        retrace: Retrace::Never,
        judgement: RunJudgement::default(),
        end: None,
        unread: None,
    };
    let entry = asker.work_entry(project.id, Action::RunCreated, Some(record.id.to_string()));
    app.written(app.access.store.create_audited_run(&workflow, &record, &inputs, &entry).await)?;
    pass(Point::RunStored);
    let created = created(&record, warnings);
    let start = Start { record, plan: Arc::new(plan), earlier: Earlier::default() };
    // Whoever reads the answer finds the run on the board.
    app.root.send(start).await.map_err(gone)?;
    Ok(HttpResponse::Created().json(created))
}

fn created(record: &RunRecord, warnings: Vec<DiagnosticView>) -> RunCreated {
    let (run, workflow, name) = (record.id.to_string(), record.workflow.to_string(), record.name.clone());
    tracing::info!(run, workflow, name, "a run begins");
    RunCreated { run, workflow, name, warnings }
}

fn gone(error: actix::MailboxError) -> Refusal {
    Refusal::Internal(error.to_string())
}

/// Ends a run and answers how it ended, once that is durable. One that has ended already stays as it is.
pub(super) async fn cancel(
    _own: OwnPage,
    wall: Wall,
    app: web::Data<AppState>,
    request: HttpRequest,
    asker: Asker,
    run: web::Path<String>,
) -> Result<HttpResponse, Refusal> {
    let RunHead { id: run, project, .. } = wall.run(&run).await?;
    if app.common.board.run(run).is_some_and(|live| !live.borrow().has_ended()) {
        // Its end is the engine's, and may come later: nothing ends of which nobody is told.
        let entry = asker.work_entry(project, Action::RunCancelled, Some(run.to_string()));
        app.written(app.access.store.append_audit(&[entry], asker.at).await)?;
    }
    app.root.send(CancelRun(run)).await.map_err(gone)?;
    if let Some(mut live) = app.common.board.run(run) {
        // A run that is not shown any more has ended.
        let _ended = live.wait_for(|run| run.has_ended()).await;
    }
    stream_json::answer(&app, app.peer(&request), async || outcome(&app, run).await).await
}

pub(super) async fn fleet(app: web::Data<AppState>) -> web::Json<Fleet> {
    let fleet = app.common.board.fleet().borrow().clone();
    web::Json(views::fleet(&fleet, usize::MAX))
}

pub(super) async fn show(
    wall: Wall,
    app: web::Data<AppState>,
    request: HttpRequest,
    run: web::Path<String>,
) -> Result<HttpResponse, Refusal> {
    let head = wall.run(&run).await?;
    etag::unless_known(end_tag(&head), &request, async || {
        let run = shown(&app, head.id).await?;
        Ok(HttpResponse::Ok().json(views::run(&run)))
    })
    .await
}

/// What a run is, by a look that reads neither its result nor its nodes.
pub(super) async fn head(app: &AppState, run: RunId) -> Result<RunHead, Refusal> {
    if let Some(live) = app.common.board.run(run) {
        return Ok(live.borrow().head.clone());
    }
    let before = run.number().checked_add(1).and_then(RunId::from_number);
    let list = RunList { before, ..RunList::default() };
    let found = app.common.store.runs(&list, 1).await?.pop().map(|found| found.head);
    found.filter(|head| head.id == run).ok_or_else(|| no_such_run(run))
}

pub(super) fn no_such_run(run: RunId) -> Refusal {
    Refusal::NoSuchRun(run.to_string())
}

/// That of a run which has ended.
pub(super) fn end_tag(head: &RunHead) -> Option<Tag> {
    Tag::of_end(&head.id, head.finished_at?)
}

/// What there is to say of a run: from the board while it lives, from the store afterwards.
pub(super) async fn shown(app: &AppState, run: RunId) -> Result<Arc<ShownRun>, Refusal> {
    if let Some(live) = app.common.board.run(run) {
        return Ok(live.borrow().clone());
    }
    let record = app.common.store.run(run).await?.ok_or_else(|| no_such_run(run))?;
    Ok(Arc::new(ShownRun::of(&record)))
}

/// What a run has come to, in the form that is wanted; with `waitMs`, once it has ended or that time is over.
pub(super) async fn result(
    wall: Wall,
    app: web::Data<AppState>,
    request: HttpRequest,
    run: web::Path<String>,
) -> Result<HttpResponse, Refusal> {
    let mut head = wall.run(&run).await?;
    let run = head.id;
    let (patience, wanted) = (Patience::of(&request)?, Wanted::of(&request, Form::Json)?);
    // A run that is not shown any more has ended.
    if let Some(mut live) = app.common.board.run(run) {
        patience.wait(&app, &request, live.wait_for(|run| run.has_ended())).await;
        head = self::head(&app, run).await?;
    }
    let tag = head.finished_at.and_then(|end| wanted.tag(&run.to_string(), end));
    let answer = async || values::answer(&app, &request, wanted, async || outcome(&app, run).await).await;
    etag::unless_known(tag, &request, answer).await
}

impl Answer for RunResult {
    const NAME: &'static str = "result";

    fn with_value(self, result: Option<serde_json::Value>) -> Self {
        Self { result, ..self }
    }
}

async fn outcome(app: &AppState, run: RunId) -> Result<Found<RunResult>, Refusal> {
    let record = app.common.store.run(run).await?.ok_or_else(|| no_such_run(run))?;
    let error = record.end.as_ref().and_then(|end| end.facts.error.as_ref()).map(views::error);
    let (state, result) = record.end.map_or((record.state, None), |end| (end.state, end.result));
    Ok(Found { answer: RunResult { run: run.to_string(), state, result: None, error }, value: result })
}
