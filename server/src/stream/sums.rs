//! What the whole server is at a moment, in a few numbers: of the fleet, of the queue, of the last second.

use weevil_api::{FleetSums, QueueFrame, SampleView, WorkersFrame};
use weevil_engine::fleet::{Fleet, FleetWorker};
use weevil_model::Timestamp;
use weevil_model::witness::Engine;
use weevil_queue::Depth;

use crate::series::{Sample, Span};

pub(super) fn fleet(fleet: &Fleet) -> FleetSums {
    FleetSums {
        workers: count(fleet.workers.len()),
        slots: fleet.slots,
        busy: fleet.workers.iter().map(FleetWorker::busy).fold(0, u32::saturating_add),
        // The sum of no numbers is -0.
        mflops: fleet.workers.iter().fold(0.0, |sum, worker| sum + worker.mflops),
    }
}

pub(super) fn workers(of: &Fleet) -> WorkersFrame {
    let that =
        |is: &dyn Fn(&FleetWorker) -> bool| count(of.workers.iter().filter(|worker| is(worker)).count());
    let engines = Engine::ALL
        .into_iter()
        .map(|engine| (engine.as_str().to_owned(), that(&|worker| worker.witness.engine == engine)));
    let mut capabilities: Vec<(String, u32)> = Vec::new();
    for name in of.workers.iter().flat_map(|worker| worker.has.capabilities.names()) {
        match capabilities.iter_mut().find(|(known, _)| known == name) {
            Some((_, workers)) => *workers += 1,
            None => capabilities.push((name.to_owned(), 1)),
        }
    }
    capabilities.sort();
    WorkersFrame {
        fleet: fleet(of),
        resting: that(&|worker| worker.rests_until.is_some()),
        held_back: that(&|worker| worker.suspension.is_some()),
        engines: engines.filter(|(_, workers)| *workers > 0).collect(),
        capabilities,
    }
}

pub(super) fn queue(depth: Depth, paused_since: Option<Timestamp>) -> QueueFrame {
    let Depth { ready, leased, delayed, held, answered, stopped, .. } = depth;
    QueueFrame {
        ready,
        leased,
        delayed,
        held,
        answered,
        stopped,
        paused_since: paused_since.map(|since| since.0),
    }
}

pub(super) fn sample(sample: &Sample) -> SampleView {
    SampleView {
        at: sample.at.0,
        jobs: sample.done.jobs,
        attempts: sample.done.attempts,
        errors: sample.done.errors,
        mflops: sample.done.flops / 1e6 / Span::TenMinutes.seconds() as f64,
        workers: sample.workers,
        slots: sample.slots,
        busy: sample.busy,
        waiting: sample.waiting,
        leased: sample.leased,
    }
}

fn count(many: usize) -> u32 {
    u32::try_from(many).unwrap_or(u32::MAX)
}
