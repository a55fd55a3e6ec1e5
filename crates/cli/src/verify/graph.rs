//! The jobs of a certificate as nodes of a workflow: which code each had to run, how answers to it are compared, and what flows where.
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
        if let Some(policy) = spec.trust.filter(|_| self.policy.is_none()) {
            Flaw::same("the policy", policy, job.policy)?;
        }
        compared(job, spec)
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

/// When two answers are the same, and which module says that one is right: the rules believe more with a wider tolerance, and
/// a single answer with a proof. A server keeps neither for a job that nobody judges, whatever its element says.
fn compared(job: &JobLine, spec: &JobSpec) -> Result<(), Flaw> {
    let stated = job.policy.is_judged().then_some((spec.agree, spec.proof));
    let (agree, proof) = stated.unwrap_or_default();
    Flaw::same("the agree", agree, job.agree)?;
    Flaw::same("the proof", or_nothing(proof), or_nothing(job.proof))
}

#[cfg(test)]
mod tests {
    use weevil_trust::certificate::testing::{files, lines, number};
    use weevil_trust::certificate::{Hex, Line};

    use super::*;

    const LAST: &str = "numbers/pool/last";

    /// A job of the certificate for tests, and what its document says of it.
    fn last() -> (Graph, JobLine, Arc<JobSpec>) {
        let files = files().into_iter().map(|(path, text)| (path.to_owned(), text.as_bytes().to_vec()));
        let bundle = Bundle::new(files.collect()).unwrap();
        let graph = Graph::new(&bundle, weevil_workflow::load(&bundle).unwrap().plan);
        let is_last = |line| match line {
            Line::Job(job) if job.path == LAST => Some(job),
            _ => None,
        };
        let job = lines("none", Hex([7; 32])).into_iter().find_map(is_last).unwrap();
        let (_, _, spec) = graph.find(LAST).unwrap();
        (graph, job, spec)
    }

    #[test]
    fn answers_are_compared_as_the_document_says_and_not_at_all_where_nobody_judges() {
        let (graph, job, spec) = last();
        for (policy, said, found, words) in [
            ("quorum(2)", ("exact", None), ("exact", None), ""),
            ("quorum(2)", ("near(1e-9)", Some(1)), ("near(0.000000001)", Some(1)), ""),
            ("quorum(2)", ("exact", None), ("near(1)", None), "the agree: expected exact, found near(1)"),
            ("quorum(2)", ("near(1e-9)", None), ("near(1e-6)", None), "the agree: expected near(1e-9)"),
            ("quorum(2)", ("near(1e-9)", None), ("exact", None), "the agree: expected near(1e-9)"),
            ("credible(0.01)", ("exact", None), ("exact", Some(1)), "the proof: expected nothing, found"),
            ("credible(0.01)", ("exact", Some(1)), ("exact", Some(2)), "the proof: expected"),
            ("credible(0.01)", ("exact", Some(1)), ("exact", None), "the proof: expected"),
            ("none", ("near(1e-9)", Some(1)), ("exact", None), ""),
            ("none", ("near(1e-9)", None), ("near(1e-9)", None), "the agree: expected exact"),
            ("none", ("exact", None), ("exact", Some(1)), "the proof: expected nothing"),
        ] {
            let (agree, proof) = (said.0.parse().unwrap(), said.1.map(number));
            let spec = JobSpec { agree, proof, ..(*spec).clone() };
            let (policy, agree) = (policy.parse().unwrap(), found.0.parse().unwrap());
            let job = JobLine { policy, agree, proof: found.1.map(number), ..job.clone() };
            let told = graph.fits(&job, &spec).err().map(|flaw| flaw.to_string()).unwrap_or_default();
            let is_told = told.starts_with(words) && told.is_empty() == words.is_empty();
            assert!(is_told, "{policy}, {said:?}, {found:?}: {told}");
        }
    }
}
