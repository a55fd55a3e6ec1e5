//! The browser under strain: tabs that freeze, a network that goes away, servers that restart, job workers that die.
//! Each is seen from both sides: what the page says, and what the server has in the end.

mod crowd;
mod cut;
mod frozen;
mod slots;

use serde_json::json;
use weevil_e2e::{Files, Page, pool_workflow};

const SUM: &str = "function weevil_main(all) { return all.reduce((a, b) => a + b, 0) }";
/// A silent worker is noticed within seconds.
const SHORT_LEASE: [&str; 4] = ["--lease-seconds", "2", "--heartbeat-seconds", "1"];

/// Keeps every state that the page has been in.
const WATCHED: &str = "globalThis.seen = [];
    new MutationObserver(() => {
        const { state } = document.documentElement.dataset;
        if (state !== undefined && seen.at(-1) !== state) seen.push(state);
    }).observe(document, { attributes: true, subtree: true, attributeFilter: ['data-state'] });";

/// So many jobs of so many milliseconds; the result is their number.
fn jobs(count: usize, ms: u32) -> Files {
    let code = format!(
        "function weevil_main(n) {{ const end = performance.now() + {ms}; while (performance.now() < end); return n }}"
    );
    pool_workflow(&format!("[{}]", vec!["1"; count].join(",")), &code, SUM)
}

/// No job has failed here, and nothing else was shown as an error.
fn assert_calm(page: &Page<'_>) {
    assert_eq!(page.eval("document.documentElement.dataset.failed"), "0");
    let errors =
        page.eval("seen.filter((state) => ['refused', 'outdated', 'notLoaded', 'stopped'].includes(state))");
    assert_eq!(errors, json!([]), "{}", page.eval("seen.join()"));
}

fn done(page: &Page<'_>) -> u32 {
    let done = page.eval("Number(document.documentElement.dataset.done)");
    done.as_u64().and_then(|done| done.try_into().ok()).expect("a count")
}
