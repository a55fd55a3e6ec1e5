//! Looking through a list of jobs for those that are meant: in a state, gone wrong at least once, or with a text in what is told of
//! them.
//!
//! A look costs the same in a list of any length: where few jobs are meant, a page ends before it is full. The lists say which jobs
//! come, and in which order.

use std::collections::HashMap;

use weevil_api::JobView;
use weevil_model::{JobId, NodeState};
use weevil_records::{JobRecord, JobTrace};

use super::AppState;
use super::jobs::{view, worker};
use crate::refusal::Refusal;

/// Jobs that are looked at for one page where not all of them are meant.
pub(super) const LOOKED_AT: u32 = 2_000;

/// Which jobs of a list.
pub(super) struct Meant {
    /// Those alone with this, in small letters, in their path, their worker or their error.
    pub sought: Option<String>,
    pub state: Option<NodeState>,
    /// Those alone that went wrong at least once.
    pub failed: bool,
}

impl Meant {
    pub(super) const fn is_all(&self) -> bool {
        self.sought.is_none() && self.state.is_none() && !self.failed
    }

    fn fits(&self, job: &JobRecord) -> bool {
        self.state.is_none_or(|state| job.state == state) && (!self.failed || has_failed(job))
    }
}

/// Jobs in the order of a list, each with its mark, and the mark behind which the look goes on.
pub(super) struct Look {
    pub jobs: Vec<(String, JobRecord)>,
    pub behind: Option<String>,
}

impl Look {
    /// Where as many were found as were looked for, there may be more behind the last.
    pub(super) fn of(jobs: Vec<JobRecord>, most: u32, place: impl Fn(&JobRecord) -> String) -> Self {
        let jobs: Vec<(String, JobRecord)> = jobs.into_iter().map(|job| (place(&job), job)).collect();
        let is_full = jobs.len() >= most as usize;
        Self { behind: jobs.last().filter(|_| is_full).map(|(place, _)| place.clone()), jobs }
    }

    /// Those that are meant, and the mark behind which the next page begins; `None` where there is nothing more.
    pub(super) async fn page(
        mut self,
        app: &AppState,
        meant: &Meant,
        most: usize,
    ) -> Result<(Vec<JobRecord>, Option<String>), Refusal> {
        self.jobs.retain(|(_, job)| meant.fits(job));
        if let Some(sought) = &meant.sought {
            let traces = traces(app, self.jobs.iter().map(|(_, job)| job.id)).await?;
            self.jobs.retain(|(_, job)| says(job, traces.get(&job.id), sought));
        }
        Ok(cut(self.jobs, most, self.behind))
    }
}

/// Jobs with whose their newest attempts are, and how their newest errors begin.
pub(super) async fn traced(app: &AppState, jobs: Vec<JobRecord>) -> Result<Vec<JobView>, Refusal> {
    let traces = traces(app, jobs.iter().map(|job| job.id)).await?;
    Ok(jobs.into_iter().map(|job| with_trace(job, &traces)).collect())
}

/// As the index of such jobs has it.
fn has_failed(job: &JobRecord) -> bool {
    job.failures > 0 || job.state == NodeState::Failed
}

/// The entries of a page, and the mark behind which the next one begins: where the look ended with `behind`, or where the page is full;
/// `None` where there is nothing more.
pub(super) fn cut<T>(
    found: impl IntoIterator<Item = (String, T)>,
    most: usize,
    behind: Option<String>,
) -> (Vec<T>, Option<String>) {
    let (mut page, mut last) = (Vec::new(), None);
    for (mark, entry) in found {
        if page.len() == most {
            return (page, last);
        }
        last = Some(mark);
        page.push(entry);
    }
    (page, behind)
}

/// Whether a text, in small letters, is in what is told of a job: its path, its worker, its error.
fn says(job: &JobRecord, trace: Option<&JobTrace>, sought: &str) -> bool {
    let has = |told: &str| told.to_lowercase().contains(sought);
    let is_told = |trace: &JobTrace| has(&worker(trace.worker)) || trace.error.as_deref().is_some_and(has);
    has(&job.path) || trace.is_some_and(is_told)
}

async fn traces(
    app: &AppState,
    jobs: impl Iterator<Item = JobId>,
) -> Result<HashMap<JobId, JobTrace>, Refusal> {
    let ids: Vec<JobId> = jobs.collect();
    let traces = app.common.store.job_traces(&ids).await?;
    Ok(traces.into_iter().map(|trace| (trace.job, trace)).collect())
}

fn with_trace(job: JobRecord, traces: &HashMap<JobId, JobTrace>) -> JobView {
    let trace = traces.get(&job.id);
    let (of, error) = (trace.map(|trace| worker(trace.worker)), trace.and_then(|trace| trace.error.clone()));
    JobView { worker: of, error, ..view(job) }
}

#[cfg(test)]
mod tests {
    use weevil_model::trust::Policy;
    use weevil_model::{ContentHash, Needs, ProjectId, Timestamp, WorkerId};
    use weevil_queue::Origin;

    use super::*;

    fn job(number: i64, state: NodeState) -> JobRecord {
        JobRecord {
            id: JobId::from_number(number).unwrap(),
            project: ProjectId::DEFAULT,
            origin: Origin::Queue("q".into()),
            path: number.to_string(),
            code: ContentHash::of(b""),
            state,
            waiting: None,
            needs: Needs::JAVASCRIPT,
            reused: None,
            handed_out: 0,
            failures: 0,
            max_attempts: 1,
            trust: Policy::None,
            is_doubted: false,
            enqueued_at: Timestamp(0),
            ended_at: None,
        }
    }

    #[test]
    fn a_page_ends_where_it_is_full_or_where_the_look_has_ended() {
        for (found, behind, most, expected, next) in [
            (&[0, 2][..], None, 9, &[0, 2][..], None),
            (&[0, 2], Some("2"), 9, &[0, 2], Some("2")),
            (&[0, 2], Some("3"), 2, &[0, 2], Some("3")),
            (&[0, 2, 3], None, 2, &[0, 2], Some("2")),
            (&[], Some("1"), 1, &[], Some("1")),
            (&[], None, 1, &[], None),
        ] {
            let marked = found.iter().map(|at: &i64| (at.to_string(), *at));
            let (page, told) = cut(marked, most, behind.map(str::to_owned));
            assert_eq!((&page[..], told.as_deref()), (expected, next), "{found:?} {behind:?} {most}");
        }
    }

    #[test]
    fn jobs_are_meant_by_their_state_and_by_what_went_wrong() {
        let failing = JobRecord { failures: 1, ..job(1, NodeState::Running) };
        for (one, state, failed, fits) in [
            (&failing, None, false, true),
            (&failing, None, true, true),
            (&failing, Some(NodeState::Running), true, true),
            (&failing, Some(NodeState::Failed), false, false),
            (&job(2, NodeState::Failed), None, true, true),
            (&job(2, NodeState::Finished), None, true, false),
        ] {
            let meant = Meant { sought: None, state, failed };
            assert_eq!(meant.fits(one), fits, "{one:?} {state:?} {failed}");
        }
    }

    #[test]
    fn a_text_is_looked_for_in_path_worker_and_error() {
        let whose = WorkerId::from_number(7).unwrap();
        let one = JobRecord { path: "pool/3/Each".into(), ..job(1, NodeState::Failed) };
        let trace = JobTrace { job: one.id, worker: whose, error: Some("Out of bounds".into()) };
        let id = whose.to_string();
        for (sought, known, alone) in [
            ("each", true, true),
            (&*id, true, false),
            ("of bounds", true, false),
            ("wrk_8", false, false),
            ("%", false, false),
        ] {
            assert_eq!(
                (says(&one, Some(&trace), sought), says(&one, None, sought)),
                (known, alone),
                "{sought}"
            );
        }
    }
}
