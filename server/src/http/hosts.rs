//! By which name a request came, and that the server answers to it: looked at before anything else.
//!
//! A name that some DNS made point here (rebinding) is nobody the server knows. Whose page asks is judged elsewhere
//! (`own_page.rs`).

use actix_web::http::Uri;
use actix_web::http::header::{HOST, HeaderMap};
use actix_web::{HttpRequest, web};
use weevil_access::Authority;

use super::AppState;
use crate::refusal::Refusal;
use crate::sockets::Socket;

/// Whether the server answers to the name by which it was reached.
pub(super) fn check(request: &HttpRequest) -> Result<(), Refusal> {
    let reached = reached(request.uri(), request.headers());
    let app = request.app_data::<web::Data<AppState>>();
    let known = |reached: &Authority| {
        let (app, socket) = (app?, request.app_data::<Socket>()?);
        Some(app.names.answer_to(&reached.host, socket.is_on_loopback()))
    };
    match reached.as_ref().and_then(known) {
        Some(true) => Ok(()),
        _ => Err(Refusal::ForeignHost(written(request.uri(), request.headers()))),
    }
}

/// The authority that a request names, once: that of HTTP/2 and of a target in absolute form, else `Host` (RFC 9112, section
/// 3.2.2; RFC 9113, section 8.3.1). One that is named twice has to be the same.
pub(super) fn reached(uri: &Uri, headers: &HeaderMap) -> Option<Authority> {
    let named = uri.authority().map(|authority| authority.as_str().as_bytes());
    let hosts = headers.get_all(HOST).map(AsRef::<[u8]>::as_ref);
    let mut all = named.into_iter().chain(hosts);
    let first = all.next()?;
    let same = all.all(|other| other.eq_ignore_ascii_case(first));
    let text = str::from_utf8(first).ok().filter(|_| same && headers.get_all(HOST).count() <= 1)?;
    text.parse().ok()
}

/// What the refusal quotes.
fn written(uri: &Uri, headers: &HeaderMap) -> String {
    let host = headers.get(HOST).map(|host| String::from_utf8_lossy(host.as_bytes()).into_owned());
    uri.authority().map(ToString::to_string).or(host).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use actix_web::http::header::HeaderValue;

    use super::*;

    #[test]
    fn a_request_names_one_host() {
        for (target, hosts, expected) in [
            ("/", &["weevil.example"][..], Some("weevil.example")),
            ("/", &["Weevil.Example:8080"], Some("weevil.example:8080")),
            ("/", &[], None),
            ("/", &[""], None),
            ("/", &["weevil.example", "weevil.example"], None),
            ("/", &["weevil.example", "evil.example"], None),
            ("/", &["weevil.example/"], None),
            ("/", &["b\u{fc}ro"], None),
            ("http://weevil.example/", &[], Some("weevil.example")),
            ("http://weevil.example/", &["WEEVIL.example"], Some("weevil.example")),
            ("http://evil.example/", &["localhost"], None),
            ("http://localhost/", &["evil.example"], None),
            ("http://me@localhost/", &[], None),
        ] {
            let mut headers = HeaderMap::new();
            for host in hosts {
                headers.append(HOST, HeaderValue::from_bytes(host.as_bytes()).unwrap());
            }
            let found = reached(&target.parse().unwrap(), &headers);
            let expected = expected.map(|text| text.parse::<Authority>().unwrap());
            assert_eq!(found, expected, "{target} {hosts:?}");
        }
    }
}
