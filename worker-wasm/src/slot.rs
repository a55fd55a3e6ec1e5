//! One slot: which job worker stands behind it, what it holds, and since when it has been at it.
//!
//! A job worker is replaced, never repaired: every replacement has a new generation, and words of an old one are
//! ignored.

use std::collections::{HashSet, VecDeque};

/// Milliseconds over a job's timeout before its worker is terminated: reports may be that late.
const GRACE_MS: f64 = 250.0;
/// A job worker that is not ready after this long is replaced.
const OPENING_MS: f64 = 10_000.0;
/// Reports in one second; more than a job worker of ours sends, however short its jobs are.
const MAX_REPORTS: u32 = 4_096;
const SECOND_MS: f64 = 1_000.0;

/// How the realm of a job worker is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Realm {
    /// In the frame that evaluates no text: for modules alone.
    pub strict: bool,
    /// For deterministic jobs alone: without a clock, and of one job nothing is left for the next.
    pub frozen: bool,
}

/// What two jobs have in common that may share a job worker.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct JobHome {
    pub workflow: [u8; 32],
    pub realm: Realm,
}

#[derive(Debug)]
pub(crate) struct Slot {
    pub generation: u32,
    pub realm: Realm,
    ready: bool,
    /// Takes no more jobs and closes when empty.
    pub retiring: bool,
    /// Jobs of different workflows never share a job worker.
    pub workflow: Option<[u8; 32]>,
    /// Codes that this job worker has.
    pub codes: HashSet<u32>,
    /// What it holds; the first one runs.
    pub jobs: VecDeque<u32>,
    /// When the first one began or will begin after a rest, as far as can be seen from here; or when the worker was
    /// asked for.
    since: f64,
    /// Since when it has worked and owes a rest.
    worked_since: f64,
    /// The job after which the realm is not quiet yet, and when it ended: the next one has not begun.
    settling: Option<(u32, f64)>,
    /// Until when this job worker has rested, or when it was asked for: longer rests cannot be owed.
    pub rested_at: f64,
    /// Reports since a moment, which is less than a second ago.
    reports: (u32, f64),
}

impl Slot {
    pub(crate) fn open(generation: u32, realm: Realm, now: f64) -> Self {
        Self {
            generation,
            realm,
            ready: false,
            retiring: false,
            workflow: None,
            codes: HashSet::new(),
            jobs: VecDeque::new(),
            since: now,
            worked_since: now,
            settling: None,
            rested_at: now,
            reports: (0, now),
        }
    }

    /// One more report. Answers whether it may be heard.
    pub(crate) fn hears(&mut self, now: f64) -> bool {
        let (count, since) = self.reports;
        self.reports = if now - since < SECOND_MS { (count + 1, since) } else { (1, now) };
        self.reports.0 <= MAX_REPORTS
    }

    pub(crate) const fn ready(&mut self) {
        self.ready = true;
    }

    fn is_for(&self, home: JobHome) -> bool {
        self.realm == home.realm && self.workflow.is_none_or(|known| known == home.workflow)
    }

    /// May jobs of this home go in, up to `depth`?
    pub(crate) fn takes(&self, home: JobHome, depth: usize) -> bool {
        self.ready && !self.retiring && self.is_for(home) && self.jobs.len() < depth
    }

    /// Must be replaced before it may work for this home, and can be.
    pub(crate) fn is_free_for_another(&self, home: JobHome) -> bool {
        self.ready && !self.retiring && !self.is_for(home) && self.jobs.is_empty()
    }

    /// Since when it has held nothing, where scripts have run in it; they may go on unseen.
    pub(crate) fn left_since(&self) -> Option<f64> {
        let left = self.ready && !self.realm.strict && self.workflow.is_some() && self.jobs.is_empty();
        left.then_some(self.since)
    }

    /// A job goes in. Answers whether its code must go first.
    pub(crate) fn give(&mut self, seq: u32, code: u32, workflow: [u8; 32], now: f64) -> bool {
        if self.jobs.is_empty() {
            (self.since, self.worked_since) = (now, now);
        }
        self.workflow = Some(workflow);
        self.jobs.push_back(seq);
        self.codes.insert(code)
    }

    /// The job worker says that this one has ended; the next one begins. Answers whether it had it.
    pub(crate) fn ended(&mut self, seq: u32, now: f64) -> bool {
        let place = self.jobs.iter().position(|held| *held == seq);
        let held = place.and_then(|place| self.jobs.remove(place));
        if held.is_some() {
            self.since = now;
        }
        held.is_some()
    }

    /// Its realm is loose: the next job begins when it is quiet.
    pub(crate) const fn settle(&mut self, seq: u32, now: f64) {
        self.settling = Some((seq, now));
    }

    /// The job after which it is not quiet yet, and when that ended.
    pub(crate) const fn settling(&self) -> Option<(u32, f64)> {
        self.settling
    }

    /// Nothing of this job is left, the job worker says: the next one begins.
    pub(crate) fn quieten(&mut self, seq: u32, now: f64) {
        if self.settling.is_some_and(|(ended, _)| ended == seq) {
            (self.settling, self.since) = (None, now);
        }
    }

    /// For so long nothing happened here either.
    pub(crate) fn stood_still(&mut self, ms: f64) {
        self.since += ms;
        self.worked_since += ms;
        self.settling = self.settling.map(|(seq, since)| (seq, since + ms));
    }

    /// The job worker rests: the job in front begins only then.
    pub(crate) fn rest(&mut self, ms: f64, now: f64) {
        (self.since, self.worked_since, self.rested_at) = (now + ms, now + ms, now + ms);
    }

    /// Milliseconds that it has worked and not rested for, where it cannot say so itself any more.
    pub(crate) fn unpaid_ms(&self, now: f64) -> f64 {
        let at_work = !self.jobs.is_empty() || self.settling.is_some();
        if at_work { (now - self.worked_since).max(0.0) } else { 0.0 }
    }

    /// Nothing that it holds has begun.
    pub(crate) fn rests(&self, now: f64) -> bool {
        self.settling.is_some() || self.since > now
    }

    /// Is it over its time? `timeout_ms` belongs to the running job.
    pub(crate) fn overdue(&self, timeout_ms: Option<u32>, now: f64) -> bool {
        if self.settling.is_some() {
            return false;
        }
        let limit = match timeout_ms {
            Some(ms) => f64::from(ms) + GRACE_MS,
            None if self.ready => return false,
            None => OPENING_MS,
        };
        now - self.since > limit
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONE: [u8; 32] = [1; 32];
    const TWO: [u8; 32] = [2; 32];
    const SCRIPTS: Realm = Realm { strict: false, frozen: false };
    const MODULES: Realm = Realm { strict: true, frozen: false };
    const FROZEN: Realm = Realm { strict: false, frozen: true };

    fn home(workflow: [u8; 32], realm: Realm) -> JobHome {
        JobHome { workflow, realm }
    }

    #[test]
    fn a_job_worker_serves_one_home() {
        let mut slot = Slot::open(1, SCRIPTS, 0.0);
        assert!(!slot.takes(home(ONE, SCRIPTS), 2), "not ready yet");
        slot.ready();
        assert!(slot.takes(home(ONE, SCRIPTS), 2) && !slot.takes(home(ONE, MODULES), 2));
        assert!(!slot.takes(home(ONE, FROZEN), 2));
        assert!(slot.is_free_for_another(home(ONE, MODULES)), "it has not begun");
        assert!(slot.give(1, 0, ONE, 5.0), "the code goes first");
        assert!(!slot.give(2, 0, ONE, 6.0), "the code is there");
        let homes = [(ONE, SCRIPTS), (TWO, SCRIPTS), (ONE, MODULES), (ONE, FROZEN)];
        let free =
            |slot: &Slot| homes.map(|(workflow, realm)| slot.is_free_for_another(home(workflow, realm)));
        assert!(!slot.takes(home(ONE, SCRIPTS), 2) && !slot.takes(home(TWO, SCRIPTS), 9));
        assert_eq!(free(&slot), [false; 4]);
        slot.ended(1, 10.0);
        slot.ended(2, 10.0);
        assert_eq!(free(&slot), [false, true, true, true]);
    }

    #[test]
    fn only_job_workers_of_scripts_that_have_run_something_are_left() {
        for (realm, given, left) in [
            (SCRIPTS, false, None),
            (SCRIPTS, true, Some(9.0)),
            (FROZEN, true, Some(9.0)),
            (MODULES, true, None),
        ] {
            let mut slot = Slot::open(1, realm, 0.0);
            slot.ready();
            if given {
                slot.give(1, 0, ONE, 5.0);
                assert_eq!(slot.left_since(), None, "it runs");
                slot.ended(1, 9.0);
            }
            assert_eq!(slot.left_since(), left, "{realm:?} {given}");
        }
    }

    #[test]
    fn a_loose_realm_holds_the_next_job_until_it_is_quiet() {
        let mut slot = Slot::open(1, SCRIPTS, 0.0);
        slot.ready();
        slot.give(1, 0, ONE, 0.0);
        slot.give(2, 0, ONE, 0.0);
        slot.ended(1, 100.0);
        slot.settle(1, 100.0);
        assert!(slot.rests(100.0) && !slot.overdue(Some(500), 9_000.0), "it is no time of the next job");
        slot.stood_still(50.0);
        assert_eq!(slot.settling(), Some((1, 150.0)));
        slot.quieten(2, 200.0);
        assert!(slot.rests(200.0), "of another job");
        slot.quieten(1, 200.0);
        assert!(!slot.rests(200.0) && slot.overdue(Some(500), 951.0) && !slot.overdue(Some(500), 950.0));
    }

    #[test]
    fn time_runs_for_the_job_in_front() {
        let mut slot = Slot::open(1, SCRIPTS, 0.0);
        assert!(!slot.overdue(None, OPENING_MS) && slot.overdue(None, OPENING_MS + 1.0));
        slot.ready();
        assert!(!slot.overdue(None, 1e9), "idle");
        slot.give(1, 0, ONE, 100.0);
        slot.give(2, 0, ONE, 100.0);
        slot.ended(1, 1_000.0);
        assert!(!slot.overdue(Some(500), 1_700.0) && slot.overdue(Some(500), 1_751.0));
    }

    #[test]
    fn time_in_which_everything_stood_still_is_nobodys() {
        let mut slot = Slot::open(1, SCRIPTS, 0.0);
        slot.stood_still(60_000.0);
        assert!(!slot.overdue(None, 60_000.0 + OPENING_MS));
        slot.ready();
        slot.give(1, 0, ONE, 70_000.0);
        slot.stood_still(180_000.0);
        assert!(!slot.overdue(Some(500), 250_700.0) && slot.overdue(Some(500), 250_751.0));
        assert!(!slot.rests(250_000.0));
    }

    #[test]
    fn reports_are_bounded_in_time_and_results_by_what_is_held() {
        let mut slot = Slot::open(1, SCRIPTS, 0.0);
        assert!((0..MAX_REPORTS).all(|_| slot.hears(999.0)) && !slot.hears(999.0));
        assert!(slot.hears(1_000.0), "a second later");
        slot.ready();
        slot.give(1, 0, ONE, 1_000.0);
        assert_eq!([2, 1, 1].map(|seq| slot.ended(seq, 2_000.0)), [false, true, false]);
    }

    #[test]
    fn a_rest_is_not_time_of_the_next_job() {
        let mut slot = Slot::open(1, SCRIPTS, 0.0);
        slot.ready();
        slot.give(1, 0, ONE, 100.0);
        slot.rest(9_000.0, 100.0);
        assert!(slot.rests(9_099.0) && !slot.rests(9_100.0));
        assert!(!slot.overdue(Some(500), 9_800.0) && slot.overdue(Some(500), 9_851.0));
    }
}
