//! Ids as people write them: whole, or cut to a beginning that no other one has.
//!
//! What is cut is looked for by the server.

use std::fmt::Display;
use std::str::FromStr;

use weevil_client::{RunFilter, Server, WorkerFilter};
use weevil_model::{IdError, JobId, RunId, WorkerId, beginning};

/// Ids that are told where a beginning is not enough.
const CANDIDATES: u32 = 10;

/// An id, or the beginning of one.
#[derive(Debug, Clone)]
pub(crate) enum Cut<I> {
    Whole(I),
    Beginning(String),
}

impl<I: FromStr<Err = IdError>> FromStr for Cut<I> {
    type Err = IdError;

    /// # Errors
    /// No id of this kind begins so.
    fn from_str(text: &str) -> Result<Self, IdError> {
        if let Ok(id) = text.parse() {
            return Ok(Self::Whole(id));
        }
        beginning::<I>(text)?;
        Ok(Self::Beginning(text.to_owned()))
    }
}

impl Cut<RunId> {
    /// # Errors
    /// In words for people: no run begins so, or several do.
    pub(crate) fn run(&self, server: &Server) -> Result<RunId, String> {
        let Self::Beginning(text) = self else { return self.given() };
        let asked =
            RunFilter { text: Some(text), state: None, workflow: None, sort: None, limit: CANDIDATES + 1 };
        let mut runs = server.find_runs(&asked, None)?.runs;
        // What is no id of a run may be the name of one.
        runs.retain(|run| run.id.starts_with(text.as_str()));
        let described = runs.into_iter().map(|run| (run.id, format!("{}  {}", run.state, run.name)));
        one("run", text, &described.collect::<Vec<_>>())
    }
}

impl Cut<JobId> {
    /// # Errors
    /// In words for people: no job begins so, or several do.
    pub(crate) fn job(&self, server: &Server) -> Result<JobId, String> {
        let Self::Beginning(text) = self else { return self.given() };
        let jobs = server.jobs_that_begin(text)?.jobs.into_iter();
        let described = jobs.map(|job| (job.id, format!("{}  {}", job.state, job.path)));
        one("job", text, &described.collect::<Vec<_>>())
    }
}

impl Cut<WorkerId> {
    /// Among those that are connected, or else among those that have left.
    ///
    /// # Errors
    /// In words for people: no worker begins so, or several do.
    pub(crate) fn worker(&self, server: &Server) -> Result<WorkerId, String> {
        let Self::Beginning(text) = self else { return self.given() };
        let sought = |gone| {
            let asked = WorkerFilter { text: Some(text), gone, sort: None, limit: CANDIDATES + 1 };
            server.find_workers(&asked, None)
        };
        let mut page = sought(false)?.workers;
        page.retain(|worker| worker.id.starts_with(text.as_str()));
        if page.is_empty() {
            page = sought(true)?.workers;
        }
        let described = page.into_iter().map(|worker| (worker.id, worker.agent));
        one("worker", text, &described.collect::<Vec<_>>())
    }
}

impl<I: FromStr<Err = IdError> + Copy + Display> Cut<I> {
    fn given(&self) -> Result<I, String> {
        match self {
            Self::Whole(id) => Ok(*id),
            Self::Beginning(text) => text.parse().map_err(|error: IdError| error.to_string()),
        }
    }
}

/// The one that is meant, of those found with their descriptions.
fn one<I: FromStr<Err = IdError>>(what: &str, text: &str, found: &[(String, String)]) -> Result<I, String> {
    match found {
        [] => Err(format!("no {what} begins with `{text}`; write all of its id")),
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
        let told = |count| one::<RunId>("run", "run_0", &named(count)).map(|id| id.to_string());
        assert_eq!(told(1), Ok("run_0000000000000".to_owned()));
        for (count, words, lines) in [
            (0, "no run begins with `run_0`; write all of its id", 1),
            (2, "several runs begin with `run_0`; write more", 3),
            (10, "run_0000000000009  FINISHED  pi", 11),
            (11, "\nand others", 12),
        ] {
            let why = told(count).unwrap_err();
            assert!(why.contains(words) && why.lines().count() == lines, "{count}: {why}");
        }
    }
}
