//! Events without topics: what is on the board, put into words whenever it changes, at most four times a second.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use actix_web::web::Bytes;
use futures_util::stream::{self, Stream};
use serde::Serialize;
use tokio::sync::{mpsc, watch};
use weevil_engine::board::ShownRun;
use weevil_engine::published::Published;

use super::views;

/// Nothing is sent more often than this.
const EVERY: Duration = Duration::from_millis(250);
/// A comment goes out this often, so that proxies keep the connection and a dead one is noticed.
const KEEP_ALIVE: Duration = Duration::from_secs(15);
const STILL_HERE: Bytes = Bytes::from_static(b": still here\n\n");
/// Events waiting for a slow reader; a full queue makes the sender wait, not grow.
pub(super) const WAITING: usize = 2;

/// Each change is put into words once, however many follow.
pub(super) async fn follow<T>(
    mut news: watch::Receiver<Arc<Published<T>>>,
    event: fn(&T) -> Vec<u8>,
    to: mpsc::Sender<Bytes>,
) {
    loop {
        let latest = news.borrow_and_update().clone();
        if to.send(Bytes::from_owner(latest.told(event))).await.is_err() {
            return;
        }
        tokio::time::sleep(EVERY).await;
        while tokio::time::timeout(KEEP_ALIVE, news.changed()).await.is_err() {
            if to.send(STILL_HERE).await.is_err() {
                return;
            }
        }
    }
}

pub(super) async fn follow_run(mut live: watch::Receiver<Arc<ShownRun>>, to: mpsc::Sender<Bytes>) {
    loop {
        let run = live.borrow_and_update().clone();
        if to.send(run_event(&run)).await.is_err() || run.has_ended() {
            return;
        }
        tokio::time::sleep(EVERY).await;
        match tokio::time::timeout(KEEP_ALIVE, live.changed()).await {
            Ok(Err(_)) => return,
            Err(_) if to.send(STILL_HERE).await.is_err() => return,
            Ok(Ok(())) | Err(_) => {}
        }
    }
}

pub(super) fn run_event(run: &ShownRun) -> Bytes {
    event("run", &views::run(run)).into()
}

pub(super) fn event<T: Serialize>(name: &str, data: &T) -> Vec<u8> {
    // JSON has no line breaks of its own, so one data line is enough.
    let json = serde_json::to_string(data).unwrap_or_default();
    format!("event: {name}\ndata: {json}\n\n").into_bytes()
}

/// The body, with what it holds.
pub(super) fn told<H: 'static>(
    from: mpsc::Receiver<Bytes>,
    held: H,
) -> impl Stream<Item = Result<Bytes, Infallible>> + use<H> {
    stream::unfold((from, held), |(mut from, held)| async move {
        from.recv().await.map(|bytes| (Ok(bytes), (from, held)))
    })
}
