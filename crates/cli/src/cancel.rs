//! `weevil cancel`: ends a run or a stand-alone job, and tells how it ended.

use clap::Args;
use serde::Serialize;
use serde::de::DeserializeOwned;
use weevil_api::{JobResult, RunResult};
use weevil_client::Server;
use weevil_model::{JobId, NodeState, RunId, RunState};

use crate::Outcome;
use crate::inert::{say_json, say_line};

#[derive(Debug, Args)]
pub struct Cancel {
    /// Id of the run, or of a stand-alone job.
    #[arg(value_name = "RUN or JOB", value_parser = what)]
    what: What,
    #[arg(long, value_name = "URL", default_value = "http://127.0.0.1:8080")]
    server: String,
    /// Print one JSON object with `run` or `job`, and `state`.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Clone, Copy)]
enum What {
    Run(RunId),
    Job(JobId),
}

/// The prefix of an id says what it names.
fn what(text: &str) -> Result<What, String> {
    if text.starts_with("job_") {
        return text.parse().map(What::Job).map_err(|error: weevil_model::IdError| error.to_string());
    }
    text.parse().map(What::Run).map_err(|error: weevil_model::IdError| error.to_string())
}

impl Cancel {
    pub(crate) fn execute(self) -> Outcome {
        let told = match self.what {
            What::Run(run) => self.end(&format!("/api/v1/runs/{run}/cancel"), |ended: &RunResult| {
                (ended.run.clone(), ended.state == RunState::Cancelled, ended.state.to_string())
            }),
            What::Job(job) => self.end(&format!("/api/v1/jobs/{job}/cancel"), |ended: &JobResult| {
                (ended.job.clone(), ended.state == NodeState::Cancelled, ended.state.to_string())
            }),
        };
        told.map_or_else(Outcome::CouldNot, |()| Outcome::Done)
    }

    /// `look` answers the id, whether it is cancelled, and the state.
    fn end<T: DeserializeOwned + Serialize>(
        &self,
        path: &str,
        look: impl Fn(&T) -> (String, bool, String),
    ) -> Result<(), String> {
        let ended: T = Server::new(&self.server).post_nothing(path)?;
        match look(&ended) {
            _ if self.json => say_json(&ended),
            (id, true, _) => say_line(&format!("{id} is CANCELLED")),
            (id, false, state) => say_line(&format!("{id} had ended before: it is {state}")),
        }
        Ok(())
    }
}
