//! `weevil token`: what programs prove with who they are.

use clap::{Args, Subcommand};
use weevil_client::Wanted;

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
    /// The server's address. Without it the default of client.toml, else this machine's at port 8080.
    #[arg(long, value_name = "URL", env = "WEEVIL_SERVER")]
    server: Option<String>,
}

impl Token {
    pub(crate) fn execute(self) -> Exit {
        let Which::Local(Local { server }) = self.which;
        match (Wanted { server, ..Wanted::default() }).local_token() {
            Ok(token) => {
                say_line(&token);
                Exit::Done
            }
            Err(why) => Exit::CouldNot(why),
        }
    }
}
