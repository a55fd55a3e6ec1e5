//! What goes out to one worker: put in by its session, taken out by its socket, both on one thread.
//!
//! Bounded by messages here, and by the bytes of inputs where they are claimed (`feeder/loads.rs`).

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::rc::Rc;

use actix_web::web::Bytes;
use tokio::sync::Notify;
use weevil_engine::parcel::Parcel;
use weevil_model::Timestamp;
use weevil_protocol::frame::ServerFrame;

use super::shipment::{Shipment, Watch};

/// Messages waiting for a worker that does not read; more of them end its connection.
const MAX_WAITING: usize = 256;

/// What goes out over the socket.
pub(crate) enum Outgoing {
    Frame(ServerFrame),
    /// A frame with jobs, and what counts their inputs.
    Jobs(ServerFrame, Parcel),
    /// The answer to a ping (RFC 6455, section 5.5.3).
    Pong(Bytes),
}

#[derive(Clone, Default)]
pub(crate) struct Outbox(Rc<Inner>);

#[derive(Default)]
struct Inner {
    waiting: RefCell<VecDeque<Outgoing>>,
    /// The session says nothing more.
    has_ended: Cell<bool>,
    /// The worker is refused: nothing that it still sends is read.
    is_refused: Cell<bool>,
    changed: Notify,
    /// What the socket is taking, where it is large.
    under_way: RefCell<Watch>,
}

/// The worker does not read.
#[derive(Debug)]
pub(super) struct NotRead;

impl Outbox {
    pub(super) fn put(&self, message: Outgoing) -> Result<(), NotRead> {
        let mut waiting = self.0.waiting.borrow_mut();
        if waiting.len() >= MAX_WAITING {
            return Err(NotRead);
        }
        waiting.push_back(message);
        self.0.changed.notify_one();
        Ok(())
    }

    /// The next message; `None` once the session has ended and all is said.
    pub(crate) async fn take(&self) -> Option<Outgoing> {
        loop {
            if let Some(message) = self.0.waiting.borrow_mut().pop_front() {
                return Some(message);
            }
            if self.0.has_ended.get() {
                return None;
            }
            self.0.changed.notified().await;
        }
    }

    /// This is what the socket takes now.
    pub(crate) fn ship(&self, shipment: &Shipment) {
        *self.0.under_way.borrow_mut() = shipment.watch();
    }

    /// Does the worker take an input for longer than a transfer may take?
    pub(super) fn is_overdue(&self, now: Timestamp) -> bool {
        self.0.under_way.borrow().is_overdue(now)
    }

    /// The session has ended. Jobs are not its worker's any more; what else it said still goes out, unless the socket is in
    /// the middle of an input.
    pub(super) fn end(&self) {
        self.0.waiting.borrow_mut().retain(|message| !matches!(message, Outgoing::Jobs(..)));
        let under_way = self.0.under_way.borrow();
        if under_way.is_under_way() {
            under_way.give_up();
            self.0.waiting.borrow_mut().clear();
        }
        self.0.has_ended.set(true);
        self.0.changed.notify_one();
    }

    /// The session ends with a refusal, its last word.
    pub(super) fn refuse(&self) {
        self.0.is_refused.set(true);
    }

    pub(crate) fn is_refused(&self) -> bool {
        self.0.is_refused.get()
    }

    /// The session ends, since nobody reads what it says.
    pub(super) fn give_up(&self) {
        self.end();
        self.0.waiting.borrow_mut().clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn jobs() -> Outgoing {
        Outgoing::Jobs(ServerFrame::Heard, Parcel::default())
    }

    /// What is still to be taken, by a letter each.
    fn left(outbox: &Outbox) -> String {
        let waiting = outbox.0.waiting.borrow();
        let letter = |message: &Outgoing| match message {
            Outgoing::Frame(_) => 'f',
            Outgoing::Jobs(..) => 'j',
            Outgoing::Pong(_) => 'p',
        };
        waiting.iter().map(letter).collect()
    }

    fn filled() -> Outbox {
        let outbox = Outbox::default();
        for message in [Outgoing::Frame(ServerFrame::Heard), jobs(), Outgoing::Pong(Bytes::new()), jobs()] {
            outbox.put(message).unwrap();
        }
        outbox
    }

    /// A large one, of which the first piece has been given out.
    fn under_way() -> Shipment {
        let shipment = Shipment::new([Bytes::from(vec![7; 1 << 20])], vec![Parcel::default()], Timestamp(0));
        shipment.next(Timestamp(0));
        shipment
    }

    #[test]
    fn it_holds_so_many_messages_and_no_more() {
        let outbox = Outbox::default();
        assert!((0..MAX_WAITING).all(|_| outbox.put(jobs()).is_ok()));
        assert!(outbox.put(jobs()).is_err());
    }

    #[actix::test]
    async fn at_the_end_jobs_stay_here_and_the_rest_goes_out() {
        let outbox = filled();
        outbox.end();
        assert_eq!(left(&outbox), "fp");
        assert!(
            outbox.take().await.is_some() && outbox.take().await.is_some() && outbox.take().await.is_none()
        );
    }

    #[test]
    fn in_the_middle_of_an_input_nothing_more_can_be_said() {
        let (outbox, shipment) = (filled(), under_way());
        outbox.ship(&shipment);
        assert!(!outbox.is_overdue(Timestamp(0)) && outbox.is_overdue(Timestamp(86_400_000)));
        outbox.end();
        assert_eq!(
            (left(&outbox).as_str(), shipment.next(Timestamp(0))),
            ("", crate::workers::shipment::Next::GivenUp)
        );
    }

    #[test]
    fn a_worker_that_does_not_read_is_sent_nothing_more() {
        let outbox = filled();
        outbox.give_up();
        assert_eq!(left(&outbox), "");
    }
}
