//! The worker's WebSocket: upgrade, then a session actor reads and one task writes.

use std::pin::Pin;
use std::time::Duration;

use actix::{Actor, AsyncContext};
use actix_web::dev::Payload;
use actix_web::error::PayloadError;
use actix_web::http::header::HOST;
use actix_web::{FromRequest, HttpRequest, HttpResponse, web, web::Bytes};
use futures_util::{Stream, StreamExt, stream};
use tokio::sync::{mpsc, watch};
use weevil_peer::Row;
use weevil_protocol::frame::ServerFrame;
use weevil_queue::decide::pace::Pace;

use super::Desk;
use super::inlet::Inlet;
use super::own_page::OwnPage;
use super::socket_reader::SocketReader;
use crate::actors::session::{Outgoing, Session};
use crate::actors::standing::Standing;
use crate::error::Refusal;
use crate::health::{Phase, Unready};

/// Frames waiting for a worker that does not read; more of them end its connection.
const WAITING: usize = 256;

pub(super) async fn open(
    _own: OwnPage,
    desk: web::Data<Desk>,
    request: HttpRequest,
    body: web::Payload,
) -> Result<HttpResponse, actix_web::Error> {
    if !desk.common.health.serving() {
        return Err(Refusal::from(Unready::Draining).into());
    }
    let peer = desk.peer(&request);
    desk.budget.has_room(peer, Row::Seats).map_err(|full| desk.budget.no_seat(full))?;
    let lobby = desk.budget.take(peer, Row::Lobby, 1).map_err(|_| Refusal::SlowDown)?;
    let standing = Standing::new(peer, lobby);
    let (response, socket, gone) = actix_ws::handle(&request, silent(&request).await?)?;
    let clock = desk.common.clock.clone();
    let reader = SocketReader::new(body, gone, standing.clone(), desk.budget.clone(), clock);
    let inlet = Inlet::new(reader, standing.clone(), desk.budget.clone());
    let heard = stream::unfold(Some(inlet), |inlet| async { inlet?.next().await }).fuse();
    let (out, outgoing) = mpsc::channel(WAITING);
    let terms = desk.terms();
    let host = request.headers().get(HOST).and_then(|host| host.to_str().ok()).unwrap_or_default().to_owned();
    let held = standing.clone();
    Session::create(|ctx| {
        ctx.add_stream(heard);
        Session::new(terms, host, out, standing)
    });
    let outbox = Outbox {
        messages: outgoing,
        phases: desk.common.health.phases(),
        paces: desk.pacer.changes(),
        heartbeat_ms: None,
    };
    actix_web::rt::spawn(outbox.write(socket, held));
    Ok(response)
}

/// A body that brings nothing: messages are read by the server itself, the library only tells when the connection ends.
async fn silent(request: &HttpRequest) -> Result<web::Payload, actix_web::Error> {
    let nothing: Pin<Box<dyn Stream<Item = Result<Bytes, PayloadError>>>> = Box::pin(stream::pending());
    let mut nothing = Payload::Stream { payload: nothing };
    web::Payload::from_request(request, &mut nothing).await
}

/// All that goes out to one worker: what its session says, and what every worker hears at the same time.
struct Outbox {
    messages: mpsc::Receiver<Outgoing>,
    phases: watch::Receiver<Phase>,
    paces: watch::Receiver<Pace>,
    /// What the worker was last told; nothing before its welcome, which comes first.
    heartbeat_ms: Option<u32>,
}

impl Outbox {
    /// Ends when the session does, having sent all that it said.
    async fn write(mut self, mut socket: actix_ws::Session, _held: Standing) {
        self.phases.mark_changed();
        while let Some(message) = self.next().await {
            let sent = match message {
                Outgoing::Frame(frame) => socket.binary(frame.encode()).await,
                Outgoing::Pong(bytes) => socket.pong(&bytes).await,
            };
            if sent.is_err() {
                return;
            }
        }
        // The other end may be gone already.
        let _gone = socket.close(None).await;
    }

    async fn next(&mut self) -> Option<Outgoing> {
        loop {
            tokio::select! {
                biased;
                message = self.messages.recv() => return message.inspect(|message| self.heed(message)),
                Ok(()) = self.phases.changed() => match *self.phases.borrow_and_update() {
                    Phase::Serving => {}
                    Phase::Draining(period) => return Some(Outgoing::Frame(farewell(period))),
                    Phase::Ending => return None,
                },
                Ok(()) = self.paces.changed(), if self.heartbeat_ms.is_some() => {
                    let heartbeat_ms = self.paces.borrow_and_update().heartbeat_ms;
                    if self.heartbeat_ms.replace(heartbeat_ms) != Some(heartbeat_ms) {
                        return Some(Outgoing::Frame(ServerFrame::Pace { heartbeat_ms }));
                    }
                }
            }
        }
    }

    /// A welcome tells the default: where that does not hold, a pace follows.
    fn heed(&mut self, message: &Outgoing) {
        if let Outgoing::Frame(ServerFrame::Welcome(welcome)) = message {
            self.heartbeat_ms = Some(welcome.heartbeat_ms);
            self.paces.mark_changed();
        }
    }
}

fn farewell(period: Duration) -> ServerFrame {
    ServerFrame::Drain { within_ms: u32::try_from(period.as_millis()).unwrap_or(u32::MAX) }
}
