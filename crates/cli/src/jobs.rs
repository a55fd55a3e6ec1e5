//! `weevil jobs`: what became of a run's or a queue's jobs; and the story of one job with each of its attempts.

use std::fmt::Write;

use clap::Args;
use weevil_api::{AttemptView, JobHistory, JobNeeds, JobPage, JobView, JobWait};
use weevil_client::{JobFilter, Server};
use weevil_model::{JobId, NodeState, RunId};

use crate::Exit;
use crate::answers::{answer_words, believed};
use crate::asking::AskingInside;
use crate::cut::Cut;
use crate::inert::{Inert, one_line, say_json, say_line};
use crate::whom::whom;

/// The states of a job, as they are typed.
const STATES: [&str; 6] = ["enqueued", "running", "answered", "finished", "failed", "cancelled"];

#[derive(Debug, Args)]
pub struct Jobs {
    /// Id of the run, or its beginning.
    #[arg(required_unless_present = "queue", conflicts_with = "queue")]
    run: Option<Cut<RunId>>,
    /// Only jobs of the run with this in their path, their worker or their error.
    #[arg(value_name = "TEXT", conflicts_with = "queue")]
    text: Option<String>,
    /// Only jobs of the queue with this in their key, their worker or their error.
    #[arg(long = "text", value_name = "TEXT", requires = "queue")]
    in_queue: Option<String>,
    /// Only jobs in this state.
    #[arg(long, value_name = "STATE", ignore_case = true, value_parser = STATES)]
    state: Option<String>,
    /// Only jobs of this node of the run.
    #[arg(long, value_name = "ID", conflicts_with = "queue")]
    node: Option<String>,
    /// Only jobs that went wrong at least once, ended or not.
    #[arg(long)]
    failed: bool,
    /// List the stand-alone jobs of this queue instead.
    #[arg(long, value_name = "NAME")]
    queue: Option<String>,
    /// In which order those of a queue come: the oldest first unless something else is said.
    #[arg(long, value_name = "ORDER", requires = "queue", allow_hyphen_values = true, value_parser = ["created", "-created"])]
    sort: Option<String>,
    #[command(flatten)]
    asking: AskingInside,
    /// Print a line of JSON for each job.
    #[arg(long)]
    json: bool,
}

impl Jobs {
    pub(crate) fn execute(self) -> Exit {
        self.list().map_or_else(Exit::CouldNot, |()| Exit::Done)
    }

    fn list(&self) -> Result<(), String> {
        let server = self.asking.server()?;
        let run = self.run.as_ref().map(|run| run.run(&server)).transpose()?;
        let mut after = None;
        loop {
            let page = self.page(&server, run, after.as_deref())?;
            for job in &page.jobs {
                if self.json { say_json(job) } else { say_line(&line(job)) }
            }
            if page.next.is_none() {
                return Ok(());
            }
            after = page.next;
        }
    }

    fn asked(&self) -> JobFilter<'_> {
        let state = self.state.as_ref().and_then(|state| NodeState::parse(&state.to_ascii_uppercase()));
        let text = self.text.as_deref().or(self.in_queue.as_deref());
        JobFilter { text, state, node: self.node.as_deref(), failed: self.failed }
    }

    fn page(&self, server: &Server, run: Option<RunId>, after: Option<&str>) -> Result<JobPage, String> {
        match (run, &self.queue) {
            (Some(run), _) => server.run_jobs(&run, &self.asked(), after),
            (None, queue) => {
                let queue = queue.as_deref().unwrap_or_default();
                server.queued_jobs(queue, &self.asked(), self.sort.as_deref(), after)
            }
        }
    }
}

/// The server tells the newest attempts; those before them are asked for page by page.
pub(crate) fn whole(server: &Server, job: JobId) -> Result<JobHistory, String> {
    let mut history = server.job(&job, None)?;
    while let Some(oldest) =
        history.attempts.first().map(|attempt| attempt.number).filter(|number| *number > 1)
    {
        let earlier = server.job(&job, Some(oldest))?;
        if earlier.attempts.is_empty() {
            break;
        }
        history.attempts.splice(0..0, earlier.attempts);
    }
    Ok(history)
}

/// What is said of a value that somebody vouched for who was found wrong later.
const DOUBTED: &str =
    "its value is doubted: the device on whose word alone it was believed was found wrong later";

/// The id first: it is what `weevil explain` takes.
fn line(job: &JobView) -> String {
    let JobView { id, state, failures, max_attempts, path, .. } = job;
    let state = state.to_string();
    let waits = waits(job).map(|waits| format!("  ({waits})")).unwrap_or_default();
    let doubted = if job.doubted { "  (doubted)" } else { "" };
    format!("{id}  {state:<9}  {failures} of {max_attempts} attempts failed  {path}{waits}{doubted}")
}

/// What a job waits for beyond the next worker.
fn waits(job: &JobView) -> Option<String> {
    Some(match job.waits? {
        JobWait::Worker | JobWait::Check => return needed_worker(job),
        JobWait::Delay => {
            let kept_back = job.waits_until.unwrap_or(job.enqueued_at) - job.enqueued_at;
            format!("waits until {kept_back} ms after it was put in")
        }
        JobWait::Resume => "waits for its run to be resumed".to_owned(),
        JobWait::Code => "its code fails wherever it runs, and was stopped in its queue".to_owned(),
        JobWait::Lot => "waits for the checks of its lot".to_owned(),
        JobWait::Module => "waits for what a module of its workflow says of an answer".to_owned(),
        JobWait::Overdue => "nobody took it within its longest wait".to_owned(),
    })
}

/// Who may take it, where that is not everybody.
fn needed_worker(job: &JobView) -> Option<String> {
    let JobNeeds { capabilities, memory_mb } = &job.needs;
    let is_answered = job.waits == Some(JobWait::Check);
    let plain = capabilities == &["javascript"] && *memory_mb == 0;
    if plain && !is_answered {
        return None;
    }
    let who = if is_answered { "an answer from somebody else" } else { "a worker" };
    let needs = if plain { String::new() } else { format!(" with {}", capabilities.join(" and ")) };
    let memory = if *memory_mb == 0 { String::new() } else { format!(" and {memory_mb} MiB") };
    Some(format!("waits for {who}{needs}{memory}"))
}

/// What became of a job, attempt by attempt.
pub(crate) fn story(history: &JobHistory, now: i64) -> String {
    let JobHistory { run, queue, stopped_code, job, attempts, fleet, .. } = history;
    let place = match (run, queue) {
        (Some(run), _) => format!("of {run}, node {}", job.path),
        (None, queue) => format!("in the queue {}, key {}", queue.as_deref().unwrap_or_default(), job.path),
    };
    let mut text = one_line(&format!("{} {place}: {}", job.id, job.state)) + "\n";
    let policy = job.trust.as_ref().map(|policy| format!("judged by {policy}"));
    let doubted = job.doubted.then(|| DOUBTED.to_owned());
    let fleet = fleet.iter().flat_map(|fleet| whom(fleet, now));
    let stopped = queue.as_ref().zip(stopped_code.as_ref());
    let cure =
        stopped.map(|(queue, code)| format!("`weevil resume --queue {queue} --code {code}` lets it go"));
    for told in [doubted, policy, waits(job), cure].into_iter().flatten().chain(fleet).chain(believed(job)) {
        let _infallible = writeln!(text, "{}", one_line(&told));
    }
    // Writing to a String cannot fail.
    let _infallible = match &job.reused {
        Some(other) => writeln!(text, "it took the stored result of {other}"),
        None if attempts.is_empty() => writeln!(text, "no worker has had it yet"),
        None => writeln!(text, "{} of {} attempts failed", job.failures, job.max_attempts),
    };
    let mut before = None;
    for attempt in attempts {
        tell(attempt, waited_from(attempt, before, job), &mut text);
        before = Some(attempt);
    }
    text
}

/// Since when an attempt had been waited for; not known where the one before is not kept, or has not ended.
fn waited_from(attempt: &AttemptView, before: Option<&AttemptView>, job: &JobView) -> Option<i64> {
    if attempt.number == 1 {
        return Some(job.enqueued_at);
    }
    before.filter(|before| before.number + 1 == attempt.number)?.ended_at
}

fn tell(attempt: &AttemptView, waited_from: Option<i64>, text: &mut String) {
    let AttemptView { number, worker, started_at, ended_at, end, .. } = attempt;
    let waited =
        waited_from.map_or_else(String::new, |from| format!(", waited {} ms", (started_at - from).max(0)));
    let worker = one_line(worker);
    let fate = match (end, ended_at) {
        (Some(end), Some(at)) => format!("{end} in {} ms", at - started_at),
        _ => "runs".to_owned(),
    };
    let share = share(attempt);
    let _infallible = writeln!(text, "  {number}. {worker}{waited}: {fate}{share}");
    if let Some(answer) = &attempt.answer {
        let _infallible = writeln!(text, "     {}", one_line(&answer_words(answer, attempt.kind.as_deref())));
    }
    for told in [&attempt.message, &attempt.stack].into_iter().flatten() {
        indented("     ", told, text);
    }
    if let Some(log) = &attempt.log {
        indented("     log: ", log, text);
    }
}

/// Strangers' lines, set in.
fn indented(margin: &str, told: &str, text: &mut String) {
    for line in told.lines() {
        let _infallible = writeln!(text, "{margin}{}", Inert::lines(line));
    }
}

/// How far it came; a completed one came to its end, whatever it told.
fn share(attempt: &AttemptView) -> String {
    match attempt.progress {
        Some(done) if attempt.end.as_deref() != Some("completed") => format!(", {:.0} % done", done * 100.0),
        _ => String::new(),
    }
}

#[cfg(test)]
#[path = "jobs_test.rs"]
pub(crate) mod tests;
