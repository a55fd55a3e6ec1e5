//! The worker's end of a connection: frames go in masked, and what the server's socket would send is read.

use actix_http::BoxedPayloadStream;
use actix_web::FromRequest;
use actix_web::dev::Payload;
use actix_web::error::PayloadError;
use actix_web::test::TestRequest;
use actix_web::web::{self, Bytes};
use futures_util::stream;
use tokio::sync::mpsc::{self, UnboundedReceiver, UnboundedSender};
use weevil_peer::Row;
use weevil_protocol::PROTOCOL_VERSION;
use weevil_protocol::frame::{AttemptKey, AttemptResult, ClientFrame, Hello, Outcome, ServerFrame, Welcome};

use super::bed::{Bed, patient};
use crate::workers::socket::connect;
use crate::workers::socket_writer::SocketWriter;
use crate::workers::standing::Standing;

/// How the worker knows the server.
pub(super) const HOST: &str = "weevil.example:1836";
pub(super) const TEXT: u8 = 1;
pub(super) const BINARY: u8 = 2;
pub(super) const CLOSE: u8 = 8;
pub(super) const PING: u8 = 9;
const PONG: u8 = 10;

pub(super) struct Socket {
    pub bytes: UnboundedSender<Bytes>,
    pub writer: SocketWriter,
}

/// What the server sends.
#[derive(Debug, PartialEq)]
pub(super) enum Sent {
    Frame(ServerFrame),
    Pong(Vec<u8>),
    Close,
    /// The connection ends without a word.
    Nothing,
}

impl Socket {
    pub(super) async fn open(bed: &Bed) -> Self {
        let lobby = bed.budget.take(bed.peer(), Row::Lobby, 1).unwrap();
        let (bytes, coming) = mpsc::unbounded_channel();
        let coming = stream::unfold(coming, |mut coming: UnboundedReceiver<Bytes>| async move {
            Some((Ok::<_, PayloadError>(coming.recv().await?), coming))
        });
        let mut payload = Payload::from(Box::pin(coming) as BoxedPayloadStream);
        let request = TestRequest::default().to_http_request();
        let body = web::Payload::from_request(&request, &mut payload).await.unwrap();
        let writer = connect(bed.context(), Standing::new(bed.peer(), lobby), (HOST.to_owned(), None), body);
        Self { bytes, writer }
    }

    /// A worker of one slot that wants three jobs, and the nonce that it was told.
    pub(super) async fn welcome(bed: &Bed) -> (Self, Vec<u8>) {
        let mut socket = Self::open(bed).await;
        socket.send(&hello(PROTOCOL_VERSION));
        let Sent::Frame(ServerFrame::Welcome(Welcome { nonce: Some(nonce), .. })) = socket.next().await
        else {
            panic!("no welcome")
        };
        (socket, nonce.to_vec())
    }

    pub(super) fn send(&self, frame: &ClientFrame) {
        self.send_raw(BINARY, &frame.encode());
    }

    /// A message of this opcode in one frame, under a mask that changes nothing (RFC 6455, section 5.2).
    pub(super) fn send_raw(&self, opcode: u8, payload: &[u8]) {
        let mut message = vec![0x80 | opcode];
        match (u8::try_from(payload.len()), u16::try_from(payload.len())) {
            (Ok(few @ ..126), _) => message.push(0x80 | few),
            (_, Ok(more)) => message.extend([&[0x80 | 0x7e], &more.to_be_bytes()[..]].concat()),
            _ => message.extend([&[0x80 | 0x7f], &(payload.len() as u64).to_be_bytes()[..]].concat()),
        }
        message.extend([0; 4]);
        message.extend(payload);
        // The server may have hung up.
        let _gone = self.bytes.send(message.into());
    }

    /// The next piece that the server's socket would send; `None` where it ends.
    pub(super) async fn piece(&mut self) -> Option<Bytes> {
        patient(self.writer.next()).await?.ok()
    }

    pub(super) async fn next(&mut self) -> Sent {
        let mut message = Vec::new();
        loop {
            let Some(piece) = self.piece().await else { return Sent::Nothing };
            message.extend_from_slice(&piece);
            if let Some(payload) = payload(&message) {
                return match message[0] & 0x0f {
                    BINARY => Sent::Frame(ServerFrame::decode(payload).unwrap()),
                    PONG => Sent::Pong(payload.to_vec()),
                    CLOSE => Sent::Close,
                    other => panic!("opcode {other}"),
                };
            }
        }
    }

    /// Why the connection ends, and whether the page is to be loaded again: its last words, whatever came before.
    pub(super) async fn refused(&mut self) -> (String, bool) {
        loop {
            match self.next().await {
                Sent::Frame(ServerFrame::Refused { message, reload }) => {
                    assert_eq!(self.next().await, Sent::Close);
                    assert_eq!(self.next().await, Sent::Nothing, "nothing of it is read any more");
                    return (message, reload);
                }
                Sent::Frame(_) | Sent::Pong(_) => {}
                end => panic!("{end:?} without a refusal"),
            }
        }
    }

    /// The connection is lost: nothing comes any more. What the server says can still be read.
    pub(super) fn lose(self) -> SocketWriter {
        self.writer
    }
}

/// What a whole message carries; `None` while some of it is to come.
fn payload(message: &[u8]) -> Option<&[u8]> {
    let (from, bytes) = match message.get(1)? {
        126 => (4, usize::from(u16::from_be_bytes(message.get(2..4)?.try_into().ok()?))),
        127 => (10, usize::try_from(u64::from_be_bytes(message.get(2..10)?.try_into().ok()?)).ok()?),
        few => (2, usize::from(*few)),
    };
    message.get(from..from + bytes)
}

pub(super) fn hello(version: u32) -> ClientFrame {
    ClientFrame::Hello(Hello {
        version,
        agent: "test".into(),
        slots: 1,
        capacity: 3,
        capabilities: None,
        memory_mb: None,
        adapter: None,
        keeps_gpu: None,
    })
}

pub(super) fn attempts(numbers: impl IntoIterator<Item = i64>) -> Vec<AttemptKey> {
    numbers.into_iter().map(|job| AttemptKey { job, token: job }).collect()
}

pub(super) fn heartbeat(numbers: impl IntoIterator<Item = i64>) -> ClientFrame {
    ClientFrame::Heartbeat {
        holding: attempts(numbers),
        slots: 1,
        capacity: 3,
        progress: Vec::new(),
        duty: None,
    }
}

/// Reports these bytes as the values of these attempts.
pub(super) fn results(values: impl IntoIterator<Item = (i64, &'static [u8])>) -> ClientFrame {
    let result = |(job, value): (i64, &[u8])| AttemptResult {
        key: AttemptKey { job, token: job },
        outcome: Outcome::Value(value.to_vec().into()),
        slot: 0,
        compute_us: 1,
        flops: 0.0,
        log: None,
    };
    ClientFrame::Results { results: values.into_iter().map(result).collect(), capacity: 3 }
}
