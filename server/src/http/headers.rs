//! Security headers for every answer, and who may keep a copy of it. The sandbox frame sets its own, stricter policy.

use actix_web::body::MessageBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, HeaderName, HeaderValue, REFERRER_POLICY,
    STRICT_TRANSPORT_SECURITY, X_CONTENT_TYPE_OPTIONS,
};
use actix_web::middleware::Next;
use actix_web::{HttpRequest, web};
use weevil_access::Host;
use weevil_api::routes::Operation;

use super::{AppState, hosts, pages};
use crate::sockets::Socket;

/// Whoever passes an answer on keeps no copy of it.
pub(super) const NO_STORE: (HeaderName, &str) = (CACHE_CONTROL, "no-store");

/// Pages of ours: nothing inline, nothing foreign; WebAssembly for the coordinator.
macro_rules! page_policy {
    ($ancestors:literal) => {
        concat!(
            "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data:; \
             connect-src 'self'; worker-src 'self'; frame-src 'self'; manifest-src 'self'; base-uri 'none'; \
             form-action 'none'; frame-ancestors ",
            $ancestors
        )
    };
}

/// The job frame: strangers' code may be run, and reach nothing. The `sandbox` directive keeps the
/// origin opaque even where somebody opens the frame on its own.
macro_rules! sandbox_policy {
    ($scripts:literal, $ancestors:literal) => {
        concat!(
            "default-src 'none'; script-src ",
            $scripts,
            "; worker-src data:; connect-src 'none'; img-src 'none'; media-src 'none'; font-src 'none'; ",
            "object-src 'none'; child-src data:; frame-src 'none'; base-uri 'none'; form-action 'none'; ",
            "sandbox allow-scripts; frame-ancestors ",
            $ancestors
        )
    };
}

const PAGE_POLICY: &str = page_policy!("'none'");
pub(super) const SANDBOX_POLICY: &str =
    sandbox_policy!("'unsafe-inline' 'unsafe-eval' 'wasm-unsafe-eval'", "'self'");
/// The job frame of modules: no text is evaluated but the frame's own script.
pub(super) const STRICT_SANDBOX_POLICY: &str =
    sandbox_policy!("'unsafe-inline' 'wasm-unsafe-eval'", "'self'");
/// The card that other sites may show: it starts nothing without a click, and hears nobody.
pub(super) const EMBED_POLICY: &str = page_policy!("*");
/// Its job frames have the other site among their ancestors too. They obey pages of this server alone.
pub(super) const EMBEDDED_SANDBOX_POLICY: &str =
    sandbox_policy!("'unsafe-inline' 'unsafe-eval' 'wasm-unsafe-eval'", "*");
pub(super) const EMBEDDED_STRICT_SANDBOX_POLICY: &str =
    sandbox_policy!("'unsafe-inline' 'wasm-unsafe-eval'", "*");

const EVERYWHERE: [(HeaderName, &str); 4] = [
    (CONTENT_SECURITY_POLICY, PAGE_POLICY),
    (X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (REFERRER_POLICY, "no-referrer"),
    (HeaderName::from_static("permissions-policy"), "camera=(), microphone=(), geolocation=()"),
];

/// But for what other sites may show or read.
const ALONE: [(HeaderName, &str); 2] = [
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
];

/// The card for other sites with its frames, and the policy that everybody may read.
fn is_for_others(path: &str) -> bool {
    pages::is_shared(path) || path == Operation::ComputePolicy.row().path
}

/// Over TLS and by a name, since an address cannot be pinned (RFC 6797, section 8.1.1); for this name alone.
fn hsts(request: &HttpRequest) -> Option<HeaderValue> {
    let socket = request.app_data::<Socket>().filter(|socket| socket.tls)?;
    let app = request.app_data::<web::Data<AppState>>().filter(|app| app.reach.hsts_seconds > 0)?;
    let named = hosts::reached(request.uri(), request.headers())?;
    let known =
        matches!(named.host, Host::Name(_)) && app.names.answer_to(&named.host, socket.is_on_loopback());
    let value = || HeaderValue::from_str(&format!("max-age={}", app.reach.hsts_seconds)).ok();
    known.then(value).flatten()
}

/// What researchers and watchers ask for: no cache that others share keeps it (RFC 9111, section 5.2.2.7).
fn is_ours_alone(path: &str) -> bool {
    path.starts_with("/api/") || path == "/metrics"
}

pub(crate) async fn secure(
    request: ServiceRequest,
    next: Next<impl MessageBody>,
) -> Result<ServiceResponse<impl MessageBody>, actix_web::Error> {
    let alone = !is_for_others(request.path());
    let pinned = hsts(request.request());
    let mut response = next.call(request).await?;
    let ours_alone = is_ours_alone(response.request().path());
    let headers = response.headers_mut();
    if let Some(value) = pinned {
        headers.insert(STRICT_TRANSPORT_SECURITY, value);
    }
    if ours_alone && !headers.contains_key(CACHE_CONTROL) {
        headers.insert(CACHE_CONTROL, HeaderValue::from_static("private"));
    }
    for (name, value) in EVERYWHERE.into_iter().chain(ALONE.into_iter().filter(|_| alone)) {
        if !headers.contains_key(&name) {
            headers.insert(name, HeaderValue::from_static(value));
        }
    }
    Ok(response)
}
