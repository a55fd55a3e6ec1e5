//! What every command takes that asks a server: which one, and what proves who asks.

use std::path::PathBuf;

use clap::Args;
use weevil_client::{Server, Wanted};

/// Which server, and as whom.
#[derive(Debug, Args)]
pub(crate) struct Asking {
    /// The server: scheme, host and port. Without it the default of client.toml, else this machine's at port 8080.
    #[arg(long, value_name = "URL", env = "WEEVIL_SERVER")]
    server: Option<String>,
    /// Prove who asks with the token in this file; without it with `WEEVIL_TOKEN`, what `weevil login` has kept, or the token
    /// that a server of this machine leaves.
    #[arg(long, value_name = "FILE")]
    token_file: Option<PathBuf>,
    /// Believe a server that an authority of this file vouches for, instead of the system's authorities.
    #[arg(long, value_name = "FILE")]
    ca: Option<PathBuf>,
}

impl Asking {
    /// # Errors
    /// In words for people.
    pub(crate) fn server(&self) -> Result<Server, String> {
        self.wanted().server()
    }

    pub(crate) fn wanted(&self) -> Wanted {
        let Self { server, token_file, ca } = self;
        Wanted { server: server.clone(), token_file: token_file.clone(), ca: ca.clone() }
    }
}
