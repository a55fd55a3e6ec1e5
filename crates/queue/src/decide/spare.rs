//! Spares: second copies of jobs that are out for much longer than others of their code, for workers that would leave
//! empty-handed. So the slowest worker does not hold up everybody at the end of a pool.
//!
//! Says which jobs are to have one; whether a worker may have it, the claim says. Times are those that the server saw.

use std::collections::{HashMap, VecDeque};

use weevil_model::{ContentHash, JobId, Needs, PlaceNumber, Timestamp};

use super::company::Company;
use crate::batch::Appetite;

/// Spares that one batch asks for.
pub const MAX_SPARES: usize = 64;
/// Codes of which times are kept, those that have ended an attempt last.
pub const MAX_CODES: usize = 1024;
/// Times that are kept of a code, the newest.
const MAX_TIMES: usize = 64;
/// How many times the median a copy is out before a spare is due.
const TIMES: i64 = 3;
/// Ended attempts of a code from which on it has a median.
const KNOWN: usize = 20;
/// How long a copy of another code is out before a spare is due, milliseconds.
const UNKNOWN_MS: i64 = 30_000;
/// How long every copy is out before that, milliseconds.
const LEAST_MS: i64 = 2000;

/// The only copy of a job that is out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LoneCopy {
    pub job: JobId,
    pub needs: Needs,
    pub handed_out: Timestamp,
    /// From when on a spare is due.
    pub due: Timestamp,
    /// Where it is computed; `None` where that is not known.
    pub place: Option<PlaceNumber>,
}

/// Is the asker at another place than who has a copy? One whose place is not known is not.
pub fn is_elsewhere(holder: Option<PlaceNumber>, asker: Option<PlaceNumber>) -> bool {
    holder.zip(asker).is_some_and(|(there, here)| there != here)
}

/// The jobs that are to have a spare, the one that is out longest first: no more than these workers would take, and none for which
/// nobody among them is elsewhere and meets its needs.
pub fn spares(mut out: Vec<LoneCopy>, idle: &[Appetite], company: &Company, now: Timestamp) -> Vec<JobId> {
    out.retain(|copy| copy.due <= now);
    out.sort_by_key(|copy| (copy.handed_out, copy.job));
    let wanted: u64 = idle.iter().map(|ask| u64::from(ask.wants)).sum();
    let may = |copy: &LoneCopy, ask: &Appetite| {
        ask.has.meet(copy.needs) && is_elsewhere(copy.place, company.place(ask.worker))
    };
    let named = out.iter().filter(|copy| idle.iter().any(|ask| may(copy, ask))).map(|copy| copy.job);
    named.take(MAX_SPARES.min(usize::try_from(wanted).unwrap_or(MAX_SPARES))).collect()
}

/// How long attempts of each code took from hand-out to report.
#[derive(Debug, Default)]
pub struct CodeTimes {
    codes: HashMap<ContentHash, Times>,
    /// Attempts that have ended.
    ended: u64,
}

#[derive(Debug, Default)]
struct Times {
    /// Milliseconds, the newest last.
    took_ms: VecDeque<i64>,
    /// The newest among all that have ended.
    last: u64,
}

impl CodeTimes {
    /// An attempt has ended with a report.
    pub fn ended(&mut self, code: ContentHash, took_ms: i64) {
        self.ended += 1;
        if self.codes.len() >= MAX_CODES && !self.codes.contains_key(&code) {
            self.forget_one();
        }
        let times = self.codes.entry(code).or_default();
        times.last = self.ended;
        times.took_ms.push_back(took_ms);
        if times.took_ms.len() > MAX_TIMES {
            times.took_ms.pop_front();
        }
    }

    /// How long a copy of this code is out before a spare is due, milliseconds.
    pub fn patience_ms(&self, code: ContentHash) -> i64 {
        let median = self.codes.get(&code).and_then(Times::median_ms);
        median.map_or(UNKNOWN_MS, |median| median.saturating_mul(TIMES)).max(LEAST_MS)
    }

    fn forget_one(&mut self) {
        let oldest = self.codes.iter().min_by_key(|(_, times)| times.last).map(|(code, _)| *code);
        if let Some(oldest) = oldest {
            self.codes.remove(&oldest);
        }
    }
}

impl Times {
    /// The larger one in the middle of an even number; `None` where too few are known.
    fn median_ms(&self) -> Option<i64> {
        if self.took_ms.len() < KNOWN {
            return None;
        }
        let mut sorted: Vec<i64> = self.took_ms.iter().copied().collect();
        sorted.sort_unstable();
        sorted.get(sorted.len() / 2).copied()
    }
}

#[cfg(test)]
mod tests {
    use weevil_model::{Capabilities, WorkerId};

    use super::*;

    const PLAIN: Needs = Needs::JAVASCRIPT;
    const GPU: Needs = Needs { capabilities: Capabilities(3), memory_mb: 0 };
    const NOW: Timestamp = Timestamp(100_000);

    fn code(number: usize) -> ContentHash {
        ContentHash::of(&number.to_le_bytes())
    }

    fn worker(number: i64) -> WorkerId {
        WorkerId::from_number(number).unwrap()
    }

    fn at(place: u64) -> PlaceNumber {
        PlaceNumber::from_number(place)
    }

    #[test]
    fn a_spare_is_due_after_three_medians_and_two_seconds() {
        for (took_ms, patience_ms) in [
            (vec![], 30_000),
            (vec![1; 19], 30_000),
            (vec![60_000; 19], 30_000),
            (vec![1; 20], 2000),
            (vec![666; 20], 2000),
            (vec![700; 20], 2100),
            ([vec![1000; 10], vec![9000; 10]].concat(), 27_000),
            ([vec![1000; 11], vec![9000; 9]].concat(), 3000),
            (vec![60_000; 20], 180_000),
            ([vec![9000; 900], vec![1000; 64]].concat(), 3000),
            (vec![i64::MAX; 20], i64::MAX),
        ] {
            let mut times = CodeTimes::default();
            for took_ms in &took_ms {
                times.ended(code(1), *took_ms);
            }
            assert_eq!(times.patience_ms(code(1)), patience_ms, "{took_ms:?}");
            assert_eq!(times.patience_ms(code(2)), 30_000, "of another code nothing is known");
        }
    }

    #[test]
    fn the_codes_that_were_met_last_are_known() {
        let mut times = CodeTimes::default();
        for round in 0..KNOWN {
            for number in 0..MAX_CODES {
                times.ended(code(number), 1);
            }
            assert_eq!(times.patience_ms(code(0)) == LEAST_MS, round + 1 == KNOWN);
        }
        times.ended(code(0), 1);
        times.ended(code(MAX_CODES), 1);
        let patience = [0, 1, 2, MAX_CODES].map(|number| times.patience_ms(code(number)));
        assert_eq!(patience, [LEAST_MS, UNKNOWN_MS, LEAST_MS, UNKNOWN_MS]);
        assert_eq!(times.codes.len(), MAX_CODES);
    }

    #[test]
    fn nobody_is_elsewhere_whose_place_is_not_known() {
        for (holder, asker, elsewhere) in [
            (Some(1), Some(2), true),
            (Some(1), Some(1), false),
            (None, Some(1), false),
            (Some(1), None, false),
            (None, None, false),
        ] {
            assert_eq!(is_elsewhere(holder.map(at), asker.map(at)), elsewhere, "{holder:?} {asker:?}");
        }
    }

    /// Workers by number: 10 and 11 at place 1, 20 at place 2, 30 at place 3 with a GPU.
    #[test]
    fn what_is_out_longest_gets_a_spare_where_somebody_may_take_it() {
        let mut company = Company::default();
        for number in [10, 11, 20, 30] {
            company.join(worker(number), at(number.unsigned_abs() / 10), PLAIN);
        }
        let copy = |&(job, ago, due, place, needs): &(i64, i64, i64, u64, Needs)| LoneCopy {
            job: JobId::from_number(job).unwrap(),
            needs,
            handed_out: Timestamp(NOW.0 - ago),
            due: Timestamp(NOW.0 + due),
            place: Some(at(place)).filter(|_| place > 0),
        };
        for (out, idle, expected) in [
            (vec![], vec![(20, 9)], vec![]),
            (vec![(1, 9, 0, 1, PLAIN)], vec![], vec![]),
            (vec![(1, 9, 0, 1, PLAIN)], vec![(20, 1)], vec![1]),
            (vec![(1, 9, 1, 1, PLAIN)], vec![(20, 1)], vec![]),
            (vec![(1, 9, 0, 1, PLAIN)], vec![(10, 1), (11, 1)], vec![]),
            (vec![(1, 9, 0, 1, PLAIN)], vec![(90, 1)], vec![]),
            (vec![(1, 9, 0, 0, PLAIN)], vec![(20, 1)], vec![]),
            (vec![(1, 9, 0, 1, GPU)], vec![(20, 1)], vec![]),
            (vec![(1, 9, 0, 1, GPU)], vec![(20, 1), (30, 1)], vec![1]),
            (vec![(1, 5, 0, 1, PLAIN), (2, 7, 0, 1, PLAIN)], vec![(20, 9)], vec![2, 1]),
            (vec![(1, 5, 0, 1, PLAIN), (2, 7, 0, 1, PLAIN)], vec![(20, 1)], vec![2]),
            (vec![(1, 5, 0, 1, PLAIN), (2, 7, 0, 2, PLAIN)], vec![(20, 1)], vec![1]),
            (vec![(2, 5, 0, 1, PLAIN), (1, 5, 0, 1, PLAIN)], vec![(20, 2)], vec![1, 2]),
        ] {
            let idle: Vec<Appetite> = idle
                .iter()
                .map(|&(number, wants)| {
                    let has = if number == 30 { GPU } else { PLAIN };
                    Appetite { worker: worker(number), wants, has }
                })
                .collect();
            let named = spares(out.iter().map(copy).collect(), &idle, &company, NOW);
            assert_eq!(
                named.iter().map(|job| job.number()).collect::<Vec<_>>(),
                expected,
                "{out:?} {idle:?}"
            );
        }
    }

    #[test]
    fn a_batch_asks_for_so_many_spares() {
        let mut company = Company::default();
        company.join(worker(1), at(1), PLAIN);
        for (out, wants, named) in [(100, 1000, MAX_SPARES), (100, 63, 63), (10, 1000, 10)] {
            let lone = |job| LoneCopy {
                job: JobId::from_number(job).unwrap(),
                needs: PLAIN,
                handed_out: Timestamp(0),
                due: NOW,
                place: Some(at(2)),
            };
            let idle = [Appetite { worker: worker(1), wants, has: PLAIN }];
            assert_eq!(spares((1..=out).map(lone).collect(), &idle, &company, NOW).len(), named);
        }
    }
}
