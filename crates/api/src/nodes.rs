//! The nodes of a run: page by page, one by one, and the states of all of them as octets.

use serde::{Deserialize, Serialize};
use ts_rs::TS;
use weevil_model::{JobType, NodeKind, NodeState};

use crate::Progress;

/// Answer to `GET /api/v1/runs/{id}/nodes`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct NodePage {
    /// In document order.
    pub nodes: Vec<NodeRow>,
    /// How many there are in all that are asked for.
    pub count: u32,
    /// What to send as `after` for the next page; `null` where this is the last.
    pub next: Option<String>,
}

/// A node in a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct NodeRow {
    pub id: String,
    /// Its place in document order, from 0: where its octet stands among the states of all nodes.
    pub place: u32,
    pub kind: NodeKind,
    /// `null` where it was not kept: of a run that an earlier release has ended, beyond its first thousand nodes.
    pub state: Option<NodeState>,
    /// Jobs below a pool; `null` for other kinds.
    pub jobs: Option<Progress>,
}

/// Answer to `GET /api/v1/runs/{id}/nodes/{node}`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct NodeDetail {
    pub run: String,
    /// Content hash of the workflow.
    pub workflow: String,
    pub node: NodeRow,
    /// Thesis 3.4.2, with the run's part in front.
    pub path: String,
    /// A type of the workflow language.
    pub return_type: String,
    /// It is the one whose value is the run's result.
    pub is_final: bool,
    pub ports: Vec<PortView>,
    /// The nodes that its value goes to, in the order of the edges: the first hundred.
    pub targets: Vec<String>,
    /// How many edges leave it, listed or not.
    pub target_count: u32,
    /// What is computed for it: of a job its own, of a pool its processor's and its reducer's; nothing of a value.
    pub work: Vec<WorkView>,
}

/// An input of a node.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct PortView {
    pub id: String,
    /// A type of the workflow language.
    pub data_type: String,
    /// The nodes whose values come in, in the order of the edges: the first hundred.
    pub sources: Vec<String>,
    /// How many edges end here, listed or not.
    pub source_count: u32,
}

/// What a node asks workers to compute.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct WorkView {
    /// The id of the job, processor or reducer.
    pub id: String,
    /// `job`, `processor` or `reducer`.
    pub kind: NodeKind,
    pub job_type: JobType,
    /// The file of its code in the workflow.
    pub source: String,
    /// The hash of that file, and of the blob that holds it.
    pub code: String,
    pub return_type: String,
    pub priority: i32,
    pub timeout_seconds: u32,
    pub max_attempts: u32,
    /// From which answers on its value is believed; left out where nobody judges it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub trust: Option<String>,
    /// Its job, once there is one; left out for a processor, whose jobs are listed by their node.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub job: Option<String>,
}
