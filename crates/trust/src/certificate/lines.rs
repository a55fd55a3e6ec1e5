//! The lines of a certificate, with the keys of each in the order in which they are written.
//!
//! A line has one form alone: what reads back as the same line but is written otherwise, with a blank or in another order, is
//! none. Never judges what a line says. The page for people: docs/certificate.md.

use serde::{Deserialize, Serialize};
use weevil_model::trust::{AssumedShare, Policy};
use weevil_model::witness::{Engine, Rank};
use weevil_model::{Agree, ContentHash, DataType, RunId, RunState};

use super::word::{self, Number, PublicKey, Signature, Word};

/// Bytes of one line at most, without its end.
pub const MAX_LINE_BYTES: usize = 16 * 1024 * 1024;
/// What a certificate of this form calls itself.
const FORMAT: &str = "weevil certificate 1";

/// One line.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Line {
    Head(HeadLine),
    Job(JobLine),
    Lot(LotLine),
    End(EndLine),
}

/// The first line: what was run, and under which promises.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct HeadLine {
    #[serde(with = "word")]
    pub format: Format,
    /// Whose signature the end bears.
    #[serde(with = "word")]
    pub key: PublicKey,
    /// `None` for a job that stands alone, like the next three.
    #[serde(with = "word::maybe")]
    pub run: Option<RunId>,
    #[serde(with = "word::maybe")]
    pub workflow: Option<ContentHash>,
    /// The path of the workflow's document in its bundle.
    pub document: Option<String>,
    #[serde(with = "word::maybe")]
    pub seed: Option<Number>,
    /// Values that the run was given in the place of those of the document, in the order of the nodes' ids.
    pub inputs: Vec<InputEntry>,
    /// What the run was started with; `None` where each job's policy is that of its element, its workflow or the server.
    #[serde(with = "word::maybe")]
    pub policy: Option<Policy>,
    /// The share of all work that liars are assumed to do at most, from the start of the run to its end.
    #[serde(with = "word")]
    pub assumed: AssumedShare,
    /// What follows from `policy` and `assumed`; `None` without a credible policy, or where no plan is enough.
    pub plan: Option<PlanEntry>,
    /// Milliseconds since 1970.
    pub started: i64,
    pub ended: i64,
}

/// The format of the lines that this module knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Format;

impl Word for Format {
    fn word(&self) -> String {
        FORMAT.to_owned()
    }

    fn of_word(text: &str) -> Option<Self> {
        (text == FORMAT).then_some(Self)
    }
}

/// A value of a run's own.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct InputEntry {
    /// The id of a value node.
    pub node: String,
    #[serde(with = "word")]
    pub digest: ContentHash,
}

/// What a credible policy asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlanEntry {
    /// Answers from which on a lot has answers that nobody else computes.
    pub small: Option<u32>,
    /// Devices that have to agree on an answer that is a lot by itself.
    pub devices: u32,
    /// Answers after which a lot is closed.
    pub lot: u32,
}

/// A job: what it was to compute, what is believed, and on whose word.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct JobLine {
    /// Below its run, as in thesis 3.4.2. Lines of jobs are in the order of the bytes of their paths.
    pub path: String,
    #[serde(with = "word")]
    pub code: ContentHash,
    /// The path of the source file in the bundle.
    pub source: String,
    #[serde(with = "word")]
    pub seed: Number,
    /// The digest of each argument; for a reducer's array the SHA-256 of the digests of its elements, in their order.
    #[serde(with = "word::many")]
    pub inputs: Vec<ContentHash>,
    #[serde(with = "word::maybe")]
    pub returns: Option<DataType>,
    /// The digest of the value that is believed.
    #[serde(with = "word::maybe")]
    pub digest: Option<ContentHash>,
    /// The kind of the error that the job has ended with.
    pub error: Option<String>,
    #[serde(with = "word")]
    pub policy: Policy,
    #[serde(with = "word")]
    pub agree: Agree<ContentHash>,
    /// The module that says whether a value is right; left out where there is none.
    #[serde(default, with = "word::maybe", skip_serializing_if = "Option::is_none")]
    pub proof: Option<ContentHash>,
    /// `None` where nothing is believed: the job was cancelled or given up, or no worker could compute it.
    pub basis: Option<StatedBasis>,
    /// A device on whose word it was believed was found wrong later.
    pub doubted: bool,
    /// In the order in which they came.
    pub answers: Vec<AnswerEntry>,
}

/// What a job's value, or its error, stands on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum StatedBasis {
    /// The first value of the right type: the policy is `none`.
    None,
    /// The value of an earlier run.
    Reused,
    /// A device that an admin has marked.
    Trusted,
    /// The server has computed it itself.
    Referee,
    /// The workflow's own proof says that it is right.
    Proved,
    /// Devices that agree.
    Agreed,
    /// The lot of its device.
    Lot,
}

/// What one attempt has given.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AnswerEntry {
    /// A pseudonym, the same in the whole certificate and another one in the next. `None` without a key.
    #[serde(with = "word::maybe")]
    pub device: Option<Number>,
    /// From 1 on, in the order in which they are first named. `None` for addresses that everybody has at home.
    pub network: Option<u32>,
    #[serde(with = "word")]
    pub engine: Engine,
    /// As it was when the copy was handed out. An answer without points counts as a newcomer's, whoever gave it.
    #[serde(with = "word")]
    pub rank: Rank,
    pub points: u32,
    pub role: Role,
    #[serde(with = "word::maybe")]
    pub digest: Option<ContentHash>,
    /// The kind of an error, where it is no value.
    pub error: Option<String>,
    /// When it came, milliseconds since 1970.
    pub at: i64,
    /// The lot in which it stands for its job.
    #[serde(with = "word::maybe")]
    pub lot: Option<Number>,
    /// Chance has chosen it among the answers of its lot.
    pub chosen: bool,
    pub fate: AnswerFate,
}

/// What an answer was asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// It is the first one of its job.
    First,
    /// It is compared with those before it.
    Check,
    /// The server has computed it.
    Referee,
}

/// What became of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum AnswerFate {
    /// It is what is believed, or near it.
    Agreed,
    /// Another answer was believed.
    Refuted,
    /// Its device was wrong elsewhere.
    Void,
    /// The job had another input when it came, or what it said within a tolerance is not kept. It counts in its lot alone.
    Stale,
    /// Nothing is decided.
    Open,
}

/// The answers of one device for one pool, believed or refused together. Lines of lots are in the order of their numbers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LotLine {
    #[serde(with = "word")]
    pub lot: Number,
    #[serde(with = "word")]
    pub device: Number,
    /// The path of the pool.
    pub node: String,
    pub answers: u32,
    /// How many of so many answers have to be chosen by chance.
    pub k: u32,
    /// Chosen answers that others have agreed with.
    pub passed: u32,
    pub fate: LotFate,
}

/// What became of a lot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LotFate {
    Accepted,
    /// Its device was found wrong.
    Refused,
    /// The run has ended before.
    Open,
}

/// The last line: what came of it all, and the signature.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EndLine {
    pub state: RunState,
    /// The digest of the run's result.
    #[serde(with = "word::maybe")]
    pub result: Option<ContentHash>,
    pub counts: Counts,
    /// The share of values believed under a credible policy that is expected to be wrong at most; `None` without any.
    pub bound: Option<f64>,
    /// The hash of all lines before this one.
    #[serde(with = "word")]
    pub root: ContentHash,
    /// What it signs is this line without it: see [`EndLine::message`].
    #[serde(with = "word")]
    pub signature: Signature,
}

/// How many there are of what the lines tell.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    pub jobs: u64,
    pub answers: u64,
    pub refuted: u64,
    pub void: u64,
    pub doubted: u64,
    pub lots: u64,
    pub believed: Believed,
}

/// Jobs by what their values stand on.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Believed {
    pub none: u64,
    pub reused: u64,
    pub trusted: u64,
    pub referee: u64,
    pub proved: u64,
    pub agreed: u64,
    pub lot: u64,
}

impl Line {
    /// As it stands in the file, without the end of the line.
    pub fn text(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }

    /// # Errors
    /// It is no line, or one that is written otherwise: why, for people.
    pub fn read(text: &[u8]) -> Result<Self, String> {
        let line: Self = serde_json::from_slice(text).map_err(|error| error.to_string())?;
        let written = line.text();
        if written.as_bytes() == text {
            return Ok(line);
        }
        let same = written.bytes().zip(text).take_while(|(one, other)| one == *other).count();
        Err(format!("another form of the same line from byte {} on", same + 1))
    }
}

impl EndLine {
    /// What is signed: the line without its signature.
    pub fn message(&self) -> Vec<u8> {
        let text = Line::End(self.clone()).text();
        let signed = text.rsplit_once(",\"signature\":").map_or(&*text, |(signed, _)| signed);
        format!("{signed}}}}}").into_bytes()
    }
}
