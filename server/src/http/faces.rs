//! What each face shows: the public one what volunteers need, and nothing of what is behind.
//!
//! The face is the socket's (`sockets.rs`). What it does not show is answered as what is not there, so nobody learns from
//! outside that there is more.

use actix_web::body::{BoxBody, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::header::{CONTENT_TYPE, HeaderValue};
use actix_web::middleware::Next;
use actix_web::{HttpRequest, HttpResponse};
use weevil_api::Problem;
use weevil_api::routes::Operation;
use weevil_model::Face;

use super::unheard::Unheard;
use super::{gate, pages, problems};
use crate::refusal::{InXml, without_cause};

/// All that a probe from outside is told.
const NOT_READY: &str = "not ready";

/// Whether the face of a request's socket shows what is at its path, by whatever method: a refused method would tell that
/// something is there.
pub(super) fn shows(request: &HttpRequest) -> bool {
    gate::face(request) == Face::Private || is_public(request.match_pattern().as_deref(), request.path())
}

fn is_public(pattern: Option<&str>, path: &str) -> bool {
    let Some(pattern) = pattern else { return pages::is_public(path) };
    Operation::ALL
        .iter()
        .map(|operation| operation.row())
        .any(|row| row.path == pattern && row.face == Face::Public)
}

/// Outside, whatever the server could not do has a code, and no cause.
pub(crate) async fn keep_quiet(
    request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<impl MessageBody>, actix_web::Error> {
    let public = gate::face(request.request()) == Face::Public;
    let response = next.call(request).await?;
    if !public || !response.status().is_server_error() {
        return Ok(response.map_into_left_body());
    }
    let (request, response) = response.into_parts();
    let quiet =
        if request.path() == Operation::Readiness.row().path { probe(response) } else { silence(response) };
    Ok(ServiceResponse::new(request, quiet).map_into_right_body())
}

fn probe(response: HttpResponse<impl MessageBody>) -> HttpResponse<BoxBody> {
    let mut response = response.set_body(BoxBody::new(NOT_READY));
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("text/plain; charset=utf-8"));
    response
}

/// The same head with the words that everybody may read.
fn silence(response: HttpResponse<impl MessageBody>) -> HttpResponse<BoxBody> {
    let error = response.error();
    let problem = response.extensions().get::<Problem>().cloned();
    let json = problem.map(|problem| problems::body(&without_cause(problem)));
    let xml = || {
        let error = error?;
        let refused = error.as_error::<InXml>().or_else(|| error.as_error::<Unheard>().map(Unheard::why))?;
        Some(refused.without_cause())
    };
    let words = json.unwrap_or_else(|| BoxBody::new(xml().unwrap_or_default()));
    response.set_body(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_public_face_shows_what_volunteers_need() {
        for (path, shown) in [
            ("/", true),
            ("/manifest.webmanifest", true),
            ("/weevil.svg", true),
            ("/assets/main.js", true),
            ("/docs/errors/noSuchPage.html", true),
            ("/sandbox", true),
            ("/sandbox-wasm", true),
            ("/sandbox-check", true),
            ("/embed", true),
            ("/embed/sandbox", true),
            ("/embed/sandbox-wasm", true),
            ("/console", false),
            ("/console/runs", false),
            ("/console.html", false),
            ("/console.html.br", false),
            ("/api/docs", false),
            ("/api/nothing", false),
            ("/nothing", false),
        ] {
            assert_eq!(is_public(None, path), shown, "{path}");
        }
    }

    /// Written by hand, so that a row that changes its face changes it here as well.
    #[test]
    fn the_public_rows_are_these() {
        let public: Vec<&str> = Operation::ALL
            .iter()
            .map(|operation| operation.row())
            .filter(|row| is_public(Some(row.path), row.path))
            .map(|row| row.name)
            .collect();
        let expected = [
            "ComputePolicy",
            "CertificateKey",
            "Health",
            "Readiness",
            "ShowAim",
            "Blob",
            "ShowKernels",
            "WorkerSocket",
            "PlainJoin",
            "PlainDequeue",
            "PlainSubmit",
            "PlainHeartbeat",
            "PlainLeave",
        ];
        assert_eq!(public, expected);
    }
}
