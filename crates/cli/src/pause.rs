//! `weevil pause` and `weevil resume`: of one run, or of the whole queue.

use clap::Args;
use weevil_api::{NoteAsked, QueueView};
use weevil_client::Server;
use weevil_model::{ContentHash, RunId};

use crate::Exit;
use crate::asking::{Asking, AskingInside};
use crate::cut::Cut;
use crate::inert::{say_json, say_line};

#[derive(Debug, Args)]
pub struct Pause {
    /// Id of the run, or its beginning; the whole queue unless it is given.
    run: Option<Cut<RunId>>,
    /// Why, for others: 200 characters at most.
    #[arg(long, value_name = "WORDS", default_value = "")]
    note: String,
    #[command(flatten)]
    asking: Asking,
    /// Print what the server answers: one JSON object.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Args)]
pub struct Resume {
    /// Id of the run, or its beginning; the whole queue unless it, or a code, is given.
    #[arg(conflicts_with_all = ["queue", "code"])]
    run: Option<Cut<RunId>>,
    /// The queue of the code that goes on.
    #[arg(long, value_name = "NAME", requires = "code")]
    queue: Option<String>,
    /// The stopped code that goes on in its queue: the hash that `GET /api/v1/queue` lists.
    #[arg(long, value_name = "HASH", requires = "queue")]
    code: Option<ContentHash>,
    #[command(flatten)]
    asking: AskingInside,
    /// Print what the server answers: one JSON object.
    #[arg(long)]
    json: bool,
}

impl Resume {
    pub(crate) fn execute(self) -> Exit {
        let Self { run, queue, code, asking, json } = self;
        let Some((queue, code)) = queue.zip(code) else {
            return Pause { run, note: String::new(), asking: asking.anywhere(), json }.execute(false);
        };
        let gone = asking
            .server()
            .and_then(|server| server.resume_code(&queue, &code))
            .map(|view| if json { say_json(&view) } else { say_line(&format!("{code} goes on in {queue}")) });
        gone.map_or_else(Exit::CouldNot, |()| Exit::Done)
    }
}

impl Pause {
    pub(crate) fn execute(self, paused: bool) -> Exit {
        let told = self.asking.server().and_then(|server| match &self.run {
            Some(run) => self.run(&server, run.run(&server)?, paused),
            None => self.queue(&server, paused),
        });
        told.map_or_else(Exit::CouldNot, |()| Exit::Done)
    }

    fn asked(&self) -> NoteAsked {
        NoteAsked { note: self.note.clone() }
    }

    fn run(&self, server: &Server, run: RunId, paused: bool) -> Result<(), String> {
        let view = if paused { server.pause_run(&run, &self.asked()) } else { server.resume_run(&run) }?;
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
        let queue = if paused { server.pause_queue(&self.asked()) } else { server.resume_queue() }?;
        let QueueView { ready, leased, .. } = &queue;
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
