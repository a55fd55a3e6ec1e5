//! Connections from their first moment: counted, so that one too many of a place is closed at once; and ended where the
//! other end takes nothing of what it is sent.

use actix_web::dev::Extensions;
use actix_web::rt::net::TcpStream;
use rustix::net::{Shutdown, shutdown};
use weevil_engine::budget::{Permit, SharedBudget};
use weevil_peer::{Full, Row};

/// Keeps the permit with the connection.
pub(crate) fn opened(budget: &SharedBudget, stream: &TcpStream, kept: &mut Extensions) {
    match counted(budget, stream) {
        Ok(Some(permit)) => drop(kept.insert(permit)),
        Ok(None) => {}
        Err(_full) => {
            // It may have gone already.
            let _gone = shutdown(stream, Shutdown::Both);
        }
    }
}

/// Counts a connection. A trusted proxy's are not counted: they are many people's.
///
/// # Errors
/// There are too many already.
pub(crate) fn counted(budget: &SharedBudget, stream: &TcpStream) -> Result<Option<Permit>, Full> {
    end_untaken(stream);
    let peer = stream.peer_addr().ok().and_then(|address| budget.newcomer(address.ip()));
    peer.map(|peer| budget.take(peer, Row::Connections, 1)).transpose()
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
