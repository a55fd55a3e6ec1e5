//! Keeps other sites' pages out: a volunteer's or researcher's browser must not be talked into using this server.
//!
//! Until there is sign-in, loopback is the console's only protection. DNS rebinding would undo it, so a server on
//! loopback answers to loopback names only; what changes something must come from the server's own pages.

use std::net::IpAddr;

use actix_web::body::MessageBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::Method;
use actix_web::http::header::{HOST, HeaderName, ORIGIN};
use actix_web::middleware::Next;
use actix_web::{ResponseError, web};

use super::Desk;
use crate::error::Refusal;

pub(crate) async fn guard(
    request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<impl MessageBody>, actix_web::Error> {
    let loopback = request.app_data::<web::Data<Desk>>().is_some_and(|desk| desk.listen.ip().is_loopback());
    let header = |name: HeaderName| request.headers().get(name).and_then(|value| value.to_str().ok());
    let changes = *request.method() != Method::GET || request.path() == weevil_protocol::WORKER_SOCKET_PATH;
    match check(loopback, changes, header(HOST).unwrap_or_default(), header(ORIGIN)) {
        Ok(()) => next.call(request).await.map(ServiceResponse::map_into_left_body),
        Err(refusal) => Ok(request.into_response(refusal.error_response()).map_into_right_body()),
    }
}

fn check(loopback: bool, changes: bool, host: &str, origin: Option<&str>) -> Result<(), Refusal> {
    if loopback && !names_loopback(host) {
        return Err(Refusal::ForeignHost(host.to_owned()));
    }
    match origin {
        Some(origin) if changes && authority(origin) != Some(host) => {
            Err(Refusal::ForeignOrigin(origin.to_owned()))
        }
        _ => Ok(()),
    }
}

fn authority(origin: &str) -> Option<&str> {
    origin.split_once("://").map(|(_, authority)| authority)
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
    use super::*;

    #[test]
    fn foreign_pages_are_refused() {
        let own = Some("http://localhost:8080");
        for (loopback, changes, host, origin, expected) in [
            (true, true, "localhost:8080", own, None),
            (true, true, "localhost:8080", None, None),
            (true, false, "127.0.0.1:8080", Some("http://evil.example"), None),
            (true, true, "127.0.0.1:8080", Some("http://evil.example"), Some("foreignOrigin")),
            (true, true, "localhost:8080", Some("null"), Some("foreignOrigin")),
            (true, true, "localhost:8080", Some("http://localhost:9090"), Some("foreignOrigin")),
            (true, false, "evil.example:8080", None, Some("foreignHost")),
            (true, false, "", None, Some("foreignHost")),
            (true, false, "[::1]:8080", None, None),
            (true, false, "[::1]", None, None),
            (false, true, "weevil.example", Some("https://weevil.example"), None),
            (false, true, "weevil.example", Some("https://evil.example"), Some("foreignOrigin")),
        ] {
            let found = check(loopback, changes, host, origin).err().map(|refusal| refusal.code());
            assert_eq!(found, expected, "{host} {origin:?}");
        }
    }
}
