//! Signing in: a link for who has proved who they are, and a session for who brings a link.
//!
//! Both halves of a session are told once, here.

use actix_web::http::header::{CACHE_CONTROL, SET_COOKIE};
use actix_web::{HttpRequest, HttpResponse, web};
use weevil_access::limits::LOCAL_SESSION_MS;
use weevil_access::{Caller, CookieKind, Secret, SecretKind, Way, set_cookie};
use weevil_api::{ConsoleLink, SessionAsked, SessionOpened};

use super::asker::Asker;
use super::gate::is_here;
use super::own_page::OwnPage;
use super::{AppState, json_body};
use crate::refusal::Refusal;
use crate::seeds;
use crate::sockets::Socket;

/// How long a browser keeps its half.
const SECONDS: u64 = LOCAL_SESSION_MS.unsigned_abs() / 1000;
const NO_STORE: &str = "no-store";

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
    Ok(HttpResponse::Created().insert_header((CACHE_CONTROL, NO_STORE)).json(made))
}

pub(super) async fn open(
    _own: OwnPage,
    app: web::Data<AppState>,
    request: HttpRequest,
    payload: web::Payload,
) -> Result<HttpResponse, Refusal> {
    let asked: SessionAsked = json_body::read(&app, &request, payload).await?;
    let link = Secret::parse(&asked.link).ok().filter(|link| link.kind() == SecretKind::Console);
    let local = app.access.local.as_ref().filter(|_| is_here(&request));
    let (link, local) = link.zip(local).ok_or(Refusal::BadLink)?;
    let socket = request.app_data::<Socket>().ok_or(Refusal::BadLink)?;
    let opened = local.sessions.open(&link, seeds::secret()?, app.common.clock.now());
    let (cookie, key) = opened.ok_or(Refusal::BadLink)?;
    let way = Way::Loopback { port: socket.address.port() };
    let cookie = set_cookie(CookieKind::Session, way, &cookie.reveal(), SECONDS);
    let mut answer = HttpResponse::Ok();
    answer.insert_header((CACHE_CONTROL, NO_STORE)).insert_header((SET_COOKIE, cookie));
    Ok(answer.json(SessionOpened { key: key.reveal() }))
}
