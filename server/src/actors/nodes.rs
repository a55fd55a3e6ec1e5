//! Starting the executors of a plan: consumers before producers, so that every producer knows where its result goes.

use std::sync::Arc;

use actix::{Actor, Recipient};
use petgraph::algo::toposort;
use weevil_workflow::{NodeBody, NodeIndex, Plan, PlanNode};

use super::job::{JobActor, RunContext};
use super::pool::PoolActor;
use super::run::{Outlet, Place};
use super::value::ValueActor;
use super::{Cancel, Input};

/// Starts one actor per node and answers how to cancel them.
pub(super) fn start(plan: &Plan, context: &RunContext) -> Vec<Recipient<Cancel>> {
    // A plan is checked: it has no cycle.
    let order = toposort(plan.graph(), None).unwrap_or_default();
    let mut inputs: Vec<Option<Recipient<Input>>> = vec![None; plan.nodes().len()];
    let mut cancels = Vec::new();
    for index in order.into_iter().rev() {
        let node = plan.node(index);
        let outlet = outlet(plan, index, &inputs, context);
        let place = Place { node: index.index(), kind: node.kind() };
        if let Some((input, cancel)) = start_node(node, place, outlet, context) {
            inputs[index.index()] = Some(input);
            cancels.push(cancel);
        }
    }
    cancels
}

fn outlet(
    plan: &Plan,
    index: NodeIndex,
    inputs: &[Option<Recipient<Input>>],
    context: &RunContext,
) -> Outlet {
    let targets = plan
        .node(index)
        .outgoing
        .iter()
        .filter_map(|edge| Some((inputs[edge.node.index()].clone()?, edge.port)))
        .collect();
    let last = (index == plan.final_node()).then(|| context.executor.clone());
    Outlet::Edges { targets, last }
}

/// Value nodes have no ports and are over at once: nobody sends to them.
fn start_node(
    node: &PlanNode,
    place: Place,
    outlet: Outlet,
    context: &RunContext,
) -> Option<(Recipient<Input>, Recipient<Cancel>)> {
    let (context, path) = (context.clone(), node.path.clone());
    match &node.body {
        NodeBody::Value(value) => {
            let watched = Some((context.executor, place));
            ValueActor { value: value.clone(), outlet, place: watched }.start();
            None
        }
        NodeBody::Job(spec) => {
            let actor = JobActor::job(context, Arc::new(spec.clone()), path, place, outlet).start();
            Some((actor.clone().recipient(), actor.recipient()))
        }
        NodeBody::Pool { processor, reducer } => {
            let specs = (Arc::new(processor.clone()), Arc::new(reducer.clone()));
            let actor = PoolActor::new(context, specs, path, place, outlet).start();
            Some((actor.clone().recipient(), actor.recipient()))
        }
    }
}
