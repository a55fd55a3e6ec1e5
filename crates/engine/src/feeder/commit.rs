//! How a batch becomes durable: as a whole, again and again while the database is away; in pieces where it refuses what
//! trying again cannot cure, so that nothing that is asked holds up what stands beside it.

use std::ops::Range;
use std::time::Duration;

use weevil_failpoint::{Point, pass};
use weevil_model::Timestamp;
use weevil_queue::batch::{Settled, Verdict};
use weevil_queue::{Cancel, Failure, NewJob, Outcomes, Reopen, Report, Submission};
use weevil_records::StoreError;

use crate::feeder::gather::Feeder;
use crate::feeder::pieces::{Pieces, changed, join};
use crate::feeder::replies::NotStored;
use crate::feeder::work::{Terms, Unit, Work};

/// How long to wait before a batch is tried again that was refused.
const RETRY_AFTER: Duration = Duration::from_secs(1);
/// Refusals that trying again cannot cure, one after the other, before a batch is committed in pieces.
const MAX_REFUSALS: u32 = 3;
/// Stable name of the error of what the database will not take.
pub(crate) const NOT_STORED: &str = "notStored";

/// What is durable of a batch, and what came of it.
#[derive(Default)]
pub(super) struct Done {
    pub work: Work,
    pub outcomes: Outcomes,
    pub now: Timestamp,
}

/// What a batch's pieces have in common, and what they have come to.
struct Tally {
    terms: Terms,
    done: Vec<Unit>,
    outcomes: Outcomes,
    changed: bool,
    /// Why not all is done.
    trouble: Option<StoreError>,
}

impl Feeder {
    /// Tries until the database has the batch, or what it takes of it: losing it would lose a result or stall a run. What it
    /// does not take is gathered again, or set aside.
    pub(super) async fn commit(&mut self, mut work: Work) -> Done {
        let mut wrote = work.batch.probe;
        loop {
            let now = self.context.clock.now();
            match self.context.store.apply(&work.batch, now).await {
                Ok(outcomes) => {
                    self.context.health.answered(wrote);
                    self.refusals = 0;
                    return Done { work, outcomes, now };
                }
                Err(error) => {
                    self.refused(&error);
                    wrote = true;
                    // Heartbeats wait behind this batch: a database that was away is nobody's silence. The next tick asks anew.
                    work.batch.look = false;
                    if self.refusals >= MAX_REFUSALS {
                        return self.commit_in_pieces(work).await;
                    }
                }
            }
            self.context.clock.sleep(RETRY_AFTER).await;
        }
    }

    fn refused(&mut self, error: &StoreError) {
        tracing::error!(%error, "the queue waits for its database");
        self.context.health.refused(error);
        self.context.metrics.queue.batch_failures.inc();
        let lasts = matches!(error, StoreError::Refused { .. });
        self.refusals = if lasts { self.refusals + 1 } else { 0 };
    }

    async fn commit_in_pieces(&mut self, work: Work) -> Done {
        let terms = Terms::of(&work.batch);
        let units = work.into_units();
        let mut tally =
            Tally { terms, done: Vec::new(), outcomes: Outcomes::default(), changed: false, trouble: None };
        let mut pieces = Pieces::of(units.len());
        while tally.trouble.is_none()
            && let Some(piece) = pieces.next()
        {
            self.commit_piece(&units, piece, &mut pieces, &mut tally).await;
        }
        let left = self.set_aside(units, &pieces, &mut tally).await;
        self.gathered = Work::of(left, &tally.terms);
        match &tally.trouble {
            None => self.context.health.answered(tally.changed),
            Some(error) => self.context.health.refused(error),
        }
        // What is left has been refused often enough.
        self.refusals = if tally.trouble.is_some() { MAX_REFUSALS - 1 } else { 0 };
        let work = Work::of(tally.done, &tally.terms);
        Done { work, outcomes: tally.outcomes, now: self.context.clock.now() }
    }

    async fn commit_piece(
        &self,
        units: &[Unit],
        piece: Range<usize>,
        pieces: &mut Pieces,
        tally: &mut Tally,
    ) {
        let batch = Work::of(units[piece.clone()].iter().cloned(), &tally.terms).batch;
        match self.context.store.apply(&batch, self.context.clock.now()).await {
            Ok(outcomes) => {
                pass(Point::PieceCommitted);
                tally.changed |= changed(&units[piece.clone()], &outcomes);
                tally.done.extend_from_slice(&units[piece.clone()]);
                join(&mut tally.outcomes, outcomes);
                pieces.committed(piece);
            }
            Err(StoreError::Refused { cause, .. }) => pieces.refused(piece, cause),
            Err(error) => tally.trouble = Some(error),
        }
    }

    /// What stands alone is set aside where others were taken. Answers what is to be tried again.
    async fn set_aside(&mut self, units: Vec<Unit>, pieces: &Pieces, tally: &mut Tally) -> Vec<Unit> {
        let mut left = Vec::new();
        for (at, unit) in units.into_iter().enumerate().filter(|(at, _)| !pieces.has(*at)) {
            let words =
                pieces.suspects.iter().find(|suspect| suspect.0 == at).map(|suspect| suspect.1.clone());
            let alone = words.filter(|_| tally.changed && tally.trouble.is_none());
            match alone {
                Some(words) if self.aside.take(self.context.clock.now()) => {
                    tracing::error!(part = unit.part(), words, "set aside: the database will not take it");
                    self.context.metrics.queue.set_aside(unit.part());
                    left.extend(self.tell_aside(unit, words, tally).await);
                }
                // Whoever asks is asked anew each time.
                _ if matches!(unit, Unit::Claim(_)) => {}
                _ => left.push(unit),
            }
        }
        if !left.is_empty() && tally.trouble.is_none() {
            let cause = pieces.suspects.last().map(|suspect| suspect.1.clone()).unwrap_or_default();
            tally.trouble = Some(StoreError::Refused { doing: "committing a batch in pieces", cause });
        }
        left
    }

    /// Whoever asked hears of it. Answers the unit where that cannot be, since the database is away.
    async fn tell_aside(&mut self, unit: Unit, words: String, tally: &mut Tally) -> Option<Unit> {
        match unit {
            Unit::Report(report) => {
                let instead = Unit::Report(without_result(&report, words));
                let batch = Work::of([instead.clone()], &tally.terms).batch;
                match self.context.store.apply(&batch, self.context.clock.now()).await {
                    Ok(outcomes) => join(&mut tally.outcomes, outcomes),
                    Err(StoreError::Refused { .. }) => tally.outcomes.completed.push(superseded(&report)),
                    Err(error) => {
                        tally.trouble = Some(error);
                        return Some(Unit::Report(report));
                    }
                }
                tally.done.push(instead);
            }
            Unit::Jobs(jobs) => self.refuse_jobs(&jobs, words),
            Unit::Reopen(Reopen { run, path, .. }) => self.tell_not_stored(run, &path, &NotStored(words)),
            Unit::Cancel(Cancel::Job(job)) => self.replies.refuse(job, &NotStored(words)),
            Unit::Opinion(opinion) => self.replies.refuse_opinion(&opinion, &NotStored(words)),
            _ => {}
        }
        None
    }

    fn refuse_jobs(&mut self, jobs: &[NewJob], words: String) {
        let words = NotStored(words);
        for job in jobs {
            match job.origin.run() {
                Some(run) => self.tell_not_stored(run, &job.path, &words),
                None => self.replies.refuse(job.id, &words),
            }
        }
    }

    /// Lets the database rest where it has refused something that was not set aside.
    pub(super) async fn rest(&self) {
        if !self.gathered.batch.is_empty() {
            self.context.clock.sleep(RETRY_AFTER).await;
        }
    }
}

/// The attempt has come to nothing, in the database's words.
fn without_result(report: &Submission, words: String) -> Submission {
    let failure = Failure { kind: NOT_STORED.to_owned(), message: words, stack: String::new() };
    Submission { report: Report::Error(failure), log: None, ..report.clone() }
}

fn superseded(report: &Submission) -> Settled {
    Settled { key: report.key, verdict: Verdict::Superseded, holder: None, job: None, effort: None }
}
