//! What the end of a certificate adds up: how many there are of everything, and the bound.

use super::lines::{AnswerFate, Counts, JobLine, LotFate, LotLine, StatedBasis};
use crate::bound::Bound;
use crate::plan::Plan;

#[derive(Debug, Default)]
pub(super) struct Sum {
    pub(super) counts: Counts,
    bound: Bound,
}

impl Sum {
    /// `plan`: that of the job's policy.
    pub(super) fn job(&mut self, job: &JobLine, plan: Option<&Plan>) {
        self.counts.jobs += 1;
        self.counts.doubted += u64::from(job.doubted);
        for answer in &job.answers {
            self.counts.answers += 1;
            self.counts.refuted += u64::from(answer.fate == AnswerFate::Refuted);
            self.counts.void += u64::from(answer.fate == AnswerFate::Void);
        }
        let Some(basis) = job.basis else { return };
        *self.believed(basis) += 1;
        let in_lot =
            job.answers.iter().any(|answer| answer.lot.is_some() && answer.fate == AnswerFate::Agreed);
        match (basis, plan) {
            (StatedBasis::Agreed, Some(plan)) => self.bound.alone(plan, 1),
            // Where it stands in a lot it is counted there.
            (StatedBasis::Trusted | StatedBasis::Referee | StatedBasis::Proved, Some(_)) if !in_lot => {
                self.bound.trusted(1);
            }
            _ => {}
        }
    }

    /// `plan`: that of the policy of its jobs.
    pub(super) fn lot(&mut self, lot: &LotLine, plan: Option<&Plan>) {
        self.counts.lots += 1;
        if let Some(plan) = plan.filter(|_| lot.fate == LotFate::Accepted) {
            self.bound.lot(plan, lot.answers);
        }
    }

    pub(super) fn bound(&self) -> Option<f64> {
        self.bound.share()
    }

    const fn believed(&mut self, basis: StatedBasis) -> &mut u64 {
        let believed = &mut self.counts.believed;
        match basis {
            StatedBasis::None => &mut believed.none,
            StatedBasis::Reused => &mut believed.reused,
            StatedBasis::Trusted => &mut believed.trusted,
            StatedBasis::Referee => &mut believed.referee,
            StatedBasis::Proved => &mut believed.proved,
            StatedBasis::Agreed => &mut believed.agreed,
            StatedBasis::Lot => &mut believed.lot,
        }
    }
}
