//! Pictures of workflows: items in CSS pixels at zoom 1, x to the right and y down, edges between them, and what is left out.

use serde::{Deserialize, Serialize};
use ts_rs::TS;
use weevil_model::NodeKind;

/// Answer to `GET /api/v1/workflows/{hash}/graph`, as a whole or `near` a node.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct GraphView {
    /// Content hash.
    pub workflow: String,
    /// Nodes of the whole workflow; a pool is one.
    pub nodes: u32,
    /// Layers of the whole workflow.
    pub layers: u32,
    /// As large as all that was asked for, also where it is cut.
    pub width: u32,
    pub height: u32,
    /// Layer after layer, each from top to bottom; at most 2,000.
    pub items: Vec<GraphItem>,
    /// Between these items; at most 8,000.
    pub edges: Vec<GraphEdge>,
    /// `null` where all that was asked for is there.
    pub cut: Option<GraphCut>,
}

/// A node, or a stack of nodes of one layer that run one code file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct GraphItem {
    /// Id of the node, or of a stack's first one.
    pub id: String,
    /// Position of that node in the document, from 0.
    pub node: u32,
    /// Nodes in it: more than one in a stack.
    pub count: u32,
    pub kind: NodeKind,
    /// Path of the code file; left out for a value and a pool.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub source: Option<String>,
    /// Ids of a pool's parts; left out for others.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub processor: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub reducer: Option<String>,
    /// It is the node whose value is a run's result; left out where it is not.
    #[serde(default, skip_serializing_if = "crate::is_default")]
    #[ts(optional, as = "Option<bool>")]
    pub is_final: bool,
    /// In the whole workflow, from 0 at the left.
    pub layer: u32,
    /// Left side.
    pub x: u32,
    /// Upper side.
    pub y: u32,
    pub width: u32,
    pub height: u32,
}

/// A line from the right side of an item to the left side of another.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct GraphEdge {
    /// Positions in `items`.
    pub from: u32,
    pub to: u32,
    /// Edges of the workflow in it.
    pub count: u32,
    /// Points `[x, y]` that it leads through, from left to right; left out where there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<Vec<(u32, u32)>>")]
    pub via: Vec<(u32, u32)>,
}

/// What a picture lacks of what was asked for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct GraphCut {
    pub items: u32,
    pub edges: u32,
    /// What to send as `after` for the items behind these; `null` where there are none.
    pub next: Option<String>,
}

/// Answer to the same with `layers`: where each node stands, so that states of nodes can be summed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct GraphLayers {
    /// Content hash.
    pub workflow: String,
    /// For each layer, from the left, how many nodes it has.
    pub counts: Vec<u32>,
    /// For each node, in document order, its layer.
    pub layer_of: Vec<u32>,
    /// For each node, in document order, the `node` of its item in the whole picture.
    pub item_of: Vec<u32>,
}

/// Answer to the same with `group`: the nodes of a stack.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct GraphStack {
    /// Content hash.
    pub workflow: String,
    /// Nodes of the whole stack.
    pub count: u32,
    /// In document order.
    pub members: Vec<GraphMember>,
    /// What to send as `after` for the next page; `null` where this is the last.
    pub next: Option<String>,
}

/// A node of a stack.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct GraphMember {
    pub id: String,
    /// Position in the document, from 0.
    pub node: u32,
}
