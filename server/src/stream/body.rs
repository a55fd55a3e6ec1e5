//! The body of a stream: server-sent events (WHATWG HTML, section 9.2) for one reader, made as fast as it reads.

use std::convert::Infallible;
use std::pin::Pin;
use std::time::Duration;

use actix_web::web::{self, Bytes};
use futures_util::stream::{self, Stream, StreamExt};
use tokio::sync::watch;
use tokio::time::{Instant, sleep_until};

use super::frames::{Event, Listening, Wish};
use crate::http::AppState;

/// A comment goes out this often, so that proxies keep the connection and a dead one is noticed.
const KEEP_ALIVE: Duration = Duration::from_secs(15);
const STILL_HERE: Bytes = Bytes::from_static(b": still here\n\n");
/// The server ends.
const BYE: Bytes = Bytes::from_static(b"event: bye\ndata: {}\n\n");

/// Why a stream ends.
pub(crate) enum End {
    /// The server does.
    Server,
    /// Its reader may not read it any more.
    Right,
}

struct Talk<H> {
    app: web::Data<AppState>,
    listening: Listening,
    latest: watch::Receiver<u64>,
    end: Pin<Box<dyn Future<Output = End>>>,
    ended: bool,
    /// When something was told last.
    last: Instant,
    /// What goes with the stream.
    _held: H,
}

/// Until the server ends, or the reader's right does. `after` is the id of the last event that it has.
pub(crate) fn body<H: 'static, E: Future<Output = End> + 'static>(
    app: web::Data<AppState>,
    wishes: Vec<Wish>,
    after: Option<&str>,
    end: E,
    held: H,
) -> impl Stream<Item = Result<Bytes, Infallible>> + use<H, E> {
    let listening = app.past.frames.listen(&app, wishes, after);
    let latest = listening.latest();
    let talk =
        Talk { app, listening, latest, end: Box::pin(end), ended: false, last: Instant::now(), _held: held };
    let parts = |(own, shared): Event| stream::iter([Some(own), shared].into_iter().flatten().map(Ok));
    stream::unfold(talk, Talk::next).flat_map(parts)
}

impl<H> Talk<H> {
    async fn next(mut self) -> Option<(Event, Self)> {
        let event = self.event().await?;
        self.last = Instant::now();
        Some((event, self))
    }

    async fn event(&mut self) -> Option<Event> {
        if self.ended {
            return None;
        }
        loop {
            self.latest.mark_unchanged();
            if let Some(event) = self.listening.next(&self.app) {
                return Some(event);
            }
            tokio::select! {
                end = &mut self.end => {
                    self.ended = true;
                    return matches!(end, End::Server).then_some((BYE, None));
                }
                changed = self.latest.changed() => changed.ok()?,
                () = sleep_until(self.last + KEEP_ALIVE) => return Some((STILL_HERE, None)),
            }
        }
    }
}
