//! Workflows that the server keeps.

use serde::{Deserialize, Serialize};
use ts_rs::TS;
use weevil_model::RunState;

use crate::DiagnosticView;

/// Answer to `POST /api/v1/workflows`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct WorkflowKept {
    /// Content hash of the workflow.
    pub workflow: String,
    pub name: String,
    pub warnings: Vec<DiagnosticView>,
}

/// Answer to `GET /api/v1/workflows`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct WorkflowPage {
    /// The name with the newest version first; one may come again on the next page, with older versions.
    pub workflows: Vec<NamedWorkflowView>,
    /// What to send as `after` for the next page; `null` where this is the last.
    pub next: Option<String>,
}

/// A name that workflows were uploaded under.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct NamedWorkflowView {
    pub name: String,
    /// Newest first.
    pub versions: Vec<WorkflowVersionView>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct WorkflowVersionView {
    /// Content hash.
    pub workflow: String,
    /// When it was first uploaded under the name.
    #[ts(type = "number")]
    pub created_at: i64,
    pub files: u32,
    /// Bytes of all files together.
    #[ts(type = "number")]
    pub bytes: u64,
    /// Its newest run in the project, whatever that was called.
    pub last_run: Option<LastRunView>,
    /// Its runs there; 100 where there are more.
    pub runs: u32,
}

/// How the newest run of a version stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct LastRunView {
    pub run: String,
    pub state: RunState,
    #[ts(type = "number")]
    pub created_at: i64,
}

/// Answer to `GET /kernels/{workflow}`: what a tab fetches before it runs a job on the GPU.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct KernelFiles {
    pub kernels: Vec<KernelFile>,
}

/// A kernel of a workflow.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct KernelFile {
    /// Its path in the workflow's folder.
    pub name: String,
    /// Content hash; the bytes are at `/blobs/<hash>`.
    pub hash: String,
}

/// Answer to `GET /api/v1/workflows/{hash}`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct WorkflowView {
    pub workflow: String,
    /// The first name it had.
    pub name: String,
    pub files: Vec<WorkflowFileView>,
    /// Id of the node whose value is a run's result; `null` where this release refuses what an older one took.
    pub final_node: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct WorkflowFileView {
    pub path: String,
    /// Content hash; the bytes are at `/blobs/<hash>`.
    pub hash: String,
    #[ts(type = "number")]
    pub bytes: u64,
}

/// A workflow that the server brings along: part of the answer to `GET /api/v1/examples`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct ExampleView {
    /// What `POST /api/v1/runs?example=` takes.
    pub name: String,
    /// What it does, in a sentence.
    pub about: String,
    /// The paths of its files.
    pub files: Vec<String>,
}
