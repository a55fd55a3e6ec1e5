//! What places let the feeder hand out: newcomers of one place hold few jobs together, a place that gives back without
//! end is handed nothing for a while, what nobody holds is not asked about for ever, and nobody is sent large inputs faster than they are taken (`loads.rs`).
//!
//! Asks the ledger only for workers without an accepted value, and when something comes back without a report.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use weevil_model::WorkerId;
use weevil_peer::{Flow, Row};
use weevil_queue::Appetite;

use crate::budget::{Peer, Permit, SharedBudget};
use crate::feeder::loads::Loads;
use crate::parcel::{Bell, Parcel};

pub(super) struct Crowding {
    budget: SharedBudget,
    /// Who is connected, and from where.
    peers: HashMap<WorkerId, Peer>,
    /// For the jobs of those of them that have no accepted value.
    newcomers: HashMap<WorkerId, Permit>,
    /// Places that have given back as much as they may.
    resting: HashSet<Peer>,
    /// For whom nothing is claimed until the next look.
    barred: HashSet<WorkerId>,
    /// The newcomer whose turn was last.
    last: Option<WorkerId>,
    loads: Loads,
}

/// Where a claim cannot give everybody what it wants, newcomers together get one job in so many: a worker that comes, takes
/// and leaves again is always new, and there is no end of them.
const NEWCOMERS_SHARE: usize = 16;

impl Crowding {
    pub(super) fn new(budget: SharedBudget) -> Self {
        Self {
            loads: Loads::new(budget.clone()),
            budget,
            peers: HashMap::new(),
            newcomers: HashMap::new(),
            resting: HashSet::new(),
            barred: HashSet::new(),
            last: None,
        }
    }

    pub(super) fn join(&mut self, worker: WorkerId, peer: Peer) {
        self.peers.insert(worker, peer);
        if let Ok(permit) = self.budget.take(peer, Row::Newcomers, 0) {
            self.newcomers.insert(worker, permit);
        }
    }

    /// The worker is gone, and so much of what it held comes back.
    pub(super) fn leave(&mut self, worker: WorkerId, held: usize) {
        self.returned(worker, held);
        self.peers.remove(&worker);
        self.newcomers.remove(&worker);
        self.barred.remove(&worker);
        self.loads.leave(worker);
    }

    /// So many attempts end without a report.
    pub(super) fn returned(&mut self, worker: WorkerId, count: usize) {
        let Some(peer) = self.peers.get(&worker).filter(|_| count > 0) else { return };
        self.budget.note(*peer, Flow::Returns, count as u64);
        if self.budget.left(*peer, Flow::Returns) == 0 {
            self.resting.insert(*peer);
        }
    }

    /// About how many attempts of a worker that nobody holds the database may be asked: they are as good as reports for what
    /// was never given, and a place comes again with another worker.
    pub(super) fn doubts(&self, worker: WorkerId, many: usize) -> usize {
        let Some(peer) = self.peers.get(&worker).filter(|_| many > 0) else { return 0 };
        let asked = self.budget.left(*peer, Flow::Unasked).min(many as u64);
        self.budget.note(*peer, Flow::Unasked, asked);
        usize::try_from(asked).unwrap_or(many)
    }

    /// A value of the worker was accepted.
    pub(super) fn proven(&mut self, worker: WorkerId) {
        self.newcomers.remove(&worker);
    }

    /// Time has passed: whoever was barred may be asked for again.
    pub(super) fn look_again(&mut self) {
        self.barred.clear();
        self.resting.retain(|peer| self.budget.left(*peer, Flow::Returns) == 0);
    }

    pub(super) fn is_barred(&self, worker: WorkerId) -> bool {
        !self.barred.is_empty() && self.barred.contains(&worker)
    }

    /// What may be claimed of what is asked for, where a claim has at most so many jobs; what newcomers may get is theirs
    /// until `settle`.
    pub(super) fn allowed(
        &mut self,
        asks: Vec<Appetite>,
        most: usize,
        held: impl Fn(WorkerId) -> usize,
    ) -> Vec<Appetite> {
        if self.loads.look() {
            self.barred.clear();
        }
        let (mut newcomers, known): (Vec<Appetite>, Vec<Appetite>) =
            asks.into_iter().partition(|ask| self.newcomers.contains_key(&ask.worker));
        let mut allowed = Vec::with_capacity(known.len() + newcomers.len());
        for ask in known {
            allowed.extend(self.granted(ask, held(ask.worker)));
        }
        let others = allowed.iter().map(|ask| ask.wants as usize).sum();
        let mut left = most.saturating_sub(others).max(most / NEWCOMERS_SHARE);
        newcomers.sort_by_key(|ask| (Some(ask.worker) <= self.last, ask.worker));
        for ask in newcomers {
            let wants = ask.wants.min(u32::try_from(left).unwrap_or(u32::MAX));
            if wants == 0 {
                break;
            }
            if let Some(granted) = self.granted(Appetite { wants, ..ask }, held(ask.worker)) {
                left -= granted.wants as usize;
                self.last = Some(ask.worker);
                allowed.push(granted);
            }
        }
        allowed
    }

    /// Who is granted nothing is barred.
    fn granted(&mut self, ask: Appetite, held: usize) -> Option<Appetite> {
        let wants = self.allowance(&ask, held as u64);
        if wants == 0 {
            self.barred.insert(ask.worker);
        }
        (wants > 0).then_some(Appetite { wants, ..ask })
    }

    fn allowance(&mut self, ask: &Appetite, held: u64) -> u32 {
        let Some(peer) = self.peers.get(&ask.worker) else { return ask.wants };
        if !self.resting.is_empty() && self.resting.contains(peer) {
            return 0;
        }
        if self.loads.bars(ask.worker, *peer) {
            return 0;
        }
        let Some(permit) = self.newcomers.get_mut(&ask.worker) else { return ask.wants };
        let more = permit.resize_towards(held, held + u64::from(ask.wants));
        u32::try_from(more).unwrap_or(u32::MAX)
    }

    /// Bytes of inputs that may be claimed.
    pub(super) fn room(&self) -> u64 {
        self.loads.room()
    }

    /// A worker is sent inputs of so many bytes.
    pub(super) fn send(&mut self, worker: WorkerId, bytes: u64) -> Parcel {
        self.peers.get(&worker).map_or_else(Parcel::default, |peer| self.loads.send(worker, *peer, bytes))
    }

    /// Rings when somebody who is barred might be sent more.
    pub(super) fn bell(&self) -> Arc<Bell> {
        self.loads.bell()
    }

    /// After the claim: newcomers hold what they hold.
    pub(super) fn settle(&mut self, asks: &[Appetite], held: impl Fn(WorkerId) -> usize) {
        for ask in asks {
            if let Some(permit) = self.newcomers.get_mut(&ask.worker) {
                let held = held(ask.worker) as u64;
                permit.resize_towards(held, held);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use weevil_model::Needs;
    use weevil_peer::{ClientAddress, Lines, Proxies, Settings, Table};

    use super::*;
    use crate::budget::Budget;
    use crate::testing::{ManualClock, worker};

    /// Workers 1 and 2 of one place, worker 3 of another.
    fn crowding() -> Crowding {
        let settings =
            Settings { seats: 9, workers_per_address: 9, transfer_mib: 64, cores: 1, descriptors: 9999 };
        let proxies = Proxies { trusted: Vec::new(), header: ClientAddress::XForwardedFor };
        let budget = Budget::new(Table::new(settings), proxies, [0; 16], Arc::new(ManualClock::default()));
        let mut crowding = Crowding::new(budget.clone());
        for (number, address) in [(1, "192.0.2.1"), (2, "192.0.2.1"), (3, "192.0.2.2")] {
            crowding.join(worker(number), budget.peer(address.parse().ok(), Lines::default()));
        }
        crowding
    }

    fn granted(crowding: &mut Crowding, wants: &[(i64, u32)], held: usize) -> Vec<(i64, u32)> {
        let ask = |(number, wants): &(i64, u32)| Appetite {
            worker: worker(*number),
            wants: *wants,
            has: Needs::JAVASCRIPT,
        };
        let allowed = crowding.allowed(wants.iter().map(ask).collect(), 4096, |_| held);
        let mut granted: Vec<_> = allowed.iter().map(|ask| (ask.worker.number(), ask.wants)).collect();
        granted.sort_unstable();
        granted
    }

    #[test]
    fn newcomers_of_one_place_hold_few_jobs_together() {
        let mut crowding = crowding();
        let asked = [(1, 400), (2, 400), (3, 400)];
        assert_eq!(granted(&mut crowding, &asked, 0), [(1, 400), (2, 112), (3, 400)]);
        assert_eq!(granted(&mut crowding, &[(1, 1)], 400), [], "the place is full");
        assert!(crowding.is_barred(worker(1)) && !crowding.is_barred(worker(3)));
        crowding.proven(worker(1));
        crowding.look_again();
        assert_eq!(granted(&mut crowding, &[(1, 2000), (2, 600)], 0), [(1, 2000), (2, 512)]);
        let asks = [Appetite { worker: worker(2), wants: 512, has: Needs::JAVASCRIPT }];
        crowding.settle(&asks, |_| 10);
        assert_eq!(granted(&mut crowding, &[(2, 600)], 10), [(2, 502)], "what was not claimed is free");
        crowding.leave(worker(2), 10);
        assert_eq!(
            crowding.budget.usage().used.iter().find(|(row, _)| *row == "newcomers"),
            Some(&("newcomers", 400))
        );
    }

    #[test]
    fn what_a_place_doubts_is_bounded_whoever_asks() {
        let crowding = crowding();
        for (number, many, asked) in [(1, 3000, 3000), (2, 3000, 1096), (1, 1, 0), (3, 2048, 2048), (9, 1, 0)]
        {
            assert_eq!(crowding.doubts(worker(number), many), asked, "{number}");
        }
    }

    #[test]
    fn newcomers_get_a_share_of_a_claim_that_others_want_whole_each_in_turn() {
        let mut crowding = crowding();
        crowding.proven(worker(1));
        let ask = |number, wants| Appetite { worker: worker(number), wants, has: Needs::JAVASCRIPT };
        for (known, expected) in [
            (500, &[(1, 500), (2, 17), (3, 17)][..]),
            (64, &[(1, 64), (2, 4)]),
            (64, &[(1, 64), (3, 4)]),
            (64, &[(1, 64), (2, 4)]),
            (50, &[(1, 50), (3, 14)]),
            (30, &[(1, 30), (2, 17), (3, 17)]),
        ] {
            let most = if known == 500 { 600 } else { 64 };
            let asks = vec![ask(3, 17), ask(1, known), ask(2, 17)];
            let allowed = crowding.allowed(asks, most, |_| 0);
            let allowed: Vec<_> = allowed.iter().map(|ask| (ask.worker.number(), ask.wants)).collect();
            assert_eq!(allowed, expected, "{known}");
        }
    }

    #[test]
    fn a_place_that_gives_back_without_end_rests() {
        let mut crowding = crowding();
        crowding.returned(worker(1), 4095);
        assert_eq!(granted(&mut crowding, &[(2, 1)], 0), [(2, 1)]);
        crowding.leave(worker(1), 9);
        assert_eq!(granted(&mut crowding, &[(2, 1), (3, 1)], 0), [(3, 1)]);
        crowding.look_again();
        assert!(!crowding.is_barred(worker(2)), "it is looked at again");
        assert_eq!(granted(&mut crowding, &[(2, 1)], 0), [], "and rests on");
    }

    #[test]
    fn nobody_is_sent_more_while_too_much_is_on_its_way() {
        const MIB: u64 = 1024 * 1024;
        let mut crowding = crowding();
        let all = [(1, 1), (2, 1), (3, 1)];
        assert!(crowding.send(worker(1), 1000).is_small());
        assert_eq!(granted(&mut crowding, &all, 0), all);
        let first = crowding.send(worker(1), 30 * MIB);
        assert_eq!(
            (granted(&mut crowding, &all, 0), crowding.room()),
            (vec![(3, 1)], 32 * MIB),
            "its place waits"
        );
        crowding.leave(worker(1), 0);
        crowding.look_again();
        assert_eq!(granted(&mut crowding, &[(2, 1)], 0), [], "what it has left behind still counts");
        let second = crowding.send(worker(3), 20 * MIB);
        crowding.look_again();
        assert_eq!((granted(&mut crowding, &all[1..], 0), crowding.room()), (vec![], 14 * MIB), "all wait");
        drop(first);
        assert_eq!(
            granted(&mut crowding, &all[1..], 0),
            [(2, 1)],
            "and hear of it; one has its own on the way"
        );
        drop(second);
        assert_eq!(granted(&mut crowding, &all[1..], 0), all[1..]);
    }
}
