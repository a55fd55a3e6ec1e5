//! What rulings about some jobs make of others: lots to be closed or accepted, devices whose lots are refused, jobs to be delivered,
//! engines to be left out, runs to be paused.
//!
//! Worked off in `ruled.rs`, in the same transaction.

use std::collections::{BTreeMap, BTreeSet};

use weevil_model::{JobId, RunId};

use super::left_out::Split;
use super::scattered::Scattered;

/// Devices that were found wrong: where, and how. A job that stands alone has no run.
pub(crate) type Findings = BTreeMap<(Option<RunId>, i64), Finding>;

#[derive(Debug, Default)]
pub(crate) struct Docket {
    split: Vec<Split>,
    scattered: BTreeSet<Scattered>,
    refused: Findings,
    closing: BTreeSet<i64>,
    changed: BTreeSet<i64>,
    delivered: BTreeSet<JobId>,
}

/// How a device was found wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Finding {
    /// Its engine and that of the answer which is believed have agreed often enough that they should have now.
    pub(crate) should_agree: bool,
    /// All that was wrong were errors.
    pub(crate) is_error: bool,
}

/// The next thing to do, of all that is there of its kind.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Entry {
    /// These engines differ more often than they agree.
    Weigh(Vec<Split>),
    /// Known devices say three different things of these jobs.
    Scatter(BTreeSet<Scattered>),
    /// What these devices have said in these runs counts for nothing any more, and what they have said elsewhere may not.
    Refuse(Findings),
    /// These lots take no more answers.
    Close(BTreeSet<i64>),
    /// These jobs end with the values that are kept beside them; checks of these lots have ended.
    Deliver(BTreeSet<JobId>, BTreeSet<i64>),
}

impl Docket {
    pub(crate) fn weigh(&mut self, split: Split) {
        if !self.split.contains(&split) {
            self.split.push(split);
        }
    }

    pub(crate) fn scatter(&mut self, job: Scattered) {
        self.scattered.insert(job);
    }

    pub(crate) fn refuse(&mut self, run: Option<RunId>, device: i64, finding: Finding) {
        let found = self.refused.entry((run, device)).or_insert(finding);
        found.should_agree |= finding.should_agree;
        found.is_error &= finding.is_error;
    }

    pub(crate) fn close(&mut self, lot: i64) {
        self.closing.insert(lot);
    }

    pub(crate) fn look_at(&mut self, lot: i64) {
        self.changed.insert(lot);
    }

    pub(crate) fn deliver(&mut self, job: JobId) {
        self.delivered.insert(job);
    }

    /// Nothing is believed before all that was found wrong is out of it.
    pub(crate) fn next(&mut self) -> Option<Entry> {
        if !self.split.is_empty() {
            return Some(Entry::Weigh(std::mem::take(&mut self.split)));
        }
        if !self.scattered.is_empty() {
            return Some(Entry::Scatter(std::mem::take(&mut self.scattered)));
        }
        if !self.refused.is_empty() {
            return Some(Entry::Refuse(std::mem::take(&mut self.refused)));
        }
        if !self.closing.is_empty() {
            return Some(Entry::Close(std::mem::take(&mut self.closing)));
        }
        let entry = (std::mem::take(&mut self.delivered), std::mem::take(&mut self.changed));
        let is_empty = entry.0.is_empty() && entry.1.is_empty();
        (!is_empty).then_some(Entry::Deliver(entry.0, entry.1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIE: Finding = Finding { should_agree: true, is_error: false };

    #[test]
    fn what_was_found_wrong_comes_before_what_is_believed() {
        let run = RunId::from_number(1);
        let mut docket = Docket::default();
        docket.look_at(3);
        docket.close(2);
        docket.close(2);
        docket.refuse(run, 7, LIE);
        docket.deliver(JobId::from_number(5).unwrap());
        assert_eq!(docket.next(), Some(Entry::Refuse([((run, 7), LIE)].into())));
        docket.refuse(None, 8, LIE);
        assert_eq!(docket.next(), Some(Entry::Refuse([((None, 8), LIE)].into())));
        assert_eq!(docket.next(), Some(Entry::Close([2].into())));
        let jobs = [JobId::from_number(5).unwrap()].into();
        assert_eq!(docket.next(), Some(Entry::Deliver(jobs, [3].into())));
        assert_eq!(docket.next(), None);
    }

    #[test]
    fn the_worst_of_several_findings_counts() {
        let error = Finding { should_agree: false, is_error: true };
        for (findings, worst) in [
            (&[error, error][..], error),
            (&[error, LIE], LIE),
            (&[LIE, error], LIE),
            (&[error, Finding { should_agree: true, ..error }], Finding { should_agree: true, ..error }),
        ] {
            let mut docket = Docket::default();
            for finding in findings {
                docket.refuse(None, 1, *finding);
            }
            assert_eq!(docket.next(), Some(Entry::Refuse([((None, 1), worst)].into())), "{findings:?}");
        }
    }
}
