//! TLS at the server's own sockets: the certificate and its renewal, the handshake, and what HTTP/2 over it may cost.

mod certificate;
mod http2_heads;
mod pair;
mod renewal;
mod stream;

pub use pair::{PairError, TlsFiles};
pub(crate) use renewal::{Renewal, TlsMetrics};
pub(crate) use stream::{TlsConnection, accept};
