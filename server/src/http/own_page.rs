//! The proof that a request comes from this server's own pages, or from no page at all.
//!
//! A handler that changes something, or opens a way to, takes an [`OwnPage`]; there is no other way to make one. It says
//! nothing about who asks: whoever is no browser sends what they like.

use std::future::{Ready, ready};

use actix_web::dev::Payload;
use actix_web::http::header::{HOST, HeaderMap, HeaderName, ORIGIN};
use actix_web::{FromRequest, HttpRequest, web};

use super::AppState;
use crate::refusal::Refusal;

/// What a browser says of where a request comes from (Fetch Metadata, section 2.4).
const SEC_FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");
/// Asked for by this very origin, or by a person who typed the address.
const OWN_SITES: [&[u8]; 2] = [b"same-origin", b"none"];

/// Made by asking for it as an argument of a handler.
#[derive(Debug)]
pub(crate) struct OwnPage(());

impl OwnPage {
    /// The proof for a request as it stands.
    ///
    /// # Errors
    /// Another site's page has sent it, or nobody can say which one has.
    pub(super) fn of(request: &HttpRequest) -> Result<Self, Refusal> {
        let plain =
            request.app_data::<web::Data<AppState>>().is_none_or(|app| plain_http_alone(app, request));
        Self::judge(request.headers(), plain)
    }

    fn judge(headers: &HeaderMap, plain: bool) -> Result<Self, Refusal> {
        let foreign = |name: &str, value: &[u8]| {
            Refusal::ForeignOrigin(format!("{name}: {}", String::from_utf8_lossy(value)))
        };
        let host = headers.get(HOST).filter(|_| headers.get_all(HOST).count() == 1);
        let names_host = |origin: &[u8]| host.is_some_and(|host| names(origin, host.as_bytes(), plain));
        let mut origins = headers.get_all(ORIGIN).map(AsRef::<[u8]>::as_ref);
        if let Some(origin) = origins.find(|origin| !names_host(origin)) {
            return Err(foreign("Origin", origin));
        }
        let mut sites = headers.get_all(SEC_FETCH_SITE).map(AsRef::<[u8]>::as_ref);
        if let Some(site) = sites.find(|site| !OWN_SITES.contains(site)) {
            return Err(foreign("Sec-Fetch-Site", site));
        }
        Ok(Self(()))
    }
}

/// Whether pages can come from here by plain HTTP only: on loopback a named proxy alone could stand between and speak TLS.
fn plain_http_alone(app: &AppState, request: &HttpRequest) -> bool {
    app.listen.ip().is_loopback() && !app.budget.trusts(request.peer_addr().map(|address| address.ip()))
}

/// Whether an origin is that of pages of this host (RFC 6454, section 6.2).
fn names(origin: &[u8], host: &[u8], plain: bool) -> bool {
    let authority = origin.strip_prefix(b"http://");
    let secure = || origin.strip_prefix(b"https://").filter(|_| !plain);
    authority.or_else(secure) == Some(host)
}

impl FromRequest for OwnPage {
    type Error = Refusal;
    type Future = Ready<Result<Self, Refusal>>;

    fn from_request(request: &HttpRequest, _body: &mut Payload) -> Self::Future {
        ready(Self::of(request))
    }
}

/// Arguments of a handler that begin with an [`OwnPage`].
pub(super) trait FromOwnPage: FromRequest + 'static {}

impl<A: FromRequest + 'static> FromOwnPage for (OwnPage, A) {}
impl<A: FromRequest + 'static, B: FromRequest + 'static> FromOwnPage for (OwnPage, A, B) {}
impl<A: FromRequest + 'static, B: FromRequest + 'static, C: FromRequest + 'static> FromOwnPage
    for (OwnPage, A, B, C)
{
}

#[cfg(test)]
mod tests {
    use actix_web::http::header::HeaderValue;

    use super::*;

    fn headers(lines: &[(HeaderName, &str)]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for (name, value) in lines {
            headers.append(name.clone(), HeaderValue::from_bytes(value.as_bytes()).unwrap());
        }
        headers
    }

    #[test]
    fn only_the_host_s_own_pages_are_own() {
        const LOCAL: &str = "localhost:8080";
        const PUBLIC: &str = "weevil.example";
        for (plain, host, origin, own) in [
            (true, LOCAL, "http://localhost:8080", true),
            (true, LOCAL, "https://localhost:8080", false),
            (true, LOCAL, "http://localhost:9090", false),
            (true, LOCAL, "http://localhost:80800", false),
            (true, LOCAL, "http://localhost", false),
            (true, LOCAL, "http://127.0.0.1:8080", false),
            (true, LOCAL, "http://evil.example", false),
            (true, LOCAL, "http://localhost:8080/", false),
            (true, LOCAL, "http://localhost:8080 http://evil.example", false),
            (true, LOCAL, "null", false),
            (true, LOCAL, "", false),
            (true, LOCAL, "localhost:8080", false),
            (true, LOCAL, "//localhost:8080", false),
            (true, LOCAL, "ftp://localhost:8080", false),
            (true, LOCAL, "http://lo\u{e9}", false),
            (false, PUBLIC, "https://weevil.example", true),
            (false, PUBLIC, "http://weevil.example", true),
            (false, PUBLIC, "https://weevil.example:8443", false),
            (false, PUBLIC, "https://evil.example", false),
            (false, PUBLIC, "https://weevil.example.evil.example", false),
        ] {
            let found = OwnPage::judge(&headers(&[(HOST, host), (ORIGIN, origin)]), plain);
            assert_eq!(found.is_ok(), own, "{plain} {host} {origin:?}");
        }
    }

    #[test]
    fn what_is_missing_proves_nothing_and_what_comes_twice_must_agree() {
        const OWN: (HeaderName, &str) = (ORIGIN, "http://here");
        const OTHER: (HeaderName, &str) = (ORIGIN, "http://there");
        let host = (HOST, "here");
        let site = |site| (SEC_FETCH_SITE, site);
        for (lines, own) in [
            (vec![host.clone()], true),
            (vec![], true),
            (vec![OWN], false),
            (vec![host.clone(), OWN, OTHER], false),
            (vec![host.clone(), OTHER, OWN], false),
            (vec![host.clone(), (HOST, "there"), OTHER], false),
            (vec![(HOST, "there"), host.clone(), OWN], false),
            (vec![host.clone(), site("same-origin")], true),
            (vec![host.clone(), site("none")], true),
            (vec![host.clone(), site("same-site")], false),
            (vec![host.clone(), site("cross-site")], false),
            (vec![host.clone(), site("Same-Origin")], false),
            (vec![host.clone(), OWN, site("cross-site")], false),
            (vec![host.clone(), site("none"), site("cross-site")], false),
        ] {
            assert_eq!(OwnPage::judge(&headers(&lines), true).is_ok(), own, "{lines:?}");
        }
    }
}
