//! Signing in: a link for who has proved who they are, and a session for who brings a link.
//!
//! Both halves of a session are told once, here. What is no good link counts as a failure of its place, as with links of people.

use actix_web::http::header::SET_COOKIE;
use actix_web::{HttpRequest, HttpResponse, web};
use weevil_access::limits::LOCAL_SESSION_MS;
use weevil_access::{Caller, CookieHalf, CookieKind, KeyHalf, Secret, SecretKind, Way, set_cookie};
use weevil_api::{ConsoleLink, SessionAsked, SessionOpened};

use super::asker::Asker;
use super::gate::is_here;
use super::headers::NO_STORE;
use super::own_page::OwnPage;
use super::{AppState, json_body, links};
use crate::refusal::Refusal;
use crate::seeds;
use crate::sockets::Socket;

/// How long a browser keeps its half.
const SECONDS: u64 = LOCAL_SESSION_MS.unsigned_abs() / 1000;

pub(super) async fn make_link(
    _own: OwnPage,
    asker: Asker,
    app: web::Data<AppState>,
) -> Result<HttpResponse, Refusal> {
    if asker.caller != Caller::Local {
        return Err(Refusal::NotAllowed(
            "the link is that of the server's owner on its own machine".to_owned(),
        ));
    }
    let local = app.access.local.as_ref().ok_or(Refusal::NotSignedIn)?;
    let made = local.new_link(app.common.clock.now());
    let (link, until) = made.ok_or_else(|| Refusal::Internal("the system gives no random bytes".into()))?;
    let made = ConsoleLink { link: link.reveal().to_owned(), expires_at: until.0 };
    Ok(HttpResponse::Created().insert_header(NO_STORE).json(made))
}

pub(super) async fn open(
    _own: OwnPage,
    asker: Asker,
    app: web::Data<AppState>,
    request: HttpRequest,
    payload: web::Payload,
) -> Result<HttpResponse, Refusal> {
    let body: SessionAsked = json_body::read(&app, &request, payload).await?;
    let begun = links::begin(&app, &asker)?;
    let socket = request.app_data::<Socket>().ok_or(Refusal::BadLink)?;
    let Some((cookie, key)) = opened(&app, &request, &body.link, seeds::secret()?) else {
        return Err(links::failed(&app, &asker, begun));
    };
    drop(begun);
    let way = Way::Loopback { port: socket.address.port() };
    let cookie = set_cookie(CookieKind::Session, way, &cookie.reveal(), SECONDS);
    let mut answer = HttpResponse::Ok();
    answer.insert_header(NO_STORE).insert_header((SET_COOKIE, cookie));
    Ok(answer.json(SessionOpened { key: key.reveal() }))
}

/// The session of a link that is good here.
fn opened(
    app: &AppState,
    request: &HttpRequest,
    link: &str,
    random: [u8; 32],
) -> Option<(CookieHalf, KeyHalf)> {
    let link = Secret::parse(link).ok().filter(|link| link.kind() == SecretKind::Console)?;
    let local = app.access.local.as_ref().filter(|_| is_here(request))?;
    local.sessions.open(&link, random, app.common.clock.now())
}
