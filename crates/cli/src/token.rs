//! `weevil token`: what programs prove with who they are.

use clap::{Args, Subcommand};
use weevil_client::Server;

use crate::Exit;
use crate::inert::say_line;

#[derive(Debug, Args)]
pub struct Token {
    #[command(subcommand)]
    which: Which,
}

#[derive(Debug, Subcommand)]
enum Which {
    /// Print the token of a server of your own on this machine, good for as long as it runs.
    Local(Local),
}

#[derive(Debug, Args)]
struct Local {
    #[arg(long, value_name = "URL", default_value = "http://127.0.0.1:8080")]
    server: String,
}

impl Token {
    pub(crate) fn execute(self) -> Exit {
        let Which::Local(Local { server }) = self.which;
        match Server::new(&server).local_token() {
            Some(token) => {
                say_line(&token);
                Exit::Done
            }
            None => Exit::CouldNot(format!(
                "no server of this user's has left a token for {server}: is `weevil serve` running there, on this \
                 machine and as this user?"
            )),
        }
    }
}
