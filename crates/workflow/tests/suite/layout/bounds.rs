//! Every bound of a layout is reached: nodes and edges of a graph, items and edges of a picture, points of links, hops.

use weevil_model::limits::MAX_NODES;
use weevil_workflow::layout::{
    Cut, FOLD_ABOVE, Graph, ITEM_GAP, ITEM_HEIGHT, ITEM_WIDTH, LAYER_STEP, Layout, MAX_HOPS,
    MAX_PICTURE_EDGES, MAX_PICTURE_ITEMS, MAX_ROUTED_SPAN, POINTS_PER_ITEM, Picture,
};
use weevil_workflow::limits::MAX_ELEMENTS;

use super::shapes::{alike, all_to_all, chain, fork_join, job, jobs};

fn whole(graph: Graph) -> Picture {
    Layout::new(graph).picture(None).unwrap()
}

#[test]
fn a_graph_is_no_larger_than_a_document() {
    let layout = Layout::new(alike(MAX_NODES + 1, [(0, MAX_NODES), (0, MAX_NODES - 1)], Some(MAX_NODES)));
    let picture = layout.picture(None).unwrap();
    assert_eq!((layout.nodes() as usize, picture.edges.len()), (MAX_NODES, 1));
    let loops = whole(alike(1, vec![(0, 0); MAX_ELEMENTS + 1], None));
    assert_eq!(loops.edges[0].count as usize, MAX_ELEMENTS);
}

#[test]
fn a_picture_is_cut_and_goes_on_behind_its_last_item() {
    let layout = Layout::new(chain(2 * 2000 + 1));
    let (mut nodes, mut after, mut cuts) = (Vec::new(), None, Vec::new());
    loop {
        let picture = layout.picture(after).unwrap();
        assert!(picture.items.len() <= MAX_PICTURE_ITEMS && picture.width == LAYER_STEP * 4000 + ITEM_WIDTH);
        nodes.extend(picture.items.iter().map(|item| item.node));
        cuts.push(picture.cut.unwrap());
        after = cuts.last().and_then(|cut| cut.next);
        if after.is_none() {
            break;
        }
    }
    assert_eq!(nodes, (0..=4000).collect::<Vec<_>>());
    let cut = |items, edges, next| Cut { items, edges, next };
    assert_eq!(cuts, [cut(2001, 2001, Some(1999)), cut(2001, 2001, Some(3999)), cut(4000, 4000, None)]);
    assert_eq!(Layout::new(chain(2000)).picture(None).unwrap().cut, None);
    assert_eq!(layout.picture(Some(4001)), None);
}

#[test]
fn edges_beyond_the_bound_are_counted() {
    let picture = whole(jobs(200, all_to_all(100)));
    let left_out = 100 * 100 - u32::try_from(MAX_PICTURE_EDGES).unwrap();
    assert_eq!(picture.cut, Some(Cut { items: 0, edges: left_out, next: None }));
    assert_eq!((picture.items.len(), picture.edges.len()), (200, MAX_PICTURE_EDGES));
}

/// The number of points of the edge from 0 to the last of a chain that it spans.
fn points_over(span: u32) -> usize {
    let chain = (0..span as usize).map(|node| (node, node + 1));
    let picture = whole(jobs(span + 1, chain.chain([(0, span as usize)])));
    let long = picture.edges.iter().find(|edge| edge.to - edge.from == span as usize);
    long.unwrap().via.len()
}

#[test]
fn long_edges_have_points_within_bounds() {
    let longest = MAX_ROUTED_SPAN;
    assert_eq!([2, longest, longest + 1].map(points_over), [1, longest as usize - 1, 0]);
    // Each node leads to all behind it: 39 edges of two layers' span have a point, 38 have two, and so on.
    let nodes = 40;
    let all = (0..nodes).flat_map(|from| (from + 1..nodes).map(move |to| (from, to)));
    let picture = whole(jobs(40, all));
    let points: usize = picture.edges.iter().map(|edge| edge.via.len()).sum();
    assert_eq!((picture.edges.len(), points), (780, 38 + 2 * 37));
    assert!(points <= nodes * POINTS_PER_ITEM);
}

#[test]
fn a_neighbourhood_is_bounded_in_hops_and_nodes() {
    let (hops, far) = (MAX_HOPS as usize, Layout::new(chain(100)).near(50, u32::MAX).unwrap());
    assert_eq!((far.items.len(), far.cut), (2 * hops + 1, None));
    let wide = Layout::new(alike(3002, fork_join(3000), None));
    let near = wide.near(0, 1).unwrap();
    let edges: Vec<_> = near.edges.iter().map(|edge| edge.from).collect();
    assert_eq!(near.cut, Some(Cut { items: 1001, edges: 0, next: None }));
    assert_eq!((near.items.len(), edges), (MAX_PICTURE_ITEMS, vec![0; MAX_PICTURE_ITEMS - 1]));
}

#[test]
fn a_stack_is_read_page_by_page() {
    let layout = Layout::new(alike(102, fork_join(100), Some(101)));
    let (mut nodes, mut after) = (Vec::new(), None);
    while let Some(page) = layout.stack(7, after, 40) {
        assert_eq!((page.count, page.more), (100, nodes.len() + page.nodes.len() < 100));
        nodes.extend_from_slice(page.nodes);
        after = page.nodes.last().copied();
        if !page.more {
            break;
        }
    }
    assert_eq!(nodes, (1..=100).collect::<Vec<_>>());
    for (what, node, after) in [
        ("a node alone", 0, None),
        ("the final node", 101, None),
        ("no node", 102, None),
        ("a mark of another item", 7, Some(101)),
        ("a mark that is nowhere", 7, Some(500)),
    ] {
        assert_eq!(layout.stack(node, after, 40), None, "{what}");
    }
    assert_eq!(layout.stack(7, Some(100), 40).map(|page| (page.nodes.len(), page.more)), Some((0, false)));
}

/// Values of one layer fold as jobs of one file do; pools and the final node never.
#[test]
fn what_folds_is_told_by_layer_kind_and_code() {
    let more = FOLD_ABOVE + 1;
    let value = weevil_workflow::layout::GraphNode { kind: weevil_model::NodeKind::Value, code: None };
    let pool = weevil_workflow::layout::GraphNode { kind: weevil_model::NodeKind::Pool, code: None };
    let two_files = [vec![job(0); more], vec![job(1); more]].concat();
    for (what, nodes, last, items) in [
        ("jobs of one file", vec![job(0); more], None, 1),
        ("so many are still drawn", vec![job(0); FOLD_ABOVE], None, FOLD_ABOVE),
        ("the final node is drawn", vec![job(0); more], Some(3), more),
        ("jobs of two files", two_files, None, 2),
        ("values", vec![value; more], None, 1),
        ("pools", vec![pool; more], None, more),
    ] {
        let picture = whole(Graph::new(nodes, [], last));
        assert_eq!(picture.items.len(), items, "{what}");
    }
    let layered = (0..more).map(|node| (node, node + more));
    assert_eq!(whole(alike(2 * more, layered, None)).items.len(), 2, "a stack of each layer");
}

#[test]
fn the_largest_graphs_are_laid_out() {
    let nodes = u32::try_from(MAX_NODES).unwrap();
    let long = Layout::new(chain(nodes));
    assert_eq!(long.counts().len(), MAX_NODES);
    assert_eq!(long.near(nodes / 2, 2).unwrap().items.len(), 5);
    let wide = whole(Graph::new((0..nodes).map(job).collect(), [], None));
    assert_eq!(wide.height, nodes * (ITEM_HEIGHT + ITEM_GAP) - ITEM_GAP);
}
