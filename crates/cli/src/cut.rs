//! Ids as people write them: whole, or cut to a beginning that no other one has.
//!
//! What is cut is looked for in lists of the server. Ids are in the order of their age, so those with one beginning stand together: a
//! list is asked from there on, and not from its first page.

use std::fmt::Display;
use std::str::FromStr;

use weevil_api::{JobView, RunSummary};
use weevil_client::{RunFilter, Server};
use weevil_model::limits::MAX_PAGE;
use weevil_model::{IdError, JobId, RunId, beginning};

/// Ids that are told where a beginning is not enough.
const CANDIDATES: u32 = 10;
/// The queue whose jobs are looked through.
const QUEUE: &str = "default";
/// Runs whose jobs are looked through: the newest ones that could have a job with that id.
const RUNS: u32 = 20;
/// Pages of jobs that are read of each of them.
const PAGES: u32 = 10;

/// An id, or the beginning of one.
#[derive(Debug, Clone)]
pub(crate) enum Cut<I> {
    Whole(I),
    Beginning {
        text: String,
        /// The smallest and the largest id that begin so.
        first: I,
        last: I,
    },
}

impl<I: FromStr<Err = IdError>> FromStr for Cut<I> {
    type Err = IdError;

    /// # Errors
    /// No id of this kind begins so.
    fn from_str(text: &str) -> Result<Self, IdError> {
        if let Ok(id) = text.parse() {
            return Ok(Self::Whole(id));
        }
        let (first, last) = beginning(text)?;
        Ok(Self::Beginning { text: text.to_owned(), first, last })
    }
}

impl Cut<RunId> {
    /// # Errors
    /// In words for people: no run begins so, or several do.
    pub(crate) fn run(&self, server: &Server) -> Result<RunId, String> {
        let Self::Beginning { text, last, .. } = self else { return self.given() };
        let runs = runs_from(server, last.number(), CANDIDATES + 1)?;
        let described = runs.iter().filter(|run| run.id.starts_with(text.as_str()));
        let found: Vec<_> =
            described.map(|run| (run.id.clone(), format!("{}  {}", run.state, run.name))).collect();
        one("run", text, &found, "")
    }
}

impl Cut<JobId> {
    /// # Errors
    /// In words for people: no job begins so among those that are looked through, or several do.
    pub(crate) fn job(&self, server: &Server) -> Result<JobId, String> {
        let Self::Beginning { text, first, last } = self else { return self.given() };
        let before = JobId::from_number(first.number() - 1).map(|id| id.to_string());
        let mut found = Vec::new();
        let mut take = |jobs: Vec<JobView>| {
            let begin = jobs.into_iter().filter(|job| job.id.starts_with(text.as_str()));
            found.extend(begin.map(|job| (job.id, format!("{}  {}", job.state, job.path))));
        };
        take(server.queued_jobs(QUEUE, before.as_deref())?.jobs);
        // A job is younger than its run.
        for run in runs_from(server, last.number(), RUNS)? {
            let mut after = None;
            for _ in 0..PAGES {
                let page = server.run_jobs(&run.id, after.as_deref())?;
                take(page.jobs);
                after = page.next;
                if after.is_none() {
                    break;
                }
            }
        }
        let most = PAGES * MAX_PAGE;
        let bound = format!(
            " in the queue `{QUEUE}` and the first {most} jobs of each of the {RUNS} newest runs that could have it"
        );
        one("job", text, &found, &bound)
    }
}

impl<I: FromStr<Err = IdError> + Copy + Display> Cut<I> {
    fn given(&self) -> Result<I, String> {
        match self {
            Self::Whole(id) => Ok(*id),
            Self::Beginning { text, .. } => text.parse().map_err(|error: IdError| error.to_string()),
        }
    }
}

/// The newest runs up to the one with this number.
fn runs_from(server: &Server, newest: i64, limit: u32) -> Result<Vec<RunSummary>, String> {
    let behind = newest.checked_add(1).and_then(RunId::from_number);
    let asked = RunFilter { state: None, workflow: None, limit };
    Ok(server.find_runs(&asked, behind.as_ref().map(|id| id as _))?.runs)
}

/// The one that is meant, of those found with their descriptions.
fn one<I: FromStr<Err = IdError>>(
    what: &str,
    text: &str,
    found: &[(String, String)],
    bound: &str,
) -> Result<I, String> {
    match found {
        [] => Err(format!("no {what} begins with `{text}`{bound}; write all of its id")),
        [(id, _)] => id.parse().map_err(|error: IdError| error.to_string()),
        several => {
            let shown = several.iter().take(CANDIDATES as usize);
            let lines: Vec<String> = shown.map(|(id, words)| format!("{id}  {words}")).collect();
            let more = if several.len() > lines.len() { "\nand others" } else { "" };
            Err(format!(
                "several {what}s begin with `{text}`; write more of the id that is meant:\n{}{more}",
                lines.join("\n")
            ))
        }
    }
}

/// What a command is about that takes runs and jobs alike: the prefix of an id says which of the two it names.
#[derive(Debug, Clone)]
pub(crate) enum Either {
    Run(Cut<RunId>),
    Job(Cut<JobId>),
}

/// The same, found.
#[derive(Debug, Clone, Copy)]
pub(crate) enum What {
    Run(RunId),
    Job(JobId),
}

impl FromStr for Either {
    type Err = IdError;

    /// # Errors
    /// It is an id of neither.
    fn from_str(text: &str) -> Result<Self, IdError> {
        if text.starts_with("job_") { text.parse().map(Self::Job) } else { text.parse().map(Self::Run) }
    }
}

impl Either {
    /// # Errors
    /// In words for people.
    pub(crate) fn found(&self, server: &Server) -> Result<What, String> {
        match self {
            Self::Run(run) => run.run(server).map(What::Run),
            Self::Job(job) => job.job(server).map(What::Job),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn several_candidates_are_listed_and_none_is_chosen() {
        let named = |count: u32| {
            (0..count)
                .map(|n| (format!("run_000000000000{n:x}"), "FINISHED  pi".to_owned()))
                .collect::<Vec<_>>()
        };
        let told =
            |count, bound: &str| one::<RunId>("run", "run_0", &named(count), bound).map(|id| id.to_string());
        assert_eq!(told(1, ""), Ok("run_0000000000000".to_owned()));
        for (count, bound, words, lines) in [
            (0, "", "no run begins with `run_0`; write all of its id", 1),
            (0, " here", "no run begins with `run_0` here; write", 1),
            (2, "", "several runs begin with `run_0`; write more", 3),
            (10, "", "run_0000000000009  FINISHED  pi", 11),
            (11, "", "\nand others", 12),
        ] {
            let why = told(count, bound).unwrap_err();
            assert!(why.contains(words) && why.lines().count() == lines, "{count}: {why}");
        }
    }
}
