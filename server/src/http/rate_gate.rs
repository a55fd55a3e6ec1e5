//! The gate's question for a rate: counts a request against whoever asks, and tells with its answer what is left.
//!
//! The owner of this machine and requests that come straight from it have no limits.

use actix_web::dev::ServiceResponse;
use actix_web::{HttpMessage, HttpRequest};
use weevil_access::Caller;
use weevil_api::routes::{Rate, Row};

use super::AppState;
use crate::access::{Charge, OpenStream, Subject};
use crate::refusal::Refusal;

/// Counts a request for the operation of this row.
///
/// # Errors
/// There is nothing left.
pub(super) fn charge(
    row: &Row,
    caller: &Caller,
    app: &AppState,
    request: &HttpRequest,
) -> Result<(), Refusal> {
    if row.rate == Rate::None {
        return Ok(());
    }
    let Some(subject) = subject(caller, app, request) else { return Ok(()) };
    match app.access.rates.charge(row.rate, subject, app.common.clock.now()) {
        Ok(charge) => {
            charge.map(|charge| request.extensions_mut().insert(charge));
            Ok(())
        }
        Err(exhausted) => {
            let (rate, seconds) = (exhausted.charge.name(), exhausted.retry_in);
            request.extensions_mut().insert(exhausted.charge);
            Err(Refusal::RateReached { rate, seconds })
        }
    }
}

fn subject(caller: &Caller, app: &AppState, request: &HttpRequest) -> Option<Subject> {
    match caller {
        Caller::Local => None,
        Caller::Token(token) => Some(Subject::Token(token.token)),
        Caller::Session(session) => Some(Subject::Account(session.person.account)),
        Caller::Nobody => {
            let peer = app.peer(request);
            peer.is_bounded().then_some(Subject::Place(peer))
        }
    }
}

/// Tells what is left, where this request was counted.
pub(super) fn tell<B>(response: &mut ServiceResponse<B>) {
    let told = response.request().extensions().get().and_then(Charge::headers);
    for (name, value) in told.into_iter().flatten() {
        response.headers_mut().insert(name, value);
    }
}

/// The stream that this request was counted as, for as long as its answer goes on.
pub(super) fn stream_of(request: &HttpRequest) -> Option<OpenStream> {
    request.extensions_mut().get_mut::<Charge>().and_then(Charge::take_stream)
}
