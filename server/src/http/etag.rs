//! Entity tags (RFC 9110, section 8.8.3): who has an answer already is told so, and gets it no second time.
//!
//! What has ended is known by its id and its end, so that nothing of its value is read; everything else by its body, up to a size.
//! Never remembers an answer.

use actix_web::body::{BoxBody, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::StatusCode;
use actix_web::http::header::{ETAG, HeaderValue, IF_NONE_MATCH};
use actix_web::middleware::Next;
use actix_web::{HttpRequest, HttpResponse};
use weevil_api::routes::{Method, Row};
use weevil_model::{ContentHash, Face, Timestamp};

use super::headers::NO_STORE;
use crate::refusal::Refusal;

/// Bytes of a body up to which it is tagged.
const MAX_TAGGED_BYTES: usize = 256 * 1024;

/// A tag as it is sent, with its quotes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Tag(HeaderValue);

impl Tag {
    /// For something that has ended. Its answer may be spelled in another way by another release, so the tag is weak.
    pub(super) fn of_end(id: &impl std::fmt::Display, end: Timestamp) -> Option<Self> {
        HeaderValue::try_from(format!("W/\"{id}-{}\"", end.0)).ok().map(Self)
    }

    fn of_body(body: &[u8]) -> Option<Self> {
        HeaderValue::try_from(format!("\"{}\"", ContentHash::of(body))).ok().map(Self)
    }

    /// Whether who asks has this answer already (RFC 9110, section 13.1.2). A tag of ours holds no comma.
    fn is_known(&self, request: &HttpRequest) -> bool {
        let known = request.headers().get_all(IF_NONE_MATCH);
        let mut known = known.flat_map(|line| line.as_bytes().split(|byte| *byte == b','));
        known.any(|tag| tag.trim_ascii() == b"*" || opaque(tag.trim_ascii()) == opaque(self.0.as_bytes()))
    }

    fn not_modified(self) -> HttpResponse {
        self.put(HttpResponse::NotModified().finish())
    }

    fn put(self, mut response: HttpResponse) -> HttpResponse {
        response.headers_mut().insert(ETAG, self.0);
        response
    }
}

/// The answer that has this tag, or that who asks has it already, and then nothing is read for it.
pub(super) async fn unless_known(
    tag: Option<Tag>,
    request: &HttpRequest,
    answer: impl AsyncFnOnce() -> Result<HttpResponse, Refusal>,
) -> Result<HttpResponse, Refusal> {
    match tag {
        Some(tag) if tag.is_known(request) => Ok(tag.not_modified()),
        Some(tag) => answer().await.map(|response| tag.put(response)),
        None => answer().await,
    }
}

/// Weak ones are compared without saying so.
fn opaque(tag: &[u8]) -> &[u8] {
    tag.strip_prefix(b"W/").unwrap_or(tag)
}

/// Tags an answer of this row, where it is short and has no tag yet.
pub(super) async fn tag(
    row: &Row,
    request: ServiceRequest,
    next: Next<BoxBody>,
) -> Result<ServiceResponse, actix_web::Error> {
    let response = next.call(request).await?;
    let may_be_tagged = row.face == Face::Private && row.method == Method::Get;
    if !may_be_tagged || response.status() != StatusCode::OK {
        return Ok(response);
    }
    let (request, response) = response.into_parts();
    let response = of_body(&request, response);
    Ok(ServiceResponse::new(request, response))
}

fn of_body(request: &HttpRequest, response: HttpResponse) -> HttpResponse {
    if response.headers().contains_key(ETAG) || !may_be_kept(&response) {
        return response;
    }
    let (head, body) = response.into_parts();
    let body = match body.try_into_bytes() {
        Ok(body) => body,
        Err(body) => return head.set_body(body),
    };
    let tag = if body.len() > MAX_TAGGED_BYTES { None } else { Tag::of_body(&body) };
    match tag {
        Some(tag) if tag.is_known(request) => {
            let mut head = head.map_body(|_, ()| BoxBody::new(()));
            *head.status_mut() = StatusCode::NOT_MODIFIED;
            tag.put(head)
        }
        Some(tag) => tag.put(head.set_body(BoxBody::new(body))),
        None => head.set_body(BoxBody::new(body)),
    }
}

fn may_be_kept(response: &HttpResponse) -> bool {
    response.headers().get(NO_STORE.0).is_none_or(|found| found != NO_STORE.1)
}

#[cfg(test)]
mod tests {
    use actix_web::test::TestRequest;

    use super::*;

    fn asks(tags: &str) -> HttpRequest {
        TestRequest::default().insert_header((IF_NONE_MATCH, tags)).to_http_request()
    }

    #[test]
    fn a_tag_is_known_however_it_is_listed() {
        let end = Tag::of_end(&"run_1", Timestamp(7)).unwrap();
        assert_eq!(end.0, "W/\"run_1-7\"");
        for (sent, known) in [
            ("W/\"run_1-7\"", true),
            ("\"run_1-7\"", true),
            ("\"a\", W/\"run_1-7\" ,\"b\"", true),
            ("*", true),
            ("\"run_1-8\"", false),
            ("run_1-7", false),
            ("", false),
        ] {
            assert_eq!(end.is_known(&asks(sent)), known, "{sent}");
        }
        assert!(!end.is_known(&TestRequest::default().to_http_request()));
    }

    #[test]
    fn a_short_body_is_told_once() {
        let answer = |bytes: usize| of_body(&asks("\"x\""), HttpResponse::Ok().body("a".repeat(bytes)));
        let first = answer(MAX_TAGGED_BYTES);
        let tag = first.headers().get(ETAG).unwrap().to_str().unwrap().to_owned();
        assert_eq!(first.status(), StatusCode::OK);
        let again = of_body(&asks(&tag), HttpResponse::Ok().body("a".repeat(MAX_TAGGED_BYTES)));
        assert_eq!(
            (again.status(), again.headers().get(ETAG).unwrap().to_str().unwrap()),
            (StatusCode::NOT_MODIFIED, &*tag)
        );
        assert!(again.into_body().try_into_bytes().is_ok_and(|body| body.is_empty()));
        let other = of_body(&asks(&tag), HttpResponse::Ok().body("b"));
        assert_eq!(other.status(), StatusCode::OK);
        assert!(!answer(MAX_TAGGED_BYTES + 1).headers().contains_key(ETAG), "a long one is not looked at");
    }

    #[test]
    fn what_has_a_tag_or_may_not_be_kept_is_left_alone() {
        let secret = HttpResponse::Ok().insert_header(NO_STORE).body("a");
        assert!(!of_body(&asks("*"), secret).headers().contains_key(ETAG));
        let own = Tag::of_end(&"run_1", Timestamp(7)).unwrap().put(HttpResponse::Ok().body("a"));
        let told = of_body(&asks("*"), own);
        assert_eq!(
            (told.status(), told.headers().get(ETAG).unwrap().as_bytes()),
            (StatusCode::OK, &b"W/\"run_1-7\""[..])
        );
    }
}
