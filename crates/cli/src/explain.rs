//! `weevil explain`: why a job, a run, a node of one or a worker stands as it does, in the server's sentences, and below them how it
//! stands; of a job all that became of it.
//!
//! The sentences are printed as the server says them; nothing is concluded here.

use std::str::FromStr;

use clap::Args;
use serde::Serialize;
use weevil_api::explain::{Explanation, ReasonView};
use weevil_api::{Fleet, JobHistory};
use weevil_client::Server;
use weevil_model::{IdError, JobId, RunId, WorkerId};

use crate::asking::Asking;
use crate::clock::now;
use crate::cut::{Cut, Either};
use crate::inert::{Inert, complain, say, say_json, say_line};
use crate::jobs::{story, whole};
use crate::terminal::columns;
use crate::{Exit, runs, workers};

#[derive(Debug, Args)]
pub struct Explain {
    /// Id of a job, a run or a worker; its beginning is enough where no other one has it.
    #[arg(value_name = "JOB|RUN|WORKER")]
    what: Subject,
    /// A node of the run.
    #[arg(long, value_name = "ID")]
    node: Option<String>,
    #[command(flatten)]
    asking: Asking,
    /// Print what the server answers: one JSON object with `reasons`; of a job with `job`, `run` and `attempts` as well.
    #[arg(long)]
    json: bool,
}

/// What may be explained: the prefix of an id says which it names.
#[derive(Debug, Clone)]
enum Subject {
    Job(Cut<JobId>),
    Run(Cut<RunId>),
    Worker(Cut<WorkerId>),
}

impl FromStr for Subject {
    type Err = String;

    /// # Errors
    /// In words for people: it is an id of none of the three.
    fn from_str(text: &str) -> Result<Self, String> {
        let told = |error: IdError| error.to_string();
        if text.starts_with("wrk_") {
            return text.parse().map(Self::Worker).map_err(told);
        }
        if !["job_", "run_"].iter().any(|prefix| text.starts_with(prefix)) {
            return Err(
                "ids of jobs begin with `job_`, of runs with `run_`, of workers with `wrk_`".to_owned()
            );
        }
        Ok(match text.parse().map_err(told)? {
            Either::Job(job) => Self::Job(job),
            Either::Run(run) => Self::Run(run),
        })
    }
}

/// Both answers about a job as one; without `reasons` where the server has told none.
#[derive(Serialize)]
struct Told {
    #[serde(flatten)]
    history: JobHistory,
    #[serde(flatten)]
    why: Option<Explanation>,
}

impl Explain {
    pub(crate) fn execute(self) -> Exit {
        self.explain().map_or_else(Exit::CouldNot, |()| Exit::Done)
    }

    fn explain(&self) -> Result<(), String> {
        let server = self.asking.server()?;
        match (&self.what, &self.node) {
            (Subject::Run(_), Some(path)) if path.contains('/') => Err(format!(
                "`{path}` is a path; `--node` takes the id of a value, a job or a pool, one of its parts"
            )),
            (Subject::Run(run), node) => self.run(&server, run.run(&server)?, node.as_deref()),
            (_, Some(_)) => Err("`--node` is for a node of a run; write the id of the run".to_owned()),
            (Subject::Job(job), None) => self.job(&server, job.job(&server)?),
            (Subject::Worker(worker), None) => self.worker(&server, worker.worker(&server)?),
        }
    }

    /// A server that is older than the reasons still tells the rest.
    fn job(&self, server: &Server, job: JobId) -> Result<(), String> {
        let history = whole(server, job)?;
        let why = server.explain_job(&job);
        if let Err(missing) = &why {
            complain(&Inert::fill("{}\n", &[&Inert::line(missing)]));
        }
        let told = Told { history, why: why.ok() };
        if self.json {
            say_json(&told);
            return Ok(());
        }
        told.why.iter().for_each(say_reasons);
        say(&Inert::lines(&story(&told.history, now())));
        Ok(())
    }

    fn run(&self, server: &Server, run: RunId, node: Option<&str>) -> Result<(), String> {
        let why = match node {
            Some(node) => server.explain_node(&run, &node)?,
            None => server.explain_run(&run)?,
        };
        self.say(&why, || Ok(runs::lines(&[server.run(&run)?.summary], now(), columns())))
    }

    fn worker(&self, server: &Server, worker: WorkerId) -> Result<(), String> {
        let why = server.explain_worker(&worker)?;
        self.say(&why, || {
            let view = server.worker(&worker)?;
            let fleet = Fleet { slots: view.slots, workers: vec![view], more: 0 };
            Ok(workers::lines(&fleet, now(), columns()))
        })
    }

    /// The reasons, and below them how it stands.
    fn say(
        &self,
        why: &Explanation,
        stands: impl FnOnce() -> Result<Vec<String>, String>,
    ) -> Result<(), String> {
        if self.json {
            say_json(why);
            return Ok(());
        }
        say_reasons(why);
        stands()?.iter().for_each(|line| say_line(line));
        Ok(())
    }
}

fn say_reasons(why: &Explanation) {
    say(&why.reasons.iter().map(reason).collect());
}

/// A line for the reason, and one each for the node that it holds for and for its cure.
pub(crate) fn reason(reason: &ReasonView) -> Inert {
    let why = Inert::fill("why: {}\n", &[&Inert::line(&reason.text)]);
    let node = reason.node.as_deref().map(|node| Inert::fill("     at {}\n", &[&Inert::line(node)]));
    let cure = reason.cure.as_deref().map(|cure| Inert::fill("     {}\n", &[&Inert::line(cure)]));
    [Some(why), node, cure].into_iter().flatten().collect()
}

#[cfg(test)]
mod tests {
    use weevil_api::explain::{cancelled, no_worker, queue_paused};
    use weevil_model::{PauseWords, QueuePause, Timestamp};

    use super::*;

    #[test]
    fn a_reason_has_a_line_and_its_cure_another_whatever_a_note_says() {
        let words = PauseWords { by: Some("ada".into()), note: Some("new\nrack\u{1B}[2J".into()) };
        let pause = QueuePause { since: Timestamp(0), words };
        for (view, expected) in [
            (cancelled(), "why: It was cancelled, or its run was.\n"),
            (
                ReasonView { node: Some("pool/3/e\u{1B}ach".into()), ..cancelled() },
                "why: It was cancelled, or its run was.\n     at pool/3/e\u{FFFD}ach\n",
            ),
            (
                no_worker(),
                "why: No worker is connected.\n     Open the server's address in a browser and click Start.\n",
            ),
            (
                queue_paused(&pause, pause.since),
                "why: The queue is paused since 00:00 UTC by ada: new\u{FFFD}rack\u{FFFD}[2J\n     `weevil resume` goes on.\n",
            ),
        ] {
            assert_eq!(reason(&view).as_str(), expected);
        }
    }
}
