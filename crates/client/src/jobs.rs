//! Jobs and the queue: what becomes of them, what they log, what they are given and what they come to.
//!
//! Spells no path: the table of `weevil-api` does.

use std::fmt::Display;
use std::io::Read;

use weevil_api::routes::{Operation, search};
use weevil_api::{JobAsked, JobHistory, JobKept, JobPage, JobResult, LogPage, NoteAsked, QueueView};
use weevil_model::NodeState;
use weevil_model::limits::MAX_FRAME_BYTES;

use crate::Server;
use crate::operations::{Answered, page, reader};

/// Which jobs of a run or a queue; all of them by default.
#[derive(Debug, Clone, Copy, Default)]
pub struct JobFilter<'a> {
    /// What their path, worker or error has in it.
    pub text: Option<&'a str>,
    pub state: Option<NodeState>,
    /// Id of their node; those of a queue have none.
    pub node: Option<&'a str>,
    /// Those alone that went wrong at least once.
    pub failed: bool,
}

impl<'a> JobFilter<'a> {
    /// What both kinds of lists are asked.
    fn fits<'s>(&'s self, state: Option<&'s &'a str>) -> [(&'s str, Option<&'s dyn Display>); 3] {
        [
            ("q", self.text.as_ref().map(|text| text as _)),
            ("state", state.map(|state| state as _)),
            ("failed", self.failed.then_some(&self.failed as _)),
        ]
    }
}

/// Jobs and the queue.
impl Server {
    /// A page of a run's jobs, those behind what `after` marks.
    ///
    /// # Errors
    /// There is no such run, or no such node.
    pub fn run_jobs(
        &self,
        run: &dyn Display,
        asked: &JobFilter<'_>,
        after: Option<&str>,
    ) -> Answered<JobPage> {
        let node = ("node", asked.node.as_ref().map(|node| node as _));
        let state = asked.state.map(NodeState::as_str);
        let [text, state, failed] = asked.fits(state.as_ref());
        self.get(&(Operation::RunJobs.path(&[run]) + &page(&[text, state, node, failed], after)))
    }

    /// What a run's jobs have logged, behind what a page before said: its `next`, or its `end` for what comes later.
    ///
    /// # Errors
    /// There is no such run.
    pub fn run_log(&self, run: &dyn Display, after: Option<&str>) -> Answered<LogPage> {
        self.get(&(Operation::RunLog.path(&[run]) + &page(&[], after)))
    }

    /// Puts in a stand-alone job.
    ///
    /// # Errors
    /// The server's words, with a line for each mistake in the code.
    pub fn submit_job(&self, job: &JobAsked) -> Answered<JobKept> {
        self.post_json(&(Operation::SubmitJobs.path(&[]) + &self.inside()), job)
    }

    /// A page of a queue's stand-alone jobs, those behind what `after` marks.
    ///
    /// # Errors
    /// In words for people.
    pub fn queued_jobs(
        &self,
        queue: &str,
        asked: &JobFilter<'_>,
        sort: Option<&str>,
        after: Option<&str>,
    ) -> Answered<JobPage> {
        let sort = ("sort", sort.as_ref().map(|sort| sort as _));
        let state = asked.state.map(NodeState::as_str);
        let [text, state, failed] = asked.fits(state.as_ref());
        let fits = [self.named_project(), ("queue", Some(&queue)), text, state, failed, sort];
        let query = page(&fits, after);
        self.get(&(Operation::ListJobs.path(&[]) + &query))
    }

    /// The jobs whose ids begin so, of runs or not.
    ///
    /// # Errors
    /// In words for people; also where more jobs begin so than a page has.
    pub fn jobs_that_begin(&self, text: &str) -> Answered<JobPage> {
        let query = page(&[self.named_project(), ("q", Some(&text))], None);
        self.get(&(Operation::ListJobs.path(&[]) + &query))
    }

    /// A job and its newest attempts, or the newest before the one with the number `before`.
    ///
    /// # Errors
    /// There is no such job.
    pub fn job(&self, job: &dyn Display, before: Option<u32>) -> Answered<JobHistory> {
        let query = search(&[("before", before.as_ref().map(|before| before as _))]);
        self.get(&(Operation::ShowJob.path(&[job]) + &query))
    }

    /// How a job stands; with `wait_ms` once it has ended or so many milliseconds are over.
    ///
    /// # Errors
    /// There is no such job.
    pub fn job_result(&self, job: &dyn Display, wait_ms: Option<u32>) -> Answered<JobResult> {
        let query = search(&[("waitMs", wait_ms.as_ref().map(|wait| wait as _))]);
        self.get(&(Operation::JobResult.path(&[job]) + &query))
    }

    /// The certificate of a stand-alone job, as it comes.
    ///
    /// # Errors
    /// There is no such job, it has not ended, or it was not judged.
    pub fn job_certificate(&self, job: &dyn Display) -> Answered<Box<dyn Read>> {
        self.open(&Operation::JobCertificate.path(&[job])).map(reader)
    }

    /// What a job was given: CBOR, one array of its arguments.
    ///
    /// # Errors
    /// There is no such job.
    pub fn job_input(&self, job: &dyn Display) -> Answered<Vec<u8>> {
        self.bytes(&Operation::JobInput.path(&[job]))
    }

    /// The code with this hash.
    ///
    /// # Errors
    /// There is none.
    pub fn code(&self, hash: &dyn Display) -> Answered<Vec<u8>> {
        self.bytes(&Operation::Blob.path(&[hash]))
    }

    fn bytes(&self, path: &str) -> Answered<Vec<u8>> {
        let mut bytes = Vec::new();
        let body = self.open(path).map(reader)?;
        body.take(MAX_FRAME_BYTES as u64).read_to_end(&mut bytes).map_err(|error| error.to_string())?;
        Ok(bytes)
    }

    /// Ends a stand-alone job; answers how it has ended, which may be otherwise.
    ///
    /// # Errors
    /// There is no such job, or it belongs to a run.
    pub fn cancel_job(&self, job: &dyn Display) -> Answered<JobResult> {
        self.post_nothing(&Operation::CancelJob.path(&[job]))
    }

    /// How much waits and runs.
    ///
    /// # Errors
    /// In words for people.
    pub fn queue(&self) -> Answered<QueueView> {
        self.get(&Operation::ShowQueue.path(&[]))
    }

    /// Nothing at all is handed out.
    ///
    /// # Errors
    /// In words for people.
    pub fn pause_queue(&self, asked: &NoteAsked) -> Answered<QueueView> {
        self.post_json(&Operation::PauseQueue.path(&[]), asked)
    }

    /// Jobs are handed out again.
    ///
    /// # Errors
    /// In words for people.
    pub fn resume_queue(&self) -> Answered<QueueView> {
        self.post_nothing(&Operation::ResumeQueue.path(&[]))
    }

    /// Lets the jobs of a stopped code go, in this queue.
    ///
    /// # Errors
    /// In words for people.
    pub fn resume_code(&self, queue: &str, code: &dyn Display) -> Answered<QueueView> {
        let query = search(&[self.named_project(), ("queue", Some(&queue))]);
        self.post_nothing(&(Operation::ResumeCode.path(&[code]) + &query))
    }
}
