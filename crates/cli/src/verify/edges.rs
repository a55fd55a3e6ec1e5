//! What flowed along the edges of a workflow: each argument has the digest of the value that it comes from.
//!
//! Asked once all lines are there, since a job may stand before those that it got its arguments from.

use weevil_model::{ContentHash, RunState};
use weevil_trust::certificate::{Broken, EndLine, Flaw, or_nothing};
use weevil_workflow::{NodeBody, NodeIndex};

use super::graph::{Element, Graph, Seen};

impl Graph {
    /// The first line whose arguments are not what they come from. `line`: that of the end.
    pub(super) fn end(&mut self, line: u64, end: &EndLine) -> Result<(), Broken> {
        let mut broken: Vec<Broken> = self.reducers();
        broken.extend(self.arguments());
        if let Some(first) = broken.into_iter().min_by_key(|broken| broken.line) {
            return Err(first);
        }
        if end.state != RunState::Finished {
            return Ok(());
        }
        let (node, result) = (self.plan.final_node(), or_nothing(end.result));
        let what = format!("the result, which is the value of `{}`", self.plan.node(node).id);
        Flaw::same(what, or_nothing(self.value(node)), result).map_err(|flaw| flaw.at(line))
    }

    /// Those of jobs alone: nobody can tell without a pool's input how it was split.
    fn arguments(&mut self) -> Vec<Broken> {
        let edges: Vec<(NodeIndex, NodeIndex, usize)> = self.edges();
        edges.into_iter().filter_map(|(from, to, port)| self.argument(from, to, port)).collect()
    }

    fn edges(&self) -> Vec<(NodeIndex, NodeIndex, usize)> {
        let of = |from: NodeIndex| {
            let outgoing = self.plan.node(from).outgoing.iter();
            outgoing.map(move |edge| (from, edge.node, edge.port))
        };
        let is_job =
            |(_, to, _): &(NodeIndex, NodeIndex, usize)| matches!(self.plan.node(*to).body, NodeBody::Job(_));
        self.plan.graph().node_indices().flat_map(of).filter(is_job).collect()
    }

    fn argument(&mut self, from: NodeIndex, to: NodeIndex, port: usize) -> Option<Broken> {
        let Seen { line, inputs, .. } = self.seen.get(&to)?;
        let (line, found) = (*line, inputs.get(port).copied());
        let expected = self.value(from);
        if expected.is_some() && expected == found {
            return None;
        }
        let (to, from) = (self.plan.node(to), self.plan.node(from));
        let port = to.ports.get(port).map_or("", |port| &*port.id);
        let what = format!("`{}`, the argument `{port}`, which is the value of `{}`", to.path, from.id);
        Some(Flaw::new(what, or_nothing(expected), or_nothing(found)).at(line))
    }

    fn reducers(&mut self) -> Vec<Broken> {
        let mut broken = Vec::new();
        for (node, elements) in &mut self.elements {
            elements.sort_unstable_by_key(|element| element.index);
            let node = *node;
            let Some(Seen { line, inputs, .. }) = self.seen.get(&node) else { continue };
            let id = &self.plan.node(node).id;
            let what = format!("the argument of the reducer of `{id}`");
            let found = or_nothing(inputs.first());
            let reduced = joined(elements).and_then(|expected| Flaw::same(what, expected.to_string(), found));
            broken.extend(reduced.err().map(|flaw| flaw.at(*line)));
        }
        broken
    }
}

/// The SHA-256 of the digests of all elements, which are in the order of their numbers. Those at the end that have no value did not
/// go to the reducer: the pool had them before its input was computed anew.
fn joined(elements: &[Element]) -> Result<ContentHash, Flaw> {
    let len = elements.iter().rposition(|element| element.value.is_some()).map_or(0, |last| last + 1);
    let elements = elements.get(..len).unwrap_or_default();
    let mut digests = Vec::with_capacity(elements.len());
    for (element, place) in elements.iter().zip(0_u32..) {
        Flaw::same("elements of the reducer's pool: the number", place, element.index)?;
        let missing = || {
            let what = format!("the value of element {place} in line {}, which was reduced", element.line);
            Flaw::new(what, "a digest", "nothing")
        };
        digests.push(element.value.ok_or_else(missing)?);
    }
    Ok(ContentHash::of_joined(digests.iter().map(|digest| digest.as_bytes().as_slice())))
}

#[cfg(test)]
mod tests {
    use weevil_trust::certificate::testing::number;

    use super::*;

    fn elements(values: &[Option<u32>]) -> Vec<Element> {
        let element =
            |(index, value): (u32, &Option<u32>)| Element { index, line: 2, value: value.map(number) };
        (0..).zip(values).map(element).collect()
    }

    #[test]
    fn a_reducer_takes_all_elements_up_to_the_last_with_a_value() {
        let two = joined(&elements(&[Some(1), Some(2)])).unwrap();
        for (values, expected) in [
            (&[Some(1), Some(2), None, None][..], Some(two)),
            (&[Some(1), None, Some(2)], None),
            (&[None, Some(1), Some(2)], None),
            (&[None, None], Some(joined(&[]).unwrap())),
        ] {
            assert_eq!(joined(&elements(values)).ok(), expected, "{values:?}");
        }
        assert_ne!(joined(&elements(&[Some(1)])).unwrap(), two, "a value that is left out is missed");
    }
}
