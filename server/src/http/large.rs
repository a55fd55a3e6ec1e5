//! Answers that hold something large: who reads one has a turn, and is sent it piece by piece, as fast as it is read.
//!
//! Whoever waits for a turn holds nothing. Never says what the pieces are.

use std::time::Duration;

use actix_web::web::{self, Bytes};
use tokio::sync::Semaphore;
use weevil_engine::budget::{Peer, Permit};
use weevil_model::Encoded;
use weevil_peer::Row;
use weevil_peer::limits::WAIT_FOR_ROOM_MS;

use super::AppState;
use super::readers::Reader;
use crate::refusal::Refusal;

/// Bytes of a value that is told as a whole.
pub(super) const MAX_WHOLE_BYTES: usize = 64 * 1024;
/// The value that is being looked up, before it is known how large it is: everybody else looks a moment later.
static LOOK: Semaphore = Semaphore::const_new(1);

/// So many read something large at a time.
pub(super) type Turn = Permit;

/// An answer without its value, and that value.
pub(super) struct Found<A> {
    pub answer: A,
    pub value: Option<Encoded>,
}

impl<A> Found<A> {
    fn is_large(&self) -> bool {
        self.value.as_ref().is_some_and(|value| value.as_bytes().len() > MAX_WHOLE_BYTES)
    }
}

/// Looks with `look`, and a second time where this reader has waited for its turn. Something small needs none.
pub(super) async fn find<A>(
    app: &AppState,
    reader: Peer,
    look: impl AsyncFn() -> Result<Found<A>, Refusal>,
) -> Result<(Found<A>, Option<Turn>), Refusal> {
    let looking = LOOK.acquire().await;
    let found = look().await?;
    if !found.is_large() {
        return Ok((found, None));
    }
    if let Some(turn) = at_once(app, reader) {
        return Ok((found, Some(turn)));
    }
    drop((found, looking));
    let turn = wait(app, reader).await?;
    let _looking = LOOK.acquire().await;
    Ok((look().await?, Some(turn)))
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

/// Makes the pieces off the server's thread, the next one when the last has been taken. Ends where the reader goes or does not
/// read on.
pub(super) async fn send<P>(mut pieces: P, reader: Reader, _turn: Option<Turn>)
where
    P: Iterator<Item = Vec<u8>> + Send + 'static,
{
    loop {
        let next = web::block(move || pieces.next().map(|piece| (piece, pieces))).await;
        let Ok(next) = next else { return };
        let Some((piece, rest)) = next else { return reader.end().await };
        pieces = rest;
        if !reader.hand(Bytes::from(piece)).await {
            return;
        }
    }
}
