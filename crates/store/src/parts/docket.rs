//! What rulings about some jobs make of others: lots to be closed or accepted, devices whose lots are refused, jobs to be delivered.
//!
//! Worked off in `ruled.rs`, in the same transaction.

use std::collections::BTreeSet;

use weevil_model::{JobId, RunId};

#[derive(Debug, Default)]
pub(crate) struct Docket {
    refused: BTreeSet<(RunId, i64)>,
    closing: BTreeSet<i64>,
    changed: BTreeSet<i64>,
    delivered: BTreeSet<JobId>,
}

/// The next thing to do, of all that is there of its kind.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Entry {
    /// What these devices have said in these runs counts for nothing any more.
    Refuse(BTreeSet<(RunId, i64)>),
    /// These lots take no more answers.
    Close(BTreeSet<i64>),
    /// These jobs end with the values that are kept beside them; checks of these lots have ended.
    Deliver(BTreeSet<JobId>, BTreeSet<i64>),
}

impl Docket {
    pub(crate) fn refuse(&mut self, run: RunId, device: i64) {
        self.refused.insert((run, device));
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

    #[test]
    fn what_was_found_wrong_comes_before_what_is_believed() {
        let run = RunId::from_number(1).unwrap();
        let mut docket = Docket::default();
        docket.look_at(3);
        docket.close(2);
        docket.close(2);
        docket.refuse(run, 7);
        docket.deliver(JobId::from_number(5).unwrap());
        assert_eq!(docket.next(), Some(Entry::Refuse([(run, 7)].into())));
        docket.refuse(run, 8);
        assert_eq!(docket.next(), Some(Entry::Refuse([(run, 8)].into())));
        assert_eq!(docket.next(), Some(Entry::Close([2].into())));
        let jobs = [JobId::from_number(5).unwrap()].into();
        assert_eq!(docket.next(), Some(Entry::Deliver(jobs, [3].into())));
        assert_eq!(docket.next(), None);
    }
}
