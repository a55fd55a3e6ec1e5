//! `weevil cancel`: ends a run or a stand-alone job, and tells how it ended.

use std::fmt::Display;

use clap::Args;
use serde::Serialize;
use weevil_model::{NodeState, RunState};

use crate::Exit;
use crate::asking::Asking;
use crate::cut::{Either, What};
use crate::inert::{say_json, say_line};

#[derive(Debug, Args)]
pub struct Cancel {
    /// Id of the run, or of a stand-alone job; its beginning is enough where no other one has it.
    #[arg(value_name = "RUN or JOB")]
    what: Either,
    #[command(flatten)]
    asking: Asking,
    /// Print one JSON object with `run` or `job`, and `state`.
    #[arg(long)]
    json: bool,
}

impl Cancel {
    pub(crate) fn execute(self) -> Exit {
        self.ask().map_or_else(Exit::CouldNot, |()| Exit::Done)
    }

    fn ask(&self) -> Result<(), String> {
        let server = self.asking.server()?;
        match self.what.found(&server)? {
            What::Run(run) => server.cancel_run(&run).map(|ended| {
                self.tell(&ended, &ended.run, ended.state == RunState::Cancelled, &ended.state);
            }),
            What::Job(job) => server.cancel_job(&job).map(|ended| {
                self.tell(&ended, &ended.job, ended.state == NodeState::Cancelled, &ended.state);
            }),
        }
    }

    fn tell(&self, ended: &impl Serialize, id: &str, cancelled: bool, state: &dyn Display) {
        match cancelled {
            _ if self.json => say_json(ended),
            true => say_line(&format!("{id} is CANCELLED")),
            false => say_line(&format!("{id} had ended before: it is {state}")),
        }
    }
}
