//! Live pages: server-sent events (WHATWG HTML, section 9.2) fed from the board, at most four a second.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use actix_web::web::{self, Bytes};
use actix_web::{HttpRequest, HttpResponse};
use futures_util::stream::{self, Stream, StreamExt};
use serde::{Deserialize, Serialize};
use tokio::sync::{mpsc, watch};
use weevil_engine::board::ShownRun;
use weevil_engine::budget::Permit;
use weevil_engine::health::Phase;
use weevil_engine::published::Published;
use weevil_model::Right;
use weevil_peer::Row;
use weevil_records::{ListedRun, RunHead};

use super::asker::Asker;
use super::headers::NO_STORE;
use super::parameters::query;
use super::rate_gate::stream_of;
use super::walls::Wall;
use super::{AppState, runs, views};
use crate::access::{OpenStream, Reading};
use crate::refusal::Refusal;

/// Nothing is sent more often than this.
const EVERY: Duration = Duration::from_millis(250);
/// A comment goes out this often, so that proxies keep the connection and a dead one is noticed.
const KEEP_ALIVE: Duration = Duration::from_secs(15);
const STILL_HERE: Bytes = Bytes::from_static(b": still here\n\n");
/// Events waiting for a slow reader; a full queue makes the sender wait, not grow.
const WAITING: usize = 2;

/// Which runs.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Overview {
    project: Option<String>,
}

/// `runs` of a project or of all, and `fleet`, whenever they change.
pub(super) async fn overview(
    wall: Wall,
    app: web::Data<AppState>,
    asker: Asker,
    request: HttpRequest,
) -> Result<HttpResponse, Refusal> {
    let Overview { project } = query(&request)?;
    let project = wall.list(project.as_deref()).await?;
    let held = stream_for(&app, &request)?;
    let (to, from) = mpsc::channel(WAITING);
    let board = &app.common.board;
    let runs = |runs: &Vec<Arc<ListedRun>>| event("runs", &views::runs(runs.iter().map(Arc::as_ref)));
    actix_web::rt::spawn(follow(board.runs(project), runs, to.clone()));
    actix_web::rt::spawn(follow(board.fleet(), |fleet| event("fleet", &views::fleet(fleet)), to));
    Ok(answer(from, app, asker.reading(Right::RunsRead, project), held))
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
    Ok(answer(from, app, asker.reading(Right::RunsRead, Some(project)), held))
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

/// Each change is put into words once, however many follow.
async fn follow<T>(
    mut news: watch::Receiver<Arc<Published<T>>>,
    event: fn(&T) -> Vec<u8>,
    to: mpsc::Sender<Bytes>,
) {
    loop {
        let latest = news.borrow_and_update().clone();
        if to.send(Bytes::from_owner(latest.told(event))).await.is_err() {
            return;
        }
        tokio::time::sleep(EVERY).await;
        while tokio::time::timeout(KEEP_ALIVE, news.changed()).await.is_err() {
            if to.send(STILL_HERE).await.is_err() {
                return;
            }
        }
    }
}

async fn follow_run(mut live: watch::Receiver<Arc<ShownRun>>, to: mpsc::Sender<Bytes>) {
    loop {
        let run = live.borrow_and_update().clone();
        if to.send(run_event(&run)).await.is_err() || run.has_ended() {
            return;
        }
        tokio::time::sleep(EVERY).await;
        match tokio::time::timeout(KEEP_ALIVE, live.changed()).await {
            Ok(Err(_)) => return,
            Err(_) if to.send(STILL_HERE).await.is_err() => return,
            Ok(Ok(())) | Err(_) => {}
        }
    }
}

fn run_event(run: &ShownRun) -> Bytes {
    event("run", &views::run(run)).into()
}

fn event<T: Serialize>(name: &str, data: &T) -> Vec<u8> {
    // JSON has no line breaks of its own, so one data line is enough.
    let json = serde_json::to_string(data).unwrap_or_default();
    format!("event: {name}\ndata: {json}\n\n").into_bytes()
}

/// Until there is no more to tell, nobody who may hear it, or no server to tell it.
fn answer(
    from: mpsc::Receiver<Bytes>,
    app: web::Data<AppState>,
    reading: Reading,
    held: Held,
) -> HttpResponse {
    let mut phases = app.common.health.phases();
    let lost = async move { app.access.lost(reading, app.common.clock.clone()).await };
    let ending = async move {
        tokio::select! {
            _ = phases.wait_for(|phase| *phase == Phase::Ending) => {}
            () = lost => {}
        }
    };
    HttpResponse::Ok()
        .content_type("text/event-stream")
        .insert_header(NO_STORE)
        .streaming(events(from, held).take_until(Box::pin(ending)))
}

fn events(from: mpsc::Receiver<Bytes>, held: Held) -> impl Stream<Item = Result<Bytes, Infallible>> {
    stream::unfold((from, held), |(mut from, held)| async move {
        from.recv().await.map(|bytes| (Ok(bytes), (from, held)))
    })
}
