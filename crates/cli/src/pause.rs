//! `weevil pause` and `weevil resume`: of one run, or of the whole queue.

use clap::Args;
use weevil_api::{QueueView, RunView};
use weevil_client::Server;
use weevil_model::RunId;

use crate::Outcome;
use crate::inert::{say_json, say_line};

#[derive(Debug, Args)]
pub struct Pause {
    /// Id of the run; the whole queue unless it is given.
    run: Option<RunId>,
    #[arg(long, value_name = "URL", default_value = "http://127.0.0.1:8080")]
    server: String,
    /// Print what the server answers: one JSON object.
    #[arg(long)]
    json: bool,
}

impl Pause {
    pub(crate) fn execute(self, verb: &str) -> Outcome {
        let told = match self.run {
            Some(run) => self.run(run, verb),
            None => self.queue(verb),
        };
        told.map_or_else(Outcome::CouldNot, |()| Outcome::Done)
    }

    fn run(&self, run: RunId, verb: &str) -> Result<(), String> {
        let view: RunView = Server::new(&self.server).post_nothing(&format!("/api/v1/runs/{run}/{verb}"))?;
        match view.summary.paused {
            _ if self.json => say_json(&view),
            true => {
                say_line(&format!(
                    "{run} is paused: what its workers hold goes on, nothing else is handed out"
                ));
            }
            false => say_line(&format!("{run} goes on")),
        }
        Ok(())
    }

    fn queue(&self, verb: &str) -> Result<(), String> {
        let queue: QueueView = Server::new(&self.server).post_nothing(&format!("/api/v1/queue/{verb}"))?;
        let QueueView { ready, leased, .. } = queue;
        match queue.paused_since {
            _ if self.json => say_json(&queue),
            Some(_) => {
                say_line(&format!(
                    "the queue is paused: {leased} jobs go on, {ready} wait for it to be resumed"
                ));
            }
            None => say_line(&format!("the queue goes on: {leased} jobs run, {ready} wait for a worker")),
        }
        Ok(())
    }
}
