//! What the nodes of a workflow are called, packed: a layout is kept for long, and 100,000 small texts would be most of it.
//!
//! Never knows where a node stands.

use std::collections::HashMap;
use std::sync::Arc;

use weevil_workflow::{NodeBody, Plan, nearest};

/// Ids that are named where none is near the one that was looked for.
const NAMED_IDS: usize = 5;

/// Ids, code files and parts of a plan's nodes, by position in the document.
#[derive(Debug)]
pub(super) struct NodeNames {
    /// All ids, one behind the other.
    ids: String,
    /// For each node where its id ends.
    ends: Vec<usize>,
    /// The nodes in the order of their ids.
    by_id: Vec<u32>,
    /// Each code file once.
    files: Vec<Arc<str>>,
    /// For each job which of the files it runs.
    sources: HashMap<u32, usize>,
    /// For each pool the ids of its processor and its reducer.
    parts: HashMap<u32, [Arc<str>; 2]>,
    last: usize,
}

impl NodeNames {
    pub(super) fn of(plan: &Plan) -> Self {
        let mut names = Self {
            ids: String::new(),
            ends: Vec::with_capacity(plan.nodes().len()),
            by_id: Vec::new(),
            files: Vec::new(),
            sources: HashMap::new(),
            parts: HashMap::new(),
            last: plan.final_node().index(),
        };
        let mut known = HashMap::new();
        for (node, planned) in (0..).zip(plan.nodes()) {
            names.ids.push_str(&planned.id);
            names.ends.push(names.ids.len());
            match &planned.body {
                NodeBody::Value(_) => {}
                NodeBody::Job(job) => {
                    let file = *known.entry(job.source.clone()).or_insert(names.files.len());
                    if file == names.files.len() {
                        names.files.push(job.source.clone());
                    }
                    names.sources.insert(node, file);
                }
                NodeBody::Pool { processor, reducer } => {
                    names.parts.insert(node, [processor.id.clone(), reducer.id.clone()]);
                }
            }
        }
        let mut by_id: Vec<u32> = (0..).zip(plan.nodes()).map(|(node, _)| node).collect();
        by_id.sort_unstable_by_key(|node| names.id(*node));
        Self { by_id, ..names }
    }

    pub(super) fn id(&self, node: u32) -> &str {
        let node = node as usize;
        let start = node.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.ids[start..self.ends[node]]
    }

    /// # Errors
    /// There is none with this id: what there is instead, in words.
    pub(super) fn find(&self, id: &str) -> Result<u32, String> {
        let found = self.by_id.binary_search_by(|node| self.id(*node).cmp(id));
        found.map(|place| self.by_id[place]).map_err(|_| self.instead_of(id))
    }

    fn instead_of(&self, id: &str) -> String {
        let known = (0..).zip(&self.ends).map(|(node, _)| self.id(node));
        if let Some(near) = nearest(id, known.clone()) {
            return format!("the workflow has no node `{id}`; did you mean `{near}`?");
        }
        let first: Vec<&str> = known.take(NAMED_IDS).collect();
        let more = self.ends.len() - first.len();
        let rest = if more > 0 { format!(" and {more} more") } else { String::new() };
        format!("the workflow has no node `{id}`; there are {}{rest}", first.join(", "))
    }

    /// The path of a job's code file.
    pub(super) fn source(&self, node: u32) -> Option<&str> {
        self.sources.get(&node).map(|file| &*self.files[*file])
    }

    /// The ids of a pool's processor and reducer.
    pub(super) fn parts(&self, node: u32) -> Option<[&str; 2]> {
        self.parts.get(&node).map(|parts| parts.each_ref().map(|id| &**id))
    }

    pub(super) fn is_final(&self, node: u32) -> bool {
        node as usize == self.last
    }
}

#[cfg(test)]
mod tests {
    use weevil_workflow::{Bundle, load};

    use super::*;

    fn names() -> NodeNames {
        let document = r#"<workflow><nodes>
            <value id="zwei" value="[2]" returntype="Array"/>
            <job id="éins" src="One" returntype="Array"/>
            <job id="b" src="One" returntype="Array"><parameters><parameter id="p" paramtype="Array"/></parameters></job>
            <pool id="a" returntype="Number"><parameters><parameter id="all" paramtype="Array"/></parameters>
              <processor id="each" src="One" returntype="Number"><parameters><parameter id="n" paramtype="Number"/></parameters></processor>
              <reducer id="sum" src="One" returntype="Number"><parameters><parameter id="n" paramtype="Array"/></parameters></reducer>
            </pool></nodes>
            <edges><edge source="zwei" dest="b" paramdest="p"/><edge source="éins" dest="a" paramdest="all"/></edges>
            <finalnode id="a"/></workflow>"#;
        let files = [("w.xml", document), ("One.js", "function weevil_main(...all) { return all }")];
        let files = files.map(|(path, text)| (path.to_owned(), text.as_bytes().to_vec()));
        let loaded = load(&Bundle::new(files.into()).unwrap());
        NodeNames::of(&loaded.unwrap_or_else(|found| panic!("{found:?}")).plan)
    }

    #[test]
    fn a_node_is_found_by_its_id_and_says_what_it_is() {
        let names = names();
        for (node, id, source, parts, last) in [
            (0, "zwei", None, None, false),
            (1, "éins", Some("One.js"), None, false),
            (2, "b", Some("One.js"), None, false),
            (3, "a", None, Some(["each", "sum"]), true),
        ] {
            assert_eq!((names.find(id), names.id(node)), (Ok(node), id));
            assert_eq!((names.source(node), names.parts(node), names.is_final(node)), (source, parts, last));
        }
        assert_eq!(names.files.len(), 1, "once");
    }

    #[test]
    fn who_looks_for_another_is_told_what_there_is() {
        for (id, words) in [
            ("zwi", "did you mean `zwei`?"),
            ("each", "there are zwei, éins, b, a"),
            ("", "there are zwei, éins, b, a"),
        ] {
            let told = names().find(id).unwrap_err();
            assert!(told.ends_with(words), "{id}: {told}");
        }
    }
}
