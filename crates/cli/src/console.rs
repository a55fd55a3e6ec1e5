//! `weevil console`: a link that opens the console in a browser.

use clap::Args;

use crate::Exit;
use crate::asking::Asking;
use crate::browse::browse;
use crate::inert::{say_json, say_line};

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
            browse(&address, "run `weevil console` without --open and open what it prints")?;
        } else {
            say_line(&address);
        }
        Ok(Exit::Done)
    }
}
