//! Live pages: server-sent events (WHATWG HTML, section 9.2). Which topics somebody may hear of is found out here; `stream` tells them.
//!
//! Without topics, and of one run, they are as they were before there were topics: fed from the board, at most four a second.

use std::convert::Infallible;
use std::sync::Arc;

use actix_web::http::header::HeaderName;
use actix_web::web::{self, Bytes};
use actix_web::{HttpRequest, HttpResponse};
use futures_util::stream::{Stream, StreamExt};
use serde::Deserialize;
use tokio::sync::mpsc;
use weevil_access::may;
use weevil_engine::budget::Permit;
use weevil_engine::health::Phase;
use weevil_model::Right;
use weevil_peer::Row;
use weevil_records::{ListedRun, RunHead};

use super::asker::Asker;
use super::follow::{self, WAITING, event, follow, follow_run, run_event};
use super::headers::NO_STORE;
use super::parameters::query;
use super::rate_gate::stream_of;
use super::walls::Wall;
use super::{AppState, runs, views};
use crate::access::{OpenStream, Reach, Reading};
use crate::refusal::Refusal;
use crate::stream::{self, End, Named, RunSource, Subject, Wish};

/// The header of a reader that comes back (WHATWG HTML, section 9.2.4).
const LAST_EVENT_ID: HeaderName = HeaderName::from_static("last-event-id");
/// Workers that are told without topics.
const MAX_WORKERS: usize = 500;

/// What somebody wants to hear of.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Wanted {
    project: Option<String>,
    topics: Option<String>,
    /// The id of the last event.
    after: Option<String>,
    /// Topics that it does not count for.
    fresh: Option<String>,
}

/// Events of topics, or `runs` of a project or of all, and `fleet`, whenever they change.
pub(super) async fn overview(
    wall: Wall,
    app: web::Data<AppState>,
    asker: Asker,
    request: HttpRequest,
) -> Result<HttpResponse, Refusal> {
    let wanted: Wanted = query(&request)?;
    if let Some(topics) = &wanted.topics {
        return tell_topics(&wall, app, asker, &request, (topics, &wanted)).await;
    }
    let project = wall.list(wanted.project.as_deref()).await?;
    let held = stream_for(&app, &request)?;
    let (to, from) = mpsc::channel(WAITING);
    let board = &app.common.board;
    let runs = |runs: &Vec<Arc<ListedRun>>| event("runs", &views::runs(runs.iter().map(Arc::as_ref)));
    actix_web::rt::spawn(follow(board.runs(project), runs, to.clone()));
    let fleet = |fleet: &_| event("fleet", &views::fleet(fleet, MAX_WORKERS));
    actix_web::rt::spawn(follow(board.fleet(), fleet, to));
    let reading = asker.reading(vec![(Right::RunsRead, Reach::of_list(project))]);
    let end = end(&app, reading);
    Ok(answer(follow::told(from, held).take_until(Box::pin(end))))
}

async fn tell_topics(
    wall: &Wall,
    app: web::Data<AppState>,
    asker: Asker,
    request: &HttpRequest,
    (topics, wanted): (&str, &Wanted),
) -> Result<HttpResponse, Refusal> {
    let (mut wishes, mut needs) = (Vec::new(), Vec::new());
    let fresh: Vec<&str> = wanted.fresh.iter().flat_map(|list| list.split(',')).collect();
    for (name, topic) in stream::named(topics)? {
        let (subject, need) = subject(wall, &app, &asker, topic, wanted.project.as_deref()).await?;
        wishes.push(Wish { name: name.to_owned(), fresh: fresh.contains(&name), subject });
        needs.push(need);
    }
    let held = stream_for(&app, request)?;
    let last = request.headers().get(LAST_EVENT_ID).and_then(|id| id.to_str().ok());
    let end = end(&app, asker.reading(needs));
    Ok(answer(stream::body(app, wishes, last.or(wanted.after.as_deref()), end, held)))
}

/// What a topic is of, where the caller may hear of it, and what that takes.
async fn subject(
    wall: &Wall,
    app: &AppState,
    asker: &Asker,
    topic: Named<'_>,
    project: Option<&str>,
) -> Result<(Subject, (Right, Reach)), Refusal> {
    let shared = |subject, right| {
        may(&asker.caller, right, None)?;
        Ok((subject, (right, Reach::AnyProject)))
    };
    match topic {
        Named::Overview(named) => {
            let project = wall.list(named.or(project)).await?;
            Ok((Subject::Overview(project), (Right::RunsRead, Reach::of_list(project))))
        }
        Named::Run(run) => {
            let head = wall.run(run).await?;
            let source = match app.common.board.run(head.id) {
                Some(live) => RunSource::live(live),
                None => RunSource::ended(&*runs::shown(app, head.id).await?),
            };
            Ok((Subject::Run(Box::new(source)), (Right::RunsRead, Reach::Project(head.project))))
        }
        Named::Workers => shared(Subject::Workers, Right::WorkersRead),
        Named::Queue => shared(Subject::Queue, Right::JobsRead),
    }
}

/// `run`, whenever it changes, until it has ended.
pub(super) async fn run(
    wall: Wall,
    app: web::Data<AppState>,
    asker: Asker,
    request: HttpRequest,
    run: web::Path<String>,
) -> Result<HttpResponse, Refusal> {
    let RunHead { id: run, project, .. } = wall.run(&run).await?;
    let held = stream_for(&app, &request)?;
    let (to, from) = mpsc::channel(WAITING);
    if let Some(live) = app.common.board.run(run) {
        actix_web::rt::spawn(follow_run(live, to));
    } else {
        let last = runs::shown(&app, run).await?;
        // A fresh channel has room.
        let _sent = to.try_send(run_event(&last));
    }
    let end = end(&app, asker.reading(vec![(Right::RunsRead, Reach::Project(project))]));
    Ok(answer(follow::told(from, held).take_until(Box::pin(end))))
}

/// What a stream holds as long as it is open, of its place and of whoever asks.
struct Held {
    _place: Permit,
    _rate: Option<OpenStream>,
}

fn stream_for(app: &AppState, request: &HttpRequest) -> Result<Held, Refusal> {
    let place = app.budget.take(app.peer(request), Row::Streams, 1).map_err(|_| Refusal::SlowDown)?;
    Ok(Held { _place: place, _rate: stream_of(request) })
}

/// When there is nobody who may hear more, or no server to tell it.
fn end(app: &web::Data<AppState>, reading: Reading) -> impl Future<Output = End> + use<> {
    let mut phases = app.common.health.phases();
    let app = app.clone();
    async move {
        tokio::select! {
            _ = phases.wait_for(|phase| *phase == Phase::Ending) => End::Server,
            () = app.access.lost(reading, app.common.clock.clone()) => End::Right,
        }
    }
}

fn answer(events: impl Stream<Item = Result<Bytes, Infallible>> + 'static) -> HttpResponse {
    HttpResponse::Ok().content_type("text/event-stream").insert_header(NO_STORE).streaming(events)
}
