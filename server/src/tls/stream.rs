//! A connection with TLS: counted from its first moment, shaken hands with in time, and read no faster than it reads.

use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::task::{Context, Poll, Waker, ready};
use std::time::Duration;

use actix_http::Protocol;
use actix_web::rt::net::TcpStream;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::server::TlsStream;
use weevil_engine::budget::Permit;

use super::http2_heads::{Heads, TooLong};

/// How long a handshake may take.
const HANDSHAKE: Duration = Duration::from_secs(5);

/// What is read and written after the handshake.
pub(crate) struct TlsConnection {
    stream: TlsStream<TcpStream>,
    /// What is bounded of HTTP/2, whose requests share a connection.
    shared: Option<Shared>,
    /// Held for as long as the connection.
    _counted: Option<Permit>,
}

/// An HTTP/2 connection. The library below sets no bound on requests at a time, and answers each: who takes no answers is not
/// read on, so that answers cannot pile up.
struct Shared {
    heads: Heads,
    /// It does not take what it was sent last.
    full: bool,
    /// Whoever wants to read on then.
    reader: Option<Waker>,
}

/// Shakes hands over a connection that was counted.
pub(crate) async fn accept(
    acceptor: &TlsAcceptor,
    stream: TcpStream,
    counted: Option<Permit>,
) -> io::Result<(TlsConnection, Protocol, Option<SocketAddr>)> {
    stream.set_nodelay(true)?;
    let peer = stream.peer_addr().ok();
    let stream = tokio::time::timeout(HANDSHAKE, acceptor.accept(stream)).await??;
    let http2 = stream.get_ref().1.alpn_protocol() == Some(b"h2");
    let shared = http2.then(|| Shared { heads: Heads::new(), full: false, reader: None });
    let protocol = if http2 { Protocol::Http2 } else { Protocol::Http1 };
    Ok((TlsConnection { stream, shared, _counted: counted }, protocol, peer))
}

impl TlsConnection {
    /// Whether requests share it.
    pub(crate) const fn is_shared(&self) -> bool {
        self.shared.is_some()
    }

    /// Takes note whether the other end takes what it is sent.
    fn written<T>(&mut self, written: Poll<T>) -> Poll<T> {
        if let Some(shared) = &mut self.shared {
            shared.full = written.is_pending();
            if !shared.full
                && let Some(reader) = shared.reader.take()
            {
                reader.wake();
            }
        }
        written
    }
}

impl AsyncRead for TlsConnection {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if let Some(shared) = self.shared.as_mut().filter(|shared| shared.full) {
            shared.reader = Some(context.waker().clone());
            return Poll::Pending;
        }
        let before = into.filled().len();
        ready!(Pin::new(&mut self.stream).poll_read(context, into))?;
        let followed =
            self.shared.as_mut().map_or(Ok(()), |shared| shared.heads.follow(&into.filled()[before..]));
        Poll::Ready(followed.map_err(|TooLong| io::Error::from(io::ErrorKind::InvalidData)))
    }
}

impl AsyncWrite for TlsConnection {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.written(written)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let written = Pin::new(&mut self.stream).poll_flush(context);
        self.written(written)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        pieces: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(context, pieces);
        self.written(written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use rustls::pki_types::{PrivateKeyDer, ServerName};
    use rustls::{ClientConfig, RootCertStore, ServerConfig};
    use tokio::net::TcpListener;
    use tokio_rustls::TlsConnector;

    use super::*;

    /// What both ends speak with a certificate made for this.
    fn ends() -> (TlsAcceptor, TlsConnector) {
        let made = rcgen::generate_simple_self_signed(["weevil.example".to_owned()]).unwrap();
        let (certificate, key) = (made.cert.der().clone(), made.signing_key.serialize_der());
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let server =
            ServerConfig::builder_with_provider(provider.clone()).with_safe_default_protocol_versions();
        let key = PrivateKeyDer::try_from(key).unwrap();
        let server = server.unwrap().with_no_client_auth().with_single_cert(vec![certificate.clone()], key);
        let mut roots = RootCertStore::empty();
        roots.add(certificate).unwrap();
        let client = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
        let client = client.unwrap().with_root_certificates(roots).with_no_client_auth();
        (TlsAcceptor::from(Arc::new(server.unwrap())), TlsConnector::from(Arc::new(client)))
    }

    #[test]
    fn small_pieces_wait_for_no_others() {
        let (connection, protocol) = actix_web::rt::System::new().block_on(accepted());
        assert!(connection.stream.get_ref().0.nodelay().unwrap());
        assert_eq!(protocol, Protocol::Http1);
    }

    /// The server's end of a connection whose socket was as the system makes them.
    async fn accepted() -> (TlsConnection, Protocol) {
        let (acceptor, connector) = ends();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let client = TcpStream::connect(listener.local_addr().unwrap()).await.unwrap();
        let (stream, peer) = listener.accept().await.unwrap();
        assert!(!stream.nodelay().unwrap());
        let name = ServerName::try_from("weevil.example").unwrap();
        let shaken = tokio::join!(accept(&acceptor, stream, None), connector.connect(name, client));
        let (connection, protocol, found) = shaken.0.unwrap();
        assert_eq!((found, shaken.1.is_ok()), (Some(peer), true));
        (connection, protocol)
    }
}
