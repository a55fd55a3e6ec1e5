//! What certificates tell: of jobs that have ended, with their answers, and of lots. Never judges it.

use async_trait::async_trait;
use weevil_model::trust::{AssumedShare, Policy};
use weevil_model::witness::{Rank, Witness};
use weevil_model::{Agree, ContentHash, DataType, Encoded, JobId, RunId, Timestamp};
use weevil_queue::Outcome;

use crate::StoreError;
use crate::history::AnswerFate;

/// Reads for certificates, so much at a time as is asked for. What a run that has ended consists of stays as it is.
#[async_trait]
pub trait Certificates: Send + Sync {
    /// Whether any job of the run is judged.
    async fn is_judged(&self, run: RunId) -> Result<bool, StoreError>;

    /// All jobs of a run, in the order of the bytes of their paths: eight bytes for each.
    async fn by_path(&self, run: RunId) -> Result<Vec<JobId>, StoreError>;

    /// These jobs in this order; one that is gone is left out.
    async fn job_facts(&self, jobs: &[JobId]) -> Result<Vec<JobFacts>, StoreError>;

    /// The same, what they were given and what they came to.
    async fn job_values(&self, jobs: &[JobId]) -> Result<Vec<JobValues>, StoreError>;

    /// At most `most` lots of a run behind this one, in the order of their numbers.
    async fn lot_facts(&self, run: RunId, after: Option<i64>, most: u32)
    -> Result<Vec<LotFacts>, StoreError>;
}

/// A job, without its input and its value.
#[derive(Debug, Clone, PartialEq)]
pub struct JobFacts {
    pub id: JobId,
    /// Below its run; for a stand-alone job, its key.
    pub path: String,
    pub code: ContentHash,
    pub source: String,
    pub seed: u64,
    pub returns: Option<DataType>,
    /// `None` where it has not ended.
    pub outcome: Option<Outcome>,
    /// The kind of the last error of one that has failed.
    pub error: Option<String>,
    pub trust: Policy,
    /// `None` where nothing was, or an earlier release has taken it in.
    pub assumed: Option<AssumedShare>,
    /// It has the value of an equal job.
    pub is_reused: bool,
    /// When two of its answers are the same.
    pub agree: Agree<ContentHash>,
    /// The module that says whether a value is right.
    pub proof: Option<ContentHash>,
    /// A device on whose word it was believed was found wrong later.
    pub is_doubted: bool,
    /// Bytes of its input and its value together.
    pub bytes: u64,
    /// In the order in which they came.
    pub answers: Vec<AnswerFacts>,
}

/// An answer of a judged job.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AnswerFacts {
    pub witness: Witness,
    /// As it was when the copy was handed out.
    pub rank: Rank,
    pub points: u32,
    /// That of its value; `None` for an error.
    pub digest: Option<ContentHash>,
    /// The kind of an error.
    pub error: Option<String>,
    pub at: Timestamp,
    /// The lot in which it stands for its job.
    pub lot: Option<i64>,
    pub is_chosen: bool,
    /// The proof says that it is right.
    pub is_proved: bool,
    /// `None` while nothing is decided.
    pub fate: Option<AnswerFate>,
}

/// What a job was given and what it came to.
#[derive(Debug, Clone, PartialEq)]
pub struct JobValues {
    /// One array of its arguments.
    pub input: Encoded,
    pub value: Option<Encoded>,
}

/// The answers of a device for a pool.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LotFacts {
    pub id: i64,
    /// The path of the pool.
    pub node: String,
    pub device: i64,
    pub answers: u32,
    /// Whether it was accepted, or refused; `None` where its run has ended before.
    pub is_accepted: Option<bool>,
}
