//! The plain HTTP protocol of workers: reads a body, asks the worker's session, writes the answer; all in XML.
//!
//! Never holds more of a body than a message may have, and never reaches a session without its worker's secret.

use std::fmt::Write as _;
use std::time::Duration;

use actix::Actor;
use actix_web::web::{self, Bytes};
use actix_web::{HttpRequest, HttpResponse};
use tokio::sync::oneshot;
use weevil_model::limits::{MAX_FRAME_BYTES, MAX_VALUE_BYTES};
use weevil_model::{Capabilities, Needs, WorkerId};
use weevil_protocol::plain::{
    Dequeue, Heartbeat, Jobs, Join, Joined, Leave, Left, PLAIN_VERSION, Pass, Renewals, Secret, Submit,
    Verdicts,
};
use weevil_queue::Claimed;
use weevil_queue::decide::pace::Pace;

use super::Desk;
use super::own_page::OwnPage;
use crate::actors::plain_session::{self, Arrival, PlainSession, TooMuch};
use crate::actors::plain_wire;
use crate::actors::plain_workers::Member;
use crate::error::{InXml, Refusal};
use crate::health::Unready;
use crate::seeds;

/// Characters kept of a browser type, and of a location.
const MAX_NAME_CHARS: usize = 200;
/// How long a dequeue waits for a job unless it wants less.
const LONG_POLL: Duration = Duration::from_secs(2);
/// And at least: the queue must have been asked before the answer can be that there is nothing.
const SHORT_POLL: Duration = Duration::from_millis(50);

type Answered = Result<HttpResponse, InXml>;

pub(super) async fn join(
    _own: OwnPage,
    desk: web::Data<Desk>,
    request: HttpRequest,
    body: web::Payload,
) -> Answered {
    if !desk.common.health.serving() {
        return Err(Refusal::from(Unready::Draining).into());
    }
    let join = Join::parse(&read(body).await?)?;
    if join.protocol != PLAIN_VERSION {
        return Err(Refusal::WrongVersion(join.protocol).into());
    }
    let languages = [Capabilities::JAVASCRIPT, Capabilities::WASM, Capabilities::WEBCL];
    if !languages.iter().any(|some| join.capabilities.include(*some)) {
        return Err(Refusal::NothingToRun(join.capabilities.0).into());
    }
    let peer = desk.peer(&request);
    let seat = desk.budget.seat(peer)?;
    let worker = desk.common.ids.worker(desk.common.clock.now());
    let pass = Pass { worker, secret: secret()? };
    let (agent, slots) = (agent(&join), join.slots);
    let has = Needs { capabilities: join.capabilities, memory_mb: join.memory_mb };
    let place = desk.budget.number(peer);
    let arrival = Arrival { worker, place, agent, slots, has, others: desk.plain.clone() };
    let session = PlainSession::new(desk.terms(), arrival, seat).start();
    desk.plain.add(&pass, Member { session, values: join.values, slots });
    let calm = desk.pacer.calm();
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

pub(super) async fn dequeue(_own: OwnPage, desk: web::Data<Desk>, body: web::Payload) -> Answered {
    let Dequeue { pass, max, wait_ms } = Dequeue::parse(&read(body).await?)?;
    let member = desk.plain.find(&pass)?;
    let wait = wait_ms.map_or(LONG_POLL, |ms| Duration::from_millis(ms.into())).clamp(SHORT_POLL, LONG_POLL);
    let (reply, answer) = oneshot::channel();
    member.session.do_send(plain_session::Dequeue { max, wait, reply });
    let claimed = heard(pass.worker, answer).await?;
    jobs(&desk, &claimed, &member)
}

fn jobs(desk: &Desk, claimed: &[Claimed], member: &Member) -> Answered {
    let now = desk.common.clock.now();
    let jobs = claimed.iter().map(|job| plain_wire::job(job, now, member.values)).collect::<Result<_, _>>();
    let jobs = jobs.map_err(|error| Refusal::Internal(error.to_string()))?;
    let Pace { dequeue_ms, batch, .. } = desk.pacer.now();
    Ok(xml(Jobs { dequeue_ms, batch, jobs }.to_xml()))
}

pub(super) async fn submit(_own: OwnPage, desk: web::Data<Desk>, body: web::Payload) -> Answered {
    let Submit { pass, reports } = Submit::parse(&read(body).await?)?;
    let member = desk.plain.find(&pass)?;
    let judged =
        reports.into_iter().filter_map(|report| plain_wire::submission(report, member.values, member.slots));
    let (submissions, refused): (Vec<_>, Vec<_>) = judged.unzip();
    if submissions.is_empty() {
        return Ok(xml(Verdicts(Vec::new()).to_xml()));
    }
    let (reply, answer) = oneshot::channel();
    member.session.do_send(plain_session::Submit { submissions, reply });
    let verdicts = heard(pass.worker, answer).await?;
    let answers = verdicts.into_iter().zip(refused).map(|(verdict, why)| plain_wire::answer(verdict, why));
    Ok(xml(Verdicts(answers.collect()).to_xml()))
}

pub(super) async fn heartbeat(_own: OwnPage, desk: web::Data<Desk>, body: web::Payload) -> Answered {
    let Heartbeat { pass, holding } = Heartbeat::parse(&read(body).await?)?;
    let member = desk.plain.find(&pass)?;
    let (reply, answer) = oneshot::channel();
    let holding = plain_wire::renewals(holding);
    member.session.do_send(plain_session::Heartbeat { holding, reply });
    let told = heard(pass.worker, answer).await?;
    let attempts = told.into_iter().map(|(attempt, renewal)| (plain_wire::key(attempt), renewal)).collect();
    Ok(xml(Renewals { heartbeat_ms: desk.pacer.now().heartbeat_ms, attempts }.to_xml()))
}

pub(super) async fn leave(_own: OwnPage, desk: web::Data<Desk>, body: web::Payload) -> Answered {
    let Leave(pass) = Leave::parse(&read(body).await?)?;
    desk.plain.find(&pass)?.session.do_send(plain_session::Leave);
    Ok(xml(Left.to_xml()))
}

async fn read(body: web::Payload) -> Result<Bytes, Refusal> {
    match body.to_bytes_limited(MAX_FRAME_BYTES).await {
        Ok(Ok(bytes)) => Ok(bytes),
        Ok(Err(error)) => Err(Refusal::BadMessage(error.to_string())),
        Err(_) => Err(Refusal::MessageTooLarge),
    }
}

fn xml(text: String) -> HttpResponse {
    HttpResponse::Ok().content_type("application/xml; charset=utf-8").body(text)
}

/// The session's answer. A session that ends before it answers has given the worker up.
async fn heard<T>(worker: WorkerId, answer: oneshot::Receiver<Result<T, TooMuch>>) -> Result<T, Refusal> {
    let answer = answer.await.map_err(|_| Refusal::NoSuchWorker(worker))?;
    answer.map_err(|TooMuch| Refusal::SlowDown)
}

/// 126 bits that nobody can guess.
fn secret() -> Result<Secret, Refusal> {
    let words = seeds::tokens(2).map_err(|error| Refusal::Internal(error.to_string()))?;
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
