//! How a browser reaches the server by this very request: over https, or over plain HTTP to one of its ports. Cookies are named
//! by it.

use actix_web::HttpRequest;
use weevil_access::{FaceUrl, Way};

use super::AppState;
use crate::refusal::Refusal;
use crate::sockets::Socket;

/// Where the socket itself does not, a proxy that is trusted may speak TLS for the face's URL.
///
/// # Errors
/// The request came by no socket.
pub(super) fn way_of(app: &AppState, request: &HttpRequest) -> Result<Way, Refusal> {
    let socket = request.app_data::<Socket>().ok_or(Refusal::NotSignedIn)?;
    let secure = app.reach.url(socket.face).is_some_and(FaceUrl::is_secure);
    let proxied = || app.budget.trusts(request.peer_addr().map(|address| address.ip()));
    let https = socket.tls || secure && proxied();
    Ok(if https { Way::Https } else { Way::Loopback { port: socket.address.port() } })
}
