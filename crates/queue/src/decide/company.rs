//! Whose word ends a job: the places that workers speak from, and whether another one is there (ADR 0030).
//!
//! Knows numbers of places, never addresses. A worker whose place is not known counts as the same as any other: it is
//! never a second word.

use std::collections::{BTreeSet, HashMap, VecDeque};

use weevil_model::{Needs, PlaceNumber, WorkerId};

use super::parties::Parties;
use crate::job::{Attempt, AttemptEnd, Failure};

/// Workers that have left and keep their place, the newest.
pub const MAX_LEFT: usize = 65_536;
/// So many times its attempts a job may fail at one place while another is there.
pub const ONE_PLACE_TIMES: u32 = 3;
/// So often a judged job may fail, whoever fails it: as far back as its history is read.
pub const JUDGED_FAILURES: u32 = 100;
/// Kinds of errors that speak of the code: whoever runs it meets them. The others speak of a machine as well.
pub(super) const OF_THE_CODE: [&str; 6] =
    ["thrown", "noMain", "syntax", "notAValue", "tooLarge", "returnType"];

/// Where workers are, and what the connected ones have to offer.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Company {
    /// Where the connected workers are, and those that have left lately.
    places: HashMap<WorkerId, PlaceNumber>,
    /// What each connected worker has.
    connected: HashMap<WorkerId, Needs>,
    /// How many connected workers of a place have this.
    offers: HashMap<(PlaceNumber, Needs), u32>,
    /// The longest ago first.
    left: VecDeque<WorkerId>,
    /// Who speaks from each connected worker.
    pub parties: Parties,
}

/// How far a job has come that has failed once more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tried {
    /// Attempts that counted, with the newest.
    pub failures: u32,
    /// How many independent witnesses these came from, where the job is judged: each counts once.
    pub witnesses: Option<u32>,
    pub max_attempts: u32,
    pub needs: Needs,
}

impl Tried {
    /// Is the job over, whoever has failed and whoever else is there? One of a single attempt is one word.
    const fn is_enough(&self) -> bool {
        let most = match self.witnesses {
            Some(_) => JUDGED_FAILURES,
            None => self.max_attempts.saturating_mul(ONE_PLACE_TIMES),
        };
        self.max_attempts < 2 || self.failures >= most
    }

    /// Have as many witnesses failed as it has attempts?
    fn is_witnessed(&self) -> bool {
        self.witnesses.is_none_or(|witnesses| witnesses >= self.max_attempts)
    }

    /// Can the job be over, whoever has failed? Only then its history is asked for.
    pub const fn may_be_over(&self) -> bool {
        self.failures >= self.max_attempts
    }
}

impl Company {
    /// A worker that was never here before: ids are given once.
    pub fn join(&mut self, worker: WorkerId, place: PlaceNumber, has: Needs) {
        self.places.insert(worker, place);
        self.connected.insert(worker, has);
        *self.offers.entry((place, has)).or_default() += 1;
    }

    pub fn leave(&mut self, worker: WorkerId) {
        self.parties.leave(worker);
        let Some(has) = self.connected.remove(&worker) else { return };
        let Some(place) = self.places.get(&worker).copied() else { return };
        if let Some(workers) = self.offers.get_mut(&(place, has)) {
            *workers -= 1;
            if *workers == 0 {
                self.offers.remove(&(place, has));
            }
        }
        self.left.push_back(worker);
        if self.left.len() > MAX_LEFT
            && let Some(oldest) = self.left.pop_front()
        {
            self.places.remove(&oldest);
        }
    }

    /// What a connected worker has to offer.
    pub fn has(&self, worker: WorkerId) -> Option<Needs> {
        self.connected.get(&worker).copied()
    }

    pub fn place(&self, worker: WorkerId) -> Option<PlaceNumber> {
        self.places.get(&worker).copied()
    }

    /// The known places of these workers.
    pub fn places(&self, workers: impl Iterator<Item = WorkerId>) -> BTreeSet<PlaceNumber> {
        workers.filter_map(|worker| self.place(worker)).collect()
    }

    /// Does the same error, from two places, say that the code is wrong?
    pub(crate) fn agrees(&self, failure: &Failure, worker: WorkerId, history: &[Attempt]) -> bool {
        let Some(here) = self.place(worker).filter(|_| failure.speaks_of_the_code()) else { return false };
        let elsewhere = |attempt: &&Attempt| self.place(attempt.worker).is_some_and(|there| there != here);
        let same =
            |attempt: &Attempt| attempt.failure.as_ref().is_some_and(|earlier| earlier.same_as(failure));
        history.iter().filter(elsewhere).any(same)
    }

    /// Is the job over that `worker` was the last to fail? Once its attempts are used up, by two places, or by one while
    /// no other one could take it; at the latest after `ONE_PLACE_TIMES` as many. Those of a judged job are used up by as many
    /// witnesses, or while no other place could take it.
    pub fn is_over(&self, tried: Tried, worker: WorkerId, history: &[Attempt]) -> bool {
        if !tried.may_be_over() {
            return false;
        }
        if tried.is_enough() {
            return true;
        }
        let counted = |attempt: &&Attempt| matches!(attempt.end, AttemptEnd::Error | AttemptEnd::Expired);
        let failed = history.iter().filter(counted).map(|attempt| attempt.worker).chain([worker]);
        let failed = self.places(failed);
        failed.len() > 1 && tried.is_witnessed() || !self.another(&failed, tried.needs)
    }

    /// Is somebody connected at another place than these who meets the needs?
    fn another(&self, failed: &BTreeSet<PlaceNumber>, needs: Needs) -> bool {
        self.offers.keys().any(|(place, has)| !failed.contains(place) && has.meet(needs))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use weevil_model::Capabilities;

    const GPU: Needs = Needs { capabilities: Capabilities(3), memory_mb: 0 };
    const PLAIN: Needs = Needs::JAVASCRIPT;

    fn worker(n: i64) -> WorkerId {
        WorkerId::from_number(n).unwrap()
    }

    fn at(place: u64) -> PlaceNumber {
        PlaceNumber::from_number(place)
    }

    /// Workers by number: 10 and 11 at place 1, 20 at place 2, 30 at place 3 with a GPU; 90 is not known.
    fn company(numbers: &[i64]) -> Company {
        let mut company = Company::default();
        for number in numbers {
            let place = at(number.unsigned_abs() / 10);
            company.join(worker(*number), place, if *number == 30 { GPU } else { PLAIN });
        }
        company
    }

    fn failure(kind: &str) -> Failure {
        Failure { kind: kind.into(), message: "boom".into(), stack: String::new() }
    }

    fn failed(by: i64, end: AttemptEnd) -> Attempt {
        let failure = (end == AttemptEnd::Error).then(|| failure("thrown"));
        Attempt { number: 1, worker: worker(by), end, failure }
    }

    /// About a job that nobody judges.
    fn tried(failures: u32, max_attempts: u32, needs: Needs) -> Tried {
        Tried { failures, witnesses: None, max_attempts, needs }
    }

    #[test]
    fn two_known_places_agree_on_what_speaks_of_the_code() {
        let company = company(&[10, 11, 20]);
        for (kind, earlier, by, agrees) in [
            ("thrown", 10, 20, true),
            ("thrown", 10, 10, false),
            ("thrown", 10, 11, false),
            ("thrown", 90, 20, false),
            ("thrown", 20, 90, false),
            ("timeout", 10, 20, false),
            ("crashed", 10, 20, false),
        ] {
            let history = [Attempt { failure: Some(failure(kind)), ..failed(earlier, AttemptEnd::Error) }];
            assert_eq!(company.agrees(&failure(kind), worker(by), &history), agrees, "{kind} {earlier} {by}");
        }
        for kind in OF_THE_CODE {
            assert!(failure(kind).speaks_of_the_code(), "{kind}");
        }
        let history = [failed(10, AttemptEnd::Error)];
        assert!(!company.agrees(&failure("syntax"), worker(20), &history), "another error");
    }

    #[test]
    fn attempts_are_used_up_by_two_places_or_where_nobody_else_is() {
        use AttemptEnd::{Error, Expired, Lost, Yielded};
        for (there, history, by, failures, over) in [
            (&[10, 20][..], &[(10, Error), (10, Error)][..], 10, 3, false),
            (&[10, 11], &[(10, Error), (11, Error)], 10, 3, true),
            (&[10, 20], &[(10, Error), (20, Expired)], 10, 3, true),
            (&[10, 20], &[(10, Error), (20, Lost), (20, Yielded)], 10, 3, false),
            (&[10, 20], &[(10, Error), (90, Error)], 10, 3, false),
            (&[10], &[(90, Error), (91, Error)], 10, 3, true),
            (&[], &[(90, Error), (91, Error)], 92, 3, true),
            (&[10, 20], &[(10, Error)], 20, 2, false),
            (&[10, 20], &[(10, Error)], 10, 8, false),
            (&[10, 20], &[(10, Error)], 10, 9, true),
        ] {
            let history: Vec<_> = history.iter().map(|(by, end)| failed(*by, *end)).collect();
            let tried = tried(failures, 3, PLAIN);
            let found = company(there).is_over(tried, worker(by), &history);
            assert_eq!(found, over, "{there:?} {history:?} {by} {failures}");
        }
    }

    #[test]
    fn each_witness_of_a_judged_job_counts_once() {
        for (there, by, failures, witnesses, over) in [
            (&[10, 20, 30][..], &[10, 20][..], 3, 2, false),
            (&[10, 20, 30], &[10, 20], 9, 2, false),
            (&[10, 20, 30], &[10, 20], JUDGED_FAILURES, 2, true),
            (&[10, 20, 30], &[10, 20], 3, 3, true),
            (&[10, 11, 20], &[10, 11], 3, 3, false),
            (&[10, 20], &[10, 20], 3, 2, true),
            (&[10, 20], &[10, 20], 2, 2, false),
        ] {
            let history: Vec<_> = by.iter().map(|by| failed(*by, AttemptEnd::Expired)).collect();
            let tried = Tried { witnesses: Some(witnesses), ..tried(failures, 3, PLAIN) };
            let found = company(there).is_over(tried, worker(by[0]), &history);
            assert_eq!(found, over, "{there:?} {by:?} {failures} {witnesses}");
        }
    }

    #[test]
    fn only_who_could_take_the_job_is_another() {
        for (there, needs, max_attempts, over) in [
            (&[10, 20][..], PLAIN, 2, false),
            (&[10, 20], PLAIN, 1, true),
            (&[10, 20], GPU, 2, true),
            (&[10, 20, 30], GPU, 2, false),
        ] {
            let tried = tried(max_attempts, max_attempts, needs);
            assert_eq!(company(there).is_over(tried, worker(10), &[]), over, "{there:?} {needs:?}");
        }
    }

    #[test]
    fn a_worker_that_leaves_is_gone_and_keeps_its_place_for_a_while() {
        let mut company = company(&[10, 20]);
        let tried = tried(2, 2, PLAIN);
        assert!(!company.is_over(tried, worker(10), &[]));
        company.leave(worker(20));
        company.leave(worker(20));
        assert!(company.is_over(tried, worker(10), &[]));
        assert_eq!(company.place(worker(20)), Some(at(2)));
        for number in 0..i64::try_from(MAX_LEFT).unwrap() {
            company.join(worker(1_000 + number), at(7), PLAIN);
            company.leave(worker(1_000 + number));
        }
        assert_eq!(company.place(worker(20)), None);
        assert_eq!(company.place(worker(1_000)), Some(at(7)));
        assert_eq!((company.left.len(), company.offers.len()), (MAX_LEFT, 1));
    }
}
