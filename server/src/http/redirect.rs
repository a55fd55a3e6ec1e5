//! The socket that speaks plain HTTP to say where https is, and does nothing else.
//!
//! Leads to the addresses of the settings alone: what a request says chooses among them and adds its path.

use actix_web::http::header::LOCATION;
use actix_web::http::{Method, StatusCode};
use actix_web::{HttpRequest, HttpResponse, web};
use weevil_access::FaceUrl;

use super::{AppState, hosts};

pub(crate) async fn lead(app: web::Data<AppState>, request: HttpRequest) -> HttpResponse {
    let reached = hosts::reached(request.uri(), request.headers());
    let named = |url: &&FaceUrl| reached.as_ref().is_some_and(|reached| reached.host == *url.host());
    let url = app.reach.https_urls().find(named).or_else(|| app.reach.https_urls().next());
    match (url, request.uri().path_and_query()) {
        (Some(url), Some(path)) if request.method() == Method::GET && path.as_str().starts_with('/') => {
            HttpResponse::build(StatusCode::PERMANENT_REDIRECT)
                .insert_header((LOCATION, format!("{url}{path}")))
                .finish()
        }
        _ => HttpResponse::NotFound().finish(),
    }
}
