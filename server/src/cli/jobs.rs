//! `weevil jobs` and `weevil explain`: what became of a run's jobs, and of one job with each of its attempts.

use std::fmt::Write;

use clap::Args;
use weevil_model::{JobId, RunId};
use weevil_protocol::api::{AttemptView, JobHistory, JobPage, JobView};

use super::Outcome;
use super::ask::{Server, escaped};
use super::result::print_json;

#[derive(Debug, Args)]
pub(super) struct Jobs {
    /// Id of the run.
    run: RunId,
    #[arg(long, value_name = "URL", default_value = "http://127.0.0.1:8080")]
    server: String,
    /// Print a line of JSON for each job.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Args)]
pub(super) struct Explain {
    /// Id of the job.
    job: JobId,
    #[arg(long, value_name = "URL", default_value = "http://127.0.0.1:8080")]
    server: String,
    /// Print what the server answers: one JSON object with `job`, `run` and `attempts`.
    #[arg(long)]
    json: bool,
}

impl Jobs {
    pub(super) fn execute(self) -> Outcome {
        self.list().map_or_else(Outcome::CouldNot, |()| Outcome::Done)
    }

    fn list(&self) -> Result<(), String> {
        let server = Server::new(&self.server);
        let mut after = String::new();
        loop {
            let page: JobPage = server.get(&format!("/api/v1/runs/{}/jobs{after}", self.run))?;
            for job in &page.jobs {
                if self.json { print_json(job) } else { println!("{}", line(job)) }
            }
            let Some(next) = page.next else { return Ok(()) };
            after = format!("?after={}", escaped(&next));
        }
    }
}

impl Explain {
    pub(super) fn execute(self) -> Outcome {
        let told: Result<JobHistory, _> =
            Server::new(&self.server).get(&format!("/api/v1/jobs/{}", self.job));
        match told {
            Ok(history) if self.json => print_json(&history),
            Ok(history) => print!("{}", story(&history)),
            Err(why) => return Outcome::CouldNot(why),
        }
        Outcome::Done
    }
}

/// The id first: it is what `weevil explain` takes.
fn line(job: &JobView) -> String {
    let JobView { id, state, failures, max_attempts, path, .. } = job;
    let state = state.to_string();
    format!("{id}  {state:<9}  {failures} of {max_attempts} attempts failed  {path}")
}

fn story(history: &JobHistory) -> String {
    let JobHistory { run, job, attempts } = history;
    let mut text = format!("{} of {run}, node {}: {}\n", job.id, job.path, job.state);
    // Writing to a String cannot fail.
    let _infallible = match &job.reused {
        Some(other) => writeln!(text, "it took the stored result of {other}"),
        None if attempts.is_empty() => writeln!(text, "no worker has had it yet"),
        None => writeln!(text, "{} of {} attempts failed", job.failures, job.max_attempts),
    };
    for attempt in attempts {
        tell(attempt, job, &mut text);
    }
    text
}

fn tell(attempt: &AttemptView, job: &JobView, text: &mut String) {
    let AttemptView { number, worker, started_at, ended_at, end, .. } = attempt;
    let waited = started_at - job.enqueued_at;
    let _infallible = match (end, ended_at) {
        (Some(end), Some(at)) => {
            writeln!(
                text,
                "  {number}. {worker}, after {waited} ms in the queue: {end} in {} ms",
                at - started_at
            )
        }
        _ => writeln!(text, "  {number}. {worker}, after {waited} ms in the queue: runs"),
    };
    for told in [&attempt.message, &attempt.stack].into_iter().flatten() {
        for line in told.lines() {
            let _infallible = writeln!(text, "     {line}");
        }
    }
}

#[cfg(test)]
mod tests {
    use weevil_model::NodeState;

    use super::*;

    #[test]
    fn a_story_names_each_attempt_and_its_error() {
        let attempt = |number, end: Option<&str>, message: Option<&str>| AttemptView {
            number,
            worker: format!("worker_{number}"),
            started_at: 1_000 * i64::from(number),
            ended_at: end.map(|_| 1_000 * i64::from(number) + 40),
            end: end.map(str::to_owned),
            kind: message.map(|_| "thrown".into()),
            message: message.map(str::to_owned),
            stack: message.map(|_| "at f\nat g".into()),
            compute_us: 0,
        };
        let job = JobView {
            id: "job_1".into(),
            path: "v/j".into(),
            state: NodeState::Running,
            reused: None,
            handed_out: 2,
            failures: 1,
            max_attempts: 3,
            enqueued_at: 900,
            ended_at: None,
        };
        let attempts = vec![attempt(1, Some("error"), Some("boom")), attempt(2, None, None)];
        let expected = "job_1 of run_1, node v/j: RUNNING\n1 of 3 attempts failed\n  1. worker_1, after 100 ms in \
                        the queue: error in 40 ms\n     boom\n     at f\n     at g\n  2. worker_2, after 1100 ms in \
                        the queue: runs\n";
        let history = JobHistory { run: "run_1".into(), job: job.clone(), attempts };
        assert_eq!(story(&history), expected);
        let waits = JobHistory { attempts: vec![], ..history.clone() };
        assert!(story(&waits).ends_with("no worker has had it yet\n"));
        let job = JobView { reused: Some("job_0".into()), ..job };
        assert!(story(&JobHistory { job, ..waits }).ends_with("it took the stored result of job_0\n"));
    }
}
