//! The appendix documents run unchanged, whatever the layout of their white space (thesis figures 6.4 and 6.5).

use crate::common::{figure, listed};
use weevil_model::{DataType, Value};
use weevil_workflow::{NodeBody, NodeIndex, Outgoing, Plan, load};

const FIGURE_6_4: &str = include_str!("../data/figure-6.4.xml");
const FIGURE_6_5: &str = include_str!("../data/figure-6.5.xml");
const PRINTED_6_4: &str = include_str!("../data/figure-6.4-as-printed.xml");
const PRINTED_6_5: &str = include_str!("../data/figure-6.5-as-printed.xml");

/// The same document in other layouts. Comments and line ends between attributes included.
fn layouts(document: &str) -> Vec<String> {
    let lines: Vec<_> = document.lines().map(str::trim).collect();
    vec![
        document.to_owned(),
        document.replace('\n', "\r\n"),
        document.replace('\n', "\r"),
        document.replace("    ", "\t"),
        lines.concat(),
        document.replace("\" ", "\"\n\t "),
        document.replace('=', "\r\n=\t"),
        document.replace("\" />", "\"/>").replace("/>", "\n/>"),
        document.replace("\" />", "\" /\n   >"),
        document.replace('"', "'"),
        format!("\u{FEFF}<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!-- head -->\n{document}\n\n"),
        document.replace("Number\"", " &#78;umber\n\""),
    ]
}

fn load_plan(document: &str) -> Plan {
    load(&figure(document)).unwrap_or_else(|problems| panic!("{document}\n{}", listed(&problems))).plan
}

fn assert_figure_6_4(plan: &Plan) {
    let ids: Vec<_> = plan.nodes().iter().map(|node| &*node.id).collect();
    assert_eq!(ids, ["val1", "val2", "val3", "val4", "val5"]);
    let paths: Vec<_> = plan.nodes().iter().map(|node| &*node.path).collect();
    assert_eq!(paths, ["val1", "val2", "val1/val3", "val1/val3/val4", "val5"]);
    let starts: Vec<_> = plan.starts().map(NodeIndex::index).collect();
    assert_eq!((starts, plan.final_node().index()), (vec![0, 1, 4], 3));
    let [val3, val4] = [NodeIndex::new(2), NodeIndex::new(3)];
    assert_eq!(plan.nodes()[0].outgoing, [Outgoing { node: val3, port: 0 }]);
    assert_eq!(plan.nodes()[1].outgoing, [Outgoing { node: val3, port: 1 }]);
    assert_eq!(plan.node(val3).outgoing, [Outgoing { node: val4, port: 1 }]);
    assert_eq!(plan.nodes()[4].outgoing, [Outgoing { node: val4, port: 0 }]);
    assert_eq!(
        (plan.node(val4).supervisor, plan.node(val3).supervised.as_slice()),
        (Some(val3), &[val4][..])
    );
    let values: Vec<_> = plan.nodes().iter().filter_map(|node| value(&node.body)).collect();
    assert_eq!(values, [44.0, 13.0, 100.0].map(Value::Number));
    let NodeBody::Job(job) = &plan.node(val4).body else { panic!("val4 is a job") };
    assert_eq!((&*job.source, job.priority, job.timeout_seconds, job.attempts), ("Add.js", 0, 300, 3));
    assert_eq!(
        plan.codes().map(|(hash, path)| (hash == job.code, path)).collect::<Vec<_>>(),
        [(true, "Add.js")]
    );
    assert_eq!(plan.graph().edge_weights().filter_map(|edge| edge.id.as_deref()).last(), Some("fourth"));
}

fn value(body: &NodeBody) -> Option<Value> {
    match body {
        NodeBody::Value(encoded) => encoded.value().ok(),
        _ => None,
    }
}

fn assert_figure_6_5(plan: &Plan) {
    let [value_node, pool] = plan.nodes() else { panic!("two nodes are expected") };
    assert_eq!((value_node.return_type, pool.return_type), (DataType::Array, DataType::Number));
    assert_eq!((&*pool.path, plan.final_node().index()), ("val0/pool0", 1));
    let NodeBody::Pool { processor, reducer } = &pool.body else { panic!("pool0 is a pool") };
    assert_eq!((&*processor.id, &*processor.source), ("pool0_processor0", "FLOPS.js"));
    assert_eq!((&*reducer.id, &*reducer.source), ("pool0_reducer", "FLOPS_SumReduce.js"));
    assert_eq!(
        (processor.ports[0].data_type, reducer.ports[0].data_type),
        (DataType::Number, DataType::Array)
    );
    assert_eq!(value_node.outgoing, [Outgoing { node: NodeIndex::new(1), port: 0 }]);
}

#[test]
fn figure_6_4_is_the_same_plan_in_every_layout() {
    let printed = PRINTED_6_4.to_owned();
    for layout in layouts(FIGURE_6_4).into_iter().chain([printed]) {
        assert_figure_6_4(&load_plan(&layout));
    }
}

#[test]
fn figure_6_5_is_the_same_plan_in_every_layout() {
    let printed = PRINTED_6_5.to_owned();
    for layout in layouts(FIGURE_6_5).into_iter().chain([printed]) {
        assert_figure_6_5(&load_plan(&layout));
    }
}
