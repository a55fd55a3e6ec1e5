//! Pictures as they are answered: positions of nodes get their ids, and a plan's words beside them.
//!
//! Never decides what is in a picture: `weevil_workflow::layout` does.

use serde::Serialize;
use weevil_api::{GraphCut, GraphEdge, GraphItem, GraphLayers, GraphMember, GraphStack, GraphView};
use weevil_workflow::layout::{Cut, Item, Members, Picture, PictureEdge};

use super::layouts::Drawn;
use super::node_names::NodeNames;

/// One of the answers of the route.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub(super) enum View {
    Picture(GraphView),
    Layers(GraphLayers),
    Stack(GraphStack),
}

impl Drawn {
    pub(super) fn view(&self, picture: Picture) -> View {
        let Picture { width, height, items, edges, cut } = picture;
        View::Picture(GraphView {
            workflow: self.workflow.to_string(),
            nodes: self.layout.nodes(),
            layers: number(self.layout.counts().len()),
            width,
            height,
            items: items.into_iter().map(|found| item(found, &self.names)).collect(),
            edges: edges.into_iter().map(edge).collect(),
            cut: cut.map(|found| self.cut(found)),
        })
    }

    fn cut(&self, cut: Cut) -> GraphCut {
        let next = cut.next.map(|node| self.names.id(node).to_owned());
        GraphCut { items: cut.items, edges: cut.edges, next }
    }

    pub(super) fn layers(&self) -> View {
        View::Layers(GraphLayers {
            workflow: self.workflow.to_string(),
            counts: self.layout.counts().to_vec(),
            layer_of: self.layout.layer_of().to_vec(),
            item_of: self.layout.item_of().collect(),
        })
    }

    pub(super) fn stack(&self, stack: Members<'_>) -> View {
        let id = |node: &u32| self.names.id(*node).to_owned();
        let last = stack.nodes.last().filter(|_| stack.more);
        View::Stack(GraphStack {
            workflow: self.workflow.to_string(),
            count: stack.count,
            members: stack.nodes.iter().map(|node| GraphMember { id: id(node), node: *node }).collect(),
            next: last.map(id),
        })
    }
}

fn item(item: Item, names: &NodeNames) -> GraphItem {
    let Item { node, count, kind, layer, x, y, width, height } = item;
    let [processor, reducer] = names.parts(node).map_or([None, None], |parts| parts.map(Some));
    GraphItem {
        id: names.id(node).to_owned(),
        node,
        count,
        kind,
        source: names.source(node).map(str::to_owned),
        processor: processor.map(str::to_owned),
        reducer: reducer.map(str::to_owned),
        is_final: names.is_final(node),
        layer,
        x,
        y,
        width,
        height,
    }
}

/// A stored workflow has no cycles, so nothing is said of edges that lead back.
fn edge(edge: PictureEdge) -> GraphEdge {
    let PictureEdge { from, to, count, via, .. } = edge;
    GraphEdge { from: number(from), to: number(to), count, via }
}

/// Counts of layers and of items are bounded by those of nodes, which are numbered so.
fn number(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}
