//! The gate: what every request passes before a handler sees it, in the order host, face, row, origin, caller,
//! rate, right.
//!
//! By which name the server is reached `hosts.rs` judges. What changes something takes a proof of its own (`own_page.rs`);
//! looked at here as well, it is a second lock that no route can be registered around. It never reads a path: it is wrapped
//! around each route where that is registered (ADR 0044). Of who asks for an open row it knows nothing.

use actix_web::body::{BoxBody, EitherBody, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::Method;
use actix_web::http::header::{CONNECTION, HeaderMap, UPGRADE};
use actix_web::middleware::Next;
use actix_web::{HttpMessage, HttpRequest, ResponseError, web};
use weevil_access::{Caller, Way, may, may_own};
use weevil_api::routes::{Access, Row};
use weevil_model::{Face, ProjectId, Right};

use super::asker::Asked;
use super::own_page::OwnPage;
use super::way::way_of;
use super::{AppState, halves, hosts, rate_gate, upgrades};
use crate::access::{Asking, Proof, Proved, Renewed};
use crate::refusal::Refusal;

/// What the names of all headers of a WebSocket's handshake begin with (RFC 6455, section 11.3).
const WEBSOCKET_HEADERS: &str = "sec-websocket-";
/// What a proxy adds (RFC 7239; RFC 9110, section 7.6.3), or begins its names with.
const PROXY_HEADERS: [&str; 2] = ["forwarded", "via"];
const PROXY_PREFIX: &str = "x-forwarded-";

/// What a request passes whatever it asks for: the host, before anything else is looked at.
pub(crate) async fn enter<B: MessageBody>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<EitherBody<B, BoxBody>>, actix_web::Error> {
    let mut response = go_on(hosts::check(request.request()), request, next).await?;
    upgrades::end_with_the_connection(&mut response);
    Ok(response)
}

/// What a request for the operation of this row passes.
pub(super) async fn pass<B: MessageBody>(
    row: &'static Row,
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<EitherBody<B, BoxBody>>, actix_web::Error> {
    let mut renewed = None;
    let checked = check_row(row, request.request(), &mut renewed).await;
    let mut response = go_on(checked, request, next).await?;
    rate_gate::tell(&mut response);
    let late = response.request().extensions_mut().remove::<Renewed>();
    if let Some(renewed) = renewed.or(late) {
        halves::tell(&renewed, &mut response);
    }
    Ok(response)
}

fn request_way(request: &HttpRequest) -> Option<Way> {
    way_of(app(request)?, request).ok()
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

/// Lets a request through. New halves of its session are told with the answer, also where that is a refusal.
async fn check_row(row: &Row, request: &HttpRequest, renewed: &mut Option<Renewed>) -> Result<(), Refusal> {
    if !face(request).shows(row.face) {
        return Err(Refusal::NoSuchPage(request.path().to_owned()));
    }
    let (app, headers) = (app(request), request.headers());
    let access = demanded(row, app);
    let proof = match (access, request_way(request)) {
        (Access::Open, _) | (_, None) => Proof::Nothing,
        (_, Some(way)) => Proof::of(headers, way),
    };
    // A cookie is sent along by a browser, whichever page asks.
    if changes(request.method(), headers) || matches!(proof, Proof::Session { .. }) {
        OwnPage::of(request)?;
    }
    let open = access == Access::Open;
    let proved = if open { Proved::NOTHING } else { prove(&proof, app, request).await? };
    let Proved { caller, cookie, .. } = proved;
    *renewed = proved.renewed;
    app.map_or(Ok(()), |app| rate_gate::charge(row, &caller, app, request))?;
    if open {
        return Ok(());
    }
    match access {
        Access::Right(right) => may(&caller, right, project_of(right))?,
        Access::OwnOrToken => may_own(&caller, true)?,
        Access::Own => may_own(&caller, false)?,
        Access::Open => {}
    }
    if row.fresh && !caller.is_fresh() {
        return Err(Refusal::SignInAgain);
    }
    let right = if let Access::Right(right) = access { Some(right) } else { None };
    request.extensions_mut().insert(Asked { caller, cookie, right });
    Ok(())
}

/// Where a right has to be held: one that a role brings in any project, until what is asked for tells in which (`walls.rs`).
pub(super) fn project_of(right: Right) -> Option<ProjectId> {
    right.least_role().is_none().then_some(ProjectId::DEFAULT)
}

/// Who asks for an open row that has something which is not everybody's. New halves of the session are told with the answer.
pub(super) async fn caller_of_open_row(app: &AppState, request: &HttpRequest) -> Result<Caller, Refusal> {
    let Some(way) = request_way(request) else { return Ok(Caller::Nobody) };
    let proof = Proof::of(request.headers(), way);
    if matches!(proof, Proof::Session { .. }) {
        OwnPage::of(request)?;
    }
    let Proved { caller, renewed, .. } = prove(&proof, Some(app), request).await?;
    if let Some(renewed) = renewed {
        request.extensions_mut().insert(renewed);
    }
    Ok(caller)
}

/// What the row demands, or the setting that opens it.
fn demanded(row: &Row, app: Option<&AppState>) -> Access {
    match row.access {
        Access::Right(Right::MetricsRead) if app.is_some_and(|app| app.access.open_metrics) => Access::Open,
        access => access,
    }
}

async fn prove(proof: &Proof<'_>, app: Option<&AppState>, request: &HttpRequest) -> Result<Proved, Refusal> {
    let Some(app) = app else { return Ok(Proved::NOTHING) };
    let (here, face, now) = (is_here(request), face(request), app.common.clock.now());
    proof.prove(&app.access, Asking { here, face, now }).await
}

fn app(request: &HttpRequest) -> Option<&AppState> {
    request.app_data::<web::Data<AppState>>().map(|app| &***app)
}

/// Whether a request comes straight from this machine: from a loopback peer, under a loopback name, past no proxy. It proves
/// nothing by itself.
pub(super) fn is_here(request: &HttpRequest) -> bool {
    let peer = request.peer_addr().is_some_and(|peer| peer.ip().to_canonical().is_loopback());
    let of_proxy = |name: &str| PROXY_HEADERS.contains(&name) || name.starts_with(PROXY_PREFIX);
    let direct = !request.headers().keys().any(|name| of_proxy(name.as_str()));
    let reached = hosts::reached(request.uri(), request.headers());
    peer && direct && reached.is_some_and(|reached| reached.host.is_loopback())
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
    use actix_web::http::header::HOST;
    use actix_web::test::TestRequest;
    use weevil_api::routes::Operation;

    use super::*;

    #[tokio::test]
    async fn whatever_could_be_an_upgrade_changes_something() {
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
            assert!(check_row(row, &own, &mut None).await.is_ok(), "{method} {header:?}");
            let foreign = TestRequest::default().method(method.clone()).insert_header(header);
            let found = check_row(row, &foreign.insert_header(FOREIGN).to_http_request(), &mut None).await;
            assert_eq!(
                found.err().map(|refusal| refusal.code()),
                refused.then_some("foreignOrigin"),
                "{method} {header:?}"
            );
        }
    }

    #[test]
    fn here_is_a_loopback_peer_under_a_loopback_name_past_no_proxy() {
        for (peer, host, header, here) in [
            ("127.0.0.1:9", "localhost:8080", ("accept", "*/*"), true),
            ("[::1]:9", "[::1]:8080", ("accept", "*/*"), true),
            ("[::ffff:127.0.0.1]:9", "127.0.0.1", ("accept", "*/*"), true),
            ("192.0.2.1:9", "localhost:8080", ("accept", "*/*"), false),
            ("127.0.0.1:9", "weevil.example", ("accept", "*/*"), false),
            ("127.0.0.1:9", "localhost", ("Forwarded", "for=192.0.2.1"), false),
            ("127.0.0.1:9", "localhost", ("X-Forwarded-For", ""), false),
            ("127.0.0.1:9", "localhost", ("x-forwarded-proto", "https"), false),
            ("127.0.0.1:9", "localhost", ("via", "1.1 proxy"), false),
        ] {
            let request = TestRequest::default().peer_addr(peer.parse().unwrap());
            let request = request.insert_header((HOST, host)).insert_header(header).to_http_request();
            assert_eq!(is_here(&request), here, "{peer} {host} {header:?}");
        }
    }

    #[tokio::test]
    async fn an_open_row_asks_nobody_and_another_one_does() {
        for operation in Operation::ALL {
            let request =
                TestRequest::default().app_data(Face::Private).insert_header(("authorization", "Bearer x"));
            let refused = check_row(operation.row(), &request.to_http_request(), &mut None).await.err();
            let expected = (operation.row().access != Access::Open).then_some("notSignedIn");
            assert_eq!(refused.map(|refusal| refusal.code()), expected, "{operation:?}");
        }
    }

    #[tokio::test]
    async fn the_socket_s_face_is_asked_before_the_origin() {
        const FOREIGN: (&str, &str) = ("origin", "http://evil.example");
        for (face, operation, code) in [
            (None, Operation::CreateRun, "noSuchPage"),
            (Some(Face::Public), Operation::CreateRun, "noSuchPage"),
            (Some(Face::Private), Operation::CreateRun, "foreignOrigin"),
            (Some(Face::Public), Operation::PlainJoin, "foreignOrigin"),
        ] {
            let request = TestRequest::post().insert_header(FOREIGN);
            let request = face.into_iter().fold(request, TestRequest::app_data).to_http_request();
            let found = check_row(operation.row(), &request, &mut None).await;
            assert_eq!(found.err().map(|refusal| refusal.code()), Some(code), "{face:?} {operation:?}");
        }
    }
}
