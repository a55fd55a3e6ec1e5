//! Both halves of a session on their way to a browser: the only place that sets a cookie.

use actix_web::dev::ServiceResponse;
use actix_web::http::StatusCode;
use actix_web::http::header::{HeaderName, HeaderValue, SET_COOKIE};
use actix_web::{HttpRequest, HttpResponse, web};
use weevil_access::limits::KNOWN_BROWSER_MS;
use weevil_access::{CookieKind, KnownBrowser, Way, set_cookie};
use weevil_api::SessionOpened;

use super::AppState;
use super::headers::NO_STORE;
use super::way::way_of;
use crate::access::Renewed;
use crate::refusal::Refusal;

/// The header that brings, and tells, the half that a page keeps.
const SESSION_KEY: HeaderName = HeaderName::from_static("x-weevil-session-key");
const KNOWN_SECONDS: u64 = KNOWN_BROWSER_MS.unsigned_abs() / 1000;

fn cookie(app: &AppState, renewed: &Renewed, way: Way) -> String {
    let seconds = app.access.people.settings.lengths.absolute_ms.unsigned_abs() / 1000;
    set_cookie(CookieKind::Session, way, &renewed.cookie.reveal(), seconds)
}

/// Tells new halves with an answer to something else, unless the answer has told newer ones.
pub(super) fn tell<B>(renewed: &Renewed, answer: &mut ServiceResponse<B>) {
    let request = answer.request();
    let Some(app) = request.app_data::<web::Data<AppState>>() else { return };
    let Ok(way) = way_of(app, request) else { return };
    let cookie = HeaderValue::from_str(&cookie(app, renewed, way));
    let key = HeaderValue::from_str(&renewed.key.reveal());
    let (Ok(cookie), Ok(key)) = (cookie, key) else { return };
    let headers = answer.headers_mut();
    if !headers.contains_key(SET_COOKIE) {
        headers.insert(SET_COOKIE, cookie);
        headers.insert(SESSION_KEY, key);
    }
}

/// The answer to who has proved who they are; `browser` is known from now on.
pub(super) fn answer(
    status: StatusCode,
    app: &AppState,
    request: &HttpRequest,
    renewed: &Renewed,
    browser: Option<KnownBrowser>,
) -> Result<HttpResponse, Refusal> {
    let way = way_of(app, request)?;
    let mut answer = HttpResponse::build(status);
    answer.insert_header(NO_STORE).append_header((SET_COOKIE, cookie(app, renewed, way)));
    if let Some(browser) = browser {
        let sealed = app.access.people.seal(browser);
        answer.append_header((SET_COOKIE, set_cookie(CookieKind::KnownBrowser, way, &sealed, KNOWN_SECONDS)));
    }
    Ok(answer.json(SessionOpened { key: renewed.key.reveal() }))
}

/// The answer that has a browser forget its half.
pub(super) fn forgotten(app: &AppState, request: &HttpRequest) -> Result<HttpResponse, Refusal> {
    let cookie = set_cookie(CookieKind::Session, way_of(app, request)?, "", 0);
    Ok(HttpResponse::NoContent().insert_header((SET_COOKIE, cookie)).finish())
}
