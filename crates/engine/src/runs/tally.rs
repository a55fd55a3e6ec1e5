//! What a run looks like to people: counts and states that follow from its executors' messages, beside what was computed.
//!
//! Only adds up. Never decides anything, never asks anybody.

use std::cell::{Ref, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

use weevil_model::limits::MAX_SHOWN_NODES;
use weevil_model::trust::Policy;
use weevil_model::{NodeKind, NodeState, Timestamp};
use weevil_queue::profile::ProfileFacts;
use weevil_records::{NodeFacts, NodeStates, Progress, RunCourse, RunFacts, RunTotals};
use weevil_workflow::{JobSpec, Plan, PlanNode};

use crate::job_news::Work;
use crate::runs::earlier::Earlier;
use crate::runs::work_done::WorkDone;

/// Which node of the plan an executor belongs to, and what it is: processors and reducers belong to their pool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct NodeRef {
    pub node: usize,
    pub kind: NodeKind,
}

/// One run's tally, shared by its executors: they live on one thread, and a message for every step of every node would
/// cost more than the step.
#[derive(Debug, Clone)]
pub(crate) struct SharedTally(Rc<RefCell<Tally>>);

impl SharedTally {
    pub(crate) fn new(tally: Tally) -> Self {
        Self(Rc::new(RefCell::new(tally)))
    }

    /// Writes down what has happened, unless the run has ended.
    pub(crate) fn note(&self, write: impl FnOnce(&mut Tally)) {
        let mut tally = self.0.borrow_mut();
        if !tally.closed {
            write(&mut tally);
            tally.dirty = true;
        }
    }

    pub(crate) fn read(&self) -> Ref<'_, Tally> {
        self.0.borrow()
    }

    /// The database has counted all that was computed, also while nobody stood for the run.
    pub(crate) fn recount(&self, all: Earlier) {
        self.0.borrow_mut().work.recount(all);
    }

    /// Has anything been noted since the last time?
    pub(crate) fn take_news(&self) -> bool {
        std::mem::take(&mut self.0.borrow_mut().dirty)
    }
}

#[derive(Debug)]
pub(crate) struct Tally {
    dirty: bool,
    closed: bool,
    /// The first ones in document order, without what changes: `states` and `pools` have that.
    nodes: Vec<NodeFacts>,
    /// One for every node, in document order.
    states: Vec<NodeState>,
    /// The jobs below each pool.
    pools: BTreeMap<usize, Progress>,
    pub progress: Progress,
    work: WorkDone,
}

impl Tally {
    /// `trust` tells what a job is judged by.
    pub(crate) fn new(plan: &Plan, earlier: Earlier, trust: impl Fn(&JobSpec) -> Policy) -> Self {
        let judged = |node: &PlanNode| {
            let mut policies: Vec<u32> = Vec::new();
            for policy in node.body.specs().map(|spec| trust(spec)).filter(|policy| policy.is_judged()) {
                if !policies.contains(&policy.number()) {
                    policies.push(policy.number());
                }
            }
            policies
        };
        let mut nodes: Vec<NodeFacts> = plan
            .nodes()
            .iter()
            .take(MAX_SHOWN_NODES)
            .map(|node| NodeFacts {
                id: node.id.to_string(),
                kind: node.kind(),
                path: node.path.to_string(),
                state: NodeState::Started,
                sources: Vec::new(),
                jobs: None,
                trust: judged(node),
            })
            .collect();
        for node in plan.nodes() {
            for edge in &node.outgoing {
                if let Some(shown) = nodes.get_mut(edge.node.index()) {
                    shown.sources.push(node.id.to_string());
                }
            }
        }
        let jobs = plan.nodes().iter().filter(|node| node.kind() != NodeKind::Value).count();
        let progress = Progress { total: u32::try_from(jobs).unwrap_or(u32::MAX), ..Progress::default() };
        let states = vec![NodeState::Started; plan.nodes().len()];
        let pools = plan.nodes().iter().enumerate().filter(|(_, node)| node.kind() == NodeKind::Pool);
        // A pool will have its reducer; how many processors, its input says.
        let pools = pools.map(|(place, _)| (place, Progress { total: 1, ..Progress::default() })).collect();
        let work = WorkDone::after(earlier);
        Self { dirty: true, closed: false, nodes, states, pools, progress, work }
    }

    pub(crate) fn transition(&mut self, place: NodeRef, from: Option<NodeState>, to: NodeState) {
        if let Some(state) = self.states.get_mut(place.node)
            && matches!(place.kind, NodeKind::Value | NodeKind::Pool | NodeKind::Job)
        {
            *state = to;
        }
        let inner = self.pools.get_mut(&place.node).filter(|_| place.kind != NodeKind::Pool);
        let counts_overall = matches!(place.kind, NodeKind::Job | NodeKind::Processor | NodeKind::Reducer);
        for progress in inner.into_iter().chain(counts_overall.then_some(&mut self.progress)) {
            if let Some(count) = from.and_then(|state| counter(progress, state)) {
                *count -= 1;
            }
            if let Some(count) = counter(progress, to) {
                *count += 1;
            }
        }
    }

    pub(crate) fn pool_sized(&mut self, node: usize, elements: usize) {
        let elements = u32::try_from(elements).unwrap_or(u32::MAX);
        self.progress.total = self.progress.total.saturating_add(elements);
        if let Some(jobs) = self.pools.get_mut(&node) {
            jobs.total = jobs.total.saturating_add(elements);
        }
    }

    /// A job is judged: several places agree on its value, and who ended it is only the last of them.
    pub(crate) fn judged(&mut self) {
        self.work.lose_places();
    }

    /// What has not ended when the run ends is cancelled with it.
    pub(crate) fn close(&mut self) {
        self.closed = true;
        for state in self.states.iter_mut().filter(|state| !state.is_terminal()) {
            *state = NodeState::Cancelled;
        }
    }

    /// A job has cost this.
    pub(crate) fn worked(&mut self, work: Work, at: Timestamp) {
        self.work.note(work, at);
    }

    /// An attempt has ended without a value.
    pub(crate) fn failed(&mut self, at: Timestamp) {
        self.work.failed(at);
    }

    /// A job took a stored result.
    pub(crate) fn reused(&mut self, place: NodeRef) {
        for progress in self.pools.get_mut(&place.node).into_iter().chain([&mut self.progress]) {
            progress.reused += 1;
        }
    }

    /// As things stand; whether the run has failed, its executor knows.
    pub(crate) fn facts(&self) -> RunFacts {
        RunFacts {
            summary: RunTotals { progress: self.progress, stats: self.work.stats(self.progress.reused) },
            error: None,
            nodes: self.nodes.iter().enumerate().map(|(place, node)| self.standing(place, node)).collect(),
            node_count: u32::try_from(self.states.len()).unwrap_or(u32::MAX),
        }
    }

    fn standing(&self, place: usize, node: &NodeFacts) -> NodeFacts {
        NodeFacts { state: self.states[place], jobs: self.pools.get(&place).copied(), ..node.clone() }
    }

    /// How every node stands.
    pub(crate) fn node_states(&self) -> NodeStates {
        let pools = self.pools.iter().map(|(place, jobs)| (u32::try_from(*place).unwrap_or(u32::MAX), *jobs));
        NodeStates::new(&self.states, pools.collect())
    }

    /// What is kept of the way to its end.
    pub(crate) fn course(&self) -> RunCourse {
        RunCourse { states: self.node_states(), profile: Some(self.profile()) }
    }

    /// What was computed when.
    pub(crate) fn profile(&self) -> ProfileFacts {
        self.work.profile()
    }
}

fn counter(progress: &mut Progress, state: NodeState) -> Option<&mut u32> {
    match state {
        NodeState::Enqueued => Some(&mut progress.queued),
        NodeState::Running => Some(&mut progress.running),
        NodeState::Answered => Some(&mut progress.answered),
        NodeState::Finished => Some(&mut progress.done),
        NodeState::Failed => Some(&mut progress.failed),
        NodeState::Started
        | NodeState::ParamNotFulfilled
        | NodeState::ParamFulfilled
        | NodeState::Cancelled => None,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    const DOCUMENT: &str = r#"<workflow><nodes>
        <value id="v" value="[1,2]" returntype="Array"/>
        <pool id="p" returntype="Number"><parameters><parameter id="a" paramtype="Array"/></parameters>
          <processor id="x" src="F" returntype="Number"><parameters><parameter id="a" paramtype="Number"/></parameters></processor>
          <reducer id="y" src="F" returntype="Number"><parameters><parameter id="a" paramtype="Array"/></parameters></reducer>
        </pool></nodes><edges><edge id="e" source="v" dest="p"/></edges><finalnode id="p"/></workflow>"#;

    fn tally() -> Tally {
        let files = [("workflow.xml", DOCUMENT), ("F.js", "function weevil_main(a) { return a }")]
            .map(|(path, text)| (path.to_owned(), text.as_bytes().to_vec()));
        let bundle = weevil_workflow::Bundle::new(BTreeMap::from(files)).unwrap();
        let plan = weevil_workflow::load(&bundle).unwrap().plan;
        Tally::new(&plan, Earlier::default(), |_| Policy::None)
    }

    #[test]
    fn totals_grow_when_a_pool_splits_and_counts_follow_the_states() {
        let mut tally = tally();
        assert_eq!(tally.progress, Progress { total: 1, ..Progress::default() });
        let processor = NodeRef { node: 1, kind: NodeKind::Processor };
        tally.pool_sized(1, 3);
        for _ in 0..3 {
            tally.transition(processor, None, NodeState::ParamNotFulfilled);
            tally.transition(processor, Some(NodeState::ParamNotFulfilled), NodeState::Enqueued);
        }
        tally.transition(processor, Some(NodeState::Enqueued), NodeState::Running);
        tally.transition(processor, Some(NodeState::Enqueued), NodeState::Answered);
        let expected = Progress { total: 4, queued: 1, running: 1, answered: 1, ..Progress::default() };
        assert_eq!((tally.progress, tally.facts().nodes[1].jobs), (expected, Some(expected)));
        tally.transition(NodeRef { node: 1, kind: NodeKind::Reducer }, None, NodeState::Enqueued);
        assert_eq!(tally.progress.total, 4, "the reducer was counted from the start");
        tally.transition(processor, Some(NodeState::Enqueued), NodeState::Finished);
        tally.reused(processor);
        let expected = Progress {
            total: 4,
            queued: 1,
            running: 1,
            done: 1,
            answered: 1,
            reused: 1,
            ..Progress::default()
        };
        assert_eq!((tally.progress, tally.facts().nodes[1].jobs), (expected, Some(expected)));
        assert_eq!(tally.facts().summary.stats.reused, 1);
        let pool = tally.facts().nodes.remove(1);
        assert_eq!(pool.state, NodeState::Started, "inner executors do not speak for their pool");
        assert_eq!((pool.path.as_str(), pool.sources), ("v/p", vec!["v".to_owned()]));
        tally.close();
        assert_eq!(tally.facts().nodes[1].state, NodeState::Cancelled);
        let states = tally.course().states;
        assert_eq!(
            (states.state(1), states.pool(1)),
            (Some(NodeState::Cancelled), tally.facts().nodes[1].jobs)
        );
    }
}
