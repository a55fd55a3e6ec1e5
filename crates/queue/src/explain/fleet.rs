//! What the connected workers are to a job with some needs: counts, and the reason that follows from them.

use weevil_model::{Capabilities, Needs};

use super::ahead::Ahead;
use super::facts::{Others, Scene, WorkerTold};
use super::reason::{Lack, Reason, Unknown};

/// Why none of them takes it, or none will; `None` where one could.
pub(super) fn obstacle(needs: Needs, workers: &[WorkerTold]) -> Option<Reason> {
    if workers.is_empty() {
        return Some(Reason::NoWorker);
    }
    let meet: Vec<&WorkerTold> = workers.iter().filter(|worker| worker.has.meet(needs)).collect();
    if meet.is_empty() {
        return Some(none_meets(needs, workers));
    }
    let banned = count(meet.iter().filter(|worker| worker.banned));
    let paused = count(meet.iter().filter(|worker| worker.paused && !worker.banned));
    if banned.saturating_add(paused) == count(meet.iter()) {
        return Some(Reason::OnlySuspended { paused, banned });
    }
    let willing = meet.iter().any(|worker| is_willing(worker));
    (!willing).then(|| Reason::NoneWants { workers: count(meet.iter()) - banned - paused })
}

/// How a ready job stands among workers that could take it.
pub(super) fn turn(needs: Needs, ahead: Option<Ahead>, others: Option<Others>, scene: &Scene) -> Reason {
    let Some(workers) = &scene.workers else { return Reason::Unknown(Unknown::Workers) };
    if let Some(reason) = obstacle(needs, workers) {
        return reason;
    }
    if let Some(others) = others.filter(|others| others.may == 0) {
        return Reason::NobodyElse(others);
    }
    let willing = || workers.iter().filter(|worker| worker.has.meet(needs) && is_willing(worker));
    let slots = willing().map(|worker| worker.slots).fold(0, u32::saturating_add);
    let free =
        willing().map(|worker| worker.slots.saturating_sub(worker.in_flight)).fold(0, u32::saturating_add);
    if free > 0 {
        return Reason::SlotsFree { free, slots, ahead };
    }
    let rate = scene.rate.filter(|rate| rate.is_finite() && *rate > 0.0);
    let seconds = ahead.zip(rate).and_then(|(ahead, rate)| ahead.seconds(rate));
    Reason::AllBusy { slots, ahead, rate, seconds }
}

fn is_willing(worker: &WorkerTold) -> bool {
    !worker.banned && !worker.paused && worker.capacity != Some(0)
}

fn none_meets(needs: Needs, workers: &[WorkerTold]) -> Reason {
    let named = Capabilities::NAMED.into_iter().map(|(capability, _)| capability);
    let needed = named.filter(|capability| needs.capabilities.include(*capability));
    let nobody_has = |capability: &Capabilities| {
        !workers.iter().any(|worker| worker.has.capabilities.include(*capability))
    };
    let missing = needed.filter(nobody_has).fold(Capabilities::default(), Capabilities::and);
    let enough = workers.iter().any(|worker| worker.has.memory_mb >= needs.memory_mb);
    let for_all = needs.only_by(None);
    let lacks_gpu = missing.include(Capabilities::WEBCL);
    Reason::NoneMeets(Lack {
        connected: count(workers.iter()),
        needed: needs.capabilities,
        missing,
        memory_mb: if enough { 0 } else { needs.memory_mb },
        left_out: count(workers.iter().filter(|worker| worker.has.meet(for_all))),
        keep_gpu: count(workers.iter().filter(|worker| lacks_gpu && worker.keeps_gpu)),
    })
}

fn count<T>(workers: impl Iterator<Item = T>) -> u32 {
    u32::try_from(workers.count()).unwrap_or(u32::MAX)
}
