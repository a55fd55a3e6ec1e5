//! Runs: what is created, listed, shown and answered at their end.

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value as Json;
use ts_rs::TS;
use weevil_model::{NodeKind, NodeState, RunState};

use crate::DiagnosticView;

/// Answer to `POST /api/v1/runs`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct RunCreated {
    pub run: String,
    /// Content hash of the workflow.
    pub workflow: String,
    pub name: String,
    pub warnings: Vec<DiagnosticView>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct RunSummary {
    pub id: String,
    /// Id of its project.
    #[serde(default)]
    pub project: String,
    pub name: String,
    pub workflow: String,
    pub state: RunState,
    #[ts(type = "number")]
    pub created_at: i64,
    #[ts(type = "number | null")]
    pub finished_at: Option<i64>,
    /// Its jobs are not handed out.
    #[serde(default)]
    pub paused: bool,
    /// Why the server has paused it itself: `incomparable`, known devices say three different things of several jobs; `agreeFailed`, a
    /// module of the workflow could not say whether answers agree, or whether one is right. Left out where a person has.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub paused_why: Option<String>,
    /// What the module was asked about, and what went wrong; left out for other reasons.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub paused_words: Option<String>,
    /// Since when it is paused; left out while it is not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional, type = "number")]
    pub paused_since: Option<i64>,
    /// The account of the person who has paused it; left out where the server has, or somebody who works at it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub paused_by: Option<String>,
    /// What that person has noted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub paused_note: Option<String>,
    /// From which answers on its values are believed, where it was started with that; left out where its workflow says it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub trust: Option<String>,
    /// Jobs that were believed on the word of a device which was found wrong after the run had ended; left out where there are none.
    #[serde(default, skip_serializing_if = "crate::is_default")]
    #[ts(optional, as = "Option<u32>")]
    pub doubted: u64,
    pub progress: Progress,
}

/// Answer to `GET /api/v1/runs`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct RunPage {
    /// Newest first.
    pub runs: Vec<RunSummary>,
    /// What to send as `after` for the next page; `null` where this is the last.
    pub next: Option<String>,
}

/// Jobs of a run; `total` grows when a pool learns how many elements it has.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Progress {
    pub total: u32,
    pub queued: u32,
    pub running: u32,
    pub done: u32,
    pub failed: u32,
    /// An answer is there and waits to be believed; left out where there are none.
    #[serde(default, skip_serializing_if = "crate::is_default")]
    #[ts(optional, as = "Option<u32>")]
    pub answered: u32,
    /// How many of those that are done took a stored result; left out where none has.
    #[serde(default, skip_serializing_if = "crate::is_default")]
    #[ts(optional, as = "Option<u32>")]
    pub reused: u32,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct RunView {
    pub summary: RunSummary,
    /// The first thousand in document order.
    pub nodes: Vec<NodeView>,
    /// How many there are, listed or not.
    #[serde(default)]
    pub node_count: u32,
    pub stats: RunStats,
    /// JSON view of the final node's value.
    #[ts(type = "unknown")]
    pub result: Option<Json>,
    pub error: Option<RunError>,
    /// Engines that get no more of some code, since they differ from what most known devices say of it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<Vec<LeftOutView>>")]
    pub left_out: Vec<LeftOutView>,
    /// There is a certificate to fetch; left out where there is none.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[ts(optional, as = "Option<bool>")]
    pub certificate: bool,
}

/// Answer to `GET /api/v1/runs/{id}/origin`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct RunOriginView {
    /// 16 hexadecimal digits, from which the numbers follow that its jobs draw.
    pub seed: String,
    /// Which stored results its jobs may take: `never`, `repeatable` or `always`.
    pub reuse: String,
    /// Who started it: the id of an account or of a token, or `local`; left out where an earlier release did not keep it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub by: Option<String>,
    /// The name of that account; left out where it has none any more, and for others.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub by_name: Option<String>,
    /// The value nodes that were given something else than the workflow says: the first thousand by their ids.
    pub given: Vec<GivenView>,
}

/// A value node that was given something else than the workflow says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct GivenView {
    pub node: String,
    #[ts(type = "number")]
    pub bytes: u64,
}

/// An engine that gets no more of a code in a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct LeftOutView {
    /// Hash of the code.
    pub code: String,
    /// `chromium`, `gecko`, `webkit` or `other`.
    pub engine: String,
    /// The engine that it differs from, with the most known devices that agree.
    pub leading: String,
    /// Two jobs of this run where that was seen, at most.
    pub differences: Vec<DifferenceView>,
}

/// What two engines said of one job: `value` and the beginning of its digest, or `error` and its kind.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct DifferenceView {
    pub job: String,
    /// Its path below the run.
    pub path: String,
    /// The engine that is left out.
    pub said: String,
    /// The other one.
    pub leading_said: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct NodeView {
    pub id: String,
    pub kind: NodeKind,
    /// Thesis 3.4.2, with the run's part in front.
    pub path: String,
    pub state: NodeState,
    /// Ids of the nodes whose results come in.
    pub sources: Vec<String>,
    /// Jobs below a pool; `null` for other kinds.
    pub jobs: Option<Progress>,
    /// From which answers on values of its jobs are believed, a pool's processor before its reducer; left out where nobody judges them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<Vec<String>>")]
    pub trust: Vec<String>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct RunStats {
    /// Jobs that were computed and ended with a value.
    pub jobs: u32,
    /// Jobs that took the stored result of an equal one instead.
    #[serde(default)]
    pub reused: u32,
    /// Workers that ended a job of this run.
    pub workers: u32,
    /// Places (see the glossary) that the values came from; null where one is not known any more.
    #[serde(default)]
    pub places: Option<u32>,
    /// Slots that ended a job of this run.
    pub slots: u32,
    /// Milliseconds from the first hand-out to the last accepted result.
    #[ts(type = "number")]
    pub wall_ms: i64,
    /// Milliseconds inside `weevil_main`, over all slots.
    #[serde(deserialize_with = "figure")]
    pub compute_ms: f64,
    /// Milliseconds inside `weevil_main` that half of the jobs took at most, within 9 %.
    #[serde(default, deserialize_with = "figure")]
    pub median_ms: f64,
    /// Time inside `weevil_main` over slot time, 0..1.
    #[serde(deserialize_with = "figure")]
    pub utilisation: f64,
    /// Counted floating-point operations over `wall_ms`, in millions a second.
    #[serde(deserialize_with = "figure")]
    pub mflops: f64,
    /// Answers that came for judged jobs; left out where nobody judges, like all that follows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional, type = "number")]
    pub answers: Option<u64>,
    /// How many of them there are for each job that has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub per_job: Option<f64>,
    /// Jobs that were believed on the word of a trusted device or of the server.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional, type = "number")]
    pub trusted: Option<u64>,
    /// Jobs that were believed since the workflow's own proof says that they are right; left out where there are none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional, type = "number")]
    pub proved: Option<u64>,
    /// Jobs that were believed since devices agree.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional, type = "number")]
    pub agreed: Option<u64>,
    /// Jobs that were believed with the lots of their answers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional, type = "number")]
    pub lots: Option<u64>,
    /// Answers that were found wrong.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional, type = "number")]
    pub refuted: Option<u64>,
    /// The share of the believed values that is expected to be wrong at most; left out where no policy bounds it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub bound: Option<f64>,
    /// If liars do no more than this share of the work.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub assumed_liars: Option<f64>,
}

/// Views of earlier releases have `null` where a figure was infinite.
fn figure<'de, D: Deserializer<'de>>(from: D) -> Result<f64, D::Error> {
    Ok(Option::deserialize(from)?.unwrap_or_default())
}

/// Why a run failed: which node, which attempt, which error.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct RunError {
    pub node: String,
    /// The errors and time-outs of the job's attempts, in order; the last one ended the run.
    pub attempts: Vec<AttemptError>,
    /// What no attempt tells; left out where one does. `node` is empty where no node failed, but the run.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    #[ts(optional, as = "Option<String>")]
    pub message: String,
    /// What was found in its workflow; left out where nothing was.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<Vec<DiagnosticView>>")]
    pub diagnostics: Vec<DiagnosticView>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct AttemptError {
    pub attempt: u32,
    pub worker: String,
    pub kind: String,
    pub message: String,
    pub stack: String,
}

/// Answer to `GET /api/v1/runs/{id}/result` and `POST /api/v1/runs/{id}/cancel`, and what `weevil run --json` prints.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct RunResult {
    pub run: String,
    pub state: RunState,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional, type = "unknown")]
    pub result: Option<Json>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub error: Option<RunError>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn progress_tells_of_answers_and_reuse_only_where_there_are_some() {
        let before = Progress { total: 1, queued: 2, running: 3, done: 4, failed: 5, answered: 0, reused: 0 };
        for (progress, text) in [
            (before, r#"{"total":1,"queued":2,"running":3,"done":4,"failed":5}"#),
            (
                Progress { answered: 6, ..before },
                r#"{"total":1,"queued":2,"running":3,"done":4,"failed":5,"answered":6}"#,
            ),
            (
                Progress { reused: 2, ..before },
                r#"{"total":1,"queued":2,"running":3,"done":4,"failed":5,"reused":2}"#,
            ),
        ] {
            assert_eq!(serde_json::to_string(&progress).unwrap(), text);
            assert_eq!(serde_json::from_str::<Progress>(text).unwrap(), progress);
        }
    }
}
