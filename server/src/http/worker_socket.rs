//! The worker's WebSocket: upgrade, then a session actor reads and one task writes.

use std::time::Duration;

use actix::{Actor, AsyncContext};
use actix_web::http::header::HOST;
use actix_web::{HttpRequest, HttpResponse, web};
use tokio::sync::{mpsc, watch};
use weevil_model::limits::MAX_FRAME_BYTES;
use weevil_peer::Row;
use weevil_protocol::frame::ServerFrame;
use weevil_queue::decide::pace::Pace;

use super::Desk;
use super::own_page::OwnPage;
use crate::actors::session::{Outgoing, Session, Standing};
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
    let (response, socket, messages) = actix_ws::handle(&request, body)?;
    let messages = messages
        .max_frame_size(MAX_FRAME_BYTES)
        .aggregate_continuations()
        .max_continuation_size(MAX_FRAME_BYTES);
    let (out, outgoing) = mpsc::channel(WAITING);
    let terms = desk.terms();
    let host = request.headers().get(HOST).and_then(|host| host.to_str().ok()).unwrap_or_default().to_owned();
    let held = standing.clone();
    Session::create(|ctx| {
        ctx.add_stream(messages);
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
