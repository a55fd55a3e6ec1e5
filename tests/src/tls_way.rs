//! A way to what speaks TLS for those who do not: bytes go in plain on this machine and on in TLS, under a name.

use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;

use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, RootCertStore};
use tokio::io::copy_bidirectional;
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::runtime::Runtime;
use tokio_rustls::TlsConnector;

/// Takes connections until it is dropped.
#[derive(Debug)]
pub struct TlsWay {
    /// Where it takes them.
    pub address: String,
    _runtime: Runtime,
}

impl TlsWay {
    /// To `address`, which has to show a certificate of this authority's for `name`.
    pub fn to(address: SocketAddr, name: &str, authority: &CertificateDer<'static>) -> Self {
        let runtime = Runtime::new().expect("threads can be started");
        let listener = runtime.block_on(TcpListener::bind((Ipv4Addr::LOCALHOST, 0))).expect("a free port");
        let own = listener.local_addr().expect("it is bound").to_string();
        let name = ServerName::try_from(name.to_owned()).expect("a name");
        let connector = TlsConnector::from(Arc::new(trusting(authority)));
        runtime.spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                tokio::spawn(carry(client, address, connector.clone(), name.clone()));
            }
        });
        Self { address: own, _runtime: runtime }
    }
}

/// What trusts this authority alone, and speaks HTTP/1.1.
pub(crate) fn trusting(authority: &CertificateDer<'static>) -> ClientConfig {
    let mut roots = RootCertStore::empty();
    roots.add(authority.clone()).expect("a root");
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
    config.expect("versions").with_root_certificates(roots).with_no_client_auth()
}

async fn carry(mut client: TcpStream, to: SocketAddr, connector: TlsConnector, name: ServerName<'static>) {
    let Ok(server) = connect_from_there(to).await else { return };
    let Ok(mut server) = connector.connect(name, server).await else { return };
    // Either side may end it.
    let _ended = copy_bidirectional(&mut client, &mut server).await;
}

/// From the very address it goes to, so that who listens there has a client elsewhere than on 127.0.0.1.
async fn connect_from_there(to: SocketAddr) -> io::Result<TcpStream> {
    let socket = TcpSocket::new_v4()?;
    socket.bind((to.ip(), 0).into())?;
    socket.connect(to).await
}
