//! `weevil console`: a link that opens the console in a browser.

use std::process::{Command, Stdio};

use clap::Args;

use crate::Exit;
use crate::asking::Asking;
use crate::inert::{say_json, say_line};

/// What opens an address in the person's browser.
const OPENER: &str = if cfg!(target_os = "macos") { "open" } else { "xdg-open" };

#[derive(Debug, Args)]
pub struct Console {
    /// Open it, instead of printing it.
    #[arg(long, conflicts_with = "json")]
    open: bool,
    #[command(flatten)]
    asking: Asking,
    /// Print what the server answers: one JSON object.
    #[arg(long)]
    json: bool,
}

impl Console {
    pub(crate) fn execute(self) -> Exit {
        self.print().unwrap_or_else(Exit::CouldNot)
    }

    fn print(&self) -> Result<Exit, String> {
        let server = self.asking.server()?;
        let made = server.console_link()?;
        let address = format!("{}/console#link={}", server.url(), made.link);
        if self.json {
            say_json(&made);
        } else if self.open {
            return Ok(open(&address));
        } else {
            say_line(&address);
        }
        Ok(Exit::Done)
    }
}

fn open(address: &str) -> Exit {
    let opened = Command::new(OPENER).arg(address).stdout(Stdio::null()).stderr(Stdio::null()).status();
    match opened {
        Ok(status) if status.success() => Exit::Done,
        _ => Exit::CouldNot(format!(
            "`{OPENER}` opens nothing here; run `weevil console` without --open and open what it prints"
        )),
    }
}
