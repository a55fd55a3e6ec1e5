//! `/.well-known/compute-policy.json`: what this server does with visitors' machines, for programs to read. The same for
//! everybody; its fields are in docs/sandbox.md.

use actix_web::HttpResponse;
use actix_web::http::header::{ACCESS_CONTROL_ALLOW_ORIGIN, CONTENT_TYPE};

const POLICY: &str = include_str!("compute-policy.json");

pub(super) async fn get() -> HttpResponse {
    HttpResponse::Ok()
        .insert_header((CONTENT_TYPE, "application/json"))
        .insert_header((ACCESS_CONTROL_ALLOW_ORIGIN, "*"))
        .body(POLICY)
}
