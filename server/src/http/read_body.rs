//! Every body of every route comes in through here: bounded, within its time, and only where there is room for it.
//!
//! A body above 64 KiB is charged from the moment it is announced, or as it grows. Knows nothing of what it says.

use std::cell::RefCell;
use std::io;
use std::rc::Rc;
use std::time::Duration;

use actix_web::HttpRequest;
use actix_web::error::{BlockingError, PayloadError};
use actix_web::http::Version;
use actix_web::http::header::CONTENT_LENGTH;
use actix_web::web::{self, Bytes};
use futures_util::{Stream, StreamExt, stream};
use weevil_engine::budget::{Peer, Permit, SharedBudget};
use weevil_engine::clock::SharedClock;
use weevil_peer::limits::{SMALL_TRANSFER_BYTES, WAIT_FOR_ROOM_MS};
use weevil_peer::{Flow, Full, Row, Transfer};

use super::AppState;
use crate::refusal::Refusal;

/// What was charged for a body: to be kept until what it says is checked and handed on.
#[derive(Clone, Default)]
pub(crate) struct Held(Rc<RefCell<Option<Permit>>>);

/// A body that is coming in.
pub(crate) struct Body {
    payload: web::Payload,
    peer: Peer,
    budget: SharedBudget,
    clock: SharedClock,
    /// Bytes that it may have.
    most: u64,
    /// What its head says, or what has come where it says nothing.
    announced: u64,
    come: u64,
    transfer: Transfer,
    charged: u64,
    held: Held,
}

impl Body {
    pub(crate) fn new(app: &AppState, request: &HttpRequest, payload: web::Payload, most: usize) -> Self {
        let length =
            request.headers().get(CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse().ok());
        let (begun, shares) =
            (Transfer::new(app.common.clock.now(), 0), request.head().version == Version::HTTP_2);
        Self {
            payload,
            peer: app.peer(request),
            budget: app.budget.clone(),
            clock: app.common.clock.clone(),
            most: most as u64,
            announced: length.unwrap_or(0),
            come: 0,
            transfer: if shares { begun.shared() } else { begun },
            charged: 0,
            held: Held::default(),
        }
    }

    pub(crate) fn held(&self) -> Held {
        self.held.clone()
    }

    /// What comes next; `None` at the end.
    async fn next(&mut self) -> Result<Option<Bytes>, PayloadError> {
        self.admit().await?;
        let left = u64::try_from(self.transfer.ends_at().since(self.clock.now())).unwrap_or(0);
        let chunk = tokio::time::timeout(Duration::from_millis(left), self.payload.next()).await;
        let Some(chunk) = chunk.map_err(|_| trouble(io::ErrorKind::TimedOut))?.transpose()? else {
            return Ok(None);
        };
        self.come += chunk.len() as u64;
        self.announced = self.announced.max(self.come);
        if self.announced > self.charged {
            self.admit().await?;
        }
        Ok(Some(chunk))
    }

    /// Is there room for what is announced? A large body waits for it.
    async fn admit(&mut self) -> Result<(), PayloadError> {
        if self.announced > self.most {
            return Err(PayloadError::Overflow);
        }
        self.transfer.announce(self.announced);
        let more = self.transfer.charged().saturating_sub(self.charged);
        if more > 0 {
            let asked_at = self.clock.now();
            self.charge(more).await.map_err(|_| trouble(io::ErrorKind::WouldBlock))?;
            self.charged += more;
            self.transfer.waited(self.clock.now().since(asked_at));
        }
        Ok(())
    }

    async fn charge(&self, more: u64) -> Result<(), Full> {
        let patience = Duration::from_millis(WAIT_FOR_ROOM_MS);
        let known = self.held.0.take();
        let permit = match known {
            Some(mut permit) => permit.grow(more, patience).await.map(|()| permit)?,
            None => self.budget.wait(self.peer, Row::Unfinished, more, patience).await?,
        };
        self.held.0.replace(Some(permit));
        Ok(())
    }

    /// Reads on until there is so much, or all of it.
    pub(crate) async fn begin(&mut self, to: &mut Vec<u8>, least: usize) -> Result<(), PayloadError> {
        while to.len() < least
            && let Some(chunk) = self.next().await?
        {
            self.append(to, &chunk);
        }
        Ok(())
    }

    /// All of it, and what was charged for it.
    pub(crate) async fn whole(mut self, mut to: Vec<u8>) -> Result<(Bytes, Held), PayloadError> {
        while let Some(chunk) = self.next().await? {
            self.append(&mut to, &chunk);
        }
        Ok((to.into(), self.held))
    }

    /// Reads what is left and forgets it, as fast as its place may send what nobody has asked for.
    pub(crate) async fn discard(mut self) {
        drop(self.held.0.take());
        while let Ok(Some(chunk)) = self.next().await {
            self.budget.spend_later(self.peer, Flow::UnaskedBytes, chunk.len() as u64).await;
        }
    }

    fn append(&self, to: &mut Vec<u8>, chunk: &[u8]) {
        append(to, chunk, usize::try_from(self.most).unwrap_or(usize::MAX));
    }

    /// Piece by piece.
    pub(crate) fn pieces(self) -> impl Stream<Item = Result<Bytes, PayloadError>> + Unpin {
        let pieces = stream::unfold(Some(self), |body| async move {
            let mut body = body?;
            match body.next().await {
                Ok(chunk) => chunk.map(|chunk| (Ok(chunk), Some(body))),
                Err(error) => Some((Err(error), None)),
            }
        });
        // Whoever takes forms apart asks on after the end.
        Box::pin(pieces.fuse())
    }
}

/// What is longer than this is made room for once.
const ALL_AT_ONCE: usize = 1024 * 1024;

/// Makes room by doubling, as a `Vec` does, and then for all that may come: pages without bytes take no memory, while those that
/// doubling leaves behind are kept for a while.
pub(crate) fn append(to: &mut Vec<u8>, chunk: &[u8], most: usize) {
    if to.capacity() - to.len() < chunk.len() {
        let left = most.saturating_sub(to.len());
        let more = if to.len() < ALL_AT_ONCE { to.len().min(left) } else { left };
        to.reserve_exact(more.max(chunk.len()));
    }
    to.extend_from_slice(chunk);
}

fn trouble(kind: io::ErrorKind) -> PayloadError {
    PayloadError::Io(kind.into())
}

/// Why a body is not read to its end; `broken` where that is not the server's doing.
pub(crate) fn refusal(
    error: PayloadError,
    too_large: Refusal,
    broken: impl FnOnce(String) -> Refusal,
) -> Refusal {
    match error {
        PayloadError::Overflow => too_large,
        PayloadError::Io(error) if error.kind() == io::ErrorKind::TimedOut => Refusal::TooSlow,
        PayloadError::Io(error) if error.kind() == io::ErrorKind::WouldBlock => Refusal::SlowDown,
        other => broken(other.to_string()),
    }
}

/// What is large would hold up everybody else.
pub(crate) async fn off_thread<T: Send + 'static>(
    size: usize,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, BlockingError> {
    if size as u64 <= SMALL_TRANSFER_BYTES { Ok(work()) } else { web::block(work).await }
}
