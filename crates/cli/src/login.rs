//! `weevil login`: lets this machine's commands into a server, with the help of somebody in a browser.
//!
//! The token that comes of it is kept and never printed.

use std::thread::sleep;
use std::time::Duration;

use clap::Args;
use serde::Serialize;
use weevil_api::{LoginAnswered, LoginBegun, LoginState, TokenView};
use weevil_client::{Server, Wanted};

use crate::Exit;
use crate::asking::Target;
use crate::clock::{days_until, now};
use crate::inert::{one_line, say_json, say_line};

#[derive(Debug, Args)]
pub struct Login {
    #[command(flatten)]
    target: Target,
    /// What whoever approves sees of this machine, and the name of the token that comes of it. Without it the machine's own
    /// name.
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// Print a JSON object with `code` and `address`, and one with `server` and `token` at the end.
    #[arg(long)]
    json: bool,
}

/// What a person has to know.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ToApprove<'a> {
    code: &'a str,
    address: &'a str,
    expires_at: i64,
}

/// What came of it.
#[derive(Serialize)]
struct LetIn<'a> {
    server: &'a str,
    token: &'a TokenView,
}

impl Login {
    pub(crate) fn execute(self) -> Exit {
        self.ask().map_or_else(Exit::CouldNot, |()| Exit::Done)
    }

    fn ask(&self) -> Result<(), String> {
        let wanted = self.target.wanted();
        let server = wanted.stranger()?;
        let name = self.name.clone().unwrap_or_else(machine);
        let begun = server.begin_login(&name)?;
        self.show(&begun);
        let answered = wait(&server, &begun)?;
        let made = answered.token.ok_or("the server let this machine in without a token")?;
        let (path, default) = wanted.keep(&made.secret)?;
        if self.json {
            say_json(&LetIn { server: server.url(), token: &made.token });
            return Ok(());
        }
        let days = days_until(made.token.expires_at, now());
        say_line(&format!(
            "let in for {days}; the token `{}` is kept in {}",
            made.token.name,
            path.display()
        ));
        if default {
            say_line(&format!("commands without --server ask {} from now on", server.url()));
        }
        Ok(())
    }

    fn show(&self, begun: &LoginBegun) {
        let LoginBegun { code, address, expires_at, .. } = begun;
        if self.json {
            return say_json(&ToApprove { code, address, expires_at: *expires_at });
        }
        say_line(&format!("code: {}", one_line(code)));
        say_line(&format!("somebody who is signed in approves it at {}", one_line(address)));
    }
}

/// Asks as often as the server allows, until somebody has decided.
fn wait(server: &Server, begun: &LoginBegun) -> Result<LoginAnswered, String> {
    let pause = Duration::from_millis(begun.ask_ms.clamp(100, 60_000).unsigned_abs());
    loop {
        sleep(pause);
        let answered = server.ask_login(&begun.login)?;
        match answered.state {
            LoginState::Waiting | LoginState::TooSoon => {}
            LoginState::Approved => return Ok(answered),
            LoginState::Over => {
                return Err(
                    "nobody let this machine in: somebody said no, or ten minutes are over".to_owned()
                );
            }
        }
    }
}

/// What this machine calls itself.
fn machine() -> String {
    let told = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    let name = told.trim();
    if name.is_empty() { "weevil".to_owned() } else { name.chars().take(100).collect() }
}

/// `weevil logout`: revokes the token that `weevil login` has kept, and forgets it.
#[derive(Debug, Args)]
pub struct Logout {
    #[command(flatten)]
    target: Target,
}

impl Logout {
    pub(crate) fn execute(self) -> Exit {
        logout(&self.target.wanted()).map_or_else(Exit::CouldNot, |()| Exit::Done)
    }
}

fn logout(wanted: &Wanted) -> Result<(), String> {
    let server = wanted.kept()?;
    match server.me() {
        Ok(me) => {
            let token = me.token.ok_or("what is kept is no token that can be revoked")?;
            server.revoke_token(None, &token.id).map_err(|refused| refused.message)?;
        }
        // It opens nothing any more.
        Err(refused) if refused.code.as_deref() == Some("badToken") => {}
        Err(refused) => return Err(refused.message),
    }
    let path = wanted.forget()?;
    say_line(&format!("revoked, and forgotten in {}", path.display()));
    Ok(())
}
