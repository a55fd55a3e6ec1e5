//! Messages of one worker's socket: nothing is read that there is no room for, and none takes longer than it may.
//!
//! A message above 64 KiB is charged from the moment its head announces it. Knows nothing of what messages say.

use std::convert::Infallible;
use std::time::Duration;

use actix_web::web::{self, Buf, Bytes, BytesMut};
use futures_util::StreamExt;
use tokio::sync::oneshot;
use weevil_engine::budget::{Permit, SharedBudget};
use weevil_engine::clock::SharedClock;
use weevil_model::limits::MAX_FRAME_BYTES;
use weevil_peer::limits::{LOBBY_MESSAGE_BYTES, SMALL_TRANSFER_BYTES, WAIT_FOR_ROOM_MS};
use weevil_peer::{Full, Row, Transfer};

use super::socket_head::{Head, Kind, unmask};
use super::standing::Standing;

pub(super) struct SocketReader {
    payload: web::Payload,
    /// Ends when the connection does, without a word.
    gone: oneshot::Receiver<Infallible>,
    /// What has come and is not read.
    buffer: BytesMut,
    /// The message of which pieces have come.
    open: Option<Open>,
    standing: Standing,
    budget: SharedBudget,
    clock: SharedClock,
}

pub(super) enum Message {
    /// With the permit for its bytes, where it is large: to be kept until they are handed on.
    Binary(Bytes, Option<Permit>),
    Ping(Bytes),
    Close,
}

/// Why no more is read, in words for the other end.
pub(super) type Trouble = String;

struct Open {
    bytes: Vec<u8>,
    permit: Option<Permit>,
    /// What the permit is for.
    charged: u64,
    transfer: Transfer,
}

impl SocketReader {
    pub(super) fn new(
        payload: web::Payload,
        gone: oneshot::Receiver<Infallible>,
        standing: Standing,
        budget: SharedBudget,
        clock: SharedClock,
    ) -> Self {
        Self { payload, gone, buffer: BytesMut::new(), open: None, standing, budget, clock }
    }

    /// The next message; `None` once the connection has ended.
    pub(super) async fn next(&mut self) -> Result<Option<Message>, Trouble> {
        loop {
            let Some(head) = self.head().await? else { return Ok(None) };
            if head.kind.is_control() {
                let Some(bytes) = self.control(head).await? else { return Ok(None) };
                match head.kind {
                    Kind::Ping => return Ok(Some(Message::Ping(bytes))),
                    Kind::Close => return Ok(Some(Message::Close)),
                    _ => continue,
                }
            }
            let mut open = self.opened(&head)?;
            self.admit(&head, &mut open).await?;
            if head.last && open.bytes.is_empty() && self.buffer.len() as u64 >= head.announced {
                return Ok(Some(Message::Binary(self.take(&head), open.permit)));
            }
            if !self.gather(&head, &mut open).await? {
                return Ok(None);
            }
            if head.last {
                return Ok(Some(Message::Binary(open.bytes.into(), open.permit)));
            }
            self.open = Some(open);
        }
    }

    async fn head(&mut self) -> Result<Option<Head>, Trouble> {
        let mut begun = self.open.as_ref().map(|open| open.transfer);
        loop {
            if let Some(head) = Head::read(&self.buffer)? {
                self.buffer.advance(head.size);
                return Ok(Some(head));
            }
            if begun.is_none() && !self.buffer.is_empty() {
                begun = Some(Transfer::new(self.clock.now(), 0));
            }
            if !self.more(begun).await? {
                return Ok(None);
            }
        }
    }

    /// The message that this frame begins, or goes on with.
    fn opened(&mut self, head: &Head) -> Result<Open, Trouble> {
        match (head.kind, self.open.take()) {
            (Kind::Text, _) => Err("frames are binary messages, this one is text".into()),
            (Kind::Continuation, Some(open)) => Ok(open),
            (Kind::Continuation, None) => Err("a message goes on that has not begun".into()),
            (_, Some(_)) => Err("a message begins before the one before has ended".into()),
            (_, None) => {
                let transfer = Transfer::new(self.clock.now(), 0);
                Ok(Open { bytes: Vec::new(), permit: None, charged: 0, transfer })
            }
        }
    }

    /// Is there room for what a frame announces? A large one waits for it.
    async fn admit(&mut self, head: &Head, open: &mut Open) -> Result<(), Trouble> {
        let total = head.announced.saturating_add(open.bytes.len() as u64);
        let most = if self.standing.is_welcome() { MAX_FRAME_BYTES } else { LOBBY_MESSAGE_BYTES };
        if total > most as u64 {
            return Err(format!("the message has {total} bytes; at most {most} are allowed"));
        }
        open.transfer.announce(total);
        let more = open.transfer.charged().saturating_sub(open.charged);
        if more == 0 {
            return Ok(());
        }
        let asked_at = self.clock.now();
        self.standing.set_waiting(true);
        let granted = self.charge(open, more).await;
        self.standing.set_waiting(false);
        granted.map_err(|_| "more comes in than there is room for: slow down".to_owned())?;
        open.charged += more;
        open.transfer.waited(self.clock.now().since(asked_at));
        Ok(())
    }

    async fn charge(&self, open: &mut Open, more: u64) -> Result<(), Full> {
        let patience = Duration::from_millis(WAIT_FOR_ROOM_MS);
        if let Some(permit) = &mut open.permit {
            return permit.grow(more, patience).await;
        }
        let permit = self.budget.wait(self.standing.peer(), Row::Unfinished, more, patience).await?;
        open.permit = Some(permit);
        Ok(())
    }

    /// A message that has come in one frame and one piece is not copied.
    fn take(&mut self, head: &Head) -> Bytes {
        let mut bytes = self.buffer.split_to(usize::try_from(head.announced).unwrap_or(0));
        unmask(&mut bytes, head.mask, 0);
        bytes.freeze()
    }

    /// Reads what a frame carries; false where the connection ends before.
    async fn gather(&mut self, head: &Head, open: &mut Open) -> Result<bool, Trouble> {
        let announced = usize::try_from(head.announced).unwrap_or(usize::MAX);
        if announced as u64 > SMALL_TRANSFER_BYTES {
            open.bytes.reserve_exact(announced);
        }
        let mut read = 0;
        loop {
            let piece = self.buffer.len().min(announced - read);
            let from = open.bytes.len();
            open.bytes.extend_from_slice(&self.buffer[..piece]);
            unmask(&mut open.bytes[from..], head.mask, read);
            self.buffer.advance(piece);
            read += piece;
            if read == announced {
                return Ok(true);
            }
            if !self.more(Some(open.transfer)).await? {
                return Ok(false);
            }
        }
    }

    async fn control(&mut self, head: Head) -> Result<Option<Bytes>, Trouble> {
        let begun = Transfer::new(self.clock.now(), 0);
        while (self.buffer.len() as u64) < head.announced {
            if !self.more(Some(begun)).await? {
                return Ok(None);
            }
        }
        Ok(Some(self.take(&head)))
    }

    /// Waits for more bytes, as long as a transfer may take; false once the connection has ended.
    async fn more(&mut self, transfer: Option<Transfer>) -> Result<bool, Trouble> {
        let (payload, gone) = (&mut self.payload, &mut self.gone);
        let next = async {
            tokio::select! {
                biased;
                chunk = payload.next() => chunk,
                _ = gone => None,
            }
        };
        let chunk = match transfer {
            None => next.await,
            Some(transfer) => {
                let left = u64::try_from(transfer.ends_at().since(self.clock.now())).unwrap_or(0);
                let late = |_| "the message comes too slowly".to_owned();
                tokio::time::timeout(Duration::from_millis(left), next).await.map_err(late)?
            }
        };
        match chunk {
            Some(Ok(bytes)) if self.buffer.is_empty() => self.buffer = bytes.into(),
            Some(Ok(bytes)) => self.buffer.extend_from_slice(&bytes),
            Some(Err(_)) | None => return Ok(false),
        }
        Ok(true)
    }
}
