//! Asking for jobs. "The server responds with a message that can be either empty if there are no jobs, or a triplet
//! that contains the workflow ID, job ID, and the job itself" (thesis 3.8); here one triplet or several.

use weevil_model::{ContentHash, JobType};

use super::element::Element;
use super::error::PlainError;
use super::fields::Fields;
use super::{Pass, key};
use crate::BLOBS_PATH;
use crate::frame::AttemptKey;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dequeue {
    pub pass: Pass,
    /// Jobs wanted at most.
    pub max: u32,
    /// How long the server may wait for a job before it answers that there is none.
    pub wait_ms: Option<u32>,
}

impl Dequeue {
    pub(super) fn read(root: &Element) -> Result<Self, PlainError> {
        let mut fields = Fields::named(root, "dequeue")?;
        let pass = Pass::read(&mut fields)?;
        let max = fields.optional("max")?.unwrap_or(1);
        let wait_ms = fields.optional("wait_ms")?;
        if max == 0 {
            return Err(fields.refuse("`max` is 0", "ask for one job at least, or do not ask"));
        }
        fields.finish_empty().map(|()| Self { pass, max, wait_ms })
    }

    pub(super) fn element(&self) -> Element {
        let dequeue = self.pass.write(Element::new("dequeue")).with("max", &self.max);
        dequeue.with_some("wait_ms", self.wait_ms)
    }
}

/// The answer: no jobs, one or several.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Jobs {
    /// How long to wait after a dequeue that brought nothing; may change while the server runs.
    pub dequeue_ms: u32,
    /// How many jobs to ask for with the next dequeue; as now. A hint: the server has many workers to serve.
    pub batch: u32,
    pub jobs: Vec<Job>,
}

impl Jobs {
    pub(super) fn read(root: &Element) -> Result<Self, PlainError> {
        let mut fields = Fields::named(root, "jobs")?;
        let jobs = key::list(fields.children(&["job"])?, Job::read)?;
        let batch = fields.optional("batch")?.unwrap_or(1);
        Ok(Self { dequeue_ms: fields.required("dequeue_ms")?, batch, jobs })
    }

    pub(super) fn element(&self) -> Element {
        let jobs = Element::new("jobs").with("dequeue_ms", &self.dequeue_ms).with("batch", &self.batch);
        jobs.holding(self.jobs.iter().map(Job::element))
    }
}

/// One attempt at a job.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Job {
    /// Jobs of different workflows must not see each other.
    pub workflow: ContentHash,
    pub key: AttemptKey,
    /// Milliseconds until the lease ends, unless a heartbeat renews it.
    pub deadline_ms: u32,
    pub job_type: JobType,
    /// The bytes are at `/blobs/<hash>`.
    pub code: ContentHash,
    /// The code's file name, for stack traces.
    pub src: String,
    /// Seeds `Math.random`: the same for every attempt of the job.
    pub seed: u64,
    pub timeout_ms: u32,
    /// An array of the arguments of `weevil_main`, in the form that the worker chose.
    pub arguments: String,
}

impl Job {
    fn read(element: &Element) -> Result<Self, PlainError> {
        let mut fields = Fields::of(element);
        let mut described = fields.child("job_description")?;
        Ok(Self {
            workflow: fields.required("workflow_id")?,
            key: key::read(&mut fields)?,
            deadline_ms: fields.required("deadline_ms")?,
            job_type: job_type(&mut described)?,
            code: described.required("code")?,
            src: described.required("src")?,
            seed: described.required("seed")?,
            timeout_ms: described.required("timeout_ms")?,
            arguments: fields.child("arguments")?.text()?.to_owned(),
        })
    }

    fn element(&self) -> Element {
        let described = Element::new("job_description")
            .with("job_type", &self.job_type)
            .with("src", &self.src)
            .with("code", &self.code)
            .with("url", &format!("{BLOBS_PATH}/{}", self.code))
            .with("seed", &self.seed)
            .with("timeout_ms", &self.timeout_ms);
        let arguments = Element::new("arguments").saying(&self.arguments);
        key::write(Element::new("job").with("workflow_id", &self.workflow), self.key)
            .with("deadline_ms", &self.deadline_ms)
            .holding([described, arguments])
    }
}

fn job_type(described: &mut Fields<'_>) -> Result<JobType, PlainError> {
    let found: String = described.required("job_type")?;
    JobType::parse(&found).ok_or_else(|| {
        let known: Vec<_> = JobType::ALL.iter().map(|known| known.as_str()).collect();
        described.refuse("`job_type` is not known", format!("{} are known", known.join(", ")))
    })
}
