//! Why a job waits, or that it runs. How it ended is in `ended.rs`.

use weevil_model::{Needs, NodeState};

use super::ahead::Ahead;
use super::ended;
use super::facts::{JobCase, Known, Scene};
use super::fleet::{obstacle, turn};
use super::reason::{Reason, Unknown};
use super::scene::{left_ms, reasons, unknown_last};
use crate::decide::standing::Waiting;

/// Why a job stands as it does, most telling first; nothing for one that has ended with a value.
pub fn explain_job(job: &JobCase, scene: &Scene) -> Vec<Reason> {
    let reasons = match job.state {
        NodeState::Failed => ended::failed(job),
        NodeState::Cancelled => vec![Reason::Cancelled],
        NodeState::Enqueued | NodeState::Answered | NodeState::Running => unended(job, scene),
        // A job that nobody has put in yet is explained with its node.
        NodeState::Started
        | NodeState::ParamNotFulfilled
        | NodeState::ParamFulfilled
        | NodeState::Finished => Vec::new(),
    };
    unknown_last(reasons)
}

/// Why nothing of the whole queue is handed out; empty where that depends on the job.
pub fn explain_queue(scene: &Scene) -> Vec<Reason> {
    unknown_last(reasons(scene))
}

/// Why the ready jobs of a class wait, `jobs` of them: the turn that is told is that of the last one.
pub fn explain_class(needs: Needs, jobs: u64, scene: &Scene) -> Vec<Reason> {
    let mut found = reasons(scene);
    found.push(turn(needs, Some(Ahead::of(jobs.saturating_sub(1))), None, scene));
    unknown_last(found)
}

fn unended(job: &JobCase, scene: &Scene) -> Vec<Reason> {
    let Some(waiting) = job.waiting else { return vec![running(job)] };
    let mut found = reasons(scene);
    found.extend(hold(job, waiting));
    match waiting {
        Waiting::Until(until) => {
            let left_ms = left_ms(until, scene.now);
            found.push(if job.failures > 0 {
                Reason::PauseAfterError { failures: job.failures, until, left_ms }
            } else {
                Reason::DelayedUntil { until, left_ms }
            });
            found.extend(later(job, scene));
        }
        Waiting::Resume => found.extend(later(job, scene)),
        Waiting::Worker(_) => found.push(turn(job.needs, job.ahead, job.others, scene)),
        Waiting::Lot => found.push(Reason::Lot),
        Waiting::Module => found.push(Reason::Module),
        Waiting::Overdue => found.push(Reason::Overdue { waited_ms: None }),
    }
    found
}

/// A copy of it is out.
fn running(job: &JobCase) -> Reason {
    let Some(attempts) = &job.attempts else { return Reason::Unknown(Unknown::Attempts) };
    let open = || attempts.iter().filter(|attempt| attempt.end.is_none());
    let Some(first) = open().map(|attempt| attempt.started_at).min() else {
        return Reason::Unknown(Unknown::Attempts);
    };
    let progress = open().filter_map(|attempt| attempt.progress).max_by(f64::total_cmp);
    Reason::Running { copies: u32::try_from(open().count()).unwrap_or(u32::MAX), since: first, progress }
}

/// What holds it: a pause of its run, its code that is stopped, or something that nobody told.
fn hold(job: &JobCase, waiting: Waiting) -> Vec<Reason> {
    let run = match &job.run_paused {
        Known::Yes(pause) => Some(Reason::RunPaused(pause.clone())),
        Known::No | Known::Unknown => None,
    };
    let code = match job.code_stopped {
        Known::Yes(example) => Some(Reason::CodeStopped { example }),
        Known::No | Known::Unknown => None,
    };
    let unknown = waiting == Waiting::Resume && run.is_none() && code.is_none();
    [run, code, unknown.then_some(Reason::Unknown(Unknown::Hold))].into_iter().flatten().collect()
}

/// What it would wait for once it is ready.
fn later(job: &JobCase, scene: &Scene) -> Option<Reason> {
    match &scene.workers {
        None => Some(Reason::Unknown(Unknown::Workers)),
        Some(workers) => obstacle(job.needs, workers),
    }
}
