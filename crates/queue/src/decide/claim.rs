//! Which worker gets which of the jobs that are ready.

use std::collections::VecDeque;

use weevil_model::{Needs, WorkerId};

use crate::batch::Ask;

/// How many jobs with these needs the workers could take together.
pub fn demand(asks: &[Ask], needed: Needs) -> u64 {
    asks.iter().filter(|ask| ask.has.meet(needed)).map(|ask| u64::from(ask.wants)).sum()
}

/// Deals jobs out one by one, each to the next in turn who meets its needs: nobody's appetite starves the others, and
/// nobody gets what it cannot run.
#[derive(Debug)]
pub struct Dealer {
    /// Who still wants, the next in turn first.
    turn: VecDeque<Ask>,
}

impl Dealer {
    pub fn new(asks: &[Ask]) -> Self {
        Self { turn: asks.iter().copied().filter(|ask| ask.wants > 0).collect() }
    }

    /// The receiver of the next job in the queue's order; none where nobody who still wants can run it.
    pub fn deal(&mut self, needed: Needs) -> Option<WorkerId> {
        let place = self.turn.iter().position(|ask| ask.has.meet(needed))?;
        let mut ask = self.turn.remove(place)?;
        ask.wants -= 1;
        if ask.wants > 0 {
            self.turn.push_back(ask);
        }
        Some(ask.worker)
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

    fn asks(asks: &[(i64, u32, u32)]) -> Vec<Ask> {
        let ask = |&(worker, wants, bits)| Ask {
            worker: WorkerId::from_number(worker).unwrap(),
            wants,
            has: needs(bits),
        };
        asks.iter().map(ask).collect()
    }

    /// Who gets each of these jobs; 0 for nobody.
    fn dealt(workers: &[(i64, u32, u32)], jobs: &[u32]) -> Vec<i64> {
        let mut dealer = Dealer::new(&asks(workers));
        jobs.iter().map(|bits| dealer.deal(needs(*bits)).map_or(0, WorkerId::number)).collect()
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
    fn demand_counts_those_who_can() {
        let asks = asks(&[(1, 2, PLAIN), (2, 5, GPU), (3, 1, GPU)]);
        for (bits, expected) in [(PLAIN, 8), (GPU, 6), (4, 0)] {
            assert_eq!(demand(&asks, needs(bits)), expected, "{bits}");
        }
    }
}
