//! A worker without a browser: speaks the protocol over a real WebSocket, computes nothing.

use std::io::ErrorKind;
use std::net::TcpStream;

use ring::signature::{Ed25519KeyPair, KeyPair};
use tungstenite::client::{IntoClientRequest, client};
use tungstenite::http::HeaderValue;
use tungstenite::{Message, WebSocket};
use weevil_model::{ContentHash, Encoded, Needs, Value};
use weevil_protocol::frame::{
    Assignment, AttemptKey, AttemptResult, ClientFrame, Hello, Identity, JobError, JobErrorKind, KeyKind,
    Outcome, ServerFrame, Verdict,
};
use weevil_protocol::identity::signed_text;
use weevil_protocol::standing::Standing;
use weevil_protocol::{PROTOCOL_VERSION, WORKER_SOCKET_PATH};

use crate::PATIENCE;

/// Who joins, where that matters.
#[derive(Debug, Clone, Copy)]
pub struct Guest<'g> {
    /// How many jobs it wants to hold.
    pub capacity: u32,
    /// What it calls itself.
    pub agent: &'g str,
    /// Where a proxy says that it comes from.
    pub place: Option<&'g str>,
    /// The GPU that it says it lends.
    pub adapter: Option<&'g str>,
    /// Whether it has a GPU that it does not lend, as far as it says.
    pub keeps_gpu: Option<bool>,
    /// What it has to offer; `None` says nothing, and runs JavaScript.
    pub has: Option<Needs>,
}

impl Default for Guest<'_> {
    fn default() -> Self {
        Self { capacity: 0, agent: "fake", place: None, adapter: None, keeps_gpu: None, has: None }
    }
}

/// One connection. Dropping it vanishes without a word.
#[derive(Debug)]
pub struct FakeWorker {
    socket: WebSocket<TcpStream>,
    /// How many jobs it says it wants to hold.
    pub capacity: u32,
    /// What the server gave it to sign.
    pub nonce: Vec<u8>,
    /// What its device was told of itself so far.
    pub standings: Vec<Standing>,
}

impl FakeWorker {
    /// Connects without saying anything.
    pub fn silent(address: &str) -> Self {
        Self::connect(address, None).expect("the server takes workers")
    }

    fn connect(address: &str, place: Option<&str>) -> Option<Self> {
        let stream = TcpStream::connect(address).ok()?;
        stream.set_read_timeout(Some(PATIENCE)).ok()?;
        stream.set_nodelay(true).ok()?;
        let mut request = format!("ws://{address}{WORKER_SOCKET_PATH}").into_client_request().ok()?;
        if let Some(place) = place {
            request.headers_mut().insert("x-forwarded-for", HeaderValue::from_str(place).ok()?);
        }
        let (socket, _) = client(request, stream).ok()?;
        Some(Self { socket, capacity: 0, nonce: Vec::new(), standings: Vec::new() })
    }

    /// Connects, says hello and is welcome. Wants to hold `capacity` jobs.
    pub fn join(address: &str, capacity: u32) -> Self {
        Self::try_join(address, capacity).expect("the server welcomes workers")
    }

    /// As `join`, with more to offer than JavaScript.
    pub fn join_with(address: &str, capacity: u32, has: Needs) -> Self {
        Self::join_as(address, Guest { capacity, has: Some(has), ..Guest::default() })
    }

    /// As `join`, of somebody else.
    pub fn join_as(address: &str, guest: Guest<'_>) -> Self {
        Self::greet(address, guest).expect("the server welcomes workers")
    }

    /// As `join_as`; `None` where the server goes while it joins.
    pub fn try_join_as(address: &str, guest: Guest<'_>) -> Option<Self> {
        Self::greet(address, guest)
    }

    /// As `join`; `None` where the server goes while it joins.
    pub fn try_join(address: &str, capacity: u32) -> Option<Self> {
        Self::greet(address, Guest { capacity, ..Guest::default() })
    }

    fn greet(address: &str, guest: Guest<'_>) -> Option<Self> {
        let Guest { capacity, agent, place, adapter, keeps_gpu, has } = guest;
        let mut worker = Self { capacity, ..Self::connect(address, place)? };
        let hello = Hello {
            version: PROTOCOL_VERSION,
            agent: agent.into(),
            slots: 1,
            capacity,
            capabilities: has.map(|has| has.capabilities.0),
            memory_mb: has.map(|has| has.memory_mb),
            adapter: adapter.map(str::to_owned),
            keeps_gpu,
        };
        if !worker.try_send(&ClientFrame::Hello(hello)) {
            return None;
        }
        let ServerFrame::Welcome(welcome) = worker.frame()? else { return None };
        worker.nonce = welcome.nonce?.into();
        Some(worker)
    }

    /// Says which device it is, by the key of this number; it has joined there.
    pub fn introduce(&mut self, key: u8, address: &str) {
        self.introduce_by(&[key; 32], address);
    }

    /// As `introduce`, by the key that this seed makes.
    pub fn introduce_by(&mut self, seed: &[u8; 32], address: &str) {
        assert!(self.try_introduce_by(seed, address), "the server reads");
    }

    /// As `introduce_by`. Answers whether the server still reads.
    pub fn try_introduce_by(&mut self, seed: &[u8; 32], address: &str) -> bool {
        let pair = pair(seed);
        let signature = pair.sign(&signed_text(&self.nonce, address));
        self.try_send(&ClientFrame::Identity(Identity {
            kind: KeyKind::Ed25519,
            key: pair.public_key().as_ref().to_vec().into(),
            signature: signature.as_ref().to_vec().into(),
            token: None,
        }))
    }

    /// Answers whether the server still reads.
    pub fn try_send(&mut self, frame: &ClientFrame) -> bool {
        self.socket.send(Message::binary(frame.encode())).is_ok()
    }

    pub fn send(&mut self, frame: &ClientFrame) {
        self.send_raw(Message::binary(frame.encode()));
    }

    pub fn send_raw(&mut self, message: Message) {
        self.socket.send(message).expect("the server reads");
    }

    /// Waits for as long as the connection lasts: a worker that computes in the background may have nothing to do.
    pub fn wait_for_ever(&self) {
        self.socket.get_ref().set_read_timeout(None).expect("a socket has time-outs");
    }

    /// How its device stands, once it is told; what else comes is not for this worker to act on.
    pub fn standing(&mut self) -> Standing {
        loop {
            let message = self.socket.read().expect("the connection stays");
            let Message::Binary(bytes) = message else { continue };
            if let ServerFrame::Standing(standing) = ServerFrame::decode(&bytes).expect("frames are frames") {
                return standing;
            }
        }
    }

    /// The next frame but answers to heartbeats and what its device is told of itself; `None` once the connection has ended. Silence is no end: it fails the test.
    pub fn frame(&mut self) -> Option<ServerFrame> {
        loop {
            match self.any_frame()? {
                ServerFrame::Heard => {}
                ServerFrame::Standing(standing) => self.standings.push(standing),
                frame => return Some(frame),
            }
        }
    }

    /// As `frame`, whatever it is.
    pub fn any_frame(&mut self) -> Option<ServerFrame> {
        loop {
            match self.socket.read() {
                Ok(Message::Binary(bytes)) => {
                    return Some(ServerFrame::decode(&bytes).expect("frames are frames"));
                }
                Err(tungstenite::Error::Io(error)) if error.kind() == ErrorKind::WouldBlock => {
                    panic!("nothing came for {PATIENCE:?}, and no end")
                }
                Ok(Message::Close(_)) | Err(_) => return None,
                Ok(_) => {}
            }
        }
    }

    /// Waits for the answer to a heartbeat; what comes before it is not for this worker to act on.
    pub fn await_heard(&mut self) {
        loop {
            let message = self.socket.read().expect("the connection stays");
            let Message::Binary(bytes) = message else { continue };
            if ServerFrame::decode(&bytes).expect("frames are frames") == ServerFrame::Heard {
                return;
            }
        }
    }

    /// Sends a ping and waits for its pong.
    pub fn ping(&mut self) {
        self.send_raw(Message::Ping("here?".into()));
        while !matches!(self.socket.read().expect("the connection stays"), Message::Pong(bytes) if bytes == "here?")
        {
        }
    }

    /// The next jobs, whatever else comes before them.
    pub fn jobs(&mut self) -> Vec<Assignment> {
        loop {
            match self.frame().expect("the connection stays") {
                ServerFrame::Assign { jobs, .. } => return jobs,
                ServerFrame::Verdicts(_) => {}
                other => panic!("jobs are expected, not {other:?}"),
            }
        }
    }

    /// Jobs until there are `count` of them.
    pub fn jobs_until(&mut self, count: usize) -> Vec<Assignment> {
        let mut all = Vec::new();
        while all.len() < count {
            all.extend(self.jobs());
        }
        all
    }

    /// The attempts that the server takes back next, whatever else comes before.
    pub fn revoked(&mut self) -> Vec<AttemptKey> {
        loop {
            if let ServerFrame::Revoke(keys) = self.frame().expect("the connection stays") {
                return keys;
            }
        }
    }

    /// Renews these leases, and tells how much of each job is done.
    pub fn tell(&mut self, progress: Vec<(AttemptKey, f64)>) {
        let holding = progress.iter().map(|(key, _)| *key).collect();
        self.send(&ClientFrame::Heartbeat {
            holding,
            slots: 1,
            capacity: self.capacity,
            progress,
            duty: None,
        });
    }

    pub fn job(&mut self) -> Assignment {
        let mut jobs = self.jobs();
        assert_eq!(jobs.len(), 1);
        jobs.remove(0)
    }

    /// Reports outcomes, and waits for the server's verdicts.
    pub fn report(&mut self, outcomes: Vec<(AttemptKey, Outcome)>) -> Vec<Verdict> {
        let result =
            |(key, outcome)| AttemptResult { key, outcome, slot: 0, compute_us: 1, flops: 0.0, log: None };
        self.submit(outcomes.into_iter().map(result).collect())
    }

    /// As `report`, with all that belongs to a result.
    pub fn submit(&mut self, results: Vec<AttemptResult>) -> Vec<Verdict> {
        self.send(&ClientFrame::Results { results, capacity: self.capacity });
        loop {
            match self.frame().expect("the connection stays") {
                ServerFrame::Verdicts(verdicts) => {
                    return verdicts.into_iter().map(|verdict| verdict.1).collect();
                }
                ServerFrame::Assign { .. } => {}
                other => panic!("verdicts are expected, not {other:?}"),
            }
        }
    }
}

fn pair(seed: &[u8; 32]) -> Ed25519KeyPair {
    Ed25519KeyPair::from_seed_unchecked(seed).expect("a seed of 32 bytes")
}

/// The fingerprint of the key that this seed makes.
pub fn device_of(seed: &[u8; 32]) -> ContentHash {
    ContentHash::of_parts([("ed25519", pair(seed).public_key().as_ref())])
}

/// What a job of a pool that sums numbers gives: an element is its own value, a reducer's array adds up.
pub fn sum_of(input: &[u8]) -> f64 {
    let first =
        Encoded::checked(input).expect("inputs are values").elements().expect("inputs are arrays").next();
    match first.expect("every job has an argument").value() {
        Ok(Value::Number(number)) => number,
        Ok(Value::Array(all)) => {
            let each = |value: Value| if let Value::Number(number) = value { number } else { 0.0 };
            all.into_iter().map(each).sum()
        }
        other => panic!("no job of this run has {other:?}"),
    }
}

/// An outcome with this number.
pub fn number(n: f64) -> Outcome {
    value(&Value::Number(n))
}

/// An outcome with this text.
pub fn text(text: &str) -> Outcome {
    value(&Value::String(text.into()))
}

fn value(value: &Value) -> Outcome {
    Outcome::Value(Encoded::of(value).expect("it is small").as_bytes().to_vec().into())
}

/// An outcome with this error.
pub fn thrown(message: &str) -> Outcome {
    Outcome::Error(JobError {
        kind: JobErrorKind::Thrown,
        message: message.into(),
        stack: "at weevil_main".into(),
    })
}

/// Answers every job at once until the server goes.
pub fn answer_all(mut worker: FakeWorker) {
    worker.wait_for_ever();
    while let Some(frame) = worker.frame() {
        let ServerFrame::Assign { jobs, .. } = frame else { continue };
        let results = jobs
            .iter()
            .map(|job| AttemptResult {
                key: job.key,
                outcome: number(1.0),
                slot: 0,
                compute_us: 0,
                flops: 0.0,
                log: None,
            })
            .collect();
        worker.send(&ClientFrame::Results { results, capacity: worker.capacity });
    }
}
