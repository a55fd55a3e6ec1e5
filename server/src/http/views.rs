//! What people see of runs, of the fleet and of what volunteers compute for: bodies of the HTTP API, made of the engine's facts
//! and the records'.
//!
//! The only place that makes them, of what goes on and of what has ended. Never reads a database, and nothing is kept of
//! what it makes.

use serde_json::Value as Json;
use weevil_api::{
    AimView, AttemptError, DiagnosticView, DifferenceView, Fleet, LeftOutView, NodeView, Progress, RunError,
    RunStats, RunSummary, RunView,
};
use weevil_engine::board::{CommonAim, ShownRun};
use weevil_engine::fleet;
use weevil_model::trust::{AssumedShare, Policy};
use weevil_model::{Encoded, Pause};
use weevil_queue::RunJudgement;
use weevil_records::{
    self as records, DiagnosticFacts, EngineDifference, LeftOutEngine, ListedRun, NodeFacts, RunFacts,
    RunFailure, RunHead,
};
use weevil_workflow::Aim;

use super::workers;

/// Results beyond this are fetched on their own instead of being shown with the run.
const MAX_SHOWN_RESULT_BYTES: usize = 256 * 1024;

pub(super) fn run(run: &ShownRun) -> RunView {
    let RunFacts { summary, error, nodes, node_count } = &run.facts;
    let above = format!("/user/rootSupervisor/{}", run.head.id);
    RunView {
        summary: self::summary(&run.head, summary.progress),
        nodes: nodes.iter().map(|facts| node(facts, &above)).collect(),
        node_count: *node_count,
        stats: run_stats(run),
        result: run.result.as_ref().and_then(shown_result),
        error: error.as_ref().map(self::error),
        left_out: run.left_out.iter().map(left_out).collect(),
        certificate: run.has_certificate,
    }
}

pub(crate) fn run_stats(run: &ShownRun) -> RunStats {
    let summary = &run.facts.summary;
    judged(stats(summary.stats), &run.judgement, summary.progress.answered)
}

fn left_out(engine: &LeftOutEngine) -> LeftOutView {
    let difference = |found: &EngineDifference| DifferenceView {
        job: found.job.to_string(),
        path: found.path.clone(),
        said: found.said.clone(),
        leading_said: found.leading_said.clone(),
    };
    LeftOutView {
        code: engine.code.to_string(),
        engine: engine.engine.as_str().to_owned(),
        leading: engine.leading.as_str().to_owned(),
        differences: engine.differences.iter().map(difference).collect(),
    }
}

pub(super) fn runs<'r>(runs: impl IntoIterator<Item = &'r ListedRun>) -> Vec<RunSummary> {
    runs.into_iter().map(|run| summary(&run.head, run.progress)).collect()
}

pub(super) fn error(failure: &RunFailure) -> RunError {
    let attempt = |attempt: &records::AttemptFailure| AttemptError {
        attempt: attempt.attempt,
        worker: attempt.worker.clone(),
        kind: attempt.kind.clone(),
        message: attempt.message.clone(),
        stack: attempt.stack.clone(),
    };
    RunError {
        node: failure.node.clone(),
        attempts: failure.attempts.iter().map(attempt).collect(),
        message: failure.message.clone(),
        diagnostics: failure.diagnostics.iter().map(diagnostic).collect(),
    }
}

/// The longest connected first, at most so many.
pub(super) fn fleet(fleet: &fleet::Fleet, most: usize) -> Fleet {
    let more = u32::try_from(fleet.workers.len().saturating_sub(most)).unwrap_or(u32::MAX);
    Fleet { workers: fleet.workers.iter().take(most).map(workers::view).collect(), more, slots: fleet.slots }
}

pub(super) fn aim(CommonAim { name, aim, done, total }: CommonAim) -> AimView {
    let Aim { project, question, link } = aim;
    AimView { name, project, question, link, done, total }
}

pub(crate) fn summary(head: &RunHead, jobs: records::Progress) -> RunSummary {
    let why = head.paused.as_ref().map(|pause| &pause.why);
    let person = why.and_then(Pause::person);
    RunSummary {
        id: head.id.to_string(),
        project: head.project.to_string(),
        name: head.name.clone(),
        workflow: head.workflow.to_string(),
        state: head.state,
        created_at: head.created_at.0,
        finished_at: head.finished_at.map(|at| at.0),
        paused: head.paused.is_some(),
        paused_why: why.and_then(Pause::reason).map(str::to_owned),
        paused_words: why.and_then(Pause::words).map(str::to_owned),
        paused_since: head.paused.as_ref().map(|pause| pause.since.0),
        paused_by: person.and_then(|words| words.by.as_deref()).map(str::to_owned),
        paused_note: person.and_then(|words| words.note.as_deref()).map(str::to_owned),
        trust: head.trust.map(|policy| policy.to_string()),
        doubted: head.doubted,
        progress: progress(jobs),
    }
}

pub(crate) fn progress(jobs: records::Progress) -> Progress {
    let records::Progress { total, queued, running, done, failed, answered, reused } = jobs;
    Progress { total, queued, running, done, failed, answered, reused }
}

fn stats(stats: records::RunStats) -> RunStats {
    let records::RunStats { jobs, reused, workers, places, slots, wall_ms, .. } = stats;
    let records::RunStats { compute_ms, median_ms, utilisation, mflops, .. } = stats;
    let none = RunStats::default();
    RunStats {
        jobs,
        reused,
        workers,
        places,
        slots,
        wall_ms,
        compute_ms,
        median_ms,
        utilisation,
        mflops,
        ..none
    }
}

/// With what its jobs were believed on, where any was judged; `waiting` jobs have answers that are not believed yet.
fn judged(stats: RunStats, judgement: &RunJudgement, waiting: u32) -> RunStats {
    if judgement.answers == 0 {
        return stats;
    }
    let answered = judgement.accepted() + u64::from(waiting);
    RunStats {
        answers: Some(judgement.answers),
        per_job: (answered > 0).then(|| judgement.answers as f64 / answered as f64),
        trusted: Some(judgement.trusted),
        proved: Some(judgement.proved).filter(|proved| *proved > 0),
        agreed: Some(judgement.agreed),
        lots: Some(judgement.in_lots),
        refuted: Some(judgement.refuted),
        bound: judgement.bound(),
        assumed_liars: judgement.liars.map(AssumedShare::as_f64),
        ..stats
    }
}

/// `above` is the run's own path.
fn node(facts: &NodeFacts, above: &str) -> NodeView {
    NodeView {
        id: facts.id.clone(),
        kind: facts.kind,
        path: format!("{above}/{}", facts.path),
        state: facts.state,
        sources: facts.sources.clone(),
        jobs: facts.jobs.map(progress),
        trust: facts
            .trust
            .iter()
            .filter_map(|number| Policy::from_number(*number))
            .map(|it| it.to_string())
            .collect(),
    }
}

fn diagnostic(found: &DiagnosticFacts) -> DiagnosticView {
    DiagnosticView {
        code: found.code.clone(),
        severity: found.severity.to_string(),
        file: found.file.clone(),
        line: found.line,
        column: found.column,
        end_line: found.end_line,
        end_column: found.end_column,
        message: found.message.clone(),
        help: found.help.clone(),
    }
}

/// The JSON view of a result that is small enough to show.
fn shown_result(result: &Encoded) -> Option<Json> {
    if result.as_bytes().len() > MAX_SHOWN_RESULT_BYTES {
        return None;
    }
    result.value().ok().map(|value| value.to_json())
}
