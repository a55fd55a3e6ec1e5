//! Keeps other sites' pages out: a volunteer's or researcher's browser must not be talked into using this server.
//!
//! Until there is sign-in, loopback is the console's only protection. DNS rebinding would undo it, so a server on
//! loopback answers to loopback names only. What changes something takes a proof of its own (`own_page.rs`); looked at
//! here as well, it is a second lock that no route can be registered around.

use std::net::IpAddr;

use actix_web::body::MessageBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::Method;
use actix_web::http::header::{CONNECTION, HOST, HeaderMap, UPGRADE};
use actix_web::middleware::Next;
use actix_web::{HttpRequest, ResponseError, web};

use super::AppState;
use super::own_page::OwnPage;
use crate::refusal::Refusal;

/// What the names of all headers of a WebSocket's handshake begin with (RFC 6455, section 11.3).
const WEBSOCKET_HEADERS: &str = "sec-websocket-";

pub(crate) async fn guard(
    request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<impl MessageBody>, actix_web::Error> {
    match check(request.request()) {
        Ok(()) => next.call(request).await.map(ServiceResponse::map_into_left_body),
        Err(refusal) => Ok(request.into_response(refusal.error_response()).map_into_right_body()),
    }
}

fn check(request: &HttpRequest) -> Result<(), Refusal> {
    let headers = request.headers();
    let host = headers.get(HOST).and_then(|host| host.to_str().ok()).unwrap_or_default();
    let loopback = request.app_data::<web::Data<AppState>>().is_some_and(|app| app.listen.ip().is_loopback());
    if loopback && !names_loopback(host) {
        return Err(Refusal::ForeignHost(host.to_owned()));
    }
    if changes(request.method(), headers) {
        OwnPage::of(request)?;
    }
    Ok(())
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

fn names_loopback(host: &str) -> bool {
    let name = match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => host,
    };
    let address = name.trim_start_matches('[').trim_end_matches(']');
    name.eq_ignore_ascii_case("localhost") || address.parse().is_ok_and(|ip: IpAddr| ip.is_loopback())
}

#[cfg(test)]
mod tests {
    use actix_web::test::TestRequest;

    use super::*;

    #[test]
    fn only_loopback_names_name_loopback() {
        for (host, named) in [
            ("localhost:8080", true),
            ("LOCALHOST", true),
            ("127.0.0.1:8080", true),
            ("127.1.2.3", true),
            ("[::1]:8080", true),
            ("[::1]", true),
            ("evil.example:8080", false),
            ("localhost.evil.example", false),
            ("192.0.2.1", false),
            ("", false),
        ] {
            assert_eq!(names_loopback(host), named, "{host}");
        }
    }

    #[test]
    fn whatever_could_be_an_upgrade_changes_something() {
        const FOREIGN: (&str, &str) = ("origin", "http://evil.example");
        for (method, header, refused) in [
            (Method::GET, ("accept", "*/*"), false),
            (Method::GET, ("connection", "keep-alive"), false),
            (Method::GET, ("upgrade-insecure-requests", "1"), false),
            (Method::GET, ("upgrade", "websocket"), true),
            (Method::GET, ("upgrade", "h2c"), true),
            (Method::GET, ("connection", "keep-alive, Upgrade"), true),
            (Method::GET, ("sec-websocket-key", "x"), true),
            (Method::GET, ("Sec-WebSocket-Extensions", "x"), true),
            (Method::HEAD, ("accept", "*/*"), true),
            (Method::POST, ("accept", "*/*"), true),
            (Method::OPTIONS, ("accept", "*/*"), true),
        ] {
            let request = TestRequest::default().method(method.clone()).insert_header(header);
            let own = request.to_http_request();
            assert!(check(&own).is_ok(), "{method} {header:?}");
            let foreign = TestRequest::default().method(method.clone()).insert_header(header);
            let found = check(&foreign.insert_header(FOREIGN).to_http_request());
            assert_eq!(
                found.err().map(|refusal| refusal.code()),
                refused.then_some("foreignOrigin"),
                "{method} {header:?}"
            );
        }
    }
}
