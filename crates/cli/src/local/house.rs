//! A server of this very program over an empty folder, and the browser that works for it.

use std::cell::{Cell, RefCell};
use std::io::BufRead;
use std::path::PathBuf;
use std::process::Stdio;
use std::time::{Duration, Instant};

use weevil_client::Server;

use super::browser::Browser;
use super::held::{Held, Program};

/// A browser that has brought no volunteer by then brings none any more.
const FIRST_WORKER: Duration = Duration::from_mins(1);
/// Before each line of a server that tells what it listens on.
const LISTENING: &str = "listening on ";
const CONSOLE: &str = "console: ";
/// Settings and credentials that are another server's.
const FOREIGN: &str = "WEEVIL_";

/// What is asked for on the command line.
#[derive(Debug, Default)]
pub(crate) struct Furnishing {
    /// The browser, where it is named.
    pub(crate) browser: Option<PathBuf>,
    /// Jobs that it computes at the same time; the page's own choice where nobody says.
    pub(crate) slots: Option<u32>,
    pub(crate) gpu: bool,
    /// In a window, with the tools for developers.
    pub(crate) shown: bool,
}

#[derive(Debug)]
pub(crate) struct House {
    pub(crate) server: Server,
    /// A link that opens its console, once.
    pub(crate) console: String,
    /// The browser, and whether it was started without its sandbox.
    pub(crate) browser: PathBuf,
    pub(crate) is_bare: bool,
    /// First to go: its server is to be there as long as it lives.
    volunteer: RefCell<Held>,
    held: RefCell<Held>,
    begun: Instant,
    has_worker: Cell<bool>,
}

impl House {
    /// # Errors
    /// In words for people.
    pub(crate) fn start(asked: &Furnishing) -> Result<Self, String> {
        let browser = Browser::find(asked.browser.as_deref())?;
        let own = std::env::current_exe().map_err(|error| format!("this program is not found: {error}"))?;
        let mut program = Program::new(&own)?;
        let (data, runtime) = (program.folder.join("data"), program.folder.join("run"));
        let command = program.command();
        for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with(FOREIGN)) {
            command.env_remove(name);
        }
        command.env("WEEVIL_RUNTIME_DIR", &runtime).env("RUST_LOG", "error");
        command.args(["serve", "--listen", "127.0.0.1:0", "--data"]).arg(data).stdout(Stdio::piped());
        let mut held = program.start()?;
        let (url, console) = told(&mut held)?;
        let volunteer = browser.open(&page(&url, asked), asked)?;
        Ok(Self {
            server: Server::new(&url).with_folder(runtime),
            console,
            is_bare: browser.is_bare,
            browser: browser.path,
            volunteer: RefCell::new(volunteer),
            held: RefCell::new(held),
            begun: Instant::now(),
            has_worker: Cell::new(false),
        })
    }

    /// # Errors
    /// In words for people: the server or the browser has ended, or nobody works.
    pub(crate) fn lives(&self) -> Result<(), String> {
        for (what, held) in [("server", &self.held), ("browser", &self.volunteer)] {
            let mut held = held.borrow_mut();
            if held.has_ended() {
                return Err(format!("the {what} has ended by itself:{}", held.complaints()));
            }
        }
        if !self.has_worker.get() {
            self.has_worker.set(!self.server.fleet()?.workers.is_empty());
        }
        if self.has_worker.get() || self.begun.elapsed() < FIRST_WORKER {
            return Ok(());
        }
        let browser = self.browser.display();
        Err(format!(
            "{browser} has brought no volunteer within a minute:{}",
            self.volunteer.borrow().complaints()
        ))
    }

    /// Until somebody ends it, or its server ends by itself.
    pub(crate) fn stay(&self) {
        self.held.borrow_mut().await_end();
    }
}

/// Its address and the link to its console.
fn told(held: &mut Held) -> Result<(String, String), String> {
    let mut lines = held.said().into_iter().flat_map(BufRead::lines).map_while(Result::ok);
    let mut next = |begin: &str| lines.next().and_then(|line| line.strip_prefix(begin).map(str::to_owned));
    let told = next(LISTENING).and_then(|url| Some((url, next(CONSOLE)?)));
    if told.is_none() {
        held.await_end();
    }
    told.ok_or_else(|| format!("the server has not begun to serve:{}", held.complaints()))
}

/// The volunteer's page, which begins by itself.
fn page(url: &str, asked: &Furnishing) -> String {
    let slots = asked.slots.map(|slots| format!("&slots={slots}")).unwrap_or_default();
    let gpu = if asked.gpu { "&gpu=1" } else { "" };
    format!("{url}/?autostart{slots}{gpu}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_begins_by_itself_with_what_was_asked_for() {
        for (slots, gpu, expected) in [
            (None, false, "http://h/?autostart"),
            (Some(3), false, "http://h/?autostart&slots=3"),
            (Some(3), true, "http://h/?autostart&slots=3&gpu=1"),
        ] {
            assert_eq!(page("http://h", &Furnishing { slots, gpu, ..Furnishing::default() }), expected);
        }
    }
}
