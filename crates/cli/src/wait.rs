//! Waiting for a run or a job to end, with a bar where one can be seen.

use std::cell::Cell;
use std::time::Duration;

use weevil_api::{JobResult, Progress, RunResult};
use weevil_client::Server;

use crate::Exit;
use crate::bar::Bar;
use crate::explain::reason;
use crate::inert::{Inert, complain};
use crate::interrupt::{Leaving, leave_with};

/// Between two questions for the result, also where the server answers them at once.
const PAUSE: Duration = Duration::from_millis(200);
/// Milliseconds that one question for the result waits where nobody looks at a bar.
const WAIT_MS: u32 = 30_000;
/// The same where a bar shows how far it is, or somebody has to be seen to be alive.
pub(crate) const LOOK_MS: u32 = 1_000;

/// Waits for the end of a run. Ctrl-C ends the wait alone.
pub(crate) fn run(server: &Server, run: &str, json: bool) -> Result<RunResult, String> {
    let bar = Bar::of_jobs(json);
    let words =
        format!("{run} goes on: `weevil result {run}` tells what it came to, `weevil cancel {run}` ends it");
    begin(run, words, &bar)?;
    let wait_ms = if bar.is_shown() { LOOK_MS } else { WAIT_MS };
    let told = Cell::new(false);
    run_with(server, run, &bar, wait_ms, || {
        if !told.replace(true) {
            bar.while_hidden(|| tell_why_nothing_runs(server, run));
        }
        Ok(())
    })
}

/// Says what a run waits for of which nothing runs, where the server knows.
fn tell_why_nothing_runs(server: &Server, run: &str) {
    let Ok(Progress { running: 0, done: 0, failed: 0, .. }) =
        server.run(&run).map(|run| run.summary.progress)
    else {
        return;
    };
    let why = server.explain_run(&run).ok().and_then(|why| why.reasons.into_iter().next());
    if let Some(why) = why {
        complain(&reason(&why));
    }
}

/// The same with a bar of the caller's, asking again soon and then after `wait_ms` at most, as long as `goes_on` sees no reason to
/// give up.
pub(crate) fn run_with(
    server: &Server,
    run: &str,
    bar: &Bar,
    wait_ms: u32,
    goes_on: impl Fn() -> Result<(), String>,
) -> Result<RunResult, String> {
    let mut patience_ms = LOOK_MS.min(wait_ms);
    let found = loop {
        if bar.is_shown() {
            bar.jobs(&server.run(&run)?.summary.progress);
        }
        let found = server.run_result(&run, Some(patience_ms));
        patience_ms = wait_ms;
        if found.as_ref().is_ok_and(|found| found.state.is_terminal()) {
            break found;
        }
        goes_on()?;
        found?;
        std::thread::sleep(PAUSE);
    };
    bar.clear();
    found
}

/// Waits for the end of a stand-alone job. Ctrl-C ends the wait alone.
pub(crate) fn job(server: &Server, job: &str, json: bool) -> Result<JobResult, String> {
    let bar = Bar::of_one(json);
    let words =
        format!("{job} goes on: `weevil explain {job}` tells how it stands, `weevil cancel {job}` ends it");
    begin(job, words, &bar)?;
    let wait_ms = if bar.is_shown() { LOOK_MS } else { WAIT_MS };
    let found = loop {
        if bar.is_shown() {
            bar.one(&server.job(&job, None)?);
        }
        let found = server.job_result(&job, Some(wait_ms))?;
        if found.state.is_terminal() {
            break found;
        }
        std::thread::sleep(PAUSE);
    };
    bar.clear();
    Ok(found)
}

/// What is waited for is said once Ctrl-C does no harm any more.
fn begin(id: &str, words: String, bar: &Bar) -> Result<(), String> {
    leave_with(Leaving { exit: Exit::Interrupted, words, bar: bar.clone() })?;
    complain(&Inert::fill("waiting for {}\n", &[&Inert::line(id)]));
    Ok(())
}
