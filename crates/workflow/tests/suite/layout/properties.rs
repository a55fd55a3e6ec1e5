//! What holds for the layout of any graph, with cycles, loops and edges to nowhere.

use std::collections::BTreeSet;

use proptest::collection::vec;
use proptest::prelude::*;
use weevil_model::NodeKind;
use weevil_workflow::layout::{Graph, GraphNode, ITEM_GAP, Item, LAYER_STEP, Layout, MAX_HOPS, Picture};

use super::shapes::Edge;

/// As many as a build without optimisation runs through in a few seconds.
const CASES: u32 = 300;

#[derive(Debug, Clone)]
struct Sketch {
    nodes: Vec<GraphNode>,
    edges: Vec<Edge>,
    last: Option<usize>,
}

impl Sketch {
    fn graph(&self) -> Graph {
        Graph::new(self.nodes.clone(), self.edges.iter().copied(), self.last)
    }

    /// Edges between nodes that are there.
    fn sound(&self) -> impl Iterator<Item = Edge> {
        let there = |node: usize| node < self.nodes.len();
        self.edges.iter().copied().filter(move |(from, to)| there(*from) && there(*to))
    }

    /// The nodes up to so many edges away, found without lists of neighbours.
    fn around(&self, middle: usize, hops: u32) -> BTreeSet<usize> {
        let mut found = BTreeSet::from([middle]);
        for _ in 0..hops {
            let known = found.clone();
            for (from, to) in self.sound().filter(|(from, to)| known.contains(from) || known.contains(to)) {
                found.extend([from, to]);
            }
        }
        found
    }
}

fn node() -> impl Strategy<Value = GraphNode> {
    let kinds = prop_oneof![
        2 => Just(NodeKind::Value),
        6 => Just(NodeKind::Job),
        1 => Just(NodeKind::Pool)
    ];
    (kinds, 0_u32..3)
        .prop_map(|(kind, code)| GraphNode { kind, code: (kind == NodeKind::Job).then_some(code / 2) })
}

/// Few layers where there are few edges, so that some fold.
fn sketch() -> impl Strategy<Value = Sketch> {
    let edges =
        prop_oneof![vec((0_usize..130, 0_usize..130), 0..20), vec((0_usize..60, 0_usize..60), 0..200)];
    (vec(node(), 1..120), edges, proptest::option::of(0_usize..130)).prop_map(|(nodes, edges, last)| Sketch {
        nodes,
        edges,
        last,
    })
}

/// No two items of a column are nearer than they may be, and all is inside of the picture.
fn is_placed(picture: &Picture) -> bool {
    let below = |above: &Item, item: &Item| above.y + above.height + ITEM_GAP <= item.y;
    let ordered = picture.items.windows(2).all(|pair| {
        let (one, next) = (&pair[0], &pair[1]);
        one.x < next.x || (one.x == next.x && below(one, next))
    });
    let inside = |item: &Item| item.x + item.width <= picture.width && item.y + item.height <= picture.height;
    let points = picture.edges.iter().flat_map(|edge| &edge.via);
    ordered && picture.items.iter().all(inside) && points.into_iter().all(|(_, y)| *y <= picture.height)
}

/// To the right through a point in each column between, or marked.
fn leads_right(picture: &Picture) -> bool {
    picture.edges.iter().all(|edge| {
        let (from, to) = (&picture.items[edge.from], &picture.items[edge.to]);
        if edge.back {
            return to.x <= from.x && edge.via.is_empty();
        }
        let via: Vec<u32> = edge.via.iter().map(|(x, _)| x / LAYER_STEP).collect();
        let between: Vec<u32> = (from.x / LAYER_STEP + 1..to.x / LAYER_STEP).collect();
        from.x < to.x && (via.is_empty() || via == between)
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(CASES))]

    #[test]
    fn every_node_is_in_one_item_and_every_edge_in_one_line(sketch in sketch()) {
        let layout = Layout::new(sketch.graph());
        let picture = layout.picture(None).unwrap();
        let mut seen = Vec::new();
        for item in &picture.items {
            let stack = layout.stack(item.node, None, usize::MAX);
            let nodes = stack.map_or_else(|| vec![item.node], |stack| stack.nodes.to_vec());
            prop_assert_eq!(nodes.len(), item.count as usize);
            for node in &nodes {
                prop_assert_eq!(layout.layer_of()[*node as usize], item.layer);
                prop_assert_eq!(sketch.nodes[*node as usize], sketch.nodes[item.node as usize]);
                prop_assert_eq!(layout.item_of().nth(*node as usize), Some(item.node));
            }
            seen.extend(nodes);
        }
        seen.sort_unstable();
        prop_assert_eq!(seen, (0..layout.nodes()).collect::<Vec<_>>());
        let drawn: u32 = picture.edges.iter().map(|edge| edge.count).sum();
        prop_assert_eq!(drawn as usize, sketch.sound().count());
        prop_assert_eq!(picture.cut, None);
        prop_assert_eq!(layout.counts().iter().sum::<u32>(), layout.nodes());
        prop_assert!(layout.counts().iter().all(|count| *count > 0));
    }

    #[test]
    fn nothing_overlaps_and_edges_lead_right(sketch in sketch(), middle in any::<prop::sample::Index>()) {
        let layout = Layout::new(sketch.graph());
        let middle = u32::try_from(middle.index(sketch.nodes.len())).unwrap();
        for picture in [layout.picture(None).unwrap(), layout.near(middle, 2).unwrap()] {
            prop_assert!(is_placed(&picture), "{:?}", picture);
            prop_assert!(leads_right(&picture), "{:?}", picture);
        }
    }

    #[test]
    fn without_cycles_nothing_leads_back(mut sketch in sketch()) {
        sketch.edges.retain(|(from, to)| from != to);
        for edge in &mut sketch.edges {
            *edge = (edge.0.min(edge.1), edge.0.max(edge.1));
        }
        let picture = Layout::new(sketch.graph()).picture(None).unwrap();
        prop_assert!(picture.edges.iter().all(|edge| !edge.back));
    }

    #[test]
    fn equal_graphs_have_equal_pictures(sketch in sketch()) {
        let [one, other] = [(); 2].map(|()| Layout::new(sketch.graph()));
        prop_assert_eq!(one.picture(None), other.picture(None));
        prop_assert_eq!(one.near(0, 3), other.near(0, 3));
    }

    #[test]
    fn a_neighbourhood_is_what_lies_around(
        sketch in sketch(),
        middle in any::<prop::sample::Index>(),
        hops in 0..=MAX_HOPS,
    ) {
        let middle = middle.index(sketch.nodes.len());
        let near = Layout::new(sketch.graph()).near(u32::try_from(middle).unwrap(), hops).unwrap();
        let found: BTreeSet<usize> = near.items.iter().map(|item| item.node as usize).collect();
        let expected = sketch.around(middle, hops);
        let inside = |(from, to): &Edge| expected.contains(from) && expected.contains(to);
        let edges = sketch.sound().filter(inside).count();
        prop_assert_eq!(near.edges.iter().map(|edge| edge.count as usize).sum::<usize>(), edges);
        prop_assert_eq!((found.len(), &found), (near.items.len(), &expected));
    }
}
