//! The plain HTTP protocol of workers: reads a body, asks the worker's session, writes the answer; all in XML.
//!
//! Never holds more of a body than a message may have, and never reaches a session without its worker's secret.

use std::fmt::Write as _;
use std::time::Duration;

use actix::{Actor, AsyncContext};
use actix_web::body::{BoxBody, MessageBody};
use actix_web::error::BlockingError;
use actix_web::{HttpRequest, HttpResponse, web};
use tokio::sync::oneshot;
use weevil_engine::budget::{Peer, Permit};
use weevil_engine::health::Unready;
use weevil_engine::parcel::Parcel;
use weevil_engine::seeds;
use weevil_model::limits::{MAX_FRAME_BYTES, MAX_VALUE_BYTES};
use weevil_model::{Capabilities, Needs, WorkerId};
use weevil_peer::limits::{
    MAX_HEARTBEAT_BODY_BYTES, MAX_SMALL_BODY_BYTES, SMALL_TRANSFER_BYTES, WAIT_FOR_ROOM_MS,
};
use weevil_peer::{Flow, Row};
use weevil_protocol::plain::{
    Dequeue, Heartbeat, Jobs, Join, Joined, Leave, Left, PEEK_BYTES, PLAIN_VERSION, Pass, PlainError,
    Renewals, Report, Secret, Submit, Verdicts,
};
use weevil_queue::Reporter;
use weevil_queue::decide::pace::Pace;

use super::plain_leases::Handed;
use super::plain_session::{self, Arrival, PlainSession, Shipped, TooMuch};
use super::plain_wire;
use super::plain_workers::Member;
use super::shipped_body::ShippedBody;
use super::standing::SharedGiven;
use crate::http::AppState;
use crate::http::own_page::OwnPage;
use crate::http::read_body::{Body, Held, off_thread, refusal};
use crate::http::trust_tokens::TokenDesk;
use crate::http::unheard::Unheard;
use crate::refusal::{InXml, Refusal};

/// Characters kept of a browser type, and of a location.
const MAX_NAME_CHARS: usize = 200;
/// How long a dequeue waits for a job unless it wants less.
const LONG_POLL: Duration = Duration::from_secs(2);
/// And at least: the queue must have been asked before the answer can be that there is nothing.
const SHORT_POLL: Duration = Duration::from_millis(50);

type Answered = Result<HttpResponse, Unheard>;

pub(crate) async fn join(
    _own: OwnPage,
    app: web::Data<AppState>,
    request: HttpRequest,
    body: web::Payload,
) -> Answered {
    if !app.common.health.serving() {
        return Err(Refusal::from(Unready::Draining).into());
    }
    let (join, _) = message(&app, &request, body, MAX_SMALL_BODY_BYTES, Join::parse).await?;
    if join.protocol != PLAIN_VERSION {
        return Err(Refusal::WrongVersion(join.protocol).into());
    }
    let languages = [Capabilities::JAVASCRIPT, Capabilities::WASM, Capabilities::WEBCL];
    if !languages.iter().any(|some| join.capabilities.include(*some)) {
        return Err(Refusal::NothingToRun(join.capabilities.0).into());
    }
    let peer = app.peer(&request);
    let seat = app.budget.seat(peer).map_err(Refusal::from)?;
    let worker = app.common.ids.worker(app.common.clock.now());
    let trusted = join.token.is_some();
    if let Some(Secret(token)) = &join.token {
        TokenDesk::of(&app, &request).trust_worker(token, worker).await?;
    }
    let pass = Pass { worker, secret: secret()? };
    let (agent, slots) = (agent(&join), join.slots);
    let has = Needs { capabilities: join.capabilities, memory_mb: join.memory_mb };
    let place = app.budget.number(peer);
    let given = SharedGiven::default();
    let arrival = Arrival { peer, worker, place, given: given.clone(), agent, slots, has, trusted };
    PlainSession::create(|ctx| {
        let member = Member { session: ctx.address(), values: join.values, slots, given };
        PlainSession::new(app.context(), arrival, seat, app.plain.enter(&pass, member))
    });
    let calm = app.pacer.calm();
    Ok(xml(Joined {
        pass,
        protocol: PLAIN_VERSION,
        lease_ms: calm.lease_ms,
        heartbeat_ms: calm.heartbeat_ms,
        dequeue_ms: calm.dequeue_ms,
        max_value_bytes: MAX_VALUE_BYTES as u64,
    }
    .to_xml()))
}

pub(crate) async fn dequeue(
    _own: OwnPage,
    app: web::Data<AppState>,
    request: HttpRequest,
    body: web::Payload,
) -> Answered {
    let (asked, _) = message(&app, &request, body, MAX_SMALL_BODY_BYTES, Dequeue::parse).await?;
    let Dequeue { pass, max, wait_ms } = asked;
    let member = app.plain.find(&pass)?;
    let wait = wait_ms.map_or(LONG_POLL, |ms| Duration::from_millis(ms.into())).clamp(SHORT_POLL, LONG_POLL);
    let (reply, answer) = oneshot::channel();
    member.session.do_send(plain_session::SessionDequeue { max, wait, reply });
    let handed = heard(pass.worker, answer).await?;
    jobs(&app, handed, &member)
}

fn jobs(app: &AppState, handed: Vec<Handed>, member: &Member) -> Answered {
    let now = app.common.clock.now();
    let jobs = handed
        .iter()
        .map(|handed| plain_wire::job(&handed.job, now, member.values))
        .collect::<Result<_, _>>();
    let jobs = jobs.map_err(|error| Refusal::Internal(error.to_string()))?;
    let Pace { dequeue_ms, batch, .. } = app.pacer.now();
    let answer = Jobs { dequeue_ms, batch, jobs }.to_xml();
    let parcels: Vec<Parcel> =
        handed.into_iter().map(|handed| handed.parcel).filter(|parcel| !parcel.is_small()).collect();
    if parcels.is_empty() {
        return Ok(xml(answer));
    }
    let body = ShippedBody::new(answer.into(), parcels, app.common.clock.clone());
    member.session.do_send(Shipped(body.watch()));
    Ok(xml(BoxBody::new(body)))
}

pub(crate) async fn submit(
    _own: OwnPage,
    app: web::Data<AppState>,
    request: HttpRequest,
    body: web::Payload,
) -> Answered {
    let (submit, read) = message(&app, &request, body, MAX_FRAME_BYTES, Submit::parse).await?;
    let Submit { pass, reports } = submit;
    let member = app.plain.find(&pass)?;
    let judged = member.given.judged(reports.iter().map(|report| report.key));
    ask_for(&app, read.peer, &member, &reports, read.bytes)?;
    let (values, slots) = (member.values, member.slots);
    let reporter = Reporter { worker: pass.worker, device: None };
    let judge = move || -> (Vec<_>, Vec<_>) {
        reports
            .into_iter()
            .filter_map(|report| plain_wire::submission(report, values, reporter, slots, &judged))
            .unzip()
    };
    let (submissions, refused) = checked(&app, &read, judge).await?;
    if submissions.is_empty() {
        return Ok(xml(Verdicts(Vec::new()).to_xml()));
    }
    let (reply, answer) = oneshot::channel();
    let waiting = unanswered(&app, &read).await?;
    member.session.do_send(plain_session::SessionSubmit { submissions, waiting, reply });
    let verdicts = heard(pass.worker, answer).await?;
    let answers = verdicts.into_iter().zip(refused).map(|(verdict, why)| plain_wire::answer(verdict, why));
    Ok(xml(Verdicts(answers.collect()).to_xml()))
}

pub(crate) async fn heartbeat(
    _own: OwnPage,
    app: web::Data<AppState>,
    request: HttpRequest,
    body: web::Payload,
) -> Answered {
    let (told, _) = message(&app, &request, body, MAX_HEARTBEAT_BODY_BYTES, Heartbeat::parse).await?;
    let Heartbeat { pass, holding } = told;
    let member = app.plain.find(&pass)?;
    let (reply, answer) = oneshot::channel();
    let holding = plain_wire::renewals(holding);
    member.session.do_send(plain_session::SessionHeartbeat { holding, reply });
    let told = heard(pass.worker, answer).await?;
    let attempts = told.into_iter().map(|(attempt, renewal)| (plain_wire::key(attempt), renewal)).collect();
    Ok(xml(Renewals { heartbeat_ms: app.pacer.now().heartbeat_ms, attempts }.to_xml()))
}

pub(crate) async fn leave(
    _own: OwnPage,
    app: web::Data<AppState>,
    request: HttpRequest,
    body: web::Payload,
) -> Answered {
    let (Leave(pass), _) = message(&app, &request, body, MAX_SMALL_BODY_BYTES, Leave::parse).await?;
    app.plain.find(&pass)?.session.do_send(plain_session::SessionLeave);
    Ok(xml(Left.to_xml()))
}

/// A body that was read: whose it is, and what it holds of the server.
struct Read {
    peer: Peer,
    bytes: usize,
    _held: Held,
}

/// Reads a message. For a worker that has joined, the secret is compared before more than the head is read.
async fn message<T: Send + 'static>(
    app: &AppState,
    request: &HttpRequest,
    payload: web::Payload,
    most: usize,
    parse: fn(&[u8]) -> Result<T, PlainError>,
) -> Result<(T, Read), Unheard> {
    let mut body = Body::new(app, request, payload, most);
    let mut head = Vec::new();
    let refused = |error| refusal(error, Refusal::MessageTooLarge(most), Refusal::BadMessage);
    body.begin(&mut head, PEEK_BYTES).await.map_err(refused)?;
    if most > PEEK_BYTES
        && let Some(root) = head.get(..PEEK_BYTES)
        && let Err(why) = known(app, root)
    {
        return Err(Unheard::new(why, body));
    }
    let (bytes, charged) = body.whole(head).await.map_err(refused)?;
    let read = Read { peer: app.peer(request), bytes: bytes.len(), _held: charged };
    let parsed = off_thread(read.bytes, move || parse(&bytes)).await.map_err(|error| ended(&error))?;
    Ok((parsed?, read))
}

/// Is the body that begins so one of a worker that has joined?
fn known(app: &AppState, head: &[u8]) -> Result<(), InXml> {
    app.plain.find(&Pass::peek(head)?)?;
    Ok(())
}

fn ended(error: &BlockingError) -> Refusal {
    Refusal::Internal(error.to_string())
}

/// Reports for what the worker was not given are read a few at a time.
fn ask_for(
    app: &AppState,
    peer: Peer,
    member: &Member,
    reports: &[Report],
    bytes: usize,
) -> Result<(), Refusal> {
    let keys = || reports.iter().map(|report| report.key);
    let unasked = member.given.count_unasked(keys());
    if unasked > 0 {
        let spent = app.budget.spend(peer, Flow::Unasked, unasked as u64);
        let spent = spent.and_then(|()| app.budget.spend(peer, Flow::UnaskedBytes, bytes as u64));
        spent.map_err(|_| Refusal::SlowDown)?;
    }
    member.given.end(keys());
    Ok(())
}

/// Looks at values, large ones off this thread and a few at a time.
async fn checked<T: Send + 'static>(
    app: &AppState,
    read: &Read,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Refusal> {
    let large = read.bytes as u64 > SMALL_TRANSFER_BYTES;
    let _checking = if large { app.budget.checking(read.peer).await } else { None };
    off_thread(read.bytes, work).await.map_err(|error| ended(&error))
}

/// Leave to have the reports wait for the database.
async fn unanswered(app: &AppState, read: &Read) -> Result<Permit, Refusal> {
    let patience = Duration::from_millis(WAIT_FOR_ROOM_MS);
    let room = app.budget.wait(read.peer, Row::Unanswered, read.bytes as u64, patience).await;
    room.map_err(|_| Refusal::SlowDown)
}

fn xml(body: impl MessageBody + 'static) -> HttpResponse {
    HttpResponse::Ok().content_type("application/xml; charset=utf-8").body(body)
}

/// The session's answer. A session that ends before it answers has given the worker up.
async fn heard<T>(worker: WorkerId, answer: oneshot::Receiver<Result<T, TooMuch>>) -> Result<T, Refusal> {
    let answer = answer.await.map_err(|_| Refusal::NoSuchWorker(worker))?;
    answer.map_err(|TooMuch| Refusal::SlowDown)
}

/// 126 bits that nobody can guess.
fn secret() -> Result<Secret, Refusal> {
    let words = seeds::tokens(2)?;
    let mut secret = String::new();
    for word in words {
        // A String takes everything.
        let _infallible = write!(secret, "{word:016x}");
    }
    Ok(Secret(secret))
}

/// What people read: the browser type, and where it is.
fn agent(join: &Join) -> String {
    let clipped = |text: &str| text.chars().take(MAX_NAME_CHARS).collect::<String>();
    let place = join.location.as_deref().filter(|place| !place.is_empty());
    place.map_or_else(
        || clipped(&join.browser_type),
        |place| format!("{}, {}", clipped(&join.browser_type), clipped(place)),
    )
}
