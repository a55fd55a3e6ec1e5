//! Answers that hold a result: a large one is told in pieces, as fast as its reader reads.
//!
//! Pieces are made off the server's thread, the next one when the last has been taken; the ledger says to how many at a time.
//! Never holds the JSON of a large result, nor the result of a reader that waits for its turn.

use std::fmt::Display;
use std::time::Duration;

use actix_web::HttpResponse;
use actix_web::http::header::ContentType;
use actix_web::web::{self, Bytes};
use serde::Serialize;
use serde_json::Value as Json;
use tokio::sync::Semaphore;
use weevil_engine::budget::{Peer, Permit};
use weevil_model::{Encoded, JsonPieces};
use weevil_peer::Row;
use weevil_peer::limits::WAIT_FOR_ROOM_MS;

use super::AppState;
use super::readers::{self, Reader};
use crate::refusal::Refusal;

/// Bytes of a result that is told as a whole.
const MAX_WHOLE_BYTES: usize = 64 * 1024;
/// The result that is being looked up, before it is known how large it is: everybody else looks a moment later.
static LOOK: Semaphore = Semaphore::const_new(1);

/// Where the result stands in an answer that is told in pieces.
const HOLE: &str = r#""result":null"#;
const NAME: &str = r#""result":"#;

/// So many read something large at a time.
pub(super) type Turn = Permit;

/// An answer without its result, and that result.
pub(super) struct Found<A> {
    pub answer: A,
    pub result: Option<Encoded>,
}

/// What has a place for a result, its only field `result`.
pub(super) trait Answer: Serialize {
    fn with_result(self, result: Option<Json>) -> Self;
}

/// Looks with `look`, and a second time where this reader has waited for its turn.
pub(super) async fn answer<A: Answer>(
    app: &AppState,
    reader: Peer,
    look: impl AsyncFn() -> Result<Found<A>, Refusal>,
) -> Result<HttpResponse, Refusal> {
    let looking = LOOK.acquire().await;
    let found = look().await?;
    if !found.is_large() {
        return found.whole();
    }
    if let Some(turn) = at_once(app, reader) {
        return found.respond(turn).await;
    }
    // Who waits holds nothing.
    drop((found, looking));
    let turn = wait(app, reader).await?;
    let looking = LOOK.acquire().await;
    let found = look().await?;
    drop(looking);
    found.respond(turn).await
}

/// A turn of a reader of something large.
pub(super) async fn turn(app: &AppState, reader: Peer) -> Result<Turn, Refusal> {
    match at_once(app, reader) {
        Some(turn) => Ok(turn),
        None => wait(app, reader).await,
    }
}

async fn wait(app: &AppState, reader: Peer) -> Result<Turn, Refusal> {
    let patience = Duration::from_millis(WAIT_FOR_ROOM_MS);
    let turn = app.budget.wait(reader, Row::LargeReads, 1, patience).await;
    turn.map_err(|_| Refusal::SlowDown)
}

/// One where it is free. Where there is none, nobody is refused yet.
fn at_once(app: &AppState, reader: Peer) -> Option<Turn> {
    app.budget.has_room(reader, Row::LargeReads, 1).ok()?;
    app.budget.take(reader, Row::LargeReads, 1).ok()
}

impl<A: Answer> Found<A> {
    fn is_large(&self) -> bool {
        self.result.as_ref().is_some_and(|result| result.as_bytes().len() > MAX_WHOLE_BYTES)
    }

    async fn respond(self, turn: Turn) -> Result<HttpResponse, Refusal> {
        match self {
            Self { answer, result: Some(result) } => in_pieces(answer, result, turn).await,
            found => found.whole(),
        }
    }

    fn whole(self) -> Result<HttpResponse, Refusal> {
        let value = self.result.as_ref().map(Encoded::value).transpose().map_err(internal)?;
        Ok(HttpResponse::Ok().json(self.answer.with_result(value.map(|value| value.to_json()))))
    }
}

async fn in_pieces<A: Answer>(answer: A, result: Encoded, turn: Turn) -> Result<HttpResponse, Refusal> {
    let around = serde_json::to_string(&answer.with_result(Some(Json::Null))).map_err(internal)?;
    let (before, after) = around.split_once(HOLE).ok_or_else(|| internal("an answer without a result"))?;
    let telling = Telling { before: format!("{before}{NAME}").into(), after: after.to_owned().into(), turn };
    // Looking over it once, before the first byte goes out, takes a while.
    let pieces = web::block(move || JsonPieces::of(&result)).await.map_err(internal)?.map_err(internal)?;
    let (reader, body) = readers::body();
    actix_web::rt::spawn(telling.tell(pieces, reader));
    Ok(HttpResponse::Ok().content_type(ContentType::json()).streaming(body))
}

struct Telling {
    before: Bytes,
    after: Bytes,
    turn: Turn,
}

impl Telling {
    /// Ends where the reader goes or does not read on.
    async fn tell(self, mut pieces: JsonPieces, reader: Reader) {
        let Self { before, after, turn: _turn } = self;
        let mut goes_on = reader.hand(before).await;
        while goes_on {
            let next = web::block(move || pieces.next().map(|piece| (piece, pieces))).await;
            let Ok(Some((piece, rest))) = next else { break };
            pieces = rest;
            goes_on = reader.hand(piece).await;
        }
        if goes_on && reader.hand(after).await {
            reader.end().await;
        }
    }
}

fn internal(error: impl Display) -> Refusal {
    Refusal::Internal(error.to_string())
}
