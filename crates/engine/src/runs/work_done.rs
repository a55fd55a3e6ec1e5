//! What was computed for a run, by which slots and in what time: the sums that follow from each job's effort.
//!
//! Only adds up. How much of a claim counts, `weevil_queue::Effort` has judged before.

use std::collections::HashMap;

use weevil_model::{Timestamp, WorkerId};
use weevil_queue::profile::{Computed, Profile, ProfileFacts};
use weevil_records::{RunStats, SlotTotals};

use crate::job_news::Work;
use crate::runs::earlier::Earlier;
use crate::runs::places::Places;
use crate::runs::times::Times;

#[derive(Debug)]
pub(crate) struct WorkDone {
    slots: HashMap<(WorkerId, u32), SlotTotals>,
    times: Times,
    places: Places,
    profile: Profile,
}

impl WorkDone {
    /// Goes on from what the database has counted.
    pub(crate) fn after(earlier: Earlier) -> Self {
        let mut places = Places::default();
        places.lose(!earlier.slots.is_empty());
        let times = Times::of(&earlier.times);
        Self { slots: by_slot(earlier.slots), times, places, profile: earlier.profile }
    }

    /// From how many places values came, nobody can tell any more.
    pub(crate) fn lose_places(&mut self) {
        self.places.lose(true);
    }

    pub(crate) fn note(&mut self, work: Work, at: Timestamp) {
        let Work { worker, place, effort } = work;
        self.places.note(place);
        self.profile.worked(&Computed::of(worker, &effort, at));
        let totals = self.slots.entry((worker, effort.slot())).or_insert(SlotTotals {
            worker,
            slot: effort.slot(),
            jobs: 0,
            compute_us: 0,
            flops: 0.0,
            first_claim: effort.handed_out(),
            last_result: at,
        });
        totals.jobs = totals.jobs.saturating_add(1);
        self.times.count(effort.compute_us(), 1);
        totals.compute_us = totals.compute_us.saturating_add(effort.compute_us());
        totals.flops += effort.flops();
        totals.first_claim = totals.first_claim.min(effort.handed_out());
        totals.last_result = totals.last_result.max(at);
    }

    /// An attempt has ended without a value.
    pub(crate) fn failed(&mut self, at: Timestamp) {
        self.profile.failed(at);
    }

    /// What was computed when.
    pub(crate) fn profile(&self) -> ProfileFacts {
        self.profile.facts()
    }

    /// The database has counted all that was computed.
    pub(crate) fn recount(&mut self, all: Earlier) {
        let jobs = |slots: &mut dyn Iterator<Item = &SlotTotals>| -> u64 {
            slots.map(|totals| u64::from(totals.jobs)).sum()
        };
        self.places.lose(jobs(&mut all.slots.iter()) != jobs(&mut self.slots.values()));
        self.times = Times::of(&all.times);
        self.profile = all.profile;
        self.slots = by_slot(all.slots);
    }

    /// `reused`: so many jobs took a stored result.
    pub(crate) fn stats(&self, reused: u32) -> RunStats {
        let slots = || self.slots.values();
        let first = slots().map(|totals| totals.first_claim).min().unwrap_or_default();
        let last = slots().map(|totals| totals.last_result).max().unwrap_or_default();
        let wall_ms = last.since(first);
        let compute_ms = slots().map(busy_us).fold(0, u64::saturating_add) as f64 / 1000.0;
        let slot_ms = slots().map(span_ms).fold(0, u64::saturating_add) as f64;
        let flops: f64 = slots().map(|totals| totals.flops).sum();
        let mut workers: Vec<WorkerId> = slots().map(|totals| totals.worker).collect();
        workers.sort_unstable();
        workers.dedup();
        RunStats {
            jobs: slots().map(|totals| totals.jobs).fold(0, u32::saturating_add),
            reused,
            places: self.places.count().filter(|_| reused == 0),
            workers: u32::try_from(workers.len()).unwrap_or(u32::MAX),
            slots: u32::try_from(self.slots.len()).unwrap_or(u32::MAX),
            wall_ms,
            compute_ms,
            median_ms: self.times.median_ms(),
            utilisation: ratio(compute_ms, slot_ms).min(1.0),
            mflops: ratio(flops, wall_ms as f64 * 1000.0),
        }
    }
}

fn by_slot(totals: Vec<SlotTotals>) -> HashMap<(WorkerId, u32), SlotTotals> {
    totals.into_iter().map(|totals| ((totals.worker, totals.slot), totals)).collect()
}

/// From a slot's first hand-out to its last result.
fn span_ms(totals: &SlotTotals) -> u64 {
    u64::try_from(totals.last_result.since(totals.first_claim)).unwrap_or(0)
}

/// No slot computes longer than it was there, although each of its jobs was held for as long as it claims: they were
/// handed out ahead.
fn busy_us(totals: &SlotTotals) -> u64 {
    totals.compute_us.min(span_ms(totals).saturating_add(1).saturating_mul(1000))
}

fn ratio(part: f64, whole: f64) -> f64 {
    Some(part / whole).filter(|ratio| ratio.is_finite()).unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use weevil_model::PlaceNumber;
    use weevil_queue::decide::effort::Seen;
    use weevil_queue::{ClaimedEffort, Effort};

    use super::*;

    fn work_done() -> WorkDone {
        WorkDone::after(Earlier::default())
    }

    fn worker(n: i64) -> WorkerId {
        WorkerId::from_number(n).unwrap()
    }

    fn work(by: i64, claimed: ClaimedEffort, from: i64, to: i64) -> Work {
        let seen = Seen { handed_out: Timestamp(from), reported: Timestamp(to), slots: 2 };
        let place = Some(PlaceNumber::from_number(by.unsigned_abs()));
        Work { worker: worker(by), place, effort: Effort::judged(claimed, seen) }
    }

    /// Handed out ahead, each of a slot's jobs was held for as long as it claims.
    #[test]
    fn no_slot_computes_longer_than_it_was_there() {
        let mut done = work_done();
        let all = ClaimedEffort { slot: u32::MAX, compute_us: u64::MAX, flops: f64::MAX };
        for at in 1..=1_000 {
            done.note(work(1, all, 0, at), Timestamp(at));
            done.note(work(2, all, -at, at), Timestamp(at));
        }
        let stats = done.stats(0);
        assert_eq!((stats.jobs, stats.workers, stats.slots, stats.wall_ms), (2_000, 2, 2, 2_000));
        assert!(stats.utilisation <= 1.0 && stats.compute_ms <= 3_002.0, "{stats:?}");
        assert!(stats.mflops.is_finite() && stats.median_ms <= 2_001.0 * 1.09, "{stats:?}");
    }

    #[test]
    fn what_was_computed_while_nobody_looked_is_in_the_last_count() {
        let claimed = ClaimedEffort { slot: 0, compute_us: 1_000, flops: 0.0 };
        let mut done = work_done();
        done.note(work(1, claimed, 0, 9), Timestamp(9));
        let seen: Vec<SlotTotals> = done.slots.values().copied().collect();
        done.recount(Earlier { slots: seen.clone(), ..Earlier::default() });
        assert_eq!((done.stats(0).jobs, done.stats(0).places), (1, Some(1)), "nothing was missed");
        let missed = SlotTotals { worker: worker(2), last_result: Timestamp(20), ..seen[0] };
        done.recount(Earlier { slots: vec![seen[0], missed], ..Earlier::default() });
        let stats = done.stats(0);
        assert_eq!((stats.jobs, stats.workers, stats.wall_ms, stats.places), (2, 2, 20, None));
    }

    #[test]
    fn places_are_counted_while_each_is_known() {
        let claimed = ClaimedEffort { slot: 0, compute_us: 1, flops: 0.0 };
        let mut done = work_done();
        assert_eq!(done.stats(0).places, Some(0));
        for (by, places) in [(1, 1), (1, 1), (2, 2)] {
            done.note(work(by, claimed, 0, 9), Timestamp(9));
            assert_eq!(done.stats(0).places, Some(places));
        }
        assert_eq!(done.stats(1).places, None, "a stored value came from wherever it came");
        done.note(Work { place: None, ..work(3, claimed, 0, 9) }, Timestamp(9));
        assert_eq!(done.stats(0).places, None, "its worker has left long ago");
    }

    #[test]
    fn utilisation_is_compute_time_over_slot_time() {
        let mut done = work_done();
        for (slot, claimed_at, compute_us, at) in
            [(0, 0, 40_000, 50), (0, 50, 50_000, 100), (1, 0, 90_000, 100)]
        {
            let claimed = ClaimedEffort { slot, compute_us, flops: 1e6 };
            done.note(work(1, claimed, claimed_at, at), Timestamp(at));
        }
        let stats = done.stats(0);
        assert_eq!((stats.jobs, stats.workers, stats.slots, stats.wall_ms), (3, 1, 2, 100));
        assert!((stats.utilisation - 0.9).abs() < 1e-9, "{stats:?}");
        assert!((stats.mflops - 30.0).abs() < 1e-9, "{stats:?}");
    }
}
