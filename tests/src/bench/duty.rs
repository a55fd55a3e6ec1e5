//! Whether jobs take the share of a processor that was chosen, as the operating system counts it.

use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use weevil_e2e::{Browser, TestServer, cpu_seconds_below};

use crate::measure::Figures;
use crate::volunteer::{ONE_SLOT, SHORT, SHORT_MS, pool};

/// Percent.
const DUTIES: [u32; 4] = [10, 25, 50, 75];
const WINDOW: Duration = Duration::from_secs(10);
/// More than there is time for.
const JOBS: usize = 2_000;
/// Until then a slot finds its pace.
const FIRST_JOBS: u32 = 5;

/// How far the processor time of the process in which jobs run is from each duty, in percent of that duty.
pub(crate) fn errors(binary: &Path, _: usize) -> Vec<Figures> {
    let server = TestServer::start_binary(binary, &[]);
    let browser = Browser::start();
    let figures = DUTIES.map(|percent| {
        let page = browser.open(&server.url(&format!("{ONE_SLOT}&duty={percent}")));
        let api = server.api();
        let run = api.run(&pool(JOBS, SHORT_MS, SHORT));
        api.await_run(&run, |view| view.stats.jobs >= FIRST_JOBS);
        let share = busiest(browser.pid());
        api.cancel(&run);
        page.close();
        (share * 100.0 / f64::from(percent) - 1.0).abs() * 100.0
    });
    vec![figures.to_vec()]
}

/// The share of one processor that the busiest process of a browser takes for a while. The frame of the jobs has an
/// origin of its own, and with it a process that does nothing else.
fn busiest(browser: u32) -> f64 {
    let (start, before) = (Instant::now(), cpu_seconds_below(browser));
    thread::sleep(WINDOW);
    let (passed, after) = (start.elapsed(), cpu_seconds_below(browser));
    let growth = after.iter().map(|(pid, seconds)| seconds - before.get(pid).unwrap_or(&0.0));
    growth.fold(0.0, f64::max) / passed.as_secs_f64()
}
