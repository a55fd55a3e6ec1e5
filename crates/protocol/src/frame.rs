//! The frames of the worker's WebSocket, each one CBOR array (RFC 8949) in one binary message.
//!
//! Fields have numbers: a reader skips numbers it does not know, so fields can be added without a new version.

use std::fmt;

use minicbor::bytes::ByteVec;
use minicbor::{Decode, Encode};

use crate::bounded;
pub use crate::code_kind::CodeKind;
pub use crate::hello::Hello;
use crate::standing::Standing;

/// Names one attempt. The token is the proof that its holder was given the job.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Encode, Decode)]
pub struct AttemptKey {
    /// `JobId::number` of the job.
    #[n(0)]
    pub job: i64,
    /// Fencing token: a random number that no other attempt has.
    #[n(1)]
    pub token: i64,
}

/// What a worker says.
#[derive(Debug, Clone, PartialEq, Encode, Decode)]
pub enum ClientFrame {
    /// First of all.
    #[n(0)]
    Hello(#[n(0)] Hello),
    /// Ended attempts, and how many jobs the worker now wants to hold.
    #[n(1)]
    Results {
        #[cbor(n(0), decode_with = "bounded::list")]
        results: Vec<AttemptResult>,
        #[n(1)]
        capacity: u32,
    },
    /// Renews the leases of these attempts.
    #[n(2)]
    Heartbeat {
        #[cbor(n(0), decode_with = "bounded::list")]
        holding: Vec<AttemptKey>,
        #[n(1)]
        slots: u32,
        #[n(2)]
        capacity: u32,
        /// How much of a job is done, 0 to 1, for attempts whose code has told; left out where none has.
        #[cbor(n(3), skip_if = "Vec::is_empty", decode_with = "bounded::list")]
        progress: Vec<(AttemptKey, f64)>,
        /// The share of its time, in percent, that each slot computes; left out where that is all of it.
        #[n(4)]
        duty: Option<u32>,
    },
    /// Gives attempts back unfinished.
    #[n(3)]
    Yield {
        #[cbor(n(0), decode_with = "bounded::list")]
        attempts: Vec<AttemptKey>,
        #[n(1)]
        capacity: u32,
    },
    /// Leaves for good.
    #[n(4)]
    Bye,
    /// Who it is: once, by a worker whose welcome had a nonce, and only by one that wants to be known again.
    #[n(5)]
    Identity(#[n(0)] Identity),
}

impl ClientFrame {
    /// How many attempts it names: what it costs to read.
    pub fn names(&self) -> usize {
        match self {
            Self::Results { results, .. } => results.len(),
            Self::Heartbeat { holding, progress, .. } => holding.len() + progress.len(),
            Self::Yield { attempts, .. } => attempts.len(),
            Self::Hello(_) | Self::Bye | Self::Identity(_) => 0,
        }
    }
}

/// A device key, and its signature of `identity::signed_text`.
#[derive(Debug, Clone, PartialEq, Eq, Encode, Decode)]
pub struct Identity {
    #[n(0)]
    pub kind: KeyKind,
    /// The public key as `WebCrypto` exports it raw: 32 bytes, or 65 (uncompressed point).
    #[n(1)]
    pub key: ByteVec,
    /// 64 bytes.
    #[n(2)]
    pub signature: ByteVec,
    /// It makes the device trusted, where somebody has made it who may mark devices.
    #[n(3)]
    pub token: Option<Token>,
}

/// Words that prove what somebody may do; never in a log.
#[derive(Clone, PartialEq, Eq, Encode, Decode)]
#[cbor(transparent)]
pub struct Token(#[n(0)] pub String);

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token")
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Encode, Decode)]
#[cbor(index_only)]
pub enum KeyKind {
    /// RFC 8032.
    #[n(0)]
    Ed25519,
    /// ECDSA over P-256 with SHA-256, the signature as r and s (IEEE P1363).
    #[n(1)]
    P256,
}

#[derive(Debug, Clone, PartialEq, Encode, Decode)]
pub struct AttemptResult {
    #[n(0)]
    pub key: AttemptKey,
    #[n(1)]
    pub outcome: Outcome,
    #[n(2)]
    pub slot: u32,
    /// Microseconds inside `weevil_main`.
    #[n(3)]
    pub compute_us: u64,
    /// Floating-point operations that the job counted itself.
    #[n(4)]
    pub flops: f64,
    /// What the job's code has logged: lines for people, however the attempt ended. `None` where it has said nothing.
    #[cbor(n(5), decode_with = "bounded::log", nil = "bounded::absent")]
    pub log: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Encode, Decode)]
pub enum Outcome {
    /// The returned value in CBOR.
    #[n(0)]
    Value(#[n(0)] ByteVec),
    #[n(1)]
    Error(#[n(0)] JobError),
}

/// Why an attempt ended without a value.
#[derive(Debug, Clone, PartialEq, Eq, Encode, Decode)]
pub struct JobError {
    #[n(0)]
    pub kind: JobErrorKind,
    #[cbor(n(1), decode_with = "bounded::words")]
    pub message: String,
    #[cbor(n(2), decode_with = "bounded::words")]
    pub stack: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Encode, Decode)]
#[cbor(index_only)]
pub enum JobErrorKind {
    /// The code threw.
    #[n(0)]
    Thrown,
    /// The code ran longer than its timeout and was terminated.
    #[n(1)]
    Timeout,
    /// The result is larger than a value may be.
    #[n(2)]
    TooLarge,
    /// The result is a function, a symbol, a cycle: nothing that can travel.
    #[n(3)]
    NotAValue,
    /// The code defines no function `weevil_main`.
    #[n(4)]
    NoMain,
    /// The code does not parse.
    #[n(5)]
    Syntax,
    /// The job worker ended by itself.
    #[n(6)]
    Crashed,
}

impl JobErrorKind {
    pub const ALL: [Self; 7] = [
        Self::Thrown,
        Self::Timeout,
        Self::TooLarge,
        Self::NotAValue,
        Self::NoMain,
        Self::Syntax,
        Self::Crashed,
    ];

    /// The stable text form, in the store and on pages.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Thrown => "thrown",
            Self::Timeout => "timeout",
            Self::TooLarge => "tooLarge",
            Self::NotAValue => "notAValue",
            Self::NoMain => "noMain",
            Self::Syntax => "syntax",
            Self::Crashed => "crashed",
        }
    }
}

/// What the server says.
#[derive(Debug, Clone, PartialEq, Encode, Decode)]
pub enum ServerFrame {
    #[n(0)]
    Welcome(#[n(0)] Welcome),
    /// Jobs to run, and once for all of them the code they name.
    #[n(1)]
    Assign {
        #[n(0)]
        codes: Vec<CodeRef>,
        #[n(1)]
        jobs: Vec<Assignment>,
    },
    /// The answer to each result, after it was stored.
    #[n(2)]
    Verdicts(#[n(0)] Vec<(AttemptKey, Verdict)>),
    /// The server no longer wants these attempts: stop them, send nothing.
    #[n(3)]
    Revoke(#[n(0)] Vec<AttemptKey>),
    /// The connection ends, and why.
    #[n(4)]
    Refused {
        #[n(0)]
        message: String,
        /// The page is of another version: reload it.
        #[n(1)]
        reload: bool,
    },
    /// The server is about to end: hand in what runs, give back what waits, ask for nothing. A worker that skips this
    /// frame loses nothing but the way to be asked.
    #[n(5)]
    Drain {
        /// Milliseconds until connections close, at most.
        #[n(0)]
        within_ms: u32,
    },
    /// From the next heartbeat on, send one so often: there are many workers now, or fewer again. Leases are as much
    /// longer. A worker that skips this frame loses nothing, it only says more than it needs to.
    #[n(6)]
    Pace {
        #[n(0)]
        heartbeat_ms: u32,
    },
    /// The answer to a heartbeat, at once: the way is open in both directions. A worker that skips this frame only learns
    /// later that it is not.
    #[n(7)]
    Heard,
    /// How the worker's device stands, when that has changed. A worker that skips this frame only cannot show it.
    #[n(8)]
    Standing(#[n(0)] Standing),
    /// The connection ends for good, and why: nothing comes of connecting anew. A worker that skips this frame hears it each time that
    /// it does.
    #[n(9)]
    SentAway {
        #[n(0)]
        message: String,
    },
}

#[derive(Debug, Clone, PartialEq, Encode, Decode)]
pub struct Welcome {
    #[n(0)]
    pub version: u32,
    /// `WorkerId` in its text form.
    #[n(1)]
    pub worker: String,
    /// A lease that no heartbeat renews ends after this many milliseconds.
    #[n(2)]
    pub lease_ms: u32,
    #[n(3)]
    pub heartbeat_ms: u32,
    #[n(4)]
    pub max_value_bytes: u64,
    /// To be signed by a worker that wants to be known again; new for every connection.
    #[n(5)]
    pub nonce: Option<ByteVec>,
}

/// Where a job's code is, and for whom it runs.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Encode, Decode)]
pub struct CodeRef {
    /// SHA-256 of the workflow: jobs of different workflows never share a job worker.
    #[cbor(n(0), with = "minicbor::bytes")]
    pub workflow: [u8; 32],
    /// SHA-256 of the code; the bytes are at `/blobs/<hex>`.
    #[cbor(n(1), with = "minicbor::bytes")]
    pub code: [u8; 32],
    #[n(2)]
    pub workflow_name: String,
    /// The code's file name, for stack traces.
    #[n(3)]
    pub source: String,
    /// What the bytes are; left out they are JavaScript.
    #[n(4)]
    pub kind: Option<CodeKind>,
}

impl CodeRef {
    pub fn kind(&self) -> CodeKind {
        self.kind.unwrap_or_default()
    }
}

#[derive(Debug, Clone, PartialEq, Encode, Decode)]
pub struct Assignment {
    #[n(0)]
    pub key: AttemptKey,
    /// Index into the frame's `codes`.
    #[n(1)]
    pub code: u32,
    /// One CBOR array: the arguments of `weevil_main` in the order of the ports.
    #[n(2)]
    pub input: ByteVec,
    /// Seeds `Math.random`: the same for every attempt of the job.
    #[n(3)]
    pub seed: u64,
    #[n(4)]
    pub timeout_ms: u32,
    /// The clock stands still for it; only a worker that has said it can do that is given such jobs.
    #[n(5)]
    pub deterministic: Option<bool>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Encode, Decode)]
#[cbor(index_only)]
pub enum Verdict {
    /// Stored; it will not be asked for again.
    #[n(0)]
    Accepted,
    /// Another attempt has the job or ended it: this one changed nothing.
    #[n(1)]
    Superseded,
    /// No such attempt was ever handed out.
    #[n(2)]
    Unknown,
}
