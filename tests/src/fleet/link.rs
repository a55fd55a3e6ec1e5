//! One connection of a simulated worker: frames in, frames out. Never judges what they say.

use futures_util::{SinkExt, StreamExt};
use tokio::net::TcpStream;
use tokio_tungstenite::{WebSocketStream, client_async};
use tungstenite::Message;
use weevil_protocol::frame::{ClientFrame, Hello, ServerFrame, Welcome};
use weevil_protocol::{PROTOCOL_VERSION, WORKER_SOCKET_PATH};

/// The connection has ended.
#[derive(Debug)]
pub(super) struct Gone;

pub(super) struct Link(WebSocketStream<TcpStream>);

impl Link {
    /// Connects, says hello and is welcome.
    pub(super) async fn join(address: &str, capacity: u32) -> Result<(Self, Welcome), Gone> {
        let stream = TcpStream::connect(address).await.map_err(|_| Gone)?;
        stream.set_nodelay(true).map_err(|_| Gone)?;
        let url = format!("ws://{address}{WORKER_SOCKET_PATH}");
        let (socket, _) = client_async(url, stream).await.map_err(|_| Gone)?;
        let mut link = Self(socket);
        let hello = Hello {
            version: PROTOCOL_VERSION,
            agent: "fleet".into(),
            slots: 1,
            capacity,
            capabilities: None,
            memory_mb: None,
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
