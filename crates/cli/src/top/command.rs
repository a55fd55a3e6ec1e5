//! `weevil top`: on a terminal a view that is drawn anew, elsewhere a line each two seconds.

use std::io::{self, IsTerminal, stdin, stdout};
use std::thread::sleep;
use std::time::{Duration, Instant};

use clap::Args;
use weevil_api::NoteAsked;
use weevil_client::Server;
use weevil_model::RunState;

use super::keys::{Choice, Deed};
use super::look::Look;
use super::screen::Screen;
use super::view::{line, screen};
use crate::Exit;
use crate::asking::AskingInside;
use crate::browse::browse;
use crate::clock::now;
use crate::inert::say_line;
use crate::open::run_page;
use crate::terminal::{dumb, size};

/// Between two looks.
const PAUSE: Duration = Duration::from_secs(2);

/// What a terminal has that does not say.
const SIZE: (u16, u16) = (80, 24);

#[derive(Debug, Args)]
pub struct Top {
    #[command(flatten)]
    asking: AskingInside,
}

/// Everything that a drawing needs.
struct Live<'s> {
    server: &'s Server,
    look: Look,
    looked_at: Instant,
    choice: Choice,
    /// Why the last look or deed came to nothing.
    trouble: String,
}

impl Top {
    pub(crate) fn execute(self) -> Exit {
        self.show().map_or_else(Exit::CouldNot, |()| Exit::Done)
    }

    fn show(&self) -> Result<(), String> {
        let server = self.asking.server()?;
        let look = Look::at(&server)?;
        if !stdout().is_terminal() || !stdin().is_terminal() || dumb() {
            return each_line(&server, look);
        }
        let (looked_at, choice) = (Instant::now(), Choice::FIRST);
        let live = Live { server: &server, look, looked_at, choice, trouble: String::new() };
        live.draw().map_err(|error| format!("the terminal cannot be drawn on: {error}"))
    }
}

fn each_line(server: &Server, mut look: Look) -> Result<(), String> {
    loop {
        say_line(&line(&look));
        sleep(PAUSE);
        look = Look::at(server)?;
    }
}

impl Live<'_> {
    fn draw(mut self) -> io::Result<()> {
        let on = Screen::begin()?;
        loop {
            on.draw(&screen(&self.look, self.choice, size().unwrap_or(SIZE), now(), &self.trouble))?;
            let Some(key) = on.key(PAUSE.saturating_sub(self.looked_at.elapsed()))? else {
                self.look();
                continue;
            };
            match self.choice.press(key, self.look.runs.len()) {
                Deed::Leave => return Ok(()),
                Deed::Nothing => {}
                Deed::Pause => self.told(Self::pause),
                Deed::Open => self.told(Self::open),
            }
        }
    }

    /// A server that does not answer is asked again: what was seen last stays, and the reason is shown.
    fn look(&mut self) {
        self.looked_at = Instant::now();
        match Look::at(self.server) {
            Ok(look) => (self.look, self.trouble) = (look, String::new()),
            Err(why) => self.trouble = why,
        }
        self.choice.keep_within(self.look.runs.len());
    }

    fn told(&mut self, deed: impl Fn(&Self) -> Result<(), String>) {
        let done = deed(self);
        self.look();
        if let Err(why) = done {
            self.trouble = why;
        }
    }

    fn pause(&self) -> Result<(), String> {
        match self.look.runs.get(self.choice.run) {
            Some(run) if run.state != RunState::Started => Err(format!("{} has ended", run.id)),
            Some(run) if run.paused => self.server.resume_run(&run.id).map(drop),
            Some(run) => self.server.pause_run(&run.id, &NoteAsked::default()).map(drop),
            None => Ok(()),
        }
    }

    fn open(&self) -> Result<(), String> {
        let Some(run) = self.look.runs.get(self.choice.run) else { return Ok(()) };
        let address = run_page(self.server.url(), &run.id);
        browse(&address, &format!("its address is {address}"))
    }
}
