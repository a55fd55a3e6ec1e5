//! The second stage of a workflow, between document and plan. Only `steps` makes one.

use std::sync::Arc;

use weevil_model::DataType;

use crate::aim::Aim;
use crate::spec::{NodeBody, Port};

/// The second stage: all names resolved, all types agreed, no cycle.
#[derive(Debug)]
pub(crate) struct Workflow {
    pub(crate) aim: Aim,
    /// In document order.
    pub(crate) nodes: Vec<Node>,
    /// In document order.
    pub(crate) edges: Vec<Edge>,
    /// Positions in `nodes`, as everywhere below.
    pub(crate) final_node: usize,
    /// Every node after all that it waits for.
    pub(crate) order: Vec<usize>,
    /// The first parent in document order (thesis 3.4.2, assigning supervisor nodes).
    pub(crate) supervisors: Vec<Option<usize>>,
}

#[derive(Debug)]
pub(crate) struct Node {
    pub(crate) id: Arc<str>,
    pub(crate) body: NodeBody,
    pub(crate) return_type: DataType,
    pub(crate) ports: Arc<[Port]>,
}

#[derive(Debug)]
pub(crate) struct Edge {
    pub(crate) id: Option<String>,
    pub(crate) source: usize,
    pub(crate) dest: usize,
    /// Position in the ports of `dest`.
    pub(crate) port: usize,
}
