//! The worker's WebSocket: upgrade, then a session actor reads and one task writes.

use std::time::Duration;

use actix::{Actor, AsyncContext};
use actix_web::{HttpRequest, HttpResponse, web};
use tokio::sync::{mpsc, watch};
use weevil_model::limits::{MAX_FRAME_BYTES, MAX_WORKERS};
use weevil_protocol::frame::ServerFrame;

use super::Desk;
use crate::actors::session::{Outgoing, Session};
use crate::error::Refusal;
use crate::health::{Phase, Unready};
use crate::seat::Seat;

/// Frames waiting for a worker that does not read; more of them end its connection.
const WAITING: usize = 256;

pub(super) async fn open(
    desk: web::Data<Desk>,
    request: HttpRequest,
    body: web::Payload,
) -> Result<HttpResponse, actix_web::Error> {
    if !desk.common.health.serving() {
        return Err(Refusal::from(Unready::Draining).into());
    }
    let seat = desk.seats.take().ok_or(Refusal::FleetFull(MAX_WORKERS))?;
    let (response, socket, messages) = actix_ws::handle(&request, body)?;
    let messages = messages
        .max_frame_size(MAX_FRAME_BYTES)
        .aggregate_continuations()
        .max_continuation_size(MAX_FRAME_BYTES);
    let (out, outgoing) = mpsc::channel(WAITING);
    let terms = desk.terms();
    Session::create(|ctx| {
        ctx.add_stream(messages);
        Session::new(terms, out)
    });
    actix_web::rt::spawn(write(socket, outgoing, desk.common.health.phases(), seat));
    Ok(response)
}

/// Ends when the session does, having sent all that it said.
async fn write(
    mut socket: actix_ws::Session,
    mut messages: mpsc::Receiver<Outgoing>,
    mut phases: watch::Receiver<Phase>,
    _seat: Seat,
) {
    phases.mark_changed();
    while let Some(message) = next(&mut messages, &mut phases).await {
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

/// What the session says, and between that what every worker hears at the same time: that the server ends.
async fn next(
    messages: &mut mpsc::Receiver<Outgoing>,
    phases: &mut watch::Receiver<Phase>,
) -> Option<Outgoing> {
    loop {
        tokio::select! {
            biased;
            message = messages.recv() => return message,
            Ok(()) = phases.changed() => match *phases.borrow_and_update() {
                Phase::Serving => {}
                Phase::Draining(period) => return Some(Outgoing::Frame(farewell(period))),
                Phase::Ending => return None,
            },
        }
    }
}

fn farewell(period: Duration) -> ServerFrame {
    ServerFrame::Drain { within_ms: u32::try_from(period.as_millis()).unwrap_or(u32::MAX) }
}
