//! `weevil cancel`: ends a run, and tells how it ended.

use clap::Args;
use weevil_model::{RunId, RunState};
use weevil_protocol::api::RunResult;

use super::Outcome;
use super::ask::Server;
use super::result::print_json;

#[derive(Debug, Args)]
pub(super) struct Cancel {
    /// Id of the run.
    run: RunId,
    #[arg(long, value_name = "URL", default_value = "http://127.0.0.1:8080")]
    server: String,
    /// Print one JSON object with `run` and `state`.
    #[arg(long)]
    json: bool,
}

impl Cancel {
    pub(super) fn execute(self) -> Outcome {
        let ended: RunResult =
            match Server::new(&self.server).post_nothing(&format!("/api/v1/runs/{}/cancel", self.run)) {
                Ok(ended) => ended,
                Err(why) => return Outcome::CouldNot(why),
            };
        match ended.state {
            _ if self.json => print_json(&ended),
            RunState::Cancelled => println!("{} is CANCELLED", ended.run),
            state => println!("{} had ended before: it is {state}", ended.run),
        }
        Outcome::Done
    }
}
