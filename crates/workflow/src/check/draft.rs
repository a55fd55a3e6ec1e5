//! Nodes as far as they could be read: what the steps hand to each other before a workflow is checked. Never reports
//! anything.

use std::sync::Arc;

use weevil_model::{DataType, NodeKind};

use super::checked::Node;
use crate::document::{Attribute, Element};
use crate::javascript::Function;
use crate::spec::{NodeBody, Port};

/// A node as far as it could be read.
#[derive(Debug)]
pub(super) struct Draft<'d> {
    pub(super) kind: NodeKind,
    pub(super) element: &'d Element<'d>,
    pub(super) ports: Vec<PortDraft<'d>>,
    pub(super) returns: Option<DataType>,
    pub(super) body: Option<NodeBody>,
}

#[derive(Debug)]
pub(super) struct PortDraft<'d> {
    pub(super) element: &'d Element<'d>,
    pub(super) data_type: Option<DataType>,
}

impl Draft<'_> {
    pub(super) fn id(&self) -> &str {
        id(self.element)
    }

    /// The node, unless a problem was reported for it.
    pub(super) fn finish(self) -> Option<Node> {
        let (body, return_type) = (self.body?, self.returns?);
        // Shared where they are the same: a large workflow has many jobs.
        let (id, ports) = match &body {
            NodeBody::Job(job) => (job.id.clone(), job.ports.clone()),
            _ => (id(self.element).into(), finish_ports(&self.ports)?),
        };
        Some(Node { id, body, return_type, ports })
    }
}

impl PortDraft<'_> {
    pub(super) fn id(&self) -> &str {
        id(self.element)
    }
}

pub(super) fn id<'d>(element: &'d Element<'_>) -> &'d str {
    element.attribute("id").map_or("", Attribute::word)
}

pub(super) fn finish_ports(ports: &[PortDraft<'_>]) -> Option<Arc<[Port]>> {
    ports.iter().map(|port| Some(Port { id: port.id().into(), data_type: port.data_type? })).collect()
}

/// `weevil_main` and where it stands.
#[derive(Debug)]
pub(super) struct MainFunction {
    pub(super) function: Function,
    /// `Add.js:1`
    pub(super) place: String,
}
