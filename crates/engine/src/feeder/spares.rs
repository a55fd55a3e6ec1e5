//! Which jobs are to have a spare, of those that are out: looked for while somebody would leave empty-handed, a few times a second.
//!
//! When a spare is due and to whom it may go, `decide::spare` and the store say. Keeps nothing that a crash may not take.

use std::collections::{HashMap, HashSet};
use std::time::Duration;

use weevil_model::{JobId, Timestamp, WorkerId};
use weevil_queue::decide::spare::{CodeTimes, LoneCopy, spares};
use weevil_queue::{Appetite, Claimed, Spares};

use super::copies_out::CopyOut;
use super::gather::{Feeder, MAX_CLAIM};
use super::workers::ConnectedWorkers;

/// How long after a look nothing is looked for, milliseconds; and after how long something always is.
const NEXT_LOOK_MS: i64 = 100;
const LAST_LOOK_MS: i64 = 1000;
/// How long a job is not asked for again that nobody was given a spare of, milliseconds.
const ASK_AGAIN_MS: i64 = 10_000;

pub(super) struct SpareDesk {
    is_open: bool,
    times: CodeTimes,
    /// Before this moment nothing is looked for.
    look_at: Timestamp,
    /// Jobs that a spare was asked for lately, and until when none is asked for again.
    asked: HashMap<JobId, Timestamp>,
}

impl SpareDesk {
    pub(super) fn new(is_open: bool) -> Self {
        Self { is_open, times: CodeTimes::default(), look_at: Timestamp::default(), asked: HashMap::new() }
    }

    /// The copy has ended with a report.
    pub(super) fn reported(&mut self, copy: &CopyOut, now: Timestamp) {
        if self.is_open {
            self.times.ended(copy.code, now.since(copy.handed_out));
        }
    }

    /// May a copy that is handed out be a spare?
    pub(super) fn has_asked_for(&self, job: JobId) -> bool {
        self.asked.contains_key(&job)
    }

    /// Where everybody who would have taken a spare was given something else, nobody was asked.
    pub(super) fn learn(&mut self, asked: &Spares, claimed: &[Claimed]) {
        if asked.jobs.is_empty() {
            return;
        }
        let receivers: HashSet<WorkerId> = claimed.iter().map(|job| job.worker).collect();
        if asked.asks.iter().all(|ask| receivers.contains(&ask.worker)) {
            let handed: HashSet<JobId> = claimed.iter().map(Claimed::job).collect();
            self.asked.retain(|job, _| handed.contains(job) || !asked.jobs.contains(job));
        }
    }

    /// How long until something is looked for.
    fn until_look_ms(&self, now: Timestamp) -> i64 {
        self.look_at.since(now).max(0)
    }

    /// The jobs that are to have a spare which these would take.
    fn look(&mut self, workers: &ConnectedWorkers, idle: &[Appetite], now: Timestamp) -> Vec<JobId> {
        self.asked.retain(|_, until| *until > now);
        let company = workers.company();
        let mut out = Vec::new();
        for (job, copy) in workers.out().lone().filter(|(job, _)| !self.asked.contains_key(job)) {
            let CopyOut { needs, handed_out, holder, code, .. } = *copy;
            let due = Timestamp(handed_out.0.saturating_add(self.times.patience_ms(code)));
            out.push(LoneCopy { job, needs, handed_out, due, place: company.place(holder) });
        }
        let next_ms = out.iter().map(|copy| copy.due.since(now)).min().unwrap_or(LAST_LOOK_MS);
        self.look_at = now.plus_ms(next_ms.clamp(NEXT_LOOK_MS, LAST_LOOK_MS));
        let jobs = spares(out, idle, &company, now);
        self.asked.extend(jobs.iter().map(|job| (*job, now.plus_ms(ASK_AGAIN_MS))));
        jobs
    }
}

impl Feeder {
    /// How long until spares are looked for; `None` while nobody would take or get one, or nothing is out.
    pub(super) fn until_spares(&self) -> Option<Duration> {
        let may_give = self.spares.is_open && self.context.health.serving() && !self.workers.out().is_empty();
        if !may_give || self.idle().next().is_none() {
            return None;
        }
        Some(Duration::from_millis(self.spares.until_look_ms(self.context.clock.now()).unsigned_abs()))
    }

    /// The spares that a claim is to have, beside what these ask for.
    pub(super) fn due_spares(&mut self, asks: &[Appetite]) -> Spares {
        if self.until_spares() != Some(Duration::ZERO) {
            return Spares::default();
        }
        let (idle, now) = (self.idle().collect::<Vec<_>>(), self.context.clock.now());
        let jobs = self.spares.look(&self.workers, &idle, now);
        if jobs.is_empty() {
            return Spares::default();
        }
        Spares { jobs, asks: self.allowed_spares(idle, asks) }
    }

    /// Workers that compute less than they could, and want more.
    fn idle(&self) -> impl Iterator<Item = Appetite> {
        self.workers.idle().filter(|ask| !self.crowding.is_barred(ask.worker))
    }

    /// Who asks for jobs as well was granted these already.
    fn allowed_spares(&mut self, idle: Vec<Appetite>, asks: &[Appetite]) -> Vec<Appetite> {
        let granted: HashMap<_, _> = asks.iter().map(|ask| (ask.worker, ask.wants)).collect();
        let (ask_anyway, others): (Vec<_>, Vec<_>) =
            idle.into_iter().partition(|ask| granted.contains_key(&ask.worker));
        let within = |ask: Appetite| {
            let wants = ask.wants.min(granted.get(&ask.worker).copied().unwrap_or_default());
            Appetite { wants, ..ask }
        };
        let workers = &self.workers;
        let mut allowed = self.crowding.allowed(others, MAX_CLAIM, |worker| workers.held_by(worker));
        for ask in &allowed {
            self.dispatch.left(ask.worker);
        }
        allowed.extend(ask_anyway.into_iter().map(within));
        allowed
    }
}
