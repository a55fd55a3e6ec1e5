//! Requests that share a connection (HTTP/2): so many at a time, each until the last of its answer was taken.
//!
//! What comes beyond is answered without a body, which takes no room that the other end would have to give.

use std::cell::Cell;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll};

use actix_web::HttpResponse;
use actix_web::body::{BodySize, BoxBody, MessageBody};
use actix_web::dev::{Extensions, ServiceRequest, ServiceResponse};
use actix_web::http::StatusCode;
use actix_web::middleware::Next;
use actix_web::web::Bytes;

use crate::tls::TlsConnection;

/// Requests of one connection that are answered at a time. No browser begins more (Chromium's own bound is 256).
const MAX_STREAMS: usize = 256;

/// How many requests of a connection are being answered.
#[derive(Clone, Default)]
struct Streams(Rc<Cell<usize>>);

/// One of them.
struct Turn(Streams);

impl Streams {
    fn turn(&self) -> Option<Turn> {
        let now = self.0.get();
        (now < MAX_STREAMS).then(|| {
            self.0.set(now + 1);
            Turn(self.clone())
        })
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        let Streams(count) = &self.0;
        count.set(count.get().saturating_sub(1));
    }
}

/// Begins to count, where requests share the connection.
pub(crate) fn count_streams(connection: &TlsConnection, kept: &mut Extensions) {
    if connection.is_shared() {
        kept.insert(Streams::default());
    }
}

pub(crate) async fn bound_streams(
    request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<impl MessageBody>, actix_web::Error> {
    let Some(streams) = request.conn_data::<Streams>().cloned() else {
        return next.call(request).await.map(ServiceResponse::map_into_left_body);
    };
    let Some(turn) = streams.turn() else {
        let full = HttpResponse::new(StatusCode::TOO_MANY_REQUESTS);
        return Ok(request.into_response(full).map_into_right_body());
    };
    let response = next.call(request).await?.map_into_boxed_body();
    Ok(response.map_body(|_, body| BoxBody::new(Answer { body, _turn: turn })).map_into_right_body())
}

/// A body that ends its turn when it is dropped.
struct Answer {
    body: BoxBody,
    _turn: Turn,
}

impl MessageBody for Answer {
    type Error = Box<dyn std::error::Error>;

    fn size(&self) -> BodySize {
        self.body.size()
    }

    fn poll_next(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Bytes, Self::Error>>> {
        Pin::new(&mut self.body).poll_next(context)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_connection_has_a_bounded_number_of_turns() {
        let streams = Streams::default();
        let mut turns: Vec<Option<Turn>> = (0..MAX_STREAMS).map(|_| streams.turn()).collect();
        assert!(turns.iter().all(Option::is_some));
        assert!(streams.turn().is_none());
        turns.pop();
        assert!(streams.turn().is_some());
        drop(turns);
        assert_eq!(streams.0.get(), 0);
    }
}
