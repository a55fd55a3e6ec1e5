//! Starting the executors of a plan: consumers before producers, so that every producer knows where its result goes.

use actix::Actor;
use petgraph::algo::toposort;
use weevil_workflow::{NodeBody, NodeIndex, Plan, PlanNode};

use crate::runs::context::SharedContext;
use crate::runs::nodes::job::JobActor;
use crate::runs::nodes::pool::PoolActor;
use crate::runs::nodes::value::ValueActor;
use crate::runs::outlet::{Consumer, Outlet};
use crate::runs::tally::NodeRef;

/// Starts one actor per node and answers those that can be told something.
pub(crate) fn start(plan: &Plan, context: &SharedContext) -> Vec<Consumer> {
    // A plan is checked: it has no cycle.
    let order = toposort(plan.graph(), None).unwrap_or_default();
    let mut consumers: Vec<Option<Consumer>> = vec![None; plan.nodes().len()];
    for index in order.into_iter().rev() {
        let node = plan.node(index);
        let outlet = outlet(plan, index, &consumers, context);
        let place = NodeRef { node: index.index(), kind: node.kind() };
        consumers[index.index()] = start_node(node, place, outlet, context);
    }
    consumers.into_iter().flatten().collect()
}

fn outlet(plan: &Plan, index: NodeIndex, consumers: &[Option<Consumer>], context: &SharedContext) -> Outlet {
    let targets = plan
        .node(index)
        .outgoing
        .iter()
        .filter_map(|edge| Some((consumers[edge.node.index()].clone()?, edge.port)))
        .collect();
    let last = (index == plan.final_node()).then(|| context.results.clone());
    Outlet::Edges { targets, last }
}

/// Value nodes have no ports and are over at once: nobody tells them anything.
fn start_node(node: &PlanNode, place: NodeRef, outlet: Outlet, context: &SharedContext) -> Option<Consumer> {
    let (context, path) = (context.clone(), node.path.clone());
    match &node.body {
        NodeBody::Value(value) => {
            let watched = Some((context.tally.clone(), place));
            ValueActor { value: value.clone(), outlet, place: watched }.start();
            None
        }
        NodeBody::Job(spec) => {
            let actor = JobActor::job(context, spec.clone(), path, place, outlet).start();
            Some(Consumer::of(actor))
        }
        NodeBody::Pool { processor, reducer } => {
            let specs = (processor.clone(), reducer.clone());
            Some(Consumer::of(PoolActor::launch(context, specs, path, place, outlet)))
        }
    }
}
