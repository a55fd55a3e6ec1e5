//! `weevil pause` and `weevil resume`: of one run, or of the whole queue.

use clap::Args;
use weevil_api::QueueView;
use weevil_client::Server;
use weevil_model::RunId;

use crate::Exit;
use crate::asking::Asking;
use crate::inert::{say_json, say_line};

#[derive(Debug, Args)]
pub struct Pause {
    /// Id of the run; the whole queue unless it is given.
    run: Option<RunId>,
    #[command(flatten)]
    asking: Asking,
    /// Print what the server answers: one JSON object.
    #[arg(long)]
    json: bool,
}

impl Pause {
    pub(crate) fn execute(self, paused: bool) -> Exit {
        let told = self.asking.server().and_then(|server| match self.run {
            Some(run) => self.run(&server, run, paused),
            None => self.queue(&server, paused),
        });
        told.map_or_else(Exit::CouldNot, |()| Exit::Done)
    }

    fn run(&self, server: &Server, run: RunId, paused: bool) -> Result<(), String> {
        let view = if paused { server.pause_run(&run) } else { server.resume_run(&run) }?;
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

    fn queue(&self, server: &Server, paused: bool) -> Result<(), String> {
        let queue = if paused { server.pause_queue() } else { server.resume_queue() }?;
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
