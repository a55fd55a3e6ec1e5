//! `weevil console`: a link that opens the console in a browser.

use std::process::{Command, Stdio};

use clap::Args;
use weevil_client::Server;

use crate::Exit;
use crate::inert::{say_json, say_line};

/// What opens an address in the person's browser.
const OPENER: &str = if cfg!(target_os = "macos") { "open" } else { "xdg-open" };

#[derive(Debug, Args)]
pub struct Console {
    /// Open it, instead of printing it.
    #[arg(long, conflicts_with = "json")]
    open: bool,
    #[arg(long, value_name = "URL", default_value = "http://127.0.0.1:8080")]
    server: String,
    /// Print what the server answers: one JSON object.
    #[arg(long)]
    json: bool,
}

impl Console {
    pub(crate) fn execute(self) -> Exit {
        let made = match Server::new(&self.server).console_link() {
            Ok(made) => made,
            Err(why) => return Exit::CouldNot(why),
        };
        let address = format!("{}/console#link={}", self.server.trim_end_matches('/'), made.link);
        if self.json {
            say_json(&made);
        } else if self.open {
            return open(&address);
        } else {
            say_line(&address);
        }
        Exit::Done
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
