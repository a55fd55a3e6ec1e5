//! Values of nodes and inputs of jobs, with what there is to say around them.

use serde::{Deserialize, Serialize};
use serde_json::Value as Json;
use ts_rs::TS;
use weevil_model::NodeKind;

/// Answer to `GET /api/v1/runs/{run}/nodes/{node}/value`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct NodeValue {
    pub run: String,
    pub node: String,
    pub kind: NodeKind,
    /// The job that has the value; left out for value nodes, pools and processors, and before there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub job: Option<String>,
    /// Why there is no value; left out where there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub missing: Option<ValueMissing>,
    /// The JSON view; left out where there is none, or where it is larger than what was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional, type = "unknown")]
    pub value: Option<Json>,
}

/// Why a node has no value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum ValueMissing {
    /// The run goes on.
    NotYet,
    /// The run has ended before the node had one, or its job is not kept any more.
    NotThere,
}

/// Answer to `GET /api/v1/jobs/{job}/input` in JSON.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct JobInput {
    pub job: String,
    /// The array of its arguments; left out where it is larger than what was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional, type = "unknown[]")]
    pub input: Option<Json>,
}
