//! Every request has an id: in the log, around all that is said while it is answered, and in the answer.
//!
//! Never writes down a query or a header: they may hold secrets.

use actix_web::body::MessageBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::header::{HeaderName, HeaderValue};
use actix_web::middleware::Next;
use actix_web::{HttpMessage, web};
use tracing::Instrument;

use super::AppState;
use crate::seeds;

/// The id of a request, for those who answer it.
#[derive(Debug)]
pub(super) struct RequestId(pub(super) String);

const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
/// Longer ones are not taken over.
const MAX_ID_CHARS: usize = 64;
/// Pages and what is at no route.
const NO_ROUTE: &str = "other";

pub(crate) async fn trace(
    request: ServiceRequest,
    next: Next<impl MessageBody>,
) -> Result<ServiceResponse<impl MessageBody>, actix_web::Error> {
    let id = given(request.headers().get(REQUEST_ID)).unwrap_or_else(seeds::request_id);
    request.extensions_mut().insert(RequestId(id.clone()));
    let span = tracing::info_span!("request", id, method = %request.method(), path = request.path());
    let mut response = next.call(request).instrument(span).await?;
    if let Some(app) = response.request().app_data::<web::Data<AppState>>() {
        let route = response.request().match_pattern().unwrap_or_else(|| NO_ROUTE.to_owned());
        app.requests.answered(route, response.status());
    }
    if let Ok(id) = HeaderValue::from_str(&id) {
        response.headers_mut().insert(REQUEST_ID, id);
    }
    Ok(response)
}

/// An id that a proxy has given is taken over, if it can do no harm in a log.
fn given(header: Option<&HeaderValue>) -> Option<String> {
    let id = header?.to_str().ok()?;
    let harmless = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
    ((1..=MAX_ID_CHARS).contains(&id.len()) && id.bytes().all(harmless)).then(|| id.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_harmless_ids_are_taken_over() {
        for (id, taken) in [
            ("0123-abcDEF_7.1", true),
            ("", false),
            ("two words", false),
            ("\u{1b}[31m", false),
            (&"a".repeat(64), true),
            (&"a".repeat(65), false),
        ] {
            let header = HeaderValue::from_bytes(id.as_bytes());
            assert_eq!(given(header.as_ref().ok()).is_some(), taken, "{id:?}");
        }
    }
}
