//! The gate: what every request passes before a handler sees it, in the order host, face, row, origin.
//!
//! By which name the server is reached `hosts.rs` judges. What changes something takes a proof of its own (`own_page.rs`);
//! looked at here as well, it is a second lock that no route can be registered around. It never reads a path: it is wrapped
//! around each route where that is registered (ADR 0044).

use actix_web::body::{BoxBody, EitherBody, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::Method;
use actix_web::http::header::{CONNECTION, HeaderMap, UPGRADE};
use actix_web::middleware::Next;
use actix_web::{HttpRequest, ResponseError};
use weevil_api::routes::Row;
use weevil_model::Face;

use super::hosts;
use super::own_page::OwnPage;
use crate::refusal::Refusal;

/// What the names of all headers of a WebSocket's handshake begin with (RFC 6455, section 11.3).
const WEBSOCKET_HEADERS: &str = "sec-websocket-";

/// What a request passes whatever it asks for: the host, before anything else is looked at.
pub(crate) async fn enter<B: MessageBody>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<EitherBody<B, BoxBody>>, actix_web::Error> {
    go_on(hosts::check(request.request()), request, next).await
}

/// What a request for the operation of this row passes.
pub(super) async fn pass<B: MessageBody>(
    row: &'static Row,
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<EitherBody<B, BoxBody>>, actix_web::Error> {
    go_on(check_row(row, request.request()), request, next).await
}

async fn go_on<B: MessageBody>(
    checked: Result<(), Refusal>,
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<EitherBody<B, BoxBody>>, actix_web::Error> {
    match checked {
        Ok(()) => next.call(request).await.map(ServiceResponse::map_into_left_body),
        Err(refusal) => Ok(request.into_response(refusal.error_response()).map_into_right_body()),
    }
}

fn check_row(row: &Row, request: &HttpRequest) -> Result<(), Refusal> {
    if !face(request).shows(row.face) {
        return Err(Refusal::NoSuchPage(request.path().to_owned()));
    }
    if changes(request.method(), request.headers()) {
        OwnPage::of(request)?;
    }
    Ok(())
}

/// The face of the socket that the request came in by; the one for strangers where nobody has said.
pub(super) fn face(request: &HttpRequest) -> Face {
    request.app_data::<Face>().copied().unwrap_or(Face::Public)
}

/// Whether a request changes something, or opens a way to.
fn changes(method: &Method, headers: &HeaderMap) -> bool {
    *method != Method::GET
        || headers.contains_key(UPGRADE)
        || headers.get_all(CONNECTION).any(|value| says_upgrade(value.as_bytes()))
        || headers.keys().any(|name| name.as_str().starts_with(WEBSOCKET_HEADERS))
}

fn says_upgrade(connection: &[u8]) -> bool {
    connection.split(|byte| *byte == b',').any(|word| word.trim_ascii().eq_ignore_ascii_case(b"upgrade"))
}

#[cfg(test)]
mod tests {
    use actix_web::test::TestRequest;
    use weevil_api::routes::Operation;

    use super::*;

    #[test]
    fn whatever_could_be_an_upgrade_changes_something() {
        const FOREIGN: (&str, &str) = ("origin", "http://evil.example");
        let row = Operation::WorkerSocket.row();
        for (method, header, refused) in [
            (Method::GET, ("accept", "*/*"), false),
            (Method::GET, ("connection", "keep-alive"), false),
            (Method::GET, ("upgrade-insecure-requests", "1"), false),
            (Method::GET, ("upgrade", "websocket"), true),
            (Method::GET, ("upgrade", "h2c"), true),
            (Method::GET, ("connection", "keep-alive, Upgrade"), true),
            (Method::GET, ("sec-websocket-key", "x"), true),
            (Method::GET, ("Sec-WebSocket-Extensions", "x"), true),
            (Method::POST, ("accept", "*/*"), true),
        ] {
            let request = TestRequest::default().method(method.clone()).insert_header(header);
            let own = request.to_http_request();
            assert!(check_row(row, &own).is_ok(), "{method} {header:?}");
            let foreign = TestRequest::default().method(method.clone()).insert_header(header);
            let found = check_row(row, &foreign.insert_header(FOREIGN).to_http_request());
            assert_eq!(
                found.err().map(|refusal| refusal.code()),
                refused.then_some("foreignOrigin"),
                "{method} {header:?}"
            );
        }
    }

    #[test]
    fn the_socket_s_face_is_asked_before_the_origin() {
        const FOREIGN: (&str, &str) = ("origin", "http://evil.example");
        for (face, operation, code) in [
            (None, Operation::CreateRun, "noSuchPage"),
            (Some(Face::Public), Operation::CreateRun, "noSuchPage"),
            (Some(Face::Private), Operation::CreateRun, "foreignOrigin"),
            (Some(Face::Public), Operation::PlainJoin, "foreignOrigin"),
        ] {
            let request = TestRequest::post().insert_header(FOREIGN);
            let request = face.into_iter().fold(request, TestRequest::app_data).to_http_request();
            let found = check_row(operation.row(), &request);
            assert_eq!(found.err().map(|refusal| refusal.code()), Some(code), "{face:?} {operation:?}");
        }
    }
}
