//! A frozen reader of what servers up to release 0.1 stored at the end of a run: the JSON that they showed of it.
//!
//! Never written, and never changed for what servers show now. It goes with the column `runs.view`, in a later release.

use serde::{Deserialize, Deserializer};
use weevil_model::{NodeKind, NodeState, RunId};

use crate::facts::{AttemptFailure, NodeFacts, Progress, RunFacts, RunFailure, RunStats, RunTotals};

/// The facts that this view of an ended run tells.
///
/// # Errors
/// Why it cannot be read, in words.
pub fn read(run: RunId, view: &str) -> Result<RunFacts, String> {
    let view: View = serde_json::from_str(view).map_err(|error| error.to_string())?;
    let above = format!("/user/rootSupervisor/{run}/");
    let nodes = view.nodes.into_iter().map(|node| node.facts(&above)).collect::<Result<_, _>>()?;
    // What was set aside could only be cancelled; why it was is all there was to say of it.
    let aside = view.set_aside.map(RunFailure::of_run);
    let progress = Progress { reused: view.stats.reused, ..view.summary.progress.into() };
    Ok(RunFacts {
        summary: RunTotals { progress, stats: view.stats.into() },
        error: view.error.map(RunFailure::from).or(aside),
        nodes,
        node_count: view.node_count,
    })
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct View {
    summary: Summary,
    nodes: Vec<Node>,
    #[serde(default)]
    node_count: u32,
    stats: Stats,
    error: Option<Failure>,
    set_aside: Option<String>,
}

/// All else of it stands in the row as well.
#[derive(Deserialize)]
struct Summary {
    progress: Counts,
}

#[derive(Deserialize)]
struct Counts {
    total: u32,
    queued: u32,
    running: u32,
    done: u32,
    failed: u32,
}

#[derive(Deserialize)]
struct Node {
    id: String,
    kind: NodeKind,
    path: String,
    state: NodeState,
    sources: Vec<String>,
    jobs: Option<Counts>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Stats {
    jobs: u32,
    #[serde(default)]
    reused: u32,
    workers: u32,
    places: Option<u32>,
    slots: u32,
    wall_ms: i64,
    #[serde(deserialize_with = "figure")]
    compute_ms: f64,
    #[serde(default, deserialize_with = "figure")]
    median_ms: f64,
    #[serde(deserialize_with = "figure")]
    utilisation: f64,
    #[serde(deserialize_with = "figure")]
    mflops: f64,
}

/// The first views have `null` where a figure was infinite.
fn figure<'de, D: Deserializer<'de>>(from: D) -> Result<f64, D::Error> {
    Ok(Option::deserialize(from)?.unwrap_or_default())
}

#[derive(Deserialize)]
struct Failure {
    node: String,
    attempts: Vec<FailedAttempt>,
}

#[derive(Deserialize)]
struct FailedAttempt {
    attempt: u32,
    worker: String,
    kind: String,
    message: String,
    stack: String,
}

impl Node {
    /// Paths began with the run's own.
    fn facts(self, above: &str) -> Result<NodeFacts, String> {
        let Self { id, kind, path, state, sources, jobs } = self;
        let below = path.strip_prefix(above).ok_or_else(|| format!("the node `{path}` is another run's"))?;
        Ok(NodeFacts {
            id,
            kind,
            path: below.to_owned(),
            state,
            sources,
            jobs: jobs.map(Progress::from),
            trust: Vec::new(),
        })
    }
}

impl From<Counts> for Progress {
    fn from(Counts { total, queued, running, done, failed }: Counts) -> Self {
        Self { total, queued, running, done, failed, ..Self::default() }
    }
}

impl From<Stats> for RunStats {
    fn from(stats: Stats) -> Self {
        let Stats { jobs, reused, workers, places, slots, wall_ms, .. } = stats;
        let Stats { compute_ms, median_ms, utilisation, mflops, .. } = stats;
        Self { jobs, reused, workers, places, slots, wall_ms, compute_ms, median_ms, utilisation, mflops }
    }
}

impl From<Failure> for RunFailure {
    fn from(Failure { node, attempts }: Failure) -> Self {
        let attempts = attempts.into_iter().map(|FailedAttempt { attempt, worker, kind, message, stack }| {
            AttemptFailure { attempt, worker, kind, message, stack }
        });
        Self { node, attempts: attempts.collect(), ..Self::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As the release stored it, less a few names of the summary.
    const FAILED: &str = r#"{"summary":{"id":"run_0","name":"n","state":"FAILED","paused":false,
        "progress":{"total":3,"queued":1,"running":0,"done":1,"failed":1}},
        "nodes":[{"id":"p","kind":"pool","path":"/user/rootSupervisor/RUN/v/p","state":"FAILED","sources":["v"],
            "jobs":{"total":3,"queued":1,"running":0,"done":1,"failed":1}},
            {"id":"v","kind":"value","path":"/user/rootSupervisor/RUN/v","state":"FINISHED","sources":[],"jobs":null}],
        "nodeCount":2,"stats":{"jobs":1,"reused":0,"workers":1,"places":null,"slots":1,"wallMs":2,"computeMs":0.1,
            "medianMs":0.9854519635912019,"utilisation":0.5,"mflops":0.0},
        "result":null,"error":{"node":"v/p/x","attempts":[{"attempt":1,"worker":"w","kind":"thrown","message":"no","stack":"s"}]}}"#;

    /// As the first releases stored it: no counts of nodes, no medians, figures that were infinite.
    const FIRST: &str = r#"{"summary":{"progress":{"total":0,"queued":0,"running":0,"done":0,"failed":0}},"nodes":[],
        "stats":{"jobs":4,"workers":1,"slots":1,"wallMs":0,"computeMs":2.0,"utilisation":null,"mflops":null},
        "result":null,"error":null}"#;

    const ASIDE: &str = r#"{"summary":{"progress":{"total":0,"queued":0,"running":0,"done":0,"failed":0}},"nodes":[],
        "nodeCount":0,"stats":{"jobs":0,"workers":0,"slots":0,"wallMs":0,"computeMs":0.0,"utilisation":0.0,"mflops":0.0},
        "result":null,"error":null,"setAside":"its workflow is not stored"}"#;

    fn run() -> RunId {
        RunId::from_number(7).unwrap()
    }

    fn view(text: &str) -> String {
        text.replace("RUN", &run().to_string())
    }

    #[test]
    fn a_view_tells_its_facts() {
        let progress = Progress { total: 3, queued: 1, done: 1, failed: 1, ..Progress::default() };
        let facts = read(run(), &view(FAILED)).unwrap();
        assert_eq!(facts.summary.progress, progress);
        let stats = RunStats {
            jobs: 1,
            workers: 1,
            slots: 1,
            wall_ms: 2,
            compute_ms: 0.1,
            median_ms: 0.985_451_963_591_201_9,
            utilisation: 0.5,
            ..RunStats::default()
        };
        assert_eq!((facts.summary.stats, facts.node_count), (stats, 2));
        let told = |node: &NodeFacts| (node.path.clone(), node.sources.len(), node.jobs);
        let told: Vec<_> = facts.nodes.iter().map(told).collect();
        assert_eq!(told, [("v/p".into(), 1, Some(progress)), ("v".into(), 0, None)]);
        let error = facts.error.unwrap();
        assert_eq!((error.node.as_str(), error.attempts[0].kind.as_str()), ("v/p/x", "thrown"));
        assert_eq!((error.message.as_str(), error.diagnostics.len()), ("", 0));
    }

    #[test]
    fn views_of_the_first_releases_are_read_too() {
        let facts = read(run(), FIRST).unwrap();
        let stats =
            RunStats { jobs: 4, workers: 1, slots: 1, compute_ms: 2.0, places: None, ..RunStats::default() };
        assert_eq!(
            facts,
            RunFacts { summary: RunTotals { stats, ..RunTotals::default() }, ..RunFacts::default() }
        );
        let aside = read(run(), ASIDE).unwrap();
        assert_eq!(aside.error, Some(RunFailure::of_run("its workflow is not stored".into())));
    }

    #[test]
    fn what_is_no_view_is_told_in_words() {
        for (text, told) in [
            ("", "EOF"),
            ("no view", "expected"),
            ("{}", "missing field"),
            (&FIRST.replace("\"total\":0", "\"total\":-1"), "-1"),
            (&view(FAILED).replace("\"pool\"", "\"pond\""), "pond"),
            (&FAILED.replace("RUN", "run_another"), "another run's"),
        ] {
            let why = read(run(), text).unwrap_err();
            assert!(why.contains(told), "{text}: {why}");
        }
    }
}
