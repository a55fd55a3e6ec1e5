//! What a node is to do, as a checked workflow and a plan both say it. Never where it stands in the graph.

use std::sync::Arc;

use weevil_model::trust::Policy;
use weevil_model::{Agree, ContentHash, DataType, Encoded, JobType, Within, is_kernel_file};

/// What a node does to get its value.
#[derive(Debug, Clone, PartialEq)]
pub enum NodeBody {
    Value(Encoded),
    Job(Arc<JobSpec>),
    /// Each element of the port's Array goes to a processor, all results in the same order to the reducer.
    Pool {
        processor: Arc<JobSpec>,
        reducer: Arc<JobSpec>,
    },
}

impl NodeBody {
    /// The work that it asks of others, in the order in which it is done.
    pub fn specs(&self) -> impl Iterator<Item = &Arc<JobSpec>> {
        let (first, second) = match self {
            Self::Value(_) => (None, None),
            Self::Job(job) => (Some(job), None),
            Self::Pool { processor, reducer } => (Some(processor), Some(reducer)),
        };
        first.into_iter().chain(second)
    }
}

/// A named input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Port {
    pub id: Box<str>,
    pub data_type: DataType,
}

/// The work of a job, processor or reducer node.
#[derive(Debug, Clone, PartialEq)]
pub struct JobSpec {
    pub id: Arc<str>,
    pub job_type: JobType,
    /// The hash of the source file's bytes.
    pub code: ContentHash,
    /// The source file's path in the bundle.
    pub source: Arc<str>,
    pub ports: Arc<[Port]>,
    pub return_type: DataType,
    /// Higher goes first.
    pub priority: i32,
    pub timeout_seconds: u32,
    /// `retries` and the first try.
    pub attempts: u32,
    /// The job is told a time that stands still, wherever it runs.
    pub deterministic: bool,
    /// From which answers on its value is believed: what the element says, else the workflow; `None` where neither does.
    pub trust: Option<Policy>,
    /// When two answers are the same, where they are compared.
    pub agree: Agree<ContentHash>,
    /// Whose answers are compared; everybody's where it says nothing.
    pub within: Option<Within>,
    /// The module that tells whether a result is right.
    pub proof: Option<ContentHash>,
    /// The code reads neither `Math.random` nor `Date`, `performance`, `crypto` or `Temporal`, so the same inputs give
    /// the same value: what a run that takes over stored results relies on. What `eval` is given is not looked into;
    /// code that cannot be read counts as not repeatable.
    pub repeatable: bool,
}

impl JobSpec {
    /// Whether the source is a kernel itself, which a GPU runs without any JavaScript of the workflow's.
    pub fn is_kernel(&self) -> bool {
        self.job_type == JobType::WebCl && is_kernel_file(&self.source)
    }
}
