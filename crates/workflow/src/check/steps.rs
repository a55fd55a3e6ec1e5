//! The steps of the check in their order.

use super::checked::Workflow;
use super::{aim, draft, edges, graph, ids, nodes, repair, structure, trust};
use crate::bundle::Bundle;
use crate::circumstances::Circumstances;
use crate::document::Document;
use crate::findings::Findings;

/// The workflow, if no rule is broken.
pub(crate) fn check(
    document: &Document<'_>,
    bundle: &Bundle,
    here: Circumstances<'_>,
    findings: &mut Findings<'_>,
) -> Option<Workflow> {
    structure::check(&document.root, findings)?;
    let repaired = (findings.has_errors() && !findings.is_full()).then(|| repair::repaired(&document.root));
    let root = repaired.as_ref().unwrap_or(&document.root);
    let aim = aim::read(root, findings);
    let trust = trust::read(root, findings);
    let drafts = nodes::read(root, trust, bundle, here, findings)?;
    let names = ids::index(root, &drafts, findings);
    let edges = edges::read(root, &drafts, &names, findings);
    let final_node = graph::final_node(root, &drafts, &names, findings);
    let order = graph::order(&drafts, &edges, findings);
    let supervisors = graph::supervisors(drafts.len(), &edges);
    let (final_node, order) = (final_node?, order?);
    if findings.has_errors() || !graph::paths_fit(&drafts, &order, &supervisors, findings) {
        return None;
    }
    graph::useless_nodes(&drafts, &edges, final_node, findings);
    let nodes = drafts.into_iter().map(draft::Draft::finish).collect::<Option<_>>()?;
    let edges = edges.into_iter().map(|wire| wire.edge).collect();
    Some(Workflow { aim, nodes, edges, final_node, order, supervisors })
}
