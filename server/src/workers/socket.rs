//! The worker's WebSocket: the upgrade, then a session between what its socket reads and what it sends.

use actix::{Actor, AsyncContext};
use actix_http::ws::handshake;
use actix_web::body::{BodyStream, BoxBody};
use actix_web::http::header::HOST;
use actix_web::{HttpRequest, HttpResponse, web};
use futures_util::{StreamExt, stream};
use tokio::sync::oneshot;
use weevil_engine::health::Unready;
use weevil_peer::Row;

use super::inlet::Inlet;
use super::outbox::Outbox;
use super::session::{Session, SessionContext};
use super::socket_reader::SocketReader;
use super::socket_writer::SocketWriter;
use super::standing::Standing;
use crate::http::AppState;
use crate::http::own_page::OwnPage;
use crate::http::trust_tokens::TokenDesk;
use crate::refusal::Refusal;

pub(crate) async fn open(
    _own: OwnPage,
    app: web::Data<AppState>,
    request: HttpRequest,
    body: web::Payload,
) -> Result<HttpResponse, actix_web::Error> {
    if !app.common.health.serving() {
        return Err(Refusal::from(Unready::Draining).into());
    }
    let peer = app.peer(&request);
    app.budget.has_room(peer, Row::Seats, 1).map_err(|full| Refusal::from(app.budget.no_seat(full)))?;
    let lobby = app.budget.take(peer, Row::Lobby, 1).map_err(|_| Refusal::SlowDown)?;
    let mut response = handshake(request.head()).map_err(|error| Refusal::BadMessage(error.to_string()))?;
    let host = request.headers().get(HOST).and_then(|host| host.to_str().ok()).unwrap_or_default().to_owned();
    let desk = Some(TokenDesk::of(&app, &request));
    let writer = connect(app.context(), Standing::new(peer, lobby), (host, desk), body);
    Ok(response.message_body(sent(writer))?.into())
}

/// A session between what comes in and what goes out. `host` is how the worker knows the server; no token is taken without a desk.
pub(super) fn connect(
    context: SessionContext,
    standing: Standing,
    (host, desk): (String, Option<TokenDesk>),
    body: web::Payload,
) -> SocketWriter {
    let outbox = Outbox::default();
    let (open, gone) = oneshot::channel();
    let (budget, clock) = (context.budget.clone(), context.common.clock.clone());
    let (phases, paces) = (context.common.health.phases(), context.pacer.changes());
    let held = (standing.clone(), open);
    let writer = SocketWriter::new(outbox.clone(), phases, paces, clock.clone(), held);
    let reader = SocketReader::new(body, gone, standing.clone(), budget.clone(), clock);
    let inlet = Inlet::new(reader, standing.clone(), budget);
    let heard = stream::unfold(Some(inlet), |inlet| async { inlet?.next().await }).fuse();
    Session::create(|ctx| {
        ctx.add_stream(heard);
        Session::new(context, host, desk, outbox, standing)
    });
    writer
}

/// The body of the answer, which is asked for more when the socket has taken what it was given.
fn sent(writer: SocketWriter) -> BoxBody {
    let pieces = stream::unfold(writer, |mut writer| async {
        let piece = writer.next().await?;
        Some((piece, writer))
    });
    BoxBody::new(BodyStream::new(Box::pin(pieces)))
}
