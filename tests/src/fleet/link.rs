//! One connection of a simulated worker: frames in, frames out. Never judges what they say.

use std::sync::Arc;

use futures_util::{SinkExt, StreamExt};
use rustls::pki_types::{CertificateDer, ServerName};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_tungstenite::{WebSocketStream, client_async};
use tungstenite::Message;
use weevil_protocol::frame::{ClientFrame, Hello, ServerFrame, Welcome};
use weevil_protocol::{PROTOCOL_VERSION, WORKER_SOCKET_PATH};

use crate::tls_way::trusting;

/// Where workers come in.
#[derive(Clone)]
pub(super) struct Door {
    address: String,
    tls: Option<(TlsConnector, ServerName<'static>)>,
}

/// What bytes travel by.
trait Stream: AsyncRead + AsyncWrite + Send + Unpin {}

impl<T: AsyncRead + AsyncWrite + Send + Unpin> Stream for T {}

/// The connection has ended.
#[derive(Debug)]
pub(super) struct Gone;

pub(super) struct Link(WebSocketStream<Box<dyn Stream>>);

impl Door {
    pub(super) fn plain(address: &str) -> Self {
        Self { address: address.to_owned(), tls: None }
    }

    /// To who has to show a certificate of this authority's for `name`.
    pub(super) fn tls(address: &str, name: &str, authority: &CertificateDer<'static>) -> Self {
        let connector = TlsConnector::from(Arc::new(trusting(authority)));
        let name = ServerName::try_from(name.to_owned()).expect("a name");
        Self { address: address.to_owned(), tls: Some((connector, name)) }
    }

    async fn open(&self) -> std::io::Result<Box<dyn Stream>> {
        let stream = TcpStream::connect(&self.address).await?;
        stream.set_nodelay(true)?;
        match &self.tls {
            None => Ok(Box::new(stream)),
            Some((connector, name)) => Ok(Box::new(connector.connect(name.clone(), stream).await?)),
        }
    }
}

impl Link {
    /// Connects, says hello and is welcome.
    pub(super) async fn join(door: &Door, capacity: u32) -> Result<(Self, Welcome), Gone> {
        let stream = door.open().await.map_err(|_| Gone)?;
        let url = format!("ws://{}{WORKER_SOCKET_PATH}", door.address);
        let (socket, _) = client_async(url, stream).await.map_err(|_| Gone)?;
        let mut link = Self(socket);
        let hello = Hello {
            version: PROTOCOL_VERSION,
            agent: "fleet".into(),
            slots: 1,
            capacity,
            capabilities: None,
            memory_mb: None,
            adapter: None,
            keeps_gpu: None,
        };
        link.send(&ClientFrame::Hello(hello)).await?;
        match link.frame().await? {
            ServerFrame::Welcome(welcome) => Ok((link, welcome)),
            _ => Err(Gone),
        }
    }

    pub(super) async fn send(&mut self, frame: &ClientFrame) -> Result<(), Gone> {
        self.send_bytes(frame.encode()).await
    }

    pub(super) async fn send_bytes(&mut self, bytes: Vec<u8>) -> Result<(), Gone> {
        self.0.send(Message::binary(bytes)).await.map_err(|_| Gone)
    }

    /// The next frame. Nothing of it is lost when the wait is given up.
    pub(super) async fn frame(&mut self) -> Result<ServerFrame, Gone> {
        loop {
            match self.0.next().await {
                Some(Ok(Message::Binary(bytes))) => return ServerFrame::decode(&bytes).map_err(|_| Gone),
                Some(Ok(Message::Close(_)) | Err(_)) | None => return Err(Gone),
                Some(Ok(_)) => {}
            }
        }
    }
}
