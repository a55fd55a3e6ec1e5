//! Pictures of shipped workflows and of shapes, beside the text that they are drawn as.

use weevil_workflow::layout::{Graph, Layout};

use super::drawing::drawn;
use super::shapes::{Edge, alike, all_to_all, chain, fork_join, jobs};
use crate::common::{from_disk, plan};

fn of(graph: Graph) -> String {
    drawn(&Layout::new(graph).picture(None).unwrap(), |node| node.to_string())
}

fn of_jobs(nodes: u32, edges: &[Edge]) -> String {
    of(jobs(nodes, edges.iter().copied()))
}

#[test]
fn shipped_workflows_have_pictures() {
    for name in ["add", "flops", "pi", "saxpy", "webcl-add"] {
        let folder = format!("{}/../../workflows/{name}", env!("CARGO_MANIFEST_DIR"));
        let plan = plan(&from_disk(folder.as_ref()));
        let picture = Layout::new(Graph::from(&plan)).picture(None).unwrap();
        let id = |node: u32| plan.nodes()[node as usize].id.to_string();
        insta::assert_snapshot!(format!("shipped_{name}"), drawn(&picture, id));
    }
}

#[test]
fn shapes_have_pictures() {
    let two_chains = [(0, 1), (1, 2), (3, 4), (4, 5)];
    for (name, text) in [
        ("nothing", of_jobs(0, &[])),
        ("one_node", of_jobs(1, &[])),
        ("chain", of(chain(5))),
        ("two_chains", of_jobs(6, &two_chains)),
        ("diamond", of_jobs(4, &[(0, 1), (0, 2), (1, 3), (2, 3)])),
        ("diamond_with_a_long_side", of_jobs(5, &[(0, 1), (1, 2), (2, 4), (0, 3), (3, 4), (0, 4)])),
        ("crossed_pairs", of_jobs(6, &[(0, 5), (1, 4), (2, 3), (0, 4)])),
        ("all_to_all", of(jobs(6, all_to_all(3)))),
        ("fork_join", of(jobs(7, fork_join(5)))),
        ("fork_join_that_folds", of(alike(102, fork_join(100), Some(101)))),
        ("fan_that_just_does_not_fold", of(alike(25, (1..25).map(|node| (0, node)), None))),
        ("fan_that_just_folds", of(alike(26, (1..26).map(|node| (0, node)), None))),
        ("cycle", of_jobs(4, &[(0, 1), (1, 2), (2, 3), (3, 1), (2, 2)])),
        ("cycle_alone", of_jobs(3, &[(0, 1), (1, 2), (2, 0)])),
    ] {
        insta::assert_snapshot!(name, text);
    }
}

#[test]
fn a_neighbourhood_is_drawn_node_by_node() {
    let layout = Layout::new(alike(102, fork_join(100), Some(101)));
    let number = |node: u32| node.to_string();
    let near = |node, hops| drawn(&layout.near(node, hops).unwrap(), number);
    insta::assert_snapshot!("near_one_of_a_stack", near(50, 1));
    insta::assert_snapshot!("near_itself", near(50, 0));
    assert_eq!(near(0, 1).matches("0 -> ").count(), 100, "its targets do not fold");
    assert_eq!(layout.near(102, 1), None);
    let cycle = Layout::new(jobs(6, [(0, 1), (1, 2), (2, 3), (3, 0), (3, 4), (4, 5)]));
    insta::assert_snapshot!("near_in_a_cycle", drawn(&cycle.near(0, 1).unwrap(), number));
}
