//! The connected workers in numbers: what they do, which browsers they are, what they can run. Linear in how many there are.

use std::collections::BTreeMap;

use weevil_api::{WorkerDoing, WorkerSums};
use weevil_engine::fleet::FleetWorker;

/// How the volunteer's page calls browsers, in front of their version.
const BROWSERS: [&str; 5] = ["Chrome", "Edge", "Firefox", "Opera", "Safari"];
/// Whatever calls itself otherwise: a name of its own for each would be as many as strangers like.
const OTHER: &str = "other";

pub(super) fn sums(workers: &[FleetWorker]) -> WorkerSums {
    let mut sums = WorkerSums::default();
    for worker in workers {
        sums.workers += 1;
        sums.slots += worker.slots;
        sums.busy += worker.busy();
        sums.mflops += worker.mflops;
        *sums.doing.entry(doing(worker)).or_default() += 1;
        count(&mut sums.browsers, browser(&worker.agent));
        for name in worker.has.capabilities.names() {
            count(&mut sums.capabilities, name);
        }
    }
    sums
}

fn count(counts: &mut BTreeMap<String, u32>, name: &str) {
    match counts.get_mut(name) {
        Some(number) => *number += 1,
        None => drop(counts.insert(name.to_owned(), 1)),
    }
}

fn doing(worker: &FleetWorker) -> WorkerDoing {
    if worker.suspension.is_some() {
        WorkerDoing::Paused
    } else if worker.busy() > 0 {
        WorkerDoing::Computing
    } else if worker.rests_until.is_some() {
        WorkerDoing::Resting
    } else if worker.slots == 0 {
        WorkerDoing::Away
    } else {
        WorkerDoing::Idle
    }
}

fn browser(agent: &str) -> &'static str {
    let is_called = |name: &&str| agent.strip_prefix(*name).is_some_and(|rest| rest.starts_with(' '));
    BROWSERS.into_iter().find(is_called).unwrap_or(OTHER)
}
