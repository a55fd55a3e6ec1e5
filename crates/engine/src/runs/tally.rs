//! What a run looks like to people: counts, states and sums that follow from its executors' messages.
//!
//! Only adds up. Never decides anything, never asks anybody.

use std::cell::{Ref, RefCell};
use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

use weevil_model::limits::MAX_SHOWN_NODES;
use weevil_model::trust::Policy;
use weevil_model::{NodeKind, NodeState, Timestamp, WorkerId};
use weevil_records::{NodeFacts, NodeStates, Progress, RunCourse, RunFacts, RunStats, RunTotals, SlotTotals};
use weevil_workflow::{JobSpec, Plan, PlanNode};

use crate::job_news::Work;
use crate::runs::earlier::Earlier;
use crate::runs::places::Places;
use crate::runs::times::Times;

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
        self.0.borrow_mut().recount(all);
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
    /// Of every node, in document order.
    states: Vec<NodeState>,
    /// The jobs below each pool.
    pools: BTreeMap<usize, Progress>,
    pub progress: Progress,
    /// Jobs that took a stored result.
    pub reused: u32,
    slots: HashMap<(WorkerId, u32), SlotTotals>,
    times: Times,
    places: Places,
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
        let mut places = Places::default();
        places.lose(!earlier.slots.is_empty());
        let slots = by_slot(earlier.slots);
        let times = Times::of(&earlier.times);
        let states = vec![NodeState::Started; plan.nodes().len()];
        let pools = plan.nodes().iter().enumerate().filter(|(_, node)| node.kind() == NodeKind::Pool);
        // A pool will have its reducer; how many processors, its input says.
        let pools = pools.map(|(place, _)| (place, Progress { total: 1, ..Progress::default() })).collect();
        Self { dirty: true, closed: false, nodes, states, pools, progress, reused: 0, slots, times, places }
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
        self.places.lose(true);
    }

    /// What has not ended when the run ends is cancelled with it.
    pub(crate) fn close(&mut self) {
        self.closed = true;
        for state in self.states.iter_mut().filter(|state| !state.is_terminal()) {
            *state = NodeState::Cancelled;
        }
    }

    pub(crate) fn worked(&mut self, work: Work, at: Timestamp) {
        let Work { worker, place, effort } = work;
        self.places.note(place);
        let totals = self.slots.entry((worker, effort.slot())).or_insert(SlotTotals {
            worker,
            slot: effort.slot(),
            jobs: 0,
            compute_us: 0,
            flops: 0.0,
            first_claim: effort.handed_out(),
            last_result: at,
        });
        totals.jobs = totals.jobs.saturating_add(1);
        self.times.count(effort.compute_us(), 1);
        totals.compute_us = totals.compute_us.saturating_add(effort.compute_us());
        totals.flops += effort.flops();
        totals.first_claim = totals.first_claim.min(effort.handed_out());
        totals.last_result = totals.last_result.max(at);
    }

    /// As things stand; whether the run has failed, its executor knows.
    pub(crate) fn facts(&self) -> RunFacts {
        RunFacts {
            summary: RunTotals { progress: self.progress, stats: self.stats() },
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
        RunCourse { states: self.node_states() }
    }

    fn recount(&mut self, all: Earlier) {
        let jobs = |slots: &mut dyn Iterator<Item = &SlotTotals>| -> u64 {
            slots.map(|totals| u64::from(totals.jobs)).sum()
        };
        self.places.lose(jobs(&mut all.slots.iter()) != jobs(&mut self.slots.values()));
        self.times = Times::of(&all.times);
        self.slots = by_slot(all.slots);
    }

    fn stats(&self) -> RunStats {
        let slots = || self.slots.values();
        let first = slots().map(|totals| totals.first_claim).min().unwrap_or_default();
        let last = slots().map(|totals| totals.last_result).max().unwrap_or_default();
        let wall_ms = last.since(first);
        let compute_ms = slots().map(busy_us).fold(0, u64::saturating_add) as f64 / 1000.0;
        let slot_ms = slots().map(span_ms).fold(0, u64::saturating_add) as f64;
        let flops: f64 = slots().map(|totals| totals.flops).sum();
        let mut workers: Vec<WorkerId> = slots().map(|totals| totals.worker).collect();
        workers.sort_unstable();
        workers.dedup();
        RunStats {
            jobs: slots().map(|totals| totals.jobs).fold(0, u32::saturating_add),
            reused: self.reused,
            places: self.places.count().filter(|_| self.reused == 0),
            workers: u32::try_from(workers.len()).unwrap_or(u32::MAX),
            slots: u32::try_from(self.slots.len()).unwrap_or(u32::MAX),
            wall_ms,
            compute_ms,
            median_ms: self.times.median_ms(),
            utilisation: ratio(compute_ms, slot_ms).min(1.0),
            mflops: ratio(flops, wall_ms as f64 * 1000.0),
        }
    }
}

fn by_slot(totals: Vec<SlotTotals>) -> HashMap<(WorkerId, u32), SlotTotals> {
    totals.into_iter().map(|totals| ((totals.worker, totals.slot), totals)).collect()
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

/// From a slot's first hand-out to its last result.
fn span_ms(totals: &SlotTotals) -> u64 {
    u64::try_from(totals.last_result.since(totals.first_claim)).unwrap_or(0)
}

/// No slot computes longer than it was there, although each of its jobs was held for as long as it claims: they were
/// handed out ahead.
fn busy_us(totals: &SlotTotals) -> u64 {
    totals.compute_us.min(span_ms(totals).saturating_add(1).saturating_mul(1000))
}

fn ratio(part: f64, whole: f64) -> f64 {
    Some(part / whole).filter(|ratio| ratio.is_finite()).unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use weevil_model::PlaceNumber;
    use weevil_queue::decide::effort::Seen;
    use weevil_queue::{ClaimedEffort, Effort};

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

    fn worker(n: i64) -> WorkerId {
        WorkerId::from_number(n).unwrap()
    }

    fn work(by: i64, claimed: ClaimedEffort, from: i64, to: i64) -> Work {
        let seen = Seen { handed_out: Timestamp(from), reported: Timestamp(to), slots: 2 };
        let place = Some(PlaceNumber::from_number(by.unsigned_abs()));
        Work { worker: worker(by), place, effort: Effort::judged(claimed, seen) }
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

    /// Handed out ahead, each of a slot's jobs was held for as long as it claims.
    #[test]
    fn no_slot_computes_longer_than_it_was_there() {
        let mut tally = tally();
        let all = ClaimedEffort { slot: u32::MAX, compute_us: u64::MAX, flops: f64::MAX };
        for at in 1..=1_000 {
            tally.worked(work(1, all, 0, at), Timestamp(at));
            tally.worked(work(2, all, -at, at), Timestamp(at));
        }
        let stats = tally.stats();
        assert_eq!((stats.jobs, stats.workers, stats.slots, stats.wall_ms), (2_000, 2, 2, 2_000));
        assert!(stats.utilisation <= 1.0 && stats.compute_ms <= 3_002.0, "{stats:?}");
        assert!(stats.mflops.is_finite() && stats.median_ms <= 2_001.0 * 1.09, "{stats:?}");
    }

    #[test]
    fn what_was_computed_while_nobody_looked_is_in_the_last_count() {
        let claimed = ClaimedEffort { slot: 0, compute_us: 1_000, flops: 0.0 };
        let mut tally = tally();
        tally.worked(work(1, claimed, 0, 9), Timestamp(9));
        let seen: Vec<SlotTotals> = tally.slots.values().copied().collect();
        tally.recount(Earlier { slots: seen.clone(), times: Vec::new() });
        assert_eq!((tally.stats().jobs, tally.stats().places), (1, Some(1)), "nothing was missed");
        let missed = SlotTotals { worker: worker(2), last_result: Timestamp(20), ..seen[0] };
        tally.recount(Earlier { slots: vec![seen[0], missed], times: Vec::new() });
        let stats = tally.stats();
        assert_eq!((stats.jobs, stats.workers, stats.wall_ms, stats.places), (2, 2, 20, None));
    }

    #[test]
    fn places_are_counted_while_each_is_known() {
        let claimed = ClaimedEffort { slot: 0, compute_us: 1, flops: 0.0 };
        let mut tally = tally();
        assert_eq!(tally.stats().places, Some(0));
        for (by, places) in [(1, 1), (1, 1), (2, 2)] {
            tally.worked(work(by, claimed, 0, 9), Timestamp(9));
            assert_eq!(tally.stats().places, Some(places));
        }
        tally.reused = 1;
        assert_eq!(tally.stats().places, None, "a stored value came from wherever it came");
        tally.reused = 0;
        tally.worked(Work { place: None, ..work(3, claimed, 0, 9) }, Timestamp(9));
        assert_eq!(tally.stats().places, None, "its worker has left long ago");
    }

    #[test]
    fn utilisation_is_compute_time_over_slot_time() {
        let mut tally = tally();
        for (slot, claimed_at, compute_us, at) in
            [(0, 0, 40_000, 50), (0, 50, 50_000, 100), (1, 0, 90_000, 100)]
        {
            let claimed = ClaimedEffort { slot, compute_us, flops: 1e6 };
            tally.worked(work(1, claimed, claimed_at, at), Timestamp(at));
        }
        let stats = tally.stats();
        assert_eq!((stats.jobs, stats.workers, stats.slots, stats.wall_ms), (3, 1, 2, 100));
        assert!((stats.utilisation - 0.9).abs() < 1e-9, "{stats:?}");
        assert!((stats.mflops - 30.0).abs() < 1e-9, "{stats:?}");
    }
}
