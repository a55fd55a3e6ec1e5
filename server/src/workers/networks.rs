//! The networks that workers speak from, as pseudonyms: no address gets further than here.

use std::sync::Arc;

use weevil_access::ServerSecret;
use weevil_engine::budget::Peer;

/// Tells networks apart.
#[derive(Clone)]
pub(crate) struct Networks(Arc<ServerSecret>);

impl Networks {
    pub(crate) fn new(secret: ServerSecret) -> Self {
        Self(Arc::new(secret))
    }

    /// `None` for a peer that could be anybody at home.
    pub(super) fn pseudonym(&self, peer: Peer) -> Option<i64> {
        peer.network().map(|network| self.0.network_pseudonym(network.as_bytes()))
    }
}
