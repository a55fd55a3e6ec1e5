//! What one worker's socket sends: what its session says, and what every worker hears at the same time, encoded when the
//! socket has room for it, large messages in pieces.
//!
//! Knows nothing of what frames say, but for the welcome, which comes first.

use std::convert::Infallible;
use std::io;
use std::time::Duration;

use actix_web::web::Bytes;
use tokio::sync::{oneshot, watch};
use weevil_engine::clock::SharedClock;
use weevil_engine::health::Phase;
use weevil_engine::parcel::Parcel;
use weevil_protocol::frame::ServerFrame;
use weevil_queue::decide::pace::Pace;

use super::outbox::{Outbox, Outgoing};
use super::shipment::{Next, Shipment};
use super::socket_head::{Kind, head};
use super::standing::Standing;

pub(super) struct SocketWriter {
    outbox: Outbox,
    phases: watch::Receiver<Phase>,
    paces: watch::Receiver<Pace>,
    /// What the worker was last told; nothing before its welcome.
    heartbeat_ms: Option<u32>,
    /// What is being sent in pieces.
    shipment: Option<Shipment>,
    has_closed: bool,
    clock: SharedClock,
    /// Its seat, and the word to the reader that the connection has ended: both until the connection drops this.
    _held: (Standing, oneshot::Sender<Infallible>),
}

impl SocketWriter {
    pub(super) fn new(
        outbox: Outbox,
        mut phases: watch::Receiver<Phase>,
        paces: watch::Receiver<Pace>,
        clock: SharedClock,
        held: (Standing, oneshot::Sender<Infallible>),
    ) -> Self {
        phases.mark_changed();
        Self {
            outbox,
            phases,
            paces,
            heartbeat_ms: None,
            shipment: None,
            has_closed: false,
            clock,
            _held: held,
        }
    }

    /// What the socket sends next, when it has taken what came before; `None` once all is said. An error ends the connection
    /// at once: what a refused worker still sends would be read and thrown away, as fast as it comes.
    pub(super) async fn next(&mut self) -> Option<io::Result<Bytes>> {
        if self.has_closed && self.outbox.is_refused() {
            // Its last words go out while this waits.
            tokio::task::yield_now().await;
            return Some(Err(io::ErrorKind::ConnectionAborted.into()));
        }
        self.piece().await.map(Ok)
    }

    async fn piece(&mut self) -> Option<Bytes> {
        if let Some(shipment) = &self.shipment {
            match shipment.next(self.clock.now()) {
                Next::Piece(piece) => return Some(piece),
                Next::Taken => self.shipment = None,
                Next::GivenUp => return None,
            }
        }
        if self.has_closed {
            return None;
        }
        Some(match self.message().await {
            Some(Outgoing::Jobs(frame, parcel)) if !parcel.is_small() => return self.ship(&frame, parcel),
            Some(Outgoing::Frame(frame) | Outgoing::Jobs(frame, _)) => message(Kind::Binary, &frame.encode()),
            Some(Outgoing::Pong(bytes)) => message(Kind::Pong, &bytes),
            None => {
                self.has_closed = true;
                message(Kind::Close, &[])
            }
        })
    }

    fn ship(&mut self, frame: &ServerFrame, parcel: Parcel) -> Option<Bytes> {
        let bytes = Bytes::from(frame.encode());
        let parts = [head(Kind::Binary, bytes.len()).into(), bytes];
        let shipment = Shipment::new(parts, vec![parcel], self.clock.now());
        self.outbox.ship(&shipment);
        let Next::Piece(first) = shipment.next(self.clock.now()) else { return None };
        self.shipment = Some(shipment);
        Some(first)
    }

    async fn message(&mut self) -> Option<Outgoing> {
        loop {
            tokio::select! {
                biased;
                message = self.outbox.take() => return message.inspect(|message| self.heed(message)),
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

fn message(kind: Kind, bytes: &[u8]) -> Bytes {
    let mut message = head(kind, bytes.len());
    message.extend_from_slice(bytes);
    message.into()
}

fn farewell(period: Duration) -> ServerFrame {
    ServerFrame::Drain { within_ms: u32::try_from(period.as_millis()).unwrap_or(u32::MAX) }
}
