//! The pages and their assets, embedded in the binary, sent compressed as they were built; and the documentation.

use std::borrow::Cow;

use actix_web::http::Method;
use actix_web::http::header::{
    ACCEPT_ENCODING, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_SECURITY_POLICY, HeaderMap, VARY,
};
use actix_web::{HttpRequest, HttpResponse};
use rust_embed::RustEmbed;

use super::blobs::IMMUTABLE;
use super::faces;
use super::gate::face;
use super::headers::{
    EMBED_POLICY, EMBEDDED_SANDBOX_POLICY, EMBEDDED_STRICT_SANDBOX_POLICY, SANDBOX_POLICY,
    STRICT_SANDBOX_POLICY,
};
use super::methods::Methods;
use crate::book;
use crate::refusal::Refusal;

/// What `cargo xtask web` built. A debug binary reads the folder itself.
#[derive(RustEmbed)]
#[folder = "../web/dist"]
#[allow_missing = true]
struct Pages;

/// Pages, with what they need beside assets, that the public face shows.
const PUBLIC: [&str; 15] = [
    "/",
    "/index.html",
    "/manifest.webmanifest",
    "/weevil.svg",
    "/weevil-maskable.svg",
    "/check-target.js",
    "/sandbox",
    "/sandbox-wasm",
    "/sandbox.html",
    "/sandbox-check",
    "/sandbox-check.html",
    "/embed",
    "/embed.html",
    "/embed/sandbox",
    "/embed/sandbox-wasm",
];
/// And what begins so.
const PUBLIC_FOLDERS: [&str; 2] = ["/assets/", "/docs/"];

/// Encodings that the build makes, best first.
const ENCODINGS: [(&str, &str); 2] = [("br", ".br"), ("gzip", ".gz")];

/// Whatever no route has taken: a page, an asset, or nothing.
pub(super) async fn get(request: HttpRequest) -> Result<HttpResponse, Refusal> {
    if !faces::shows(&request) {
        return Err(Refusal::NoSuchPage(request.path().to_owned()));
    }
    let path = request.path();
    if let Some(known) = Methods::of_rows(path, face(&request)) {
        return Err(no_such_method(&request, known));
    }
    // Nothing is shared with other origins, and there is nobody to say so to.
    if *request.method() == Method::OPTIONS {
        return Err(no_such_method(&request, Methods::of_pages()));
    }
    let found = book::at(path).map(|(name, bytes)| documentation(name, bytes));
    let found = found.or_else(|| page(path, request.headers())).ok_or_else(|| missing(path))?;
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        return Err(no_such_method(&request, Methods::of_pages()));
    }
    Ok(found)
}

fn no_such_method(request: &HttpRequest, known: Methods) -> Refusal {
    Refusal::NoSuchMethod { asked: request.method().to_string(), known }
}

fn documentation(name: &str, bytes: &'static [u8]) -> HttpResponse {
    HttpResponse::Ok().content_type(media_type(name)).insert_header((CACHE_CONTROL, "no-cache")).body(bytes)
}

fn page(path: &str, headers: &HeaderMap) -> Option<HttpResponse> {
    let file = match path {
        "/" => "index.html",
        "/console" => "console.html",
        "/sandbox-check" => "sandbox-check.html",
        "/embed" => "embed.html",
        "/sandbox" | "/sandbox-wasm" | "/embed/sandbox" | "/embed/sandbox-wasm" => "sandbox.html",
        other => other.trim_start_matches('/'),
    };
    let accepted = headers.get(ACCEPT_ENCODING).and_then(|value| value.to_str().ok());
    let (bytes, encoding) = best(file, accepted.unwrap_or_default())?;
    let mut response = HttpResponse::Ok();
    response.content_type(media_type(file)).insert_header((VARY, "accept-encoding"));
    response.insert_header((CACHE_CONTROL, if file.starts_with("assets/") { IMMUTABLE } else { "no-cache" }));
    if let Some(encoding) = encoding {
        response.insert_header((CONTENT_ENCODING, encoding));
    }
    if let Some(policy) = own_policy(path) {
        response.insert_header((CONTENT_SECURITY_POLICY, policy));
    }
    Some(response.body(bytes.into_owned()))
}

/// Whether the public face shows this page, if there is one.
pub(super) fn is_public(path: &str) -> bool {
    PUBLIC.contains(&path) || PUBLIC_FOLDERS.iter().any(|folder| path.starts_with(folder))
}

/// Whether other sites may show it, so that it may stand beside their pages.
pub(super) fn is_shared(path: &str) -> bool {
    path == "/embed" || path == "/embed.html" || path.starts_with("/embed/")
}

/// Where the policy of all pages does not do.
fn own_policy(path: &str) -> Option<&'static str> {
    match path {
        "/embed" | "/embed.html" => Some(EMBED_POLICY),
        "/embed/sandbox" => Some(EMBEDDED_SANDBOX_POLICY),
        "/embed/sandbox-wasm" => Some(EMBEDDED_STRICT_SANDBOX_POLICY),
        "/sandbox-wasm" => Some(STRICT_SANDBOX_POLICY),
        "/sandbox" | "/sandbox.html" => Some(SANDBOX_POLICY),
        _ => None,
    }
}

fn best(file: &str, accepted: &str) -> Option<(Cow<'static, [u8]>, Option<&'static str>)> {
    let offered = ENCODINGS.iter().filter(|(name, _)| accepts(accepted, name));
    let encoded = offered.filter_map(|(name, ending)| {
        Pages::get(&format!("{file}{ending}")).map(|found| (found.data, Some(*name)))
    });
    encoded.chain(Pages::get(file).map(|found| (found.data, None))).next()
}

fn accepts(accepted: &str, encoding: &str) -> bool {
    accepted.split(',').any(|offer| {
        let mut parts = offer.split(';').map(str::trim);
        parts.next() == Some(encoding) && parts.next() != Some("q=0")
    })
}

fn missing(path: &str) -> Refusal {
    if Pages::get("index.html").is_none() {
        return Refusal::Internal("this binary was built without its pages: run `cargo xtask build`".into());
    }
    Refusal::NoSuchPage(path.to_owned())
}

fn media_type(file: &str) -> &'static str {
    match file.rsplit_once('.').map(|(_, ending)| ending) {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("png") => "image/png",
        Some("svg") => "image/svg+xml",
        Some("wasm") => "application/wasm",
        Some("events") => "text/event-stream",
        Some("json") => "application/json",
        Some("webmanifest") => "application/manifest+json",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::accepts;

    #[test]
    fn encodings_are_taken_by_name() {
        for (accepted, encoding, expected) in [
            ("gzip, deflate, br", "br", true),
            ("gzip;q=1.0", "gzip", true),
            ("br;q=0, gzip", "br", false),
            ("", "gzip", false),
            ("broken", "br", false),
        ] {
            assert_eq!(accepts(accepted, encoding), expected, "{accepted} {encoding}");
        }
    }
}
