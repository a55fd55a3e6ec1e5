//! `weevil jobs` and `weevil explain`: what became of a run's or a queue's jobs, and of one job with each of its attempts.

use std::fmt::Write;

use clap::Args;
use weevil_api::{AttemptView, JobHistory, JobNeeds, JobPage, JobView, JobWait};
use weevil_client::Server;
use weevil_model::{JobId, RunId};

use crate::Exit;
use crate::answers::{answer_words, believed};
use crate::asking::{Asking, AskingInside};
use crate::clock::now;
use crate::cut::Cut;
use crate::inert::{Inert, one_line, say, say_json, say_line};
use crate::whom::whom;

#[derive(Debug, Args)]
pub struct Jobs {
    /// Id of the run, or its beginning.
    #[arg(required_unless_present = "queue", conflicts_with = "queue")]
    run: Option<Cut<RunId>>,
    /// List the stand-alone jobs of this queue instead.
    #[arg(long, value_name = "NAME")]
    queue: Option<String>,
    #[command(flatten)]
    asking: AskingInside,
    /// Print a line of JSON for each job.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Args)]
pub struct Explain {
    /// Id of the job; its beginning is enough where no other one has it.
    job: Cut<JobId>,
    #[command(flatten)]
    asking: Asking,
    /// Print what the server answers: one JSON object with `job`, `run` and `attempts`.
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

    fn page(&self, server: &Server, run: Option<RunId>, after: Option<&str>) -> Result<JobPage, String> {
        match (run, &self.queue) {
            (Some(run), _) => server.run_jobs(&run, after),
            (None, queue) => server.queued_jobs(queue.as_deref().unwrap_or_default(), after),
        }
    }
}

impl Explain {
    pub(crate) fn execute(self) -> Exit {
        match self.asking.server().and_then(|server| whole(&server, self.job.job(&server)?)) {
            Ok(history) if self.json => say_json(&history),
            Ok(history) => say(&Inert::lines(&story(&history, now()))),
            Err(why) => return Exit::CouldNot(why),
        }
        Exit::Done
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

fn story(history: &JobHistory, now: i64) -> String {
    let JobHistory { run, queue, code, job, attempts, fleet } = history;
    let place = match (run, queue) {
        (Some(run), _) => format!("of {run}, node {}", job.path),
        (None, queue) => format!("in the queue {}, key {}", queue.as_deref().unwrap_or_default(), job.path),
    };
    let mut text = one_line(&format!("{} {place}: {}", job.id, job.state)) + "\n";
    let policy = job.trust.as_ref().map(|policy| format!("judged by {policy}"));
    let doubted = job.doubted.then(|| DOUBTED.to_owned());
    let fleet = fleet.iter().flat_map(|fleet| whom(fleet, now));
    let stopped = queue.as_ref().zip(code.as_ref());
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
    for attempt in attempts {
        tell(attempt, job, &mut text);
    }
    text
}

fn tell(attempt: &AttemptView, job: &JobView, text: &mut String) {
    let AttemptView { number, worker, started_at, ended_at, end, .. } = attempt;
    let waited = started_at - job.enqueued_at;
    let worker = one_line(worker);
    let fate = match (end, ended_at) {
        (Some(end), Some(at)) => format!("{end} in {} ms", at - started_at),
        _ => "runs".to_owned(),
    };
    let share = share(attempt);
    let _infallible = writeln!(text, "  {number}. {worker}, after {waited} ms in the queue: {fate}{share}");
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
mod tests {
    use weevil_api::{AnswerView, DeviceRank};
    use weevil_model::NodeState::{self, Answered, Running};

    use super::JobWait::{Check, Code, Delay, Lot, Overdue, Resume, Worker};
    use super::*;

    const DIGEST: &str = "1a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d5e6f708192a3b4c5d6e7f809";

    fn attempt(number: u32, end: Option<&str>, message: Option<&str>, progress: Option<f64>) -> AttemptView {
        AttemptView {
            number,
            worker: format!("worker_{number}"),
            started_at: 1_000 * i64::from(number),
            ended_at: end.map(|_| 1_000 * i64::from(number) + 40),
            end: end.map(str::to_owned),
            kind: message.map(|_| "thrown".into()),
            message: message.map(str::to_owned),
            stack: message.map(|_| "at f\nat g".into()),
            compute_us: 0,
            progress,
            log: end.filter(|end| *end != "expired").map(|end| format!("{end}\n\u{1B}[31mred")),
            answer: None,
        }
    }

    fn job() -> JobView {
        JobView {
            id: "job_1".into(),
            path: "v/j".into(),
            state: NodeState::Running,
            waits: None,
            waits_until: None,
            needs: JobNeeds { capabilities: vec!["javascript".into()], memory_mb: 0 },
            reused: None,
            handed_out: 2,
            failures: 1,
            max_attempts: 3,
            trust: None,
            doubted: false,
            answered: None,
            basis: None,
            enqueued_at: 900,
            ended_at: None,
        }
    }

    fn history(job: JobView, attempts: Vec<AttemptView>) -> JobHistory {
        JobHistory { run: Some("run_1".into()), queue: None, code: None, job, attempts, fleet: None }
    }

    #[test]
    fn a_story_names_each_attempt_and_its_error() {
        let attempts = vec![
            attempt(1, Some("error"), Some("boom"), None),
            attempt(2, Some("expired"), None, Some(0.57)),
            attempt(3, None, None, Some(0.4)),
            attempt(4, None, None, None),
            attempt(5, Some("completed"), None, Some(0.4)),
        ];
        let expected = "job_1 of run_1, node v/j: RUNNING\n1 of 3 attempts failed\n  1. worker_1, after 100 ms in \
                        the queue: error in 40 ms\n     boom\n     at f\n     at g\n     log: error\n     log: \
                        \u{FFFD}[31mred\n  2. worker_2, after 1100 ms in \
                        the queue: expired in 40 ms, 57 % done\n  3. worker_3, after 2100 ms in the queue: runs, \
                        40 % done\n  4. worker_4, after 3100 ms in the queue: runs\n  5. worker_5, after 4100 ms in \
                        the queue: completed in 40 ms\n     log: completed\n     log: \u{FFFD}[31mred\n";
        assert_eq!(story(&history(job(), attempts), 0), expected);
        assert!(story(&history(job(), vec![]), 0).ends_with("no worker has had it yet\n"));
        let reused = JobView { reused: Some("job_0".into()), ..job() };
        assert!(story(&history(reused, vec![]), 0).ends_with("it took the stored result of job_0\n"));
    }

    #[test]
    fn a_job_says_what_it_waits_for() {
        let plain = JobNeeds { capabilities: vec!["javascript".into()], memory_mb: 0 };
        let large = JobNeeds { capabilities: vec!["javascript".into(), "webcl".into()], memory_mb: 512 };
        let webcl = JobNeeds { memory_mb: 0, ..large.clone() };
        for (state, wait, needs, words) in [
            (Running, Worker, &large, "waits for a worker with javascript and webcl and 512 MiB"),
            (Running, Worker, &webcl, "waits for a worker with javascript and webcl"),
            (Answered, Check, &plain, "waits for an answer from somebody else"),
            (Answered, Check, &webcl, "waits for an answer from somebody else with javascript and webcl"),
            (Running, Delay, &large, "waits until 50 ms after it was put in"),
            (Answered, Resume, &plain, "waits for its run to be resumed"),
            (Running, Code, &plain, "its code fails wherever it runs, and was stopped in its queue"),
            (Answered, Lot, &plain, "waits for the checks of its lot"),
            (Running, Overdue, &large, "nobody took it within its longest wait"),
        ] {
            let (waits, waits_until, needs) = (Some(wait), Some(950), needs.clone());
            let job = JobView { state, waits, waits_until, needs, ..job() };
            let alone = JobHistory { run: None, queue: Some("q".into()), ..history(job.clone(), vec![]) };
            assert!(
                story(&alone, 0).starts_with(&format!("job_1 in the queue q, key v/j: {state}\n{words}\n"))
            );
            assert!(line(&job).ends_with(&format!("v/j  ({words})")), "{words}");
        }
        assert_eq!(waits(&JobView { waits: Some(Worker), ..job() }), None);
    }

    #[test]
    fn of_a_stopped_code_it_says_how_to_let_it_go() {
        let job = JobView { waits: Some(Code), ..job() };
        let (queue, code) = (Some("sums".into()), Some("3f2a".into()));
        let alone = JobHistory { run: None, queue, code, ..history(job, vec![]) };
        assert!(story(&alone, 0).contains("\n`weevil resume --queue sums --code 3f2a` lets it go\n"));
    }

    #[test]
    fn a_judged_job_tells_its_policy_and_what_each_attempt_answered() {
        let device = Some("3f2a91c0");
        for (device, digest, fate, told) in [
            (
                device,
                Some(DIGEST),
                Some("agreed"),
                "established device 3f2a91c0 (Firefox, check): value 1a2b3c4d5e6f, agreed",
            ),
            (
                device,
                Some(DIGEST),
                None,
                "established device 3f2a91c0 (Firefox, check): value 1a2b3c4d5e6f, not decided",
            ),
            (
                device,
                Some("1a2b"),
                Some("refuted"),
                "established device 3f2a91c0 (Firefox, check): value 1a2b, refuted",
            ),
            (
                None,
                None,
                Some("agreed"),
                "a worker without a device key (Firefox, check): error thrown, agreed",
            ),
            (
                None,
                Some(DIGEST),
                Some("agreed"),
                "the server itself (server, check): value 1a2b3c4d5e6f, agreed",
            ),
            (
                Some("3f\u{1B}[31m"),
                Some(DIGEST),
                None,
                "established device 3f\u{FFFD}[31m (Firefox, check): value 1a2b3c4d5e6f, not decided",
            ),
        ] {
            let message = if digest.is_none() { Some("boom") } else { None };
            let engine = if told.starts_with("the server") { "server" } else { "gecko" };
            let answer = AnswerView {
                digest: digest.map(str::to_owned),
                device: device.map(str::to_owned),
                engine: engine.into(),
                rank: DeviceRank::Established,
                role: "check".into(),
                lot: None,
                proof: None,
                fate: fate.map(str::to_owned),
            };
            let answered = AttemptView { answer: Some(answer), ..attempt(1, Some("lost"), message, None) };
            let judged = JobView { trust: Some("quorum(2)".into()), ..job() };
            let story = story(&history(judged, vec![answered, attempt(2, None, None, None)]), 0);
            let lines: Vec<&str> = story.lines().collect();
            assert_eq!(lines[1], "judged by quorum(2)");
            assert_eq!(lines[4], format!("     answered by {told}"));
            assert_eq!(story.matches("answered by").count(), 1, "{story}");
        }
    }
}
