//! Which worker gets which of the jobs that are ready.

use std::collections::{BTreeSet, VecDeque};

use weevil_model::{Needs, PlaceNumber, WorkerId};

use super::company::Company;
use crate::batch::Appetite;

/// Bytes of inputs that one claim hands out; a larger job goes alone. What workers then still want, the next claims bring.
pub const MAX_CLAIM_BYTES: u64 = 32 * 1024 * 1024;
/// Bytes of inputs that one claim hands out to one worker; a larger job goes alone.
pub const MAX_LOAD_BYTES: u64 = 16 * 1024 * 1024;

/// How many of the jobs whose inputs have these sizes a claim of at most so many bytes hands out, from the first on.
pub fn within(most: u64, sizes: impl IntoIterator<Item = u64>) -> usize {
    let mut bytes: u64 = 0;
    let fits = |(at, size): &(usize, u64)| {
        bytes = bytes.saturating_add(*size);
        *at == 0 || bytes <= most
    };
    sizes.into_iter().enumerate().take_while(fits).count()
}

/// How many jobs with these needs the workers could take together.
pub fn demand(asks: &[Appetite], needed: Needs) -> u64 {
    asks.iter().filter(|ask| ask.has.meet(needed)).map(|ask| u64::from(ask.wants)).sum()
}

/// Deals jobs out one by one, each to the next in turn who meets its needs: nobody's appetite starves the others, and
/// nobody gets what it cannot run, or more than it is sent at once. A job that has failed goes elsewhere first.
#[derive(Debug)]
pub struct Dealer {
    /// The next in turn first.
    turn: VecDeque<Hand>,
    cut: bool,
}

/// Who still wants.
#[derive(Debug)]
struct Hand {
    ask: Appetite,
    place: Option<PlaceNumber>,
    /// Bytes of the inputs that it was dealt.
    bytes: u64,
}

impl Hand {
    const fn takes(&self, bytes: u64) -> bool {
        self.bytes == 0 || self.bytes.saturating_add(bytes) <= MAX_LOAD_BYTES
    }
}

impl Dealer {
    pub fn new(asks: &[Appetite], company: &Company) -> Self {
        let wants = asks.iter().filter(|ask| ask.wants > 0);
        let hand = |ask: &Appetite| Hand { ask: *ask, place: company.place(ask.worker), bytes: 0 };
        Self { turn: wants.map(hand).collect(), cut: false }
    }

    /// The receiver of the next job in the queue's order, elsewhere than where it has failed while such a worker asks;
    /// `None` where no worker that still wants jobs can run it, or takes an input of so many bytes.
    pub fn deal(&mut self, needed: Needs, bytes: u64, failed: &BTreeSet<PlaceNumber>) -> Option<WorkerId> {
        let elsewhere = |place: Option<PlaceNumber>| place.is_some_and(|place| !failed.contains(&place));
        let able = |hand: &Hand| hand.ask.has.meet(needed) && hand.takes(bytes);
        let first =
            self.turn.iter().position(|hand| able(hand) && (failed.is_empty() || elsewhere(hand.place)));
        let Some(at) = first.or_else(|| self.turn.iter().position(able)) else {
            self.cut |= self.turn.iter().any(|hand| hand.ask.has.meet(needed));
            return None;
        };
        let mut hand = self.turn.remove(at)?;
        let worker = hand.ask.worker;
        hand.ask.wants -= 1;
        hand.bytes = hand.bytes.saturating_add(bytes);
        if hand.ask.wants > 0 {
            self.turn.push_back(hand);
        }
        Some(worker)
    }

    /// Was there a job that somebody would have got if it were smaller?
    pub const fn is_cut(&self) -> bool {
        self.cut
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use weevil_model::Capabilities;

    const PLAIN: u32 = 1;
    const GPU: u32 = 3;

    fn needs(bits: u32) -> Needs {
        Needs { capabilities: Capabilities(bits), memory_mb: 0 }
    }

    fn asks(asks: &[(i64, u32, u32)]) -> Vec<Appetite> {
        let ask = |&(worker, wants, bits)| Appetite {
            worker: WorkerId::from_number(worker).unwrap(),
            wants,
            has: needs(bits),
        };
        asks.iter().map(ask).collect()
    }

    /// Who gets each of these jobs; 0 for nobody.
    fn dealt(workers: &[(i64, u32, u32)], jobs: &[u32]) -> Vec<i64> {
        let mut dealer = Dealer::new(&asks(workers), &Company::default());
        let mut deal = |bits: &u32| dealer.deal(needs(*bits), 1, &BTreeSet::new());
        jobs.iter().map(|bits| deal(bits).map_or(0, WorkerId::number)).collect()
    }

    /// Worker 10 is at place 1, worker 20 at place 2, and so on; worker 90 is nowhere known.
    #[test]
    fn what_has_failed_goes_elsewhere_while_somebody_asks_there() {
        for (workers, failed_at, expected) in [
            (&[(10, 1, PLAIN), (20, 1, PLAIN)][..], &[1][..], [20, 10]),
            (&[(10, 1, PLAIN), (11, 1, PLAIN)], &[1], [10, 11]),
            (&[(10, 1, PLAIN), (20, 1, 4)], &[1], [10, 0]),
            (&[(10, 1, PLAIN), (20, 1, PLAIN)], &[1, 2], [10, 20]),
            (&[(90, 1, PLAIN), (20, 1, PLAIN)], &[1], [20, 90]),
        ] {
            let mut company = Company::default();
            for (number, _, bits) in workers.iter().filter(|(number, ..)| *number < 90) {
                let place = PlaceNumber::from_number(i64::unsigned_abs(*number) / 10);
                company.join(WorkerId::from_number(*number).unwrap(), place, needs(*bits));
            }
            let failed = failed_at.iter().copied().map(PlaceNumber::from_number).collect();
            let mut dealer = Dealer::new(&asks(workers), &company);
            let found = [(); 2].map(|()| dealer.deal(needs(PLAIN), 1, &failed).map_or(0, WorkerId::number));
            assert_eq!(found, expected, "{workers:?} {failed_at:?}");
        }
    }

    #[test]
    fn rounds_go_to_everyone_who_still_wants_and_can() {
        for (workers, jobs, expected) in [
            (&[(1, 2, PLAIN), (2, 2, PLAIN)][..], &[PLAIN; 3][..], &[1, 2, 1][..]),
            (&[(1, 1, PLAIN), (2, 3, PLAIN)], &[PLAIN; 5], &[1, 2, 2, 2, 0]),
            (&[(1, 0, PLAIN), (2, 1, PLAIN)], &[PLAIN], &[2]),
            (&[], &[PLAIN], &[0]),
            (&[(1, 5, PLAIN), (2, 1, GPU)], &[GPU, GPU, PLAIN], &[2, 0, 1]),
            (&[(1, 1, PLAIN), (2, 2, GPU)], &[PLAIN, GPU, PLAIN], &[1, 2, 2]),
        ] {
            assert_eq!(dealt(workers, jobs), expected, "{workers:?} {jobs:?}");
        }
    }

    #[test]
    fn a_claim_ends_with_its_bytes_but_is_never_empty() {
        const HALF: u64 = MAX_CLAIM_BYTES / 2;
        for (sizes, expected) in [
            (&[][..], 0),
            (&[1, 1, 1], 3),
            (&[HALF, HALF, 1], 2),
            (&[HALF, HALF + 1, 1], 1),
            (&[3 * HALF, 1], 1),
            (&[u64::MAX, u64::MAX], 1),
        ] {
            assert_eq!(within(MAX_CLAIM_BYTES, sizes.iter().copied()), expected, "{sizes:?}");
        }
    }

    #[test]
    fn a_worker_is_dealt_so_many_bytes_or_one_job() {
        const MOST: u64 = MAX_LOAD_BYTES;
        for (workers, sizes, expected, cut) in [
            (&[(1, 9, PLAIN)][..], &[MOST, 1][..], &[1, 0][..], true),
            (&[(1, 9, PLAIN)], &[MOST - 1, 1, 1], &[1, 1, 0], true),
            (&[(1, 9, PLAIN)], &[2 * MOST, 1], &[1, 0], true),
            (&[(1, 9, PLAIN), (2, 9, PLAIN)], &[MOST, MOST, MOST], &[1, 2, 0], true),
            (&[(1, 9, PLAIN), (2, 9, PLAIN)], &[MOST, 1, MOST, 1], &[1, 2, 0, 2], true),
            (&[(1, 1, PLAIN), (2, 1, PLAIN)], &[MOST, MOST, MOST], &[1, 2, 0], false),
            (&[(1, 9, PLAIN)], &[1, 1], &[1, 1], false),
        ] {
            let mut dealer = Dealer::new(&asks(workers), &Company::default());
            let mut deal = |bytes: &u64| dealer.deal(needs(PLAIN), *bytes, &BTreeSet::new());
            let found: Vec<i64> = sizes.iter().map(|bytes| deal(bytes).map_or(0, WorkerId::number)).collect();
            assert_eq!((&found[..], dealer.is_cut()), (expected, cut), "{workers:?} {sizes:?}");
        }
    }

    #[test]
    fn demand_counts_those_who_can() {
        let asks = asks(&[(1, 2, PLAIN), (2, 5, GPU), (3, 1, GPU)]);
        for (bits, expected) in [(PLAIN, 8), (GPU, 6), (4, 0)] {
            assert_eq!(demand(&asks, needs(bits)), expected, "{bits}");
        }
    }
}
