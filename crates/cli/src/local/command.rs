//! `weevil run --local`: the run on a throw-away server, and again whenever its files change.

use std::path::{Path, PathBuf};

use clap::Args;
use weevil_client::{Form, Server};

use super::house::{Furnishing, House};
use super::watched::Seen;
use crate::bar::Bar;
use crate::files::OnDisk;
use crate::inert::{Inert, complain};
use crate::interrupt::{Leaving, leave_with};
use crate::report::{tell, told};
use crate::wait::{LOOK_MS, run_with};
use crate::{Exit, result};

#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of the command line")]
pub(crate) struct Local {
    /// Run it on this machine alone: on a throw-away server, in a headless browser that is found here. Prints the result; server
    /// and browser end with the command.
    #[arg(id = "local", long = "local")]
    pub(crate) is_asked_for: bool,
    /// With --local: jobs that are computed at the same time.
    #[arg(long, value_name = "N", requires = "local", value_parser = clap::value_parser!(u32).range(1..=256))]
    slots: Option<u32>,
    /// With --local: the browser, a path or a name on the path.
    #[arg(long, value_name = "PATH", requires = "local")]
    browser: Option<PathBuf>,
    /// With --local: let jobs have the graphics card.
    #[arg(long, requires = "local")]
    gpu: bool,
    /// With --local: run it again whenever a file of it changes, with the stored results of jobs that stay the same.
    #[arg(long, requires = "local")]
    pub(crate) watch: bool,
    /// With --local: leave the server up after the result until Ctrl-C, and print its console.
    #[arg(long, requires = "local")]
    keep: bool,
}

/// What is run.
pub(crate) struct Subject<'r> {
    pub(crate) path: &'r Path,
    /// The form as the command line asks for it, read anew, and the files that an answer may point into.
    pub(crate) form: &'r dyn Fn() -> Result<(Form, OnDisk), String>,
    pub(crate) json: bool,
}

impl Local {
    pub(crate) fn run(&self, subject: &Subject<'_>) -> Result<Exit, String> {
        // Before anything is started: a mistake in a path is told at once.
        (subject.form)()?;
        leave(Exit::Interrupted)?;
        let furnishing =
            Furnishing { browser: self.browser.clone(), slots: self.slots, gpu: self.gpu, shown: false };
        let house = House::start(&furnishing)?;
        introduce(&house);
        let exit = self.rounds(subject, &house)?;
        if self.keep {
            leave(exit.clone())?;
            complain(&Inert::fill("console, until Ctrl-C: {}\n", &[&Inert::line(&house.console)]));
            house.stay();
        }
        Ok(exit)
    }

    /// One run, or with --watch one after each change, for ever.
    fn rounds(&self, subject: &Subject<'_>, house: &House) -> Result<Exit, String> {
        loop {
            let seen = Seen::at(subject.path);
            let exit = once(subject, house);
            if !self.watch {
                return exit;
            }
            house.lives()?;
            if let Err(why) = exit {
                complain(&Inert::fill("weevil: {}\n", &[&Inert::lines(&why)]));
            }
            complain(&Inert::fill(
                "watching {}; Ctrl-C ends it\n",
                &[&Inert::line(&subject.path.display().to_string())],
            ));
            seen.await_change(subject.path, || house.lives())?;
        }
    }
}

fn once(subject: &Subject<'_>, house: &House) -> Result<Exit, String> {
    let server: &Server = &house.server;
    let (form, read) = (subject.form)()?;
    let created = server.create_run(&form).map_err(|refused| told(refused, &read))?;
    tell(&created.warnings, &read);
    let bar = Bar::of_jobs(subject.json);
    let found = run_with(server, &created.run, &bar, LOOK_MS, || house.lives());
    bar.clear();
    Ok(result::print(&found?, subject.json))
}

/// From now on Ctrl-C ends the command like this, and all that it has started.
pub(crate) fn leave(exit: Exit) -> Result<(), String> {
    let words = "ended, with its server and browser".to_owned();
    leave_with(Leaving { exit, words, bar: Bar::default() })
}

/// Says what was started.
pub(crate) fn introduce(house: &House) {
    let parts = [Inert::line(house.server.url()), Inert::line(&house.browser.display().to_string())];
    let [server, browser] = &parts;
    complain(&Inert::fill("a server of its own at {}, and {}\n", &[server, browser]));
    if house.is_bare {
        let words = "the browser runs without its sandbox (--no-sandbox), as root's must: run nothing of strangers here\n";
        complain(&Inert::fill(words, &[]));
    }
}
