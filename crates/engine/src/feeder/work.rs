//! What one transaction is asked to do; and the same as units, of which each could be committed by itself.
//!
//! Only arranges: what is done with a unit, `pieces.rs` says.

use std::sync::Arc;

use weevil_model::WorkerId;
use weevil_queue::decide::company::Company;
use weevil_queue::{
    AttemptKey, Batch, Cancel, Claim, Closing, Judging, NewJob, Opinion, Release, Renew, Reopen, Report,
    Shortened, StoppedCode, Submission,
};

#[derive(Debug, Default)]
pub(super) struct Work {
    pub batch: Batch,
    /// How many jobs of `batch.enqueue` belong together: a node's job alone, those of one request.
    pub together: Vec<usize>,
}

/// What a batch is carried out by, and each piece of it.
#[derive(Debug)]
pub(super) struct Terms {
    lease_ms: i64,
    company: Arc<Company>,
    judging: Judging,
    chance: [u8; 32],
}

impl Terms {
    pub(super) fn of(batch: &Batch) -> Self {
        let Batch { lease_ms, ref company, judging, chance, .. } = *batch;
        Self { lease_ms, company: company.clone(), judging, chance }
    }
}

/// The smallest thing that can be committed.
#[derive(Debug, Clone)]
pub(super) enum Unit {
    Report(Submission),
    Opinion(Opinion),
    Release(Release),
    Renew(Renew),
    Look,
    Cancel(Cancel),
    Reopen(Reopen),
    Shorten(Shortened),
    Close(Closing),
    Jobs(Vec<NewJob>),
    Doubted(WorkerId, AttemptKey),
    Stop(StoppedCode),
    Claim(Claim),
    Probe,
}

impl Unit {
    /// Its name in the metrics.
    pub(super) const fn part(&self) -> &'static str {
        match self {
            Self::Report(_) => "report",
            Self::Opinion(_) => "opinion",
            Self::Release(_) => "release",
            Self::Renew(_) => "renewal",
            Self::Look => "look",
            Self::Cancel(_) => "cancel",
            Self::Reopen(_) => "reopening",
            Self::Shorten(_) => "shortening",
            Self::Close(_) => "closing",
            Self::Jobs(_) => "job",
            Self::Doubted(..) => "doubt",
            Self::Stop(_) => "stop",
            Self::Claim(_) => "claim",
            Self::Probe => "probe",
        }
    }
}

/// Bytes that a database is sent for a new job.
pub(super) fn job_bytes(job: &NewJob) -> usize {
    job.input.size() + job.path.len()
}

/// The same for a report.
pub(super) fn report_bytes(report: &Submission) -> usize {
    let told = match &report.report {
        Report::Value(value) => value.as_bytes().len(),
        Report::Error(failure) => failure.message.len() + failure.stack.len(),
    };
    told + report.log.as_ref().map_or(0, String::len)
}

impl Work {
    /// Bytes of what was left of a batch. One unit alone is no weight: it waits for neighbours.
    pub(super) fn bytes(&self) -> usize {
        if self.batch.complete.len() + self.together.len() == 1 {
            return 0;
        }
        let jobs: usize = self.batch.enqueue.iter().map(job_bytes).sum();
        jobs + self.batch.complete.iter().map(report_bytes).sum::<usize>()
    }

    /// In the order in which a batch is carried out.
    pub(super) fn into_units(self) -> Vec<Unit> {
        let Self { batch, together } = self;
        let mut units: Vec<Unit> = batch.complete.into_iter().map(Unit::Report).collect();
        units.extend(batch.opinions.into_iter().map(Unit::Opinion));
        units.extend(batch.release.into_iter().map(Unit::Release));
        units.extend(batch.renew.into_iter().map(Unit::Renew));
        units.extend(batch.look.then_some(Unit::Look));
        units.extend(batch.cancel.into_iter().map(Unit::Cancel));
        units.extend(batch.reopen.into_iter().map(Unit::Reopen));
        units.extend(batch.shorten.into_iter().map(Unit::Shorten));
        units.extend(batch.close.into_iter().map(Unit::Close));
        let mut jobs = batch.enqueue.into_iter();
        units.extend(together.into_iter().map(|many| Unit::Jobs(jobs.by_ref().take(many).collect())));
        units.extend(batch.doubted.into_iter().map(|(worker, key)| Unit::Doubted(worker, key)));
        units.extend(batch.stop.into_iter().map(Unit::Stop));
        units.extend((!batch.claim.is_empty()).then_some(Unit::Claim(batch.claim)));
        units.extend(batch.probe.then_some(Unit::Probe));
        units
    }

    /// These units as one batch.
    pub(super) fn of(units: impl IntoIterator<Item = Unit>, terms: &Terms) -> Self {
        let Terms { lease_ms, ref company, judging, chance } = *terms;
        let batch = Batch { lease_ms, company: company.clone(), judging, chance, ..Batch::default() };
        let mut work = Self { batch, ..Self::default() };
        for unit in units {
            work.add(unit);
        }
        work
    }

    fn add(&mut self, unit: Unit) {
        let batch = &mut self.batch;
        match unit {
            Unit::Report(report) => batch.complete.push(report),
            Unit::Opinion(opinion) => batch.opinions.push(opinion),
            Unit::Release(release) => batch.release.push(release),
            Unit::Renew(renew) => batch.renew.push(renew),
            Unit::Look => batch.look = true,
            Unit::Cancel(cancel) => batch.cancel.push(cancel),
            Unit::Reopen(reopen) => batch.reopen.push(reopen),
            Unit::Shorten(shortened) => batch.shorten.push(shortened),
            Unit::Close(closing) => batch.close.push(closing),
            Unit::Jobs(jobs) => {
                self.together.push(jobs.len());
                batch.enqueue.extend(jobs);
            }
            Unit::Doubted(worker, key) => batch.doubted.push((worker, key)),
            Unit::Stop(code) => batch.stop.push(code),
            Unit::Claim(claim) => batch.claim = claim,
            Unit::Probe => batch.probe = true,
        }
    }
}

#[cfg(test)]
mod tests {
    use weevil_model::trust::AssumedShare;

    use super::*;

    #[test]
    fn a_piece_is_carried_out_as_its_batch_would_be() {
        let judging = Judging { liars: AssumedShare::LARGEST, absence_ms: 1, lot_ms: 2 };
        let batch = Batch { lease_ms: 3, judging, chance: [4; 32], ..Batch::default() };
        let piece = Work::of([Unit::Probe], &Terms::of(&batch)).batch;
        assert_eq!(piece, Batch { probe: true, ..batch });
    }
}
