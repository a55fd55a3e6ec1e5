//! Connections from their first moment: counted, so that one too many of a place is closed at once; and ended where the
//! other end takes nothing of what it is sent.

use std::any::Any;

use actix_web::dev::Extensions;
use actix_web::rt::net::TcpStream;
use rustix::net::{Shutdown, shutdown};
use weevil_engine::budget::SharedBudget;
use weevil_peer::Row;

/// Keeps the permit with the connection. A trusted proxy's connections are not counted: they are many people's.
pub(crate) fn opened(budget: &SharedBudget, stream: &dyn Any, kept: &mut Extensions) {
    let Some(stream) = stream.downcast_ref::<TcpStream>() else { return };
    end_untaken(stream);
    let peer = stream.peer_addr().ok().and_then(|address| budget.newcomer(address.ip()));
    let Some(peer) = peer else { return };
    if let Ok(permit) = budget.take(peer, Row::Connections, 1) {
        kept.insert(permit);
    } else {
        // It may have gone already.
        let _gone = shutdown(stream, Shutdown::Both);
    }
}

/// Has the kernel end a connection whose other end leaves no room, or does not answer, for so long (RFC 5482). Elsewhere
/// than on Linux such a connection keeps at most what its socket was given last.
fn end_untaken(stream: &TcpStream) {
    #[cfg(target_os = "linux")]
    {
        use rustix::net::sockopt::set_tcp_user_timeout;
        use weevil_peer::limits::UNTAKEN_MS;

        // It may have gone already.
        let _gone = set_tcp_user_timeout(stream, UNTAKEN_MS);
    }
}
