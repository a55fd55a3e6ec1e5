//! Every refusal that is not XML becomes problem details (RFC 9457) with the path and the id of its request: those of the
//! server's own table, and what the HTTP library refuses by itself.
//!
//! Never looks at an answer that is no refusal.

use actix_web::body::{BoxBody, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::StatusCode;
use actix_web::http::header::{CONTENT_LENGTH, CONTENT_TYPE, HeaderMap, HeaderValue};
use actix_web::middleware::Next;
use actix_web::{HttpMessage, HttpRequest, HttpResponse, ResponseError};
use weevil_api::{PROBLEM_JSON, Problem};

use super::headers::NO_STORE;
use super::trace::RequestId;
use crate::refusal::Refusal;

pub(crate) async fn tell_problems(
    request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<BoxBody>, actix_web::Error> {
    let response = next.call(request).await?.map_into_boxed_body();
    let status = response.status();
    if !(status.is_client_error() || status.is_server_error()) || is_xml(response.headers()) {
        return Ok(response);
    }
    let (request, response) = response.into_parts();
    let response = if has_problem(&response) { response } else { of_library(&request, status) };
    let response = told(&request, response);
    Ok(ServiceResponse::new(request, response))
}

fn has_problem(response: &HttpResponse) -> bool {
    response.extensions().contains::<Problem>()
}

/// For those who speak XML.
fn is_xml(headers: &HeaderMap) -> bool {
    headers.get(CONTENT_TYPE).is_some_and(|found| found.as_bytes().starts_with(b"application/xml"))
}

/// What stands in for a refusal that no row of ours has made.
fn of_library(request: &HttpRequest, status: StatusCode) -> HttpResponse {
    let words = status.canonical_reason().unwrap_or("no reason was given").to_lowercase();
    let refusal = match status {
        StatusCode::NOT_FOUND => Refusal::NoSuchPage(request.path().to_owned()),
        StatusCode::PAYLOAD_TOO_LARGE => Refusal::UploadTooLarge,
        StatusCode::REQUEST_TIMEOUT => Refusal::TooSlow,
        _ if status.is_client_error() => Refusal::BadMessage(words),
        _ => Refusal::Internal(words),
    };
    refusal.error_response()
}

/// A problem as it is sent.
pub(super) fn body(problem: &Problem) -> BoxBody {
    // Texts and numbers alone: there is nothing that JSON could not say.
    BoxBody::new(serde_json::to_vec(problem).unwrap_or_default())
}

/// The head that there is, with the body of a problem, which stays with it for those who tell less.
fn told(request: &HttpRequest, mut response: HttpResponse) -> HttpResponse {
    let problem = response.extensions().get::<Problem>().cloned();
    let Some(mut problem) = problem else { return response };
    request.path().clone_into(&mut problem.instance);
    if let Some(RequestId(id)) = request.extensions().get() {
        id.clone_into(&mut problem.request_id);
    }
    response.extensions_mut().insert(problem.clone());
    response = response.set_body(body(&problem));
    let headers = response.headers_mut();
    headers.remove(CONTENT_LENGTH);
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(PROBLEM_JSON));
    headers.insert(NO_STORE.0, HeaderValue::from_static(NO_STORE.1));
    response
}

#[cfg(test)]
mod tests {
    use actix_web::body::to_bytes;
    use actix_web::test::TestRequest;
    use weevil_api::routes::Operation;

    use super::*;

    fn asked(response: &HttpResponse) -> bool {
        response.headers().get(CONTENT_TYPE).is_some_and(|found| found == PROBLEM_JSON)
    }

    #[tokio::test]
    async fn a_problem_names_its_request_and_its_page() {
        let path = Operation::ShowRun.path(&[&"x"]);
        let request = TestRequest::with_uri(&format!("{path}?secret=1")).to_http_request();
        request.extensions_mut().insert(RequestId("id-7".into()));
        let response = told(&request, Refusal::NoSuchRun("x".into()).error_response());
        assert!(asked(&response) && response.status() == StatusCode::NOT_FOUND);
        let body = to_bytes(response.into_body()).await.unwrap_or_default();
        let problem: Problem = serde_json::from_slice(&body).unwrap();
        let known = (problem.code.as_str(), problem.page.as_str(), problem.status);
        assert_eq!(known, ("noSuchRun", "/docs/errors/noSuchRun.html", 404));
        assert_eq!((problem.instance, problem.request_id.as_str()), (path, "id-7"));
        assert_eq!(problem.title, "there is no run with this id");
    }

    #[test]
    fn what_the_library_refuses_has_a_row_of_its_status() {
        let request = TestRequest::with_uri("/x").to_http_request();
        for status in [400, 404, 408, 413, 417, 500, 501] {
            let status = StatusCode::from_u16(status).unwrap();
            let response = of_library(&request, status);
            assert!(has_problem(&response), "{status}");
            assert_eq!(response.status().is_client_error(), status.is_client_error(), "{status}");
        }
    }
}
