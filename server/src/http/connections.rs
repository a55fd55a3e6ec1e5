//! Connections, counted from their first moment: one too many of a place is closed at once.

use std::any::Any;

use actix_web::dev::Extensions;
use actix_web::rt::net::TcpStream;
use rustix::net::{Shutdown, shutdown};
use weevil_peer::Row;

use crate::budget::SharedBudget;

/// Keeps the permit with the connection. A trusted proxy's connections are not counted: they are many people's.
pub(crate) fn count(budget: &SharedBudget, stream: &dyn Any, kept: &mut Extensions) {
    let Some(stream) = stream.downcast_ref::<TcpStream>() else { return };
    let peer = stream.peer_addr().ok().and_then(|address| budget.newcomer(address.ip()));
    let Some(peer) = peer else { return };
    if let Ok(permit) = budget.take(peer, Row::Connections, 1) {
        kept.insert(permit);
    } else {
        // It may have gone already.
        let _gone = shutdown(stream, Shutdown::Both);
    }
}
