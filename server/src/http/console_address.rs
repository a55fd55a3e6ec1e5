//! Addresses of the console, as people open them.
//!
//! Never answers one itself: what it leads to, a page shows.

use actix_web::HttpRequest;
use weevil_access::Authority;
use weevil_model::Face;

use super::AppState;
use super::hosts::reached;
use crate::sockets::Socket;

/// Where the console shows this place, as `/login/..` or `link=..`: by the settings' address, else by that of this request.
pub(super) fn console_address(app: &AppState, request: &HttpRequest, place: &str) -> String {
    let settings = app.reach.url(Face::Private).map(ToString::to_string);
    let url = settings.or_else(|| asked_by(request)).unwrap_or_default();
    format!("{url}/console#{place}")
}

fn asked_by(request: &HttpRequest) -> Option<String> {
    let Authority { host, port } = reached(request.uri(), request.headers())?;
    let secure = request.app_data::<Socket>().is_some_and(|socket| socket.tls);
    let scheme = if secure { "https" } else { "http" };
    Some(match port {
        Some(port) => format!("{scheme}://{host}:{port}"),
        None => format!("{scheme}://{host}"),
    })
}
