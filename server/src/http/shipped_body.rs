//! A large answer whose inputs are counted until the socket has taken it.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};

use actix_web::body::{BodySize, MessageBody};
use actix_web::web::Bytes;

use crate::clock::SharedClock;
use crate::parcel::Parcel;
use crate::shipment::{Next, Shipment, Watch};

pub(super) struct ShippedBody {
    shipment: Shipment,
    size: u64,
    clock: SharedClock,
}

impl ShippedBody {
    pub(super) fn new(bytes: Bytes, parcels: Vec<Parcel>, clock: SharedClock) -> Self {
        let size = bytes.len() as u64;
        Self { shipment: Shipment::new([bytes], parcels, clock.now()), size, clock }
    }

    pub(super) fn watch(&self) -> Watch {
        self.shipment.watch()
    }
}

impl MessageBody for ShippedBody {
    type Error = io::Error;

    fn size(&self) -> BodySize {
        BodySize::Sized(self.size)
    }

    fn poll_next(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<io::Result<Bytes>>> {
        Poll::Ready(match self.shipment.next(self.clock.now()) {
            Next::Piece(piece) => Some(Ok(piece)),
            Next::Taken => None,
            Next::GivenUp => Some(Err(io::ErrorKind::TimedOut.into())),
        })
    }
}
