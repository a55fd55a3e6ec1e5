//! `weevil runs`: the newest runs, or the first in another order, a line each.

use clap::Args;
use weevil_api::{Progress, RunSummary};
use weevil_client::{RunFilter, Server};
use weevil_model::limits::MAX_PAGE;
use weevil_model::{ContentHash, RunState};

use crate::Exit;
use crate::asking::AskingInside;
use crate::clock::{age, now};
use crate::inert::{say_json, say_line};
use crate::table::{Side, Table};
use crate::terminal::columns;

/// The words of a state, as they are typed.
const STATES: [&str; 4] = ["started", "finished", "failed", "cancelled"];
/// Runs that can be listed at once.
const MOST: u32 = 100_000;

#[derive(Debug, Args)]
pub struct Runs {
    /// Only runs whose name or id begins so.
    #[arg(value_name = "TEXT")]
    text: Option<String>,
    /// Only runs in this state.
    #[arg(long, value_name = "STATE", ignore_case = true, value_parser = STATES)]
    state: Option<String>,
    /// Only runs of the workflow with this hash.
    #[arg(long, value_name = "HASH")]
    workflow: Option<ContentHash>,
    /// In which order: the newest first unless something else is said.
    #[arg(long, value_name = "ORDER", allow_hyphen_values = true, value_parser = ["-created", "created", "name"])]
    sort: Option<String>,
    /// How many.
    #[arg(long, value_name = "N", default_value_t = 20)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=i64::from(MOST)))]
    limit: u32,
    #[command(flatten)]
    asking: AskingInside,
    /// Print a line of JSON for each run.
    #[arg(long)]
    json: bool,
}

impl Runs {
    pub(crate) fn execute(self) -> Exit {
        match self.asking.server().and_then(|server| self.list(&server)) {
            Ok(runs) if self.json => runs.iter().for_each(say_json),
            Ok(runs) => lines(&runs, now(), columns()).iter().for_each(|line| say_line(line)),
            Err(why) => return Exit::CouldNot(why),
        }
        Exit::Done
    }

    fn list(&self, server: &Server) -> Result<Vec<RunSummary>, String> {
        let state = self.state.as_ref().and_then(|state| RunState::parse(&state.to_ascii_uppercase()));
        let (mut runs, mut after) = (Vec::new(), None::<String>);
        loop {
            let left = self.limit - u32::try_from(runs.len()).unwrap_or(MOST).min(self.limit);
            let asked = RunFilter {
                text: self.text.as_deref(),
                state,
                workflow: self.workflow,
                sort: self.sort.as_deref(),
                limit: left.min(MAX_PAGE),
            };
            let page = server.find_runs(&asked, after.as_ref().map(|mark| mark as _))?;
            runs.extend(page.runs);
            after = page.next;
            if after.is_none() || runs.len() >= self.limit as usize {
                return Ok(runs);
            }
        }
    }
}

/// The id first: it is what other commands take.
pub(crate) fn lines(runs: &[RunSummary], now: i64, columns: Option<usize>) -> Vec<String> {
    let mut table = Table::new([
        ("RUN", Side::Left),
        ("STATE", Side::Left),
        ("JOBS", Side::Right),
        ("BEGAN", Side::Right),
        ("NAME", Side::Left),
    ]);
    for run in runs {
        let age = age(run.created_at, now);
        table.row([run.id.clone(), state(run).to_owned(), jobs(&run.progress), age, run.name.clone()]);
    }
    table.lines(columns)
}

/// A run that somebody holds is in no state of its own.
fn state(run: &RunSummary) -> &'static str {
    match run.state {
        RunState::Started if run.paused => "PAUSED",
        state => state.as_str(),
    }
}

/// Those that have their values, of all that are known; with failures said.
fn jobs(progress: &Progress) -> String {
    let Progress { total, done, failed, .. } = progress;
    let failures = if *failed == 0 { String::new() } else { format!(" ({failed} failed)") };
    format!("{done}/{total}{failures}")
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    pub(crate) fn run(id: u8, state: RunState, done: u32, failed: u32) -> RunSummary {
        RunSummary {
            id: format!("run_000000000000{id}"),
            project: String::new(),
            name: "montecarlo".into(),
            workflow: String::new(),
            state,
            created_at: 1_000 * i64::from(id),
            finished_at: None,
            paused: false,
            paused_why: None,
            paused_words: None,
            paused_since: None,
            paused_by: None,
            paused_note: None,
            trust: None,
            doubted: 0,
            progress: Progress { total: 40, done, failed, ..Progress::default() },
        }
    }

    #[test]
    fn each_run_has_a_line_below_a_heading_that_programs_do_not_get() {
        let paused = RunSummary { paused: true, ..run(3, RunState::Started, 0, 0) };
        let runs = [paused, run(2, RunState::Started, 12, 0), run(1, RunState::Failed, 3, 1)];
        let rows = [
            "run_0000000000003  PAUSED              0/40  57 s ago  montecarlo",
            "run_0000000000002  STARTED            12/40  58 s ago  montecarlo",
            "run_0000000000001  FAILED   3/40 (1 failed)  59 s ago  montecarlo",
        ];
        assert_eq!(lines(&runs, 60_000, None), rows);
        let wide = lines(&runs, 60_000, Some(80));
        assert!(wide[0].starts_with("RUN                STATE"), "{wide:?}");
        assert!(wide.iter().all(|line| line.chars().count() <= 80));
        assert!(lines(&runs, 60_000, Some(50)).iter().all(|line| line.chars().count() <= 50));
    }
}
