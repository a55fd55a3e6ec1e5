//! The frames of a run: how it stands, and the nodes, pools, layers and bins that have changed.

use std::sync::Arc;

use tokio::sync::watch;
use weevil_api::{ProfileChange, RunFrame, RunPart, RunStats, RunSummary};
use weevil_engine::board::ShownRun;
use weevil_model::RunId;
use weevil_queue::profile::ProfileFacts;
use weevil_records::NodeStates;
use weevil_workflow::layout::{self, Graph};

use super::change::{self, Counts};
use super::room::Room;
use crate::http::{AppState, bin_view, run_stats, run_summary};

/// Bytes of a frame.
const MAX_BYTES: usize = 16 * 1024;

/// Where a run's facts come from, and what was told of them.
#[derive(Debug)]
pub(crate) struct RunSource {
    run: RunId,
    /// `None` where it had ended before.
    live: Option<watch::Receiver<Arc<ShownRun>>>,
    told: Look,
    /// The layer of each node, once the run's plan is known.
    layer_of: Vec<u32>,
}

/// A run at a moment.
#[derive(Debug, Clone, PartialEq)]
struct Look {
    summary: RunSummary,
    stats: RunStats,
    left_out: u32,
    states: Arc<NodeStates>,
    layers: Vec<Counts>,
    profile: Option<Arc<ProfileFacts>>,
}

impl RunSource {
    pub(crate) fn live(mut live: watch::Receiver<Arc<ShownRun>>) -> Self {
        let now = live.borrow_and_update().clone();
        Self { live: Some(live), ..Self::ended(&now) }
    }

    pub(crate) fn ended(run: &ShownRun) -> Self {
        Self { run: run.head.id, live: None, told: Look::of(run, &[]), layer_of: Vec::new() }
    }

    /// What has changed since the last time.
    pub(super) fn change(&mut self, app: &AppState) -> Option<RunFrame> {
        let live = self.live.as_mut()?;
        let has_changed = live.has_changed();
        if matches!(has_changed, Ok(false)) {
            return None;
        }
        // The last facts of a run can be read when it is not on the board any more.
        let run = live.borrow_and_update().clone();
        if has_changed.is_err() || run.has_ended() {
            self.live = None;
        }
        self.learn_layers(app);
        let now = Look::of(&run, &self.layer_of);
        let frame = (now != self.told).then(|| frame(Some(&self.told), &now));
        self.told = now;
        frame
    }

    /// All that was told, as far as it fits.
    pub(super) fn snapshot(&mut self, app: &AppState) -> RunFrame {
        self.learn_layers(app);
        frame(None, &self.told)
    }

    pub(super) const fn run(&self) -> RunId {
        self.run
    }

    fn learn_layers(&mut self, app: &AppState) {
        if self.layer_of.is_empty()
            && let Some(plan) = app.common.board.plan(self.run)
        {
            self.layer_of = layout::layers(&Graph::from(&*plan));
            self.told.layers = change::count(&self.layer_of, &self.told.states);
        }
    }
}

impl Look {
    fn of(run: &ShownRun, layer_of: &[u32]) -> Self {
        let progress = run.facts.summary.progress;
        Self {
            summary: run_summary(&run.head, progress),
            stats: run_stats(run),
            left_out: u32::try_from(run.left_out.len()).unwrap_or(u32::MAX),
            layers: change::count(layer_of, &run.states),
            states: run.states.clone(),
            profile: run.profile.clone(),
        }
    }
}

/// Without a look before it is a snapshot.
fn frame(before: Option<&Look>, now: &Look) -> RunFrame {
    let mut frame = RunFrame {
        whole: before.is_none(),
        summary: now.summary.clone(),
        stats: now.stats,
        left_out: now.left_out,
        nodes: Vec::new(),
        pools: Vec::new(),
        layers: Vec::new(),
        profile: None,
        overflow: Vec::new(),
    };
    let mut room = Room::beside(
        MAX_BYTES,
        &(&frame, [RunPart::States, RunPart::Pools, RunPart::Layers, RunPart::Profile]),
    );
    let known = before.map(|before| &*before.states);
    // The board holds no nodes of a run that is not taken up, and of one that has ended: other routes find them.
    let there = (!now.states.codes().is_empty()).then_some(&*now.states);
    let mut overflow = Vec::new();
    match there.and_then(|now| change::nodes(known, now)).filter(|nodes| room.take(nodes)) {
        Some(nodes) => frame.nodes = nodes,
        None => overflow.push(RunPart::States),
    }
    match there.and_then(|now| change::pools(known, now)).filter(|pools| room.take(pools)) {
        Some(pools) => frame.pools = pools,
        None => overflow.push(RunPart::Pools),
    }
    let counts = before.filter(|before| before.layers.len() == now.layers.len());
    let counts = counts.map(|before| &*before.layers);
    match there.and_then(|_| change::layers(counts, &now.layers)).filter(|layers| room.take(layers)) {
        Some(layers) => frame.layers = layers,
        None => overflow.push(RunPart::Layers),
    }
    match &now.profile {
        Some(facts) => {
            let change = profile(before.and_then(|before| before.profile.as_deref()), facts);
            let is_news = before.is_none() || !change.bins.is_empty();
            if is_news && !room.take(&change) {
                overflow.push(RunPart::Profile);
            } else {
                frame.profile = is_news.then_some(change);
            }
        }
        None => overflow.push(RunPart::Profile),
    }
    frame.overflow = overflow;
    frame
}

fn profile(before: Option<&ProfileFacts>, now: &ProfileFacts) -> ProfileChange {
    let changes = now.changed_since(before);
    let bins = changes.bins.iter().map(|(at, bin)| bin_view(*at, bin, now.width_ms)).collect();
    ProfileChange { whole: changes.whole, width_ms: now.width_ms, bins }
}
