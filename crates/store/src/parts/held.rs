//! An attempt whose lease ends without a report: what becomes of its job, as rows and as news.

use std::collections::HashMap;

use weevil_model::{JobId, ProjectId, RunId, Timestamp};
use weevil_queue::batch::{Change, JobNews, Returned};
use weevil_queue::decide::company::Company;
use weevil_queue::decide::copies::{Copies, Stand};
use weevil_queue::decide::expire::{self, Decision, counts};
use weevil_queue::decide::wait::{Patience, wait};
use weevil_queue::{Attempt, AttemptEnd, AttemptKey, Ended, Outcome};
use weevil_records::StoreError;
use weevil_records::history::MAX_UNREPORTED;

use super::answers::AnswerBook;
use super::changes::{EndRow, JobRow, JobRows};
use super::facts::Histories;
use crate::columns::Columns;
use crate::json::corrupt;
use crate::paused::Paused;

/// The columns of an open attempt `a` and its job `j` that its end is decided by.
pub(crate) const COLUMNS: &str = "j.id, j.project, j.run, j.path, j.wanted, j.open_attempts, j.failures, j.max_attempts, \
    j.max_wait_ms, j.needs, j.trust, j.retry_ms, a.token, a.worker, a.number";

/// An open attempt, as the store has it.
pub(crate) struct Held {
    facts: expire::Held,
    project: ProjectId,
    run: Option<RunId>,
    path: String,
    token: i64,
    number: u32,
    copies: Copies,
    patience: Patience,
    is_judged: bool,
    has_answers: bool,
    /// How the lease ends.
    end: AttemptEnd,
}

impl Held {
    /// The job, where it may have more attempts without a report than stay.
    pub(crate) fn forgetful(&self) -> Option<i64> {
        let unreported = matches!(self.end, AttemptEnd::Yielded | AttemptEnd::Lost);
        (unreported && self.number > MAX_UNREPORTED).then(|| self.facts.job.number())
    }

    /// A row says in `given` how the lease ends.
    pub(crate) fn read<R: Columns>(row: &R, paused: &Paused) -> Result<Self, StoreError> {
        let run = row.maybe_run_id("run")?;
        let facts = expire::Held {
            job: row.job_id("id")?,
            worker: row.worker_id("worker")?,
            failures: row.small("failures")?,
            witnesses: None,
            max_attempts: row.small("max_attempts")?,
            needs: row.needs()?,
            retry_ms: row.small("retry_ms")?,
        };
        let end = row.word("given", AttemptEnd::parse)?.ok_or_else(|| corrupt("a release without an end"))?;
        Ok(Self {
            facts,
            project: row.id("project", ProjectId::from_number)?,
            run,
            path: row.text("path")?,
            token: row.number("token")?,
            number: row.small("number")?,
            copies: row.copies()?,
            patience: paused.patience(run, row.maybe_small("max_wait_ms")?),
            is_judged: row.trust()?.is_judged(),
            has_answers: row.class()?.0.is_answered(),
            end,
        })
    }
}

/// The jobs that may be over, where all of these leases end: each meets the failures that those before it are. And those of them
/// whose answers are compared.
pub(crate) fn may_be_over(held: &[Held]) -> (Vec<JobId>, Vec<JobId>) {
    let mut copies: HashMap<JobId, u32> = HashMap::new();
    let (mut over, mut judged) = (Vec::new(), Vec::new());
    for held in held {
        let before = copies.entry(held.facts.job).or_default();
        let facts = expire::Held { failures: held.facts.failures + *before, ..held.facts };
        *before += u32::from(counts(held.end));
        if facts.may_be_over(held.end) {
            over.push(facts.job);
            judged.extend(held.is_judged.then_some(facts.job));
        }
    }
    (over, judged)
}

/// What the ends of leases come to.
#[derive(Default)]
pub(crate) struct Ends {
    pub(crate) attempts: Vec<EndRow>,
    pub(crate) jobs: JobRows,
    pub(crate) returned: Vec<Returned>,
    /// Jobs that have ended with copies out.
    pub(crate) deserted: Vec<JobId>,
    /// The project of each job that has ended.
    pub(crate) ended: Vec<ProjectId>,
    /// Judged jobs that stood alone and have ended.
    pub(crate) sealed: Vec<JobId>,
}

/// A job, as the leases that ended before have left it.
struct Before {
    /// Where it stands among the rows.
    row: Option<usize>,
    ended: bool,
    copies: Copies,
    failures: u32,
    history: Vec<Attempt>,
}

/// What is known of jobs before their leases end.
pub(crate) struct Known<'c> {
    /// Those of the jobs that may be over.
    pub(crate) histories: Histories,
    /// What was said of those that are judged as well.
    pub(crate) answers: AnswerBook,
    pub(crate) company: &'c Company,
}

/// Ends one lease after the other.
pub(crate) fn end_all(held: Vec<Held>, mut known: Known<'_>, now: Timestamp) -> Ends {
    let (mut ends, mut jobs) = (Ends::default(), HashMap::new());
    for held in held {
        let id = held.facts.job;
        let job = jobs.entry(id).or_insert_with(|| Before {
            row: None,
            ended: false,
            copies: held.copies,
            failures: held.facts.failures,
            history: known.histories.remove(&id).unwrap_or_default(),
        });
        // A copy of a job that has just failed is ended with the others.
        if !job.ended {
            ends.end(held, job, &known, now);
        }
    }
    ends
}

impl Ends {
    fn end(&mut self, held: Held, job: &mut Before, known: &Known<'_>, now: Timestamp) {
        let Held { facts, project, run, path, token, number, patience, is_judged, has_answers, end, .. } =
            held;
        let judged = known.answers.get(&facts.job);
        let witnesses = judged.map(|judged| judged.witnesses_of(&job.history, number));
        let facts = expire::Held { failures: job.failures, witnesses, ..facts };
        let decision = facts.returned(end, &job.history, known.company);
        let counted = u32::from(!matches!(decision, Decision::Requeue { counts: false, .. }));
        job.failures += counted;
        if counted > 0 {
            job.history.push(Attempt { number, worker: facts.worker, end, failure: None });
        }
        let (stand, row, change) = match decision {
            Decision::Requeue { pause_ms, .. } => {
                let stand = job.copies.returned(wait(patience, pause_ms, now));
                let change = if has_answers { Change::CopyReturned } else { Change::returned(stand.copies) };
                (stand, JobRow::new(facts.job, stand, counted), change)
            }
            Decision::Fail => {
                self.deserted.extend((job.copies.open > 1).then_some(facts.job));
                self.ended.push(project);
                self.sealed.extend((is_judged && run.is_none()).then_some(facts.job));
                job.ended = true;
                let change = Change::Ended(Ended::Failed(job.history.clone()));
                (Stand::ENDED, JobRow::ended(facts.job, Outcome::Failed, None, counted), change)
            }
        };
        job.copies = stand.copies;
        self.attempts.push(EndRow::new(facts.job, number, end));
        self.jobs.enter(&mut job.row, row);
        let key = AttemptKey { job: facts.job, token };
        let news = JobNews { id: facts.job, run, path, change };
        self.returned.push(Returned { key, worker: facts.worker, end, job: news });
    }
}

#[cfg(test)]
mod tests {
    use weevil_model::{Needs, WorkerId};

    use super::*;

    /// A lease of job 1, which may fail three times and has failed once.
    fn held(end: AttemptEnd) -> Held {
        let facts = expire::Held {
            job: JobId::from_number(1).unwrap(),
            worker: WorkerId::from_number(1).unwrap(),
            failures: 1,
            witnesses: None,
            max_attempts: 3,
            needs: Needs::JAVASCRIPT,
            retry_ms: 0,
        };
        let (copies, patience) =
            (Copies { wanted: 0, open: 3 }, Patience { paused: false, max_wait_ms: None });
        let (project, run) = (ProjectId::DEFAULT, None);
        let (is_judged, has_answers) = (false, false);
        Held {
            facts,
            project,
            run,
            path: "a".into(),
            token: 1,
            number: 1,
            copies,
            patience,
            is_judged,
            has_answers,
            end,
        }
    }

    #[test]
    fn only_what_counts_brings_a_job_nearer_to_its_judgement() {
        use AttemptEnd::{Expired, Lost, Yielded};
        for (ends, expected) in [
            (&[Expired][..], 0),
            (&[Expired, Expired], 1),
            (&[Yielded, Lost, Expired], 0),
            (&[Expired, Yielded, Expired], 1),
        ] {
            let held: Vec<Held> = ends.iter().copied().map(held).collect();
            assert_eq!(may_be_over(&held).0.len(), expected, "{ends:?}");
        }
    }
}
