//! A body that is made while it is read: piece by piece, as fast as its reader reads.
//!
//! Never holds more than a piece.

use std::io;
use std::time::Duration;

use actix_web::web::Bytes;
use futures_util::stream::{self, Stream};
use tokio::sync::mpsc;
use tokio::time::timeout;

/// How long a reader may leave a piece lying: then others have its turn, and its answer ends before its end.
const WAIT_FOR_READER: Duration = Duration::from_secs(30);

/// What goes to the reader.
enum Part {
    Piece(Bytes),
    End,
}

/// Whoever reads a body.
pub(super) struct Reader(mpsc::Sender<Part>);

impl Reader {
    /// Answers whether it has gone on reading.
    pub(super) async fn hand(&self, piece: impl Into<Bytes>) -> bool {
        self.send(Part::Piece(piece.into())).await
    }

    /// There is nothing more. Without it the body breaks off.
    pub(super) async fn end(self) {
        self.send(Part::End).await;
    }

    async fn send(&self, part: Part) -> bool {
        matches!(timeout(WAIT_FOR_READER, self.0.send(part)).await, Ok(Ok(())))
    }
}

/// A reader, and its body. One that breaks off is an error: a reader must not take it for the whole.
pub(super) fn body() -> (Reader, impl Stream<Item = io::Result<Bytes>>) {
    let (to, from) = mpsc::channel(1);
    let chunks = stream::unfold(Some(from), async |from| {
        let mut from: mpsc::Receiver<Part> = from?;
        match from.recv().await {
            Some(Part::Piece(piece)) => Some((Ok(piece), Some(from))),
            Some(Part::End) => None,
            None => Some((Err(io::ErrorKind::TimedOut.into()), None)),
        }
    });
    (Reader(to), chunks)
}
