//! A large answer whose inputs are counted until the socket has taken it.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};

use actix_web::body::{BodySize, MessageBody};
use actix_web::web::Bytes;
use weevil_engine::clock::SharedClock;
use weevil_engine::parcel::Parcel;

use super::shipment::{Next, Shipment, Watch};

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

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use weevil_model::Timestamp;

    use weevil_engine::clock::Clock;

    /// Time stands.
    struct Still;

    impl Clock for Still {
        fn now(&self) -> Timestamp {
            Timestamp(0)
        }
    }

    /// Bytes of what the socket is given next: `None` at the end, an error where it was given up.
    fn next(body: &mut ShippedBody) -> Option<Result<usize, io::ErrorKind>> {
        let piece = Pin::new(body).poll_next(&mut Context::from_waker(std::task::Waker::noop()));
        let Poll::Ready(piece) = piece else { panic!("it never waits") };
        piece.map(|piece| piece.map(|piece| piece.len()).map_err(|error| error.kind()))
    }

    fn body(bytes: usize) -> ShippedBody {
        ShippedBody::new(vec![7; bytes].into(), vec![Parcel::default()], Arc::new(Still))
    }

    #[test]
    fn its_length_is_told_and_it_is_under_way_until_the_last_of_it_is_taken() {
        let mut body = body(100_000);
        let watch = body.watch();
        assert_eq!(body.size(), BodySize::Sized(100_000));
        for expected in [Some(Ok(65_536)), Some(Ok(34_464)), None] {
            assert!(watch.is_under_way());
            assert_eq!(next(&mut body), expected);
        }
        assert!(!watch.is_under_way());
    }

    #[test]
    fn what_is_given_up_ends_with_an_error() {
        let mut body = body(100_000);
        assert_eq!(next(&mut body), Some(Ok(65_536)));
        body.watch().give_up();
        assert_eq!(next(&mut body), Some(Err(io::ErrorKind::TimedOut)));
    }
}
