//! What is kept of workflows and runs. Only records: their life is `weevil-dataflow`'s.

use std::collections::BTreeSet;

use weevil_model::trust::{AssumedShare, Policy};
use weevil_model::{ContentHash, Encoded, ProjectId, Reuse, RunId, RunPause, RunState, Timestamp, WorkerId};
use weevil_queue::RunJudgement;

use crate::facts::{Progress, RunFacts};
use crate::left_out::LeftOutEngine;

/// A workflow as it was uploaded: immutable, known by its hash.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredWorkflow {
    pub hash: ContentHash,
    pub name: String,
    /// Path and bytes of each file.
    pub files: Vec<(String, Vec<u8>)>,
    /// The hashes of those of its files that are code: volunteers are given these and no others.
    pub code: BTreeSet<ContentHash>,
    /// The newest checker that has accepted it, by its number.
    pub checked_by: u32,
    pub final_node: FinalNode,
}

/// The node of a workflow whose value is a run's result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FinalNode {
    /// An earlier release kept the workflow: its document tells, once.
    Untold,
    /// The release that looked refuses the document.
    Refused,
    Id(String),
}

/// A workflow without the bytes of its files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedWorkflow {
    /// The first name that it had in any project.
    pub name: String,
    /// By path.
    pub files: Vec<ListedFile>,
    pub final_node: FinalNode,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedFile {
    pub path: String,
    pub hash: ContentHash,
    pub bytes: u64,
}

#[derive(Debug, Clone, PartialEq)]
pub struct RunRecord {
    pub id: RunId,
    pub project: ProjectId,
    /// Who began it, as the audit names them; `None` for a run of an earlier release.
    pub created_by: Option<String>,
    pub name: String,
    pub workflow: ContentHash,
    /// Every job's seed follows from it and the node's path.
    pub seed: u64,
    pub state: RunState,
    pub created_at: Timestamp,
    /// Its jobs are not handed out.
    pub paused: Option<RunPause>,
    pub reuse: Reuse,
    /// From which answers on its values are believed, where it was started with that: `None` as its workflow says.
    pub trust: Option<Policy>,
    /// The share of all work that liars are assumed to do, from its start to its end; `None` where nothing of it is judged, and for a
    /// run of an earlier release.
    pub assumed: Option<AssumedShare>,
    /// Engines that get no more of some code of it.
    pub left_out: Vec<LeftOutEngine>,
    /// Jobs of it that are doubted: see `JobRecord::is_doubted`.
    pub doubted: u64,
    pub retrace: Retrace,
    /// What its jobs were believed on so far.
    pub judgement: RunJudgement,
    pub end: Option<RunEnd>,
    /// What its row holds that this binary cannot read; something stands in for it here.
    pub unread: Option<String>,
}

/// Whether something of a run was ever reopened that its executors knew the end of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Retrace {
    Never,
    /// They do not know of it yet.
    Due,
    /// They have begun anew.
    Begun,
}

impl RunRecord {
    /// Stands in for an open run whose row cannot be read.
    pub fn unread(id: RunId, what: String) -> Self {
        Self {
            id,
            project: ProjectId::DEFAULT,
            created_by: None,
            name: id.to_string(),
            workflow: ContentHash::from_bytes([0; 32]),
            seed: 0,
            state: RunState::Started,
            created_at: Timestamp::default(),
            paused: None,
            reuse: Reuse::default(),
            trust: None,
            assumed: None,
            left_out: Vec::new(),
            doubted: 0,
            retrace: Retrace::Never,
            judgement: RunJudgement::default(),
            end: None,
            unread: Some(what),
        }
    }

    pub fn head(&self) -> RunHead {
        RunHead {
            id: self.id,
            project: self.project,
            name: self.name.clone(),
            workflow: self.workflow,
            state: self.state,
            created_at: self.created_at,
            finished_at: self.end.as_ref().map(|end| end.at),
            paused: self.paused.clone().filter(|_| self.end.is_none()),
            trust: self.trust,
            doubted: self.doubted,
        }
    }
}

/// What a run is, and whether it goes on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunHead {
    pub id: RunId,
    pub project: ProjectId,
    pub name: String,
    pub workflow: ContentHash,
    pub state: RunState,
    pub created_at: Timestamp,
    pub finished_at: Option<Timestamp>,
    /// Its jobs are not handed out. Never so of a run that has ended.
    pub paused: Option<RunPause>,
    /// What it was started with, where its workflow does not say it.
    pub trust: Option<Policy>,
    /// Jobs of it that are doubted.
    pub doubted: u64,
}

/// A run in a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedRun {
    pub head: RunHead,
    pub progress: Progress,
}

/// What replaces a value node in one run: node id and value.
pub type RunInput = (String, Encoded);

/// What is paused or resumed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// Nothing is handed out.
    Queue,
    /// Nothing of this run is.
    Run(RunId),
}

/// The end of a run.
#[derive(Debug, Clone, PartialEq)]
pub struct RunEnd {
    pub state: RunState,
    pub at: Timestamp,
    pub result: Option<Encoded>,
    pub facts: RunFacts,
}

/// What one step of turning old views into facts has come to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Turned {
    /// The last run of the step; `None` where no view is left behind the one it began at.
    pub last: Option<RunId>,
    pub runs: u32,
    /// Runs whose view cannot be read, and why.
    pub unreadable: Vec<(RunId, String)>,
}

/// What one step of forgetting has removed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Forgotten {
    pub jobs: u64,
    /// The run that these were the last jobs of.
    pub run: Option<RunId>,
}

/// Completed jobs that took about equally long.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct JobTimes {
    pub compute_us: u64,
    pub jobs: u32,
}

/// What the completed attempts of a run add up to, in one slot of one worker.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SlotTotals {
    pub worker: WorkerId,
    pub slot: u32,
    pub jobs: u32,
    pub compute_us: u64,
    pub flops: f64,
    pub first_claim: Timestamp,
    pub last_result: Timestamp,
}
