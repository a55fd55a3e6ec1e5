//! `weevil worker`: one worker is given nothing for a while, jobs again, or nothing any more, or is sent away.

use clap::{Args, Subcommand};
use weevil_api::{BanAsked, PauseAsked, WorkerView};
use weevil_model::WorkerId;

use crate::Exit;
use crate::asking::Asking;
use crate::clock::{left, now};
use crate::cut::Cut;
use crate::inert::{say_json, say_line};

#[derive(Debug, Args)]
pub struct Worker {
    #[command(subcommand)]
    deed: Deed,
}

#[derive(Debug, Subcommand)]
enum Deed {
    /// Give it, and others of its device, nothing for a while; what it holds goes on.
    Pause(Pause),
    /// Give it jobs again, also after a ban.
    Resume(Whom),
    /// Give its device nothing any more; what it holds goes back into the queue.
    Ban(Ban),
}

#[derive(Debug, Args)]
struct Whom {
    /// Id of the worker; its beginning is enough where no other one has it.
    id: Cut<WorkerId>,
    #[command(flatten)]
    asking: Asking,
    /// Print what the server answers: one JSON object.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Args)]
struct Pause {
    #[command(flatten)]
    whom: Whom,
    /// For how long: 1 to 43,200, an hour unless it is given.
    #[arg(long, value_name = "MINUTES")]
    minutes: Option<u32>,
    /// Why, for others in charge: 200 characters at most.
    #[arg(long, value_name = "WORDS", default_value = "")]
    note: String,
}

#[derive(Debug, Args)]
struct Ban {
    #[command(flatten)]
    whom: Whom,
    /// Ban nothing: send this worker away, also one that has proved no device; it may come again.
    #[arg(long)]
    once: bool,
    /// Why, for others in charge: 200 characters at most.
    #[arg(long, value_name = "WORDS", default_value = "")]
    note: String,
}

impl Worker {
    pub(crate) fn execute(self) -> Exit {
        self.deed.execute().map_or_else(Exit::CouldNot, |()| Exit::Done)
    }
}

impl Deed {
    fn execute(self) -> Result<(), String> {
        let (Self::Pause(Pause { whom, .. }) | Self::Ban(Ban { whom, .. }) | Self::Resume(whom)) = &self;
        let server = whom.asking.server()?;
        let id = &whom.id.worker(&server)?;
        let view = match &self {
            Self::Pause(Pause { note, minutes, .. }) => {
                server.pause_worker(id, &PauseAsked { note: note.clone(), minutes: *minutes })
            }
            Self::Ban(Ban { note, once, .. }) => {
                server.ban_worker(id, &BanAsked { note: note.clone(), once: *once })
            }
            Self::Resume(_) => server.resume_worker(id),
        }?;
        let is_sent_away = matches!(&self, Self::Ban(Ban { once: true, .. }));
        if whom.json {
            say_json(&view);
        } else if is_sent_away {
            say_line(&format!("{} is sent away; what it held goes back into the queue", view.id));
        } else {
            say_line(&words(&view, now()));
        }
        Ok(())
    }
}

fn words(view: &WorkerView, now: i64) -> String {
    let id = &view.id;
    match &view.held_back {
        None => format!("{id} is given jobs"),
        Some(held) => match held.paused_until {
            Some(until) => format!("{id} is given nothing for {}; what it holds goes on", left(until, now)),
            None => format!(
                "the device of {id} is given nothing any more; what it holds goes back into the queue"
            ),
        },
    }
}
