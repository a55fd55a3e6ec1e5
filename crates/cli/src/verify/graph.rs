//! The jobs of a certificate as nodes of a workflow: which code each had to run, and what flows where.
//!
//! Keeps digests alone, and what is compared in the end: see `edges.rs`.

use std::collections::HashMap;
use std::sync::Arc;

use weevil_model::trust::Policy;
use weevil_model::{ContentHash, canonical, digest};
use weevil_trust::certificate::{Flaw, HeadLine, JobLine, or_nothing};
use weevil_workflow::{Bundle, JobSpec, NodeBody, NodeIndex, Plan};

pub(super) struct Graph {
    pub(super) plan: Plan,
    hash: ContentHash,
    document: String,
    by_path: HashMap<Arc<str>, NodeIndex>,
    /// What the run was started with, and whether it stands above what elements say.
    policy: Option<Policy>,
    /// The digests of value nodes, those that the run was given among them.
    pub(super) values: HashMap<NodeIndex, ContentHash>,
    /// Jobs, and the reducers of pools.
    pub(super) seen: HashMap<NodeIndex, Seen>,
    /// Those of pools, in the order of their lines.
    pub(super) elements: HashMap<NodeIndex, Vec<Element>>,
}

/// A job or a reducer.
#[derive(Debug)]
pub(super) struct Seen {
    pub(super) line: u64,
    pub(super) inputs: Vec<ContentHash>,
    pub(super) value: Option<ContentHash>,
}

#[derive(Debug)]
pub(super) struct Element {
    pub(super) index: u32,
    pub(super) line: u64,
    pub(super) value: Option<ContentHash>,
}

/// What the job of a path computes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    Job,
    Element(u32),
    Reducer,
}

impl Graph {
    pub(super) fn new(bundle: &Bundle, plan: Plan) -> Self {
        let (hash, document) = (bundle.hash(), bundle.document_path().to_owned());
        let nodes = plan.nodes().iter().zip(0..);
        let by_path = nodes.map(|(node, index)| (node.path.clone(), NodeIndex::new(index))).collect();
        let (values, seen, elements) = (HashMap::new(), HashMap::new(), HashMap::new());
        Self { plan, hash, document, by_path, policy: None, values, seen, elements }
    }

    pub(super) fn head(&mut self, head: &HeadLine) -> Result<(), Flaw> {
        Flaw::same("the workflow", self.hash.to_string(), or_nothing(head.workflow))?;
        Flaw::same("the document", self.document.clone(), or_nothing(head.document.as_ref()))?;
        self.policy = head.policy;
        for input in &head.inputs {
            let node = self.plan.find(&input.node);
            let node = node.filter(|node| matches!(self.plan.node(*node).body, NodeBody::Value(_)));
            let fail = || Flaw::new("the inputs", "value nodes of the workflow", format!("`{}`", input.node));
            self.values.insert(node.ok_or_else(fail)?, input.digest);
        }
        Ok(())
    }

    pub(super) fn job(&mut self, line: u64, job: &JobLine) -> Result<(), Flaw> {
        let fail = || Flaw::new("the path", "that of a job of the workflow", format!("`{}`", job.path));
        let (node, part, spec) = self.find(&job.path).ok_or_else(fail)?;
        let about = |flaw: Flaw| Flaw { what: format!("`{}`, {}", job.path, flaw.what), ..flaw };
        self.fits(job, &spec).map_err(about)?;
        match part {
            Part::Job | Part::Reducer => {
                let seen = Seen { line, inputs: job.inputs.clone(), value: job.digest };
                self.seen.insert(node, seen);
            }
            Part::Element(index) => {
                self.elements.entry(node).or_default().push(Element { index, line, value: job.digest });
            }
        }
        Ok(())
    }

    /// What the document says of it.
    fn fits(&self, job: &JobLine, spec: &JobSpec) -> Result<(), Flaw> {
        Flaw::same("the code", spec.code, job.code)?;
        Flaw::same("the source", &*spec.source, &*job.source)?;
        Flaw::same("the type", spec.return_type.to_string(), or_nothing(job.returns))?;
        Flaw::same("the number of arguments", spec.ports.len(), job.inputs.len())?;
        match spec.trust.filter(|_| self.policy.is_none()) {
            Some(policy) => Flaw::same("the policy", policy, job.policy),
            None => Ok(()),
        }
    }

    fn find(&self, path: &str) -> Option<(NodeIndex, Part, Arc<JobSpec>)> {
        let at = |path: &str| self.by_path.get(path).map(|index| (*index, &self.plan.node(*index).body));
        if let Some((node, NodeBody::Job(spec))) = at(path) {
            return Some((node, Part::Job, spec.clone()));
        }
        let (before, id) = path.rsplit_once('/')?;
        match at(before) {
            Some((node, NodeBody::Pool { reducer, .. })) if &*reducer.id == id => {
                return Some((node, Part::Reducer, reducer.clone()));
            }
            _ => {}
        }
        let (pool, element) = before.rsplit_once('/')?;
        let index: u32 = element.parse().ok().filter(|index: &u32| index.to_string() == element)?;
        match at(pool) {
            Some((node, NodeBody::Pool { processor, .. })) if &*processor.id == id => {
                Some((node, Part::Element(index), processor.clone()))
            }
            _ => None,
        }
    }

    /// What a node delivers, as far as the certificate and the document tell.
    pub(super) fn value(&mut self, node: NodeIndex) -> Option<ContentHash> {
        match &self.plan.node(node).body {
            NodeBody::Value(literal) => {
                if let Some(known) = self.values.get(&node) {
                    return Some(*known);
                }
                let value = digest(&canonical(literal).ok()?);
                self.values.insert(node, value);
                Some(value)
            }
            NodeBody::Job(_) | NodeBody::Pool { .. } => self.seen.get(&node)?.value,
        }
    }

    /// The ids of pools whose input was split.
    pub(super) fn split_pools(&self) -> Vec<String> {
        let is_split = |node: &NodeIndex| self.elements.contains_key(node);
        let nodes = self.plan.graph().node_indices().filter(is_split);
        nodes.map(|node| self.plan.node(node).id.to_string()).collect()
    }
}
