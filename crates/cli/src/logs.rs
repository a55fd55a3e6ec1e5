//! `weevil logs`: what the attempts of a run or of a job have logged, each as it ends.

use std::thread::sleep;
use std::time::{Duration, Instant};

use clap::Args;
use serde::Serialize;
use weevil_api::{AttemptView, JobView, LogPage, LogView};
use weevil_client::Server;
use weevil_model::{JobId, RunId};

use crate::Exit;
use crate::asking::Asking;
use crate::cut::{Either, What};
use crate::inert::{Inert, complain, one_line, say_json, say_line};
use crate::jobs::whole;

/// Between two looks, at least; a look that took long is followed by so many times that.
const PAUSE: Duration = Duration::from_secs(1);
const PAUSE_FACTOR: u32 = 4;
/// Behind this a moment is over.
const MOMENT: Duration = Duration::from_millis(2);

#[derive(Debug, Args)]
pub struct Logs {
    /// Id of the run or of a job; its beginning is enough where no other one has it.
    #[arg(value_name = "RUN or JOB")]
    what: Either,
    /// Go on until it has ended, and print what comes.
    #[arg(short, long)]
    follow: bool,
    /// Only what jobs of this node have logged, and of the nodes below it.
    #[arg(long, value_name = "ID")]
    node: Option<String>,
    #[command(flatten)]
    asking: Asking,
    /// Print a JSON object for each attempt, with `job`, `path`, `attempt`, `worker`, `endedAt` and `log`.
    #[arg(long)]
    json: bool,
}

/// One attempt's lines.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Logged<'a> {
    job: &'a str,
    path: &'a str,
    attempt: u32,
    worker: &'a str,
    ended_at: Option<i64>,
    log: &'a str,
}

/// What has been told of a job.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
struct Told {
    /// The newest attempt that had ended.
    attempt: u32,
    is_over: bool,
}

impl Logs {
    pub(crate) fn execute(self) -> Exit {
        self.tell().map_or_else(Exit::CouldNot, |()| Exit::Done)
    }

    fn tell(&self) -> Result<(), String> {
        let server = self.asking.server()?;
        match self.what.found(&server)? {
            What::Run(run) => self.run(&server, run),
            What::Job(job) => self.job(&server, job),
        }
    }

    /// In the order in which attempts ended.
    fn run(&self, server: &Server, run: RunId) -> Result<(), String> {
        let (mut after, mut is_silent, mut has_ended) = (None, true, false);
        self.again(|| {
            has_ended = server.run_result(&run, None)?.state.is_terminal();
            // The server does not tell of the millisecond that it is in.
            sleep(MOMENT);
            loop {
                let LogPage { logs, next, end } = server.run_log(&run, after.as_deref())?;
                for log in logs.iter().filter(|log| self.is_meant(&log.path)) {
                    is_silent = false;
                    self.say(&Logged::of(log));
                }
                after = end;
                if next.is_none() {
                    return Ok(has_ended);
                }
            }
        })?;
        if is_silent {
            let until = if has_ended { "" } else { " yet" };
            let of = self.node.as_ref().map_or_else(String::new, |node| format!(" at a node `{node}`"));
            complain(&Inert::fill(
                "nothing has been logged{}{}\n",
                &[&Inert::line(&of), &Inert::line(until)],
            ));
        }
        Ok(())
    }

    fn job(&self, server: &Server, job: JobId) -> Result<(), String> {
        let mut told = Told::default();
        self.again(|| {
            self.history(server, job, &mut told)?;
            Ok(told.is_over)
        })?;
        if told.attempt == 0 {
            complain(&Inert::fill("no attempt has ended yet\n", &[]));
        }
        Ok(())
    }

    /// Once, or with --follow until a look says that all was over before it.
    fn again(&self, mut look: impl FnMut() -> Result<bool, String>) -> Result<(), String> {
        loop {
            let begun = Instant::now();
            if look()? || !self.follow {
                return Ok(());
            }
            sleep(PAUSE.max(begun.elapsed() * PAUSE_FACTOR));
        }
    }

    /// Tells the attempts that have ended since.
    fn history(&self, server: &Server, job: JobId, told: &mut Told) -> Result<(), String> {
        let history = whole(server, job)?;
        let JobView { id, path, state, .. } = &history.job;
        for attempt in ended_since(&history.attempts, told.attempt) {
            told.attempt = attempt.number;
            let AttemptView { number, worker, ended_at, log, .. } = attempt;
            if let Some(log) = log.as_ref().filter(|_| self.is_meant(path)) {
                self.say(&Logged { job: id, path, attempt: *number, worker, ended_at: *ended_at, log });
            }
        }
        told.is_over = state.is_terminal();
        Ok(())
    }

    fn say(&self, logged: &Logged<'_>) {
        if self.json {
            return say_json(logged);
        }
        for line in lines(logged.path, logged.attempt, logged.log) {
            say_line(&line);
        }
    }

    fn is_meant(&self, path: &str) -> bool {
        self.node.as_deref().is_none_or(|node| is_below(path, node))
    }
}

impl<'a> Logged<'a> {
    fn of(LogView { job, path, number, worker, ended_at, log, .. }: &'a LogView) -> Self {
        Self { job, path, attempt: *number, worker, ended_at: Some(*ended_at), log }
    }
}

/// Those behind the newest that was told, up to the first that still runs: attempts are told in their order.
fn ended_since(attempts: &[AttemptView], told: u32) -> impl Iterator<Item = &AttemptView> {
    attempts
        .iter()
        .filter(move |attempt| attempt.number > told)
        .take_while(|attempt| attempt.ended_at.is_some())
}

/// Whether a path (`v/pool/processor`) goes through a node of this id.
fn is_below(path: &str, node: &str) -> bool {
    path.split('/').any(|part| part == node)
}

fn lines(path: &str, attempt: u32, log: &str) -> Vec<String> {
    log.lines().map(|line| one_line(&format!("{path} {attempt}: {line}"))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn attempt(number: u32, ended_at: Option<i64>) -> AttemptView {
        AttemptView {
            number,
            worker: "wrk_1".into(),
            started_at: 0,
            ended_at,
            end: None,
            kind: None,
            message: None,
            stack: None,
            compute_us: 0,
            progress: None,
            log: None,
            answer: None,
        }
    }

    #[test]
    fn attempts_are_told_once_and_in_their_order() {
        let ended = |number| attempt(number, Some(1));
        for (attempts, told, expected) in [
            (vec![], 0, &[][..]),
            (vec![ended(1), ended(2)], 0, &[1, 2]),
            (vec![ended(1), ended(2)], 1, &[2]),
            (vec![ended(1), ended(2)], 2, &[]),
            (vec![ended(1), attempt(2, None), ended(3)], 0, &[1]),
        ] {
            let found: Vec<u32> = ended_since(&attempts, told).map(|attempt| attempt.number).collect();
            assert_eq!(found, expected, "{told} {attempts:?}");
        }
    }

    #[test]
    fn a_line_names_node_and_attempt_and_stays_a_line() {
        assert_eq!(lines("v/j", 2, "one\ntwo\u{1b}[31m"), ["v/j 2: one", "v/j 2: two\u{FFFD}[31m"]);
        for (path, node, below) in
            [("v/pool/0/job", "pool", true), ("v/pool/0/job", "poo", false), ("only", "only", true)]
        {
            assert_eq!(is_below(path, node), below, "{path} {node}");
        }
    }
}
