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

/// How many of the jobs that these workers have copies of are nothing for somebody who asks.
pub fn held_by_askers<'h>(asks: &[Appetite], holders: impl Iterator<Item = &'h Vec<WorkerId>>) -> u64 {
    let asking: BTreeSet<WorkerId> = asks.iter().map(|ask| ask.worker).collect();
    holders.filter(|holders| holders.iter().any(|worker| asking.contains(worker))).count() as u64
}

/// How many of these jobs nobody who asks may have, as far as who is barred from each says.
pub fn barred_to_all<'b>(asks: &[Appetite], barred: impl Iterator<Item = &'b Vec<WorkerId>>) -> u64 {
    let all = |barred: &&Vec<WorkerId>| asks.iter().all(|ask| barred.contains(&ask.worker));
    barred.filter(all).count() as u64
}

/// A job that is ready, as the dealer sees it.
#[derive(Debug, Clone, Copy)]
pub struct Offer<'a> {
    pub needs: Needs,
    /// How large its input is.
    pub bytes: u64,
    /// Copies that may go out.
    pub wanted: u32,
    /// Somebody has answered it: whoever is trusted has the last word of it, so they come before others.
    pub is_answered: bool,
    /// Where it has failed.
    pub failed: &'a BTreeSet<PlaceNumber>,
    /// Who may not have one: who has a copy already, or could be somebody who has answered.
    pub barred: &'a [WorkerId],
}

/// Deals jobs out one by one, each to the next in turn who meets its needs: nobody's appetite starves the others, and
/// nobody gets what it cannot run or holds already, or more than it is sent at once. A job that has failed goes elsewhere
/// first.
#[derive(Debug)]
pub struct Dealer {
    /// The next in turn first.
    turn: VecDeque<Hand>,
    left: Left,
}

/// Why workers that want more did not get what is ready.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Left {
    /// It would have been too much at a time.
    pub cut: bool,
    /// They may not have it: they have copies of it already, or could be somebody who has answered.
    pub kept: bool,
}

/// Who still wants.
#[derive(Debug)]
struct Hand {
    ask: Appetite,
    place: Option<PlaceNumber>,
    is_trusted: bool,
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
        let hand = |ask: &Appetite| {
            let party = company.parties.of(ask.worker);
            let is_trusted = party.is_some_and(|party| party.kept().is_trusted);
            Hand { ask: *ask, place: company.place(ask.worker), is_trusted, bytes: 0 }
        };
        Self { turn: wants.map(hand).collect(), left: Left::default() }
    }

    /// The receivers of the copies that are wanted of the next job in the queue's order, each another worker: fewer than are
    /// wanted where fewer can take one.
    pub fn deal_copies(&mut self, job: &Offer<'_>) -> Vec<WorkerId> {
        let mut barred = job.barred.to_vec();
        for _ in 0..job.wanted {
            let Some(worker) = self.deal(job, &barred) else { break };
            barred.push(worker);
        }
        barred.split_off(job.barred.len())
    }

    /// Elsewhere than where it has failed while such a worker asks; `None` where no worker that still wants jobs can run it,
    /// takes an input of so many bytes, and may have it.
    fn deal(&mut self, job: &Offer<'_>, barred: &[WorkerId]) -> Option<WorkerId> {
        let Offer { needs, bytes, failed, .. } = *job;
        let elsewhere = |place: Option<PlaceNumber>| place.is_some_and(|place| !failed.contains(&place));
        let may = |hand: &Hand| hand.ask.has.meet(needs) && !barred.contains(&hand.ask.worker);
        let able = |hand: &Hand| may(hand) && hand.takes(bytes);
        let best = |hand: &Hand| able(hand) && (failed.is_empty() || elsewhere(hand.place));
        let trusted = self.turn.iter().position(|hand| job.is_answered && hand.is_trusted && best(hand));
        let first = trusted.or_else(|| self.turn.iter().position(best));
        let Some(at) = first.or_else(|| self.turn.iter().position(able)) else {
            self.left.cut |= self.turn.iter().any(may);
            self.left.kept |= self.turn.iter().any(|hand| hand.ask.has.meet(needs) && !may(hand));
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

    /// What the jobs that were not dealt say of those that still want.
    pub const fn left(&self) -> Left {
        self.left
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use weevil_model::witness::Witness;
    use weevil_model::{Capabilities, Timestamp};

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

    /// Who gets the only copy of a job that nobody holds; 0 for nobody.
    fn dealt_one(dealer: &mut Dealer, bits: u32, bytes: u64, failed: &BTreeSet<PlaceNumber>) -> i64 {
        let job = Offer { needs: needs(bits), bytes, wanted: 1, is_answered: false, failed, barred: &[] };
        dealer.deal_copies(&job).first().map_or(0, |worker| worker.number())
    }

    /// Who gets each of these jobs; 0 for nobody.
    fn dealt(workers: &[(i64, u32, u32)], jobs: &[u32]) -> Vec<i64> {
        let mut dealer = Dealer::new(&asks(workers), &Company::default());
        jobs.iter().map(|bits| dealt_one(&mut dealer, *bits, 1, &BTreeSet::new())).collect()
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
            let found = [(); 2].map(|()| dealt_one(&mut dealer, PLAIN, 1, &failed));
            assert_eq!(found, expected, "{workers:?} {failed_at:?}");
        }
    }

    #[test]
    fn who_is_trusted_gets_copies_of_what_was_answered_first() {
        let workers = [(10, 9, PLAIN), (20, 9, PLAIN), (30, 2, PLAIN)];
        let mut company = Company::default();
        for (number, ..) in workers {
            let worker = WorkerId::from_number(number).unwrap();
            company.join(worker, PlaceNumber::from_number(number.unsigned_abs()), needs(PLAIN));
            company.parties.join(worker, Witness::nobody(""), Timestamp(0));
        }
        company.parties.trust(WorkerId::from_number(30).unwrap());
        let mut dealer = Dealer::new(&asks(&workers), &company);
        let jobs = [(false, &[][..]), (true, &[]), (true, &[30]), (true, &[]), (true, &[]), (false, &[])];
        let dealt = jobs.map(|(is_answered, barred): (bool, &[i64])| {
            let barred: Vec<WorkerId> =
                barred.iter().map(|number| WorkerId::from_number(*number).unwrap()).collect();
            let failed = BTreeSet::new();
            let job = Offer {
                needs: needs(PLAIN),
                bytes: 1,
                wanted: 1,
                is_answered,
                failed: &failed,
                barred: &barred,
            };
            dealer.deal_copies(&job).first().map_or(0, |worker| worker.number())
        });
        assert_eq!(dealt, [10, 30, 20, 30, 10, 20]);
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
    fn copies_of_a_job_go_to_different_workers_and_to_none_that_has_one() {
        for (workers, wanted, holders, expected, kept) in [
            (&[(1, 9, PLAIN)][..], 3, &[][..], &[1][..], true),
            (&[(1, 1, PLAIN)], 3, &[], &[1], false),
            (&[(1, 9, PLAIN), (2, 9, PLAIN)], 3, &[], &[1, 2], true),
            (&[(1, 9, PLAIN), (2, 9, PLAIN)], 1, &[], &[1], false),
            (&[(1, 9, PLAIN), (2, 9, PLAIN)], 2, &[1], &[2], true),
            (&[(1, 9, PLAIN), (2, 9, PLAIN)], 2, &[1, 2], &[], true),
            (&[(1, 9, PLAIN), (2, 9, 4)], 2, &[1], &[], true),
            (&[(2, 9, 4)], 2, &[1], &[], false),
        ] {
            let holders: Vec<WorkerId> =
                holders.iter().map(|number| WorkerId::from_number(*number).unwrap()).collect();
            let failed = BTreeSet::new();
            let is_answered = false;
            let job = Offer {
                needs: needs(PLAIN),
                bytes: 1,
                wanted,
                is_answered,
                failed: &failed,
                barred: &holders,
            };
            let mut dealer = Dealer::new(&asks(workers), &Company::default());
            let found: Vec<i64> = dealer.deal_copies(&job).iter().map(|worker| worker.number()).collect();
            let left = Left { cut: false, kept };
            assert_eq!((&found[..], dealer.left()), (expected, left), "{workers:?} {wanted} {holders:?}");
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
            let deal = |bytes: &u64| dealt_one(&mut dealer, PLAIN, *bytes, &BTreeSet::new());
            let found: Vec<i64> = sizes.iter().map(deal).collect();
            assert_eq!((&found[..], dealer.left().cut), (expected, cut), "{workers:?} {sizes:?}");
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
