//! Follows a run to its end: asks the server, shows the progress, notices when nothing moves.
//! It never judges the result.

use std::io::{IsTerminal, Write, stdout};
use std::thread;
use std::time::{Duration, Instant};

use super::api::{self, RunView};
use super::progress::{self, Rate, Snapshot};
use super::server::Server;
use super::volunteers::Volunteers;
use crate::failure::{Done, Failure};

const ASK_EVERY: Duration = Duration::from_millis(250);
/// Where no terminal can redraw a line, a line is written this often.
const LINE_EVERY: Duration = Duration::from_secs(3);
/// With browsers of our own, this long without a job done means that something is broken.
const STALLED_AFTER: Duration = Duration::from_mins(3);

/// The run's view once it is over.
pub(super) fn until_the_end(run: &str, server: &mut Server, volunteers: &mut Volunteers) -> Done<RunView> {
    let url = server.url.clone();
    let mut rate = Rate::default();
    let mut display = Display::new();
    loop {
        server.must_run()?;
        volunteers.must_run()?;
        let view = RunView::fetch(&url, run)?;
        rate.note(view.done(), Instant::now());
        let snapshot = Snapshot {
            done: view.done(),
            total: view.total(),
            workers: api::workers(&url)?,
            mflops: view.stats().mflops,
            eta: rate.eta(view.total(), Instant::now()),
        };
        display.show(&snapshot, view.is_over());
        if view.is_over() {
            return Ok(view);
        }
        if volunteers.are_ours() && rate.still_for(Instant::now()) > STALLED_AFTER {
            let what = format!("no job has ended for {} s", STALLED_AFTER.as_secs());
            return Err(Failure::new(what, "read server.log and volunteer-1.log in data/demo"));
        }
        thread::sleep(ASK_EVERY);
    }
}

/// One line that is redrawn, or plain lines where stdout is no terminal.
struct Display {
    redraws: bool,
    last_line: Option<Instant>,
}

impl Display {
    fn new() -> Self {
        Self { redraws: stdout().is_terminal(), last_line: None }
    }

    fn show(&mut self, snapshot: &Snapshot, last: bool) {
        let line = progress::line(snapshot);
        if self.redraws {
            print!("\r{line}\u{1b}[K{}", if last { "\n" } else { "" });
            // A terminal that went away shows nothing, and the run goes on.
            let _ = stdout().flush();
        } else if last || self.last_line.is_none_or(|then| then.elapsed() >= LINE_EVERY) {
            println!("{line}");
            self.last_line = Some(Instant::now());
        }
    }
}
