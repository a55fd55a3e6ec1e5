//! How long it takes from a worker's answer to the moment at which a page has painted it, while many others read the same run.

use std::path::Path;
use std::thread;
use std::time::Duration;

use serde_json::Value;
use weevil_e2e::{Browser, TestServer};

use super::paced::{Answered, nodes, worker};
use super::readers::{READERS, Readers};
use crate::measure::Figures;

const NODES: usize = 100_000;
const CHANGES_PER_S: u32 = 1_000;
const WINDOW: Duration = Duration::from_secs(20);
/// Notes how many jobs the page says are done, and when that had been painted.
const WATCH: &str = "globalThis.painted = []; {
    const bar = document.querySelector('main [role=progressbar]');
    new MutationObserver(() => {
        const done = Number(bar.getAttribute('aria-valuenow'));
        requestAnimationFrame(() => setTimeout(() => painted.push([done, performance.timeOrigin + performance.now()])));
    }).observe(bar, { attributes: true, attributeFilter: ['aria-valuenow'] });
}";

/// The 99th percentile over all answers, in milliseconds: the commit lies between.
pub(crate) fn paint(binary: &Path, _: usize) -> Vec<Figures> {
    let server = TestServer::start_binary(binary, &[]);
    let run = server.api().run(&nodes(NODES));
    let readers = Readers::open(&server, &run, READERS);
    let browser = Browser::start();
    let page = server.console(&browser, &format!("#/runs/{run}"));
    let working = worker(&server, CHANGES_PER_S);
    page.wait_for(
        "Number(document.querySelector('main [role=progressbar]')?.getAttribute('aria-valuenow')) > 0",
    );
    page.eval(WATCH);
    thread::sleep(WINDOW);
    let painted = page.eval("painted");
    drop((server, readers));
    let answered = working.answered();
    working.join();
    vec![vec![percentile_99(waits(&answered, &counts(&painted)))]]
}

fn counts(painted: &Value) -> Answered {
    let pairs = painted.as_array().into_iter().flatten();
    let pair = |pair: &Value| Some((u32::try_from(pair[0].as_u64()?).ok()?, pair[1].as_f64()?));
    pairs.filter_map(pair).collect()
}

/// How long each answer between the first and the last picture waited for one that has it.
fn waits(answered: &Answered, painted: &Answered) -> Figures {
    let (Some((first, _)), Some((last, _))) = (painted.first(), painted.last()) else {
        return Figures::new();
    };
    let watched = answered.iter().filter(|(count, _)| count > first && count <= last);
    let shown = |count: &u32| painted.iter().find(|(done, _)| done >= count);
    watched.filter_map(|(count, sent)| Some(shown(count)?.1 - sent)).collect()
}

fn percentile_99(mut ms: Figures) -> f64 {
    ms.sort_by(f64::total_cmp);
    ms.get(ms.len().saturating_sub(1) * 99 / 100).copied().unwrap_or(f64::NAN)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_waits_for_the_first_picture_that_has_it() {
        let painted = vec![(10, 1_000.0), (30, 1_250.0), (50, 1_500.0)];
        let answered = vec![(10, 900.0), (20, 1_010.0), (30, 1_100.0), (40, 1_400.0), (60, 1_490.0)];
        assert_eq!(waits(&answered, &painted), [240.0, 150.0, 100.0]);
        assert!(percentile_99(waits(&answered, &vec![])).is_nan());
    }
}
