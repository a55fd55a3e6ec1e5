//! The oracle of execution order: random graphs, a fleet that answers in random order with values that were never seen
//! before. A job that carries the right value of each input cannot have run before it.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use std::sync::Arc;

use tempfile::TempDir;
use weevil_model::{DataType, Encoded, Value};
use weevil_queue::NewJob;
use weevil_records::{Store, StoreError};
use weevil_store::SqliteStore;
use weevil_workflow::{Bundle, NodeBody, NodeIndex, Plan};

use crate::rehearsal::rehearse::{OpenJob, rehearse};

const GRAPHS: u64 = 48;

async fn store(folder: &Path) -> Result<Arc<dyn Store>, StoreError> {
    Ok(Arc::new(SqliteStore::open(&folder.join("rehearsal.db")).await?))
}

/// `SplitMix64` (Steele, Lea, Flood 2014).
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        usize::try_from((z ^ (z >> 31)) % end as u64).unwrap()
    }
}

/// A document that grows node by node; each node takes from earlier ones.
#[derive(Default)]
struct Draft {
    elements: Vec<String>,
    edges: Vec<String>,
    /// Nodes that nothing takes from yet: the last node takes from all of them, so that every node runs.
    unused: Vec<usize>,
    /// Nodes that return an Array.
    arrays: Vec<usize>,
}

impl Draft {
    fn document(random: &mut Random, nodes: usize) -> String {
        let mut draft = Self::default();
        for node in 0..nodes - 1 {
            draft.any(node, random);
        }
        let all = std::mem::take(&mut draft.unused);
        draft.job(nodes - 1, &all, "Number");
        let (elements, edges) = (draft.elements.concat(), draft.edges.concat());
        format!(
            r#"<workflow><nodes>{elements}</nodes><edges>{edges}</edges><finalnode id="n{}"/></workflow>"#,
            nodes - 1
        )
    }

    fn any(&mut self, node: usize, random: &mut Random) {
        let array = random.below(3) == 0;
        let returns = if array { "Array" } else { "Number" };
        match random.below(4) {
            0 => self.value(node, array),
            1 if !self.arrays.is_empty() => {
                let source = self.arrays[random.below(self.arrays.len())];
                return self.pool(node, source);
            }
            ports if node > 0 => {
                let sources: Vec<usize> = (0..ports).map(|_| random.below(node)).collect();
                self.job(node, &sources, returns);
            }
            _ => self.job(node, &[], returns),
        }
        if array {
            self.arrays.push(node);
        }
    }

    fn value(&mut self, node: usize, array: bool) {
        let (literal, returns) =
            if array { (format!("[{node}, {node}.5]"), "Array") } else { (node.to_string(), "Number") };
        self.elements.push(format!(r#"<value id="n{node}" value="{literal}" returntype="{returns}"/>"#));
        self.unused.push(node);
    }

    fn job(&mut self, node: usize, sources: &[usize], returns: &str) {
        let ports = self.ports(sources);
        self.elements.push(format!(
            r#"<job id="n{node}" src="Any" returntype="{returns}"><parameters>{ports}</parameters></job>"#
        ));
        self.wire(node, sources);
    }

    fn pool(&mut self, node: usize, source: usize) {
        let ports = self.ports(&[source]);
        let inner = [("processor", "Number"), ("reducer", "Array")].map(|(kind, takes)| {
            format!(
                r#"<{kind} id="{kind}{node}" src="Any" returntype="Number"><parameters>
                <parameter id="a" paramtype="{takes}"/></parameters></{kind}>"#
            )
        });
        let inner = inner.concat();
        self.elements.push(format!(
            r#"<pool id="n{node}" returntype="Number"><parameters>{ports}</parameters>{inner}</pool>"#
        ));
        self.wire(node, &[source]);
    }

    fn ports(&self, sources: &[usize]) -> String {
        let port = |(port, source): (usize, &usize)| {
            let takes = if self.arrays.contains(source) { "Array" } else { "Number" };
            format!(r#"<parameter id="p{port}" paramtype="{takes}"/>"#)
        };
        sources.iter().enumerate().map(port).collect()
    }

    fn wire(&mut self, node: usize, sources: &[usize]) {
        for (port, source) in sources.iter().enumerate() {
            self.edges.push(format!(r#"<edge source="n{source}" dest="n{node}" paramdest="p{port}"/>"#));
        }
        self.unused.retain(|unused| !sources.contains(unused));
        self.unused.push(node);
    }
}

fn plan(document: &str) -> Plan {
    let code = b"function weevil_main(...all) { return all }";
    let files = [("workflow.xml", document.as_bytes()), ("Any.js", code)]
        .map(|(path, bytes)| (path.to_owned(), bytes.to_vec()));
    let bundle = Bundle::new(BTreeMap::from(files)).unwrap();
    weevil_workflow::load(&bundle).unwrap_or_else(|problems| panic!("{problems:#?}\n{document}")).plan
}

/// What the fleet was asked and what it answered, by path.
#[derive(Default)]
struct Record {
    asked: HashMap<String, Encoded>,
    answered: HashMap<String, Encoded>,
    last: u32,
}

impl Record {
    fn note(&mut self, job: &NewJob) {
        let again = self.asked.insert(job.path.to_string(), job.input.array().clone());
        assert_eq!(again, None, "{} is enqueued once", job.path);
    }

    /// A value of the job's type that nothing else has.
    fn fresh(&mut self, job: &NewJob, random: &mut Random) -> Encoded {
        let mut number = || {
            self.last += 1;
            Value::Number(f64::from(self.last) * 1000.0)
        };
        let value = match job.returns {
            Some(DataType::Array) => Value::Array((0..random.below(6)).map(|_| number()).collect()),
            _ => number(),
        };
        let value = Encoded::of(&value).unwrap();
        self.answered.insert(job.path.to_string(), value.clone());
        value
    }

    /// The value of a node, as its consumers must have got it.
    fn value(&self, plan: &Plan, index: NodeIndex) -> Encoded {
        let node = plan.node(index);
        match &node.body {
            NodeBody::Value(value) => value.clone(),
            NodeBody::Job(_) => self.answer(&node.path),
            NodeBody::Pool { reducer, .. } => self.answer(&format!("{}/{}", node.path, reducer.id)),
        }
    }

    fn answer(&self, path: &str) -> Encoded {
        self.answered.get(path).unwrap_or_else(|| panic!("{path} was never answered")).clone()
    }

    fn check(&self, plan: &Plan) {
        let mut expected = 0;
        for index in plan.graph().node_indices() {
            let node = plan.node(index);
            let inputs = inputs(plan, index).into_iter().map(|source| self.value(plan, source));
            let inputs: Vec<Encoded> = inputs.collect();
            match &node.body {
                NodeBody::Value(_) => {}
                NodeBody::Job(_) => {
                    expected += 1;
                    assert_eq!(self.asked[&*node.path], Encoded::array(&inputs).unwrap(), "{}", node.path);
                }
                NodeBody::Pool { processor, reducer } => {
                    expected += 1 + inputs[0].elements().unwrap().len();
                    let parts = |at: usize| format!("{}/{at}/{}", node.path, processor.id);
                    let elements = inputs[0].elements().unwrap().enumerate();
                    let results: Vec<Encoded> = elements
                        .map(|(at, element)| {
                            assert_eq!(self.asked[&parts(at)], Encoded::array(&[element]).unwrap());
                            self.answer(&parts(at))
                        })
                        .collect();
                    let all = Encoded::array(&[Encoded::array(&results).unwrap()]).unwrap();
                    assert_eq!(self.asked[&format!("{}/{}", node.path, reducer.id)], all);
                }
            }
        }
        assert_eq!(self.asked.len(), expected, "every job has run, and no other");
    }
}

/// The sources of a node in the order of its ports.
fn inputs(plan: &Plan, index: NodeIndex) -> Vec<NodeIndex> {
    let mut inputs = vec![index; plan.node(index).ports.len()];
    for source in plan.graph().node_indices() {
        for edge in plan.node(source).outgoing.iter().filter(|edge| edge.node == index) {
            inputs[edge.port] = source;
        }
    }
    inputs
}

#[actix::test]
async fn no_node_runs_before_its_inputs_and_each_runs_once() {
    for seed in 0..GRAPHS {
        let mut random = Random(seed);
        let document = Draft::document(&mut random, 2 + usize::try_from(seed).unwrap());
        let plan = plan(&document);
        let folder = TempDir::new().unwrap();
        let mut record = Record::default();
        let mut seen = 0;
        rehearse(plan.clone(), store(folder.path()), |waiting: &mut Vec<OpenJob>| {
            waiting[seen..].iter().for_each(|waiting| record.note(&waiting.job));
            let next = waiting.swap_remove(random.below(waiting.len()));
            seen = waiting.len();
            let value = record.fresh(&next.job, &mut random);
            next.answer(value);
        })
        .await
        .unwrap();
        record.check(&plan);
    }
}
