//! One large message on its way into a socket: given out piece by piece, as the socket takes it, within the time that a
//! transfer may take. Whoever watches it may give it up: its bytes are free at once.
//!
//! Knows nothing of what the message says, or which protocol it belongs to.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use actix_web::web::Bytes;
use weevil_engine::parcel::Parcel;
use weevil_model::Timestamp;
use weevil_peer::Transfer;

/// Bytes that a socket is given at a time.
const PIECE_BYTES: usize = 64 * 1024;

pub(crate) struct Shipment(Arc<Mutex<Inner>>);

/// Sees how a shipment goes; keeps nothing of it.
#[derive(Default)]
pub(crate) struct Watch(Weak<Mutex<Inner>>);

struct Inner {
    parts: VecDeque<Bytes>,
    /// What it carries; empty once the socket has taken all.
    parcels: Vec<Parcel>,
    whole: Transfer,
    /// The piece that was given out last.
    piece: Transfer,
    is_given_up: bool,
}

/// What a socket is given next.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Next {
    Piece(Bytes),
    /// It has taken all.
    Taken,
    /// The rest is gone.
    GivenUp,
}

impl Shipment {
    pub(crate) fn new(parts: impl IntoIterator<Item = Bytes>, parcels: Vec<Parcel>, now: Timestamp) -> Self {
        let parts: VecDeque<Bytes> = parts.into_iter().collect();
        let bytes = parts.iter().map(|part| part.len() as u64).sum();
        let (whole, piece) = (Transfer::new(now, bytes), Transfer::new(now, 0));
        Self(Arc::new(Mutex::new(Inner { parts, parcels, whole, piece, is_given_up: false })))
    }

    /// To be asked when the socket has taken what it was given before.
    pub(crate) fn next(&self, now: Timestamp) -> Next {
        let mut inner = lock(&self.0);
        if inner.is_given_up {
            return Next::GivenUp;
        }
        let Some(part) = inner.parts.front_mut() else {
            inner.parcels.clear();
            return Next::Taken;
        };
        let piece = part.split_to(part.len().min(PIECE_BYTES));
        if part.is_empty() {
            inner.parts.pop_front();
        }
        inner.piece = Transfer::new(now, piece.len() as u64);
        Next::Piece(piece)
    }

    pub(crate) fn watch(&self) -> Watch {
        Watch(Arc::downgrade(&self.0))
    }
}

impl Watch {
    /// Is something of it on its way?
    pub(crate) fn is_under_way(&self) -> bool {
        self.0.upgrade().is_some_and(|inner| !lock(&inner).parcels.is_empty())
    }

    /// Has the socket taken it, or the last piece of it, for longer than a transfer may take?
    pub(crate) fn is_overdue(&self, now: Timestamp) -> bool {
        self.0.upgrade().is_some_and(|inner| {
            let inner = lock(&inner);
            let ends_at = inner.whole.ends_at().min(inner.piece.ends_at());
            !inner.parcels.is_empty() && now > ends_at
        })
    }

    /// Nothing more of it is sent, and nothing kept.
    pub(crate) fn give_up(&self) {
        let Some(inner) = self.0.upgrade() else { return };
        let mut inner = lock(&inner);
        inner.is_given_up = true;
        inner.parts.clear();
        inner.parcels.clear();
    }
}

fn lock(inner: &Mutex<Inner>) -> MutexGuard<'_, Inner> {
    inner.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shipment(sizes: &[usize]) -> Shipment {
        let parts = sizes.iter().map(|size| Bytes::from(vec![7; *size]));
        Shipment::new(parts.collect::<Vec<_>>(), vec![Parcel::default()], Timestamp(0))
    }

    #[test]
    fn it_goes_in_pieces_until_it_is_taken() {
        for (sizes, expected) in [
            (&[][..], &[][..]),
            (&[10, 20], &[10, 20]),
            (&[PIECE_BYTES], &[PIECE_BYTES]),
            (&[4, 2 * PIECE_BYTES + 1], &[4, PIECE_BYTES, PIECE_BYTES, 1]),
        ] {
            let shipment = shipment(sizes);
            let watch = shipment.watch();
            for size in expected {
                assert!(watch.is_under_way());
                assert_eq!(shipment.next(Timestamp(0)), Next::Piece(vec![7; *size].into()), "{sizes:?}");
            }
            assert!(watch.is_under_way(), "the last piece may not have been taken");
            assert_eq!(shipment.next(Timestamp(0)), Next::Taken);
            assert!(!watch.is_under_way() && !watch.is_overdue(Timestamp(i64::MAX)));
        }
    }

    #[test]
    fn neither_the_whole_nor_a_piece_takes_for_ever() {
        let shipment = shipment(&[3 * PIECE_BYTES]);
        let watch = shipment.watch();
        for (at, overdue) in [(10_000, false), (10_001, true)] {
            assert_eq!(watch.is_overdue(Timestamp(at)), overdue, "nothing is taken, {at}");
        }
        shipment.next(Timestamp(9_000));
        for (at, overdue) in [(16_000, false), (16_001, true), (21_001, true)] {
            assert_eq!(watch.is_overdue(Timestamp(at)), overdue, "three pieces have 16 seconds, {at}");
        }
        watch.give_up();
        assert_eq!(shipment.next(Timestamp(0)), Next::GivenUp);
        assert!(!watch.is_under_way() && !watch.is_overdue(Timestamp(i64::MAX)));
    }
}
