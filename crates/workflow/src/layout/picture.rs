//! What somebody is shown of a scene: at most [`MAX_PICTURE_ITEMS`] items and [`MAX_PICTURE_EDGES`] edges, and what was left out.

use weevil_model::NodeKind;

use super::adjacency::number;
use super::graph::Graph;
use super::place::{ITEM_WIDTH, height, left_of};
use super::scene::Scene;

/// Items of one picture.
pub const MAX_PICTURE_ITEMS: usize = 2000;
/// Edges of one picture.
pub const MAX_PICTURE_EDGES: usize = 8000;

/// A part of a layout, or all of it, in CSS pixels at zoom 1; x to the right, y down, both from 0.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picture {
    /// As large as all that was asked for, also where it is cut.
    pub width: u32,
    pub height: u32,
    /// Layer after layer, each from top to bottom.
    pub items: Vec<Item>,
    /// Between items of this picture, in the order of the items that they begin at.
    pub edges: Vec<PictureEdge>,
    /// `None` where all that was asked for is there.
    pub cut: Option<Cut>,
}

/// A node, or a stack of nodes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Item {
    /// Position in the document of the node, or of a stack's first one.
    pub node: u32,
    /// Nodes in it: more than one in a stack.
    pub count: u32,
    pub kind: NodeKind,
    /// Layer in the whole graph, from 0 at the left.
    pub layer: u32,
    /// Left side.
    pub x: u32,
    /// Upper side.
    pub y: u32,
    pub width: u32,
    pub height: u32,
}

/// One line from the right side of an item to the left side of another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PictureEdge {
    /// Positions in the picture's items.
    pub from: usize,
    pub to: usize,
    /// Edges of the graph in it; at least one.
    pub count: u32,
    /// It closes a cycle: it leads to the left, or to where it begins.
    pub back: bool,
    /// x and y of points that it leads through, from left to right; at most [`super::MAX_ROUTED_SPAN`] less one.
    pub via: Vec<(u32, u32)>,
}

/// What a picture lacks of what was asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cut {
    /// Items that are left out.
    pub items: u32,
    /// Edges that are left out, counted as they would be drawn.
    pub edges: u32,
    /// The node of the last item here, where there are items behind it: what to ask for to see them.
    pub next: Option<u32>,
}

impl Scene {
    /// The items from this place in the order on. `layers`: those of the nodes; `beyond`: items that this scene lacks already.
    pub(super) fn picture(&self, graph: &Graph, layers: &[u32], from: usize, beyond: u32) -> Picture {
        let rest = self.order.get(from..).unwrap_or_default();
        let shown = &rest[..rest.len().min(MAX_PICTURE_ITEMS)];
        let (edges, left_out) = self.edges(shown);
        let missing = number(self.order.len() - shown.len()) + beyond;
        let more = rest.len() > shown.len();
        let next = shown.last().filter(|_| more).map(|last| self.items.first(*last));
        let cut = (missing > 0 || left_out > 0).then_some(Cut { items: missing, edges: left_out, next });
        let items = shown.iter().map(|item| self.item(graph, layers, *item)).collect();
        Picture { width: self.width, height: self.height, items, edges, cut }
    }

    fn item(&self, graph: &Graph, layers: &[u32], item: u32) -> Item {
        let nodes = self.items.members.of(item);
        let (node, kind) = (nodes[0], graph.node(nodes[0]).kind);
        let height = height(kind, nodes.len());
        Item {
            node,
            count: number(nodes.len()),
            kind,
            layer: layers[node as usize],
            x: left_of(self.items.columns[item as usize]),
            y: self.middles[item as usize] - height / 2,
            width: ITEM_WIDTH,
            height,
        }
    }

    /// Edges between these items, and how many there are besides.
    fn edges(&self, shown: &[u32]) -> (Vec<PictureEdge>, u32) {
        let mut place = vec![usize::MAX; self.items.len() as usize];
        for (at, item) in shown.iter().enumerate() {
            place[*item as usize] = at;
        }
        let inside = |link: &usize| place[self.links[*link].to as usize] != usize::MAX;
        let inside = shown.iter().flat_map(|item| self.links_from(*item)).filter(inside);
        let edge = |link: usize| {
            let to = |item: u32| place[item as usize];
            self.edge(link, to(self.links[link].from), to(self.links[link].to))
        };
        let edges: Vec<_> = inside.take(MAX_PICTURE_EDGES).map(edge).collect();
        let left_out = number(self.links.len() - edges.len());
        (edges, left_out)
    }

    fn edge(&self, link: usize, from: usize, to: usize) -> PictureEdge {
        let found = self.links[link];
        let column = self.items.columns[found.from as usize];
        let x = (column + 1..).map(|column| left_of(column) + ITEM_WIDTH / 2);
        let via = x.zip(self.points(link).iter().copied()).collect();
        let back = found.span(&self.items.columns).is_none();
        PictureEdge { from, to, count: found.count, back, via }
    }
}
