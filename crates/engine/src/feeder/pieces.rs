//! A batch that the database refuses, committed in pieces: halves, and halves of those, until what it refuses stands alone.
//!
//! Only keeps account; it asks no database.

use std::collections::BTreeSet;
use std::ops::Range;

use weevil_model::Timestamp;
use weevil_queue::Outcomes;

use crate::feeder::work::Unit;

/// Units that are set aside in a minute. Where more are refused, the database is at fault.
pub(super) const MAX_SET_ASIDE: usize = 8;
const MINUTE_MS: i64 = 60_000;

/// How far a batch of some units has come.
#[derive(Debug)]
pub(super) struct Pieces {
    /// What is to be tried, the next at the end.
    stack: Vec<Range<usize>>,
    /// Refused where they stood alone, with the database's words.
    pub(super) suspects: Vec<(usize, String)>,
    taken: BTreeSet<usize>,
}

impl Pieces {
    /// It has been refused as a whole.
    pub(super) fn of(units: usize) -> Self {
        let mut pieces = Self { stack: Vec::new(), suspects: Vec::new(), taken: BTreeSet::new() };
        pieces.split(0..units);
        pieces
    }

    /// One unit alone is no smaller than the whole that was refused, but its neighbours may have come since.
    fn split(&mut self, range: Range<usize>) {
        let middle = range.start + range.len().div_ceil(2);
        let halves = [middle..range.end, range.start..middle];
        self.stack.extend(halves.into_iter().filter(|half| !half.is_empty()));
    }

    /// What to try next; `None` once all is tried, or where more is refused than one minute may set aside.
    pub(super) fn next(&mut self) -> Option<Range<usize>> {
        if self.suspects.len() > MAX_SET_ASIDE { None } else { self.stack.pop() }
    }

    pub(super) fn committed(&mut self, piece: Range<usize>) {
        self.taken.extend(piece);
    }

    /// The database refuses this piece, in these words.
    pub(super) fn refused(&mut self, piece: Range<usize>, words: String) {
        if piece.len() == 1 { self.suspects.push((piece.start, words)) } else { self.split(piece) }
    }

    /// Is this unit in the database?
    pub(super) fn has(&self, unit: usize) -> bool {
        self.taken.contains(&unit)
    }
}

/// How many units were set aside lately.
#[derive(Debug, Default)]
pub(super) struct SetAside {
    since: Timestamp,
    many: usize,
}

impl SetAside {
    /// May one more be?
    pub(super) fn take(&mut self, now: Timestamp) -> bool {
        if now.since(self.since) >= MINUTE_MS {
            *self = Self { since: now, many: 0 };
        }
        let room = self.many < MAX_SET_ASIDE;
        self.many += usize::from(room);
        room
    }
}

/// Did this piece change anything? What only reads is taken by a database that refuses every change.
pub(super) fn changed(piece: &[Unit], outcomes: &Outcomes) -> bool {
    let known = outcomes.enqueued.len() + outcomes.answered.len() + outcomes.duplicates.len();
    let jobs: usize = piece.iter().map(|unit| if let Unit::Jobs(jobs) = unit { jobs.len() } else { 0 }).sum();
    jobs > known
        || piece.iter().any(|unit| matches!(unit, Unit::Renew(_) | Unit::Stop(_) | Unit::Opinion(_)))
        || outcomes.completed.iter().any(|settled| settled.job.is_some())
        || !(outcomes.returned.is_empty() && outcomes.claimed.is_empty() && outcomes.overdue.is_empty())
        || !(outcomes.revoked.is_empty() && outcomes.cancelled.is_empty() && outcomes.ruled.is_empty())
        || outcomes.woken > 0
}

/// What a further piece has come to, behind what the ones before it have.
pub(super) fn join(all: &mut Outcomes, piece: Outcomes) {
    all.completed.extend(piece.completed);
    all.returned.extend(piece.returned);
    all.overdue.extend(piece.overdue);
    all.woken += piece.woken;
    all.revoked.extend(piece.revoked);
    all.disowned.extend(piece.disowned);
    all.cancelled.extend(piece.cancelled);
    all.questions += piece.questions;
    all.ruled.extend(piece.ruled);
    all.paused.extend(piece.paused);
    all.left_out.extend(piece.left_out);
    all.enqueued.extend(piece.enqueued);
    all.answered.extend(piece.answered);
    all.duplicates.extend(piece.duplicates);
    all.claimed.extend(piece.claimed);
    all.cut |= piece.cut;
    all.kept |= piece.kept;
    all.records.extend(piece.records);
    all.counted.extend(piece.counted);
    all.counts.join(&piece.counts);
    all.judged.extend(piece.judged);
    all.due = piece.due.or(all.due);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{RUN, closing, ended, new_job, path, ruled, run};

    /// Which units end as suspects and which are taken, in which order, where some are refused.
    fn story(units: usize, poison: &[usize]) -> (Vec<usize>, Vec<usize>, usize) {
        let (mut pieces, mut order, mut tries) = (Pieces::of(units), Vec::new(), 0);
        while let Some(piece) = pieces.next() {
            tries += 1;
            if poison.iter().any(|unit| piece.contains(unit)) {
                pieces.refused(piece, "no".into());
            } else {
                order.extend(piece.clone());
                pieces.committed(piece);
            }
        }
        assert!(order.iter().all(|unit| pieces.has(*unit)) && !poison.iter().any(|unit| pieces.has(*unit)));
        (pieces.suspects.iter().map(|suspect| suspect.0).collect(), order, tries)
    }

    #[test]
    fn the_culprits_stand_alone_and_all_others_are_taken_in_order() {
        for (units, poison) in
            [(1, vec![0]), (2, vec![0]), (5, vec![4]), (2_048, vec![0]), (2_048, vec![1_000, 1_001, 2_047])]
        {
            let (suspects, order, tries) = story(units, &poison);
            let rest: Vec<usize> = (0..units).filter(|unit| !poison.contains(unit)).collect();
            assert_eq!((suspects, order), (poison.clone(), rest), "{units} {poison:?}");
            assert!(tries <= 24 * poison.len(), "{tries} tries for {poison:?} of {units}");
        }
    }

    #[test]
    fn a_database_that_refuses_everything_is_not_asked_about_everything() {
        let (suspects, order, tries) = story(2_048, &(0..2_048).collect::<Vec<_>>());
        assert_eq!((suspects.len(), order.len()), (MAX_SET_ASIDE + 1, 0));
        assert!(tries < 40, "{tries}");
    }

    #[test]
    fn what_is_decided_is_a_change_and_what_is_there_already_is_none() {
        let (jobs, close) = (Unit::Jobs(vec![new_job(1), new_job(2)]), Unit::Close(closing("pool")));
        let answered = |numbers: &[i64]| Outcomes {
            answered: numbers.iter().map(|number| (run(RUN), path(*number))).collect(),
            ..Outcomes::default()
        };
        let decided = Outcomes { ruled: vec![ruled(1, ended(), Some(1))], ..Outcomes::default() };
        for (piece, outcomes, expected) in [
            (&close, Outcomes::default(), false),
            (&close, decided, true),
            (&jobs, Outcomes::default(), true),
            (&jobs, answered(&[1]), true),
            (&jobs, answered(&[1, 2]), false),
        ] {
            let found = changed(std::slice::from_ref(piece), &outcomes);
            assert_eq!(found, expected, "{piece:?} {outcomes:?}");
        }
    }

    #[test]
    fn a_minute_sets_a_few_aside() {
        let mut aside = SetAside::default();
        for (now, room) in [(100_000, MAX_SET_ASIDE), (159_999, 0), (160_000, MAX_SET_ASIDE)] {
            let found = (0..20).filter(|_| aside.take(Timestamp(now))).count();
            assert_eq!(found, room, "{now}");
        }
    }
}
