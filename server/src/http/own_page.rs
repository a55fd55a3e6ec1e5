//! The proof that a request comes from this server's own pages, or from no page at all.
//!
//! A handler that changes something, or opens a way to, takes an [`OwnPage`]; there is no other way to make one. It says
//! nothing about who asks: whoever is no browser sends what they like.

use std::future::{Ready, ready};

use actix_web::dev::Payload;
use actix_web::http::header::{HeaderMap, HeaderName, ORIGIN};
use actix_web::{FromRequest, HttpRequest, web};
use weevil_access::{Authority, FaceUrl, Schemes, is_own_origin};

use super::{AppState, hosts};
use crate::refusal::Refusal;
use crate::sockets::Socket;

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
        let reached = hosts::reached(request.uri(), request.headers());
        let app = request.app_data::<web::Data<AppState>>();
        let (Some(app), Some(socket)) = (app, request.app_data::<Socket>()) else {
            return Self::judge(request.headers(), |_| false);
        };
        let (url, schemes) = (app.reach.url(socket.face), schemes(app, *socket, request));
        Self::judge(request.headers(), |origin| is_own(origin, reached.as_ref(), url, schemes))
    }

    fn judge(headers: &HeaderMap, is_own: impl Fn(&[u8]) -> bool) -> Result<Self, Refusal> {
        let foreign = |name: &str, value: &[u8]| {
            Refusal::ForeignOrigin(format!("{name}: {}", String::from_utf8_lossy(value)))
        };
        let mut origins = headers.get_all(ORIGIN).map(AsRef::<[u8]>::as_ref);
        if let Some(origin) = origins.find(|origin| !is_own(origin)) {
            return Err(foreign("Origin", origin));
        }
        let mut sites = headers.get_all(SEC_FETCH_SITE).map(AsRef::<[u8]>::as_ref);
        if let Some(site) = sites.find(|site| !OWN_SITES.contains(site)) {
            return Err(foreign("Sec-Fetch-Site", site));
        }
        Ok(Self(()))
    }
}

fn is_own(origin: &[u8], reached: Option<&Authority>, url: Option<&FaceUrl>, schemes: Schemes) -> bool {
    reached.is_some_and(|reached| is_own_origin(origin, reached, url, schemes))
}

/// Where the socket itself does not, a named proxy alone can stand between and speak TLS.
fn schemes(app: &AppState, socket: Socket, request: &HttpRequest) -> Schemes {
    let proxied = || app.budget.trusts(request.peer_addr().map(|address| address.ip()));
    match socket.tls {
        true => Schemes::Https,
        false if proxied() => Schemes::Both,
        false => Schemes::Http,
    }
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
impl<A: FromRequest + 'static, B: FromRequest + 'static, C: FromRequest + 'static, D: FromRequest + 'static>
    FromOwnPage for (OwnPage, A, B, C, D)
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
    fn what_is_missing_proves_nothing_and_what_comes_twice_must_agree() {
        const OWN: (HeaderName, &str) = (ORIGIN, "http://here");
        const OTHER: (HeaderName, &str) = (ORIGIN, "http://there");
        let site = |site| (SEC_FETCH_SITE, site);
        for (lines, own) in [
            (vec![], true),
            (vec![OWN], true),
            (vec![OTHER], false),
            (vec![OWN, OTHER], false),
            (vec![OTHER, OWN], false),
            (vec![site("same-origin")], true),
            (vec![site("none")], true),
            (vec![site("same-site")], false),
            (vec![site("cross-site")], false),
            (vec![site("Same-Origin")], false),
            (vec![OWN, site("cross-site")], false),
            (vec![site("none"), site("cross-site")], false),
        ] {
            let found = OwnPage::judge(&headers(&lines), |origin| origin == OWN.1.as_bytes());
            assert_eq!(found.is_ok(), own, "{lines:?}");
        }
    }
}
