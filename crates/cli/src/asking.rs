//! What every command takes that asks a server: which one, what proves who asks, and about which project.

use std::path::PathBuf;

use clap::Args;
use weevil_client::{Server, Wanted};

/// Which server.
#[derive(Debug, Default, Args)]
pub(crate) struct Target {
    /// The server: scheme, host and port, or the name of one in client.toml. Without it the default of client.toml, else this
    /// machine's at port 8080.
    #[arg(long, value_name = "URL|NAME", env = "WEEVIL_SERVER")]
    server: Option<String>,
    /// Believe a server that an authority of this file vouches for, instead of the system's authorities.
    #[arg(long, value_name = "FILE")]
    ca: Option<PathBuf>,
}

impl Target {
    pub(crate) fn wanted(&self) -> Wanted {
        Wanted { server: self.server.clone(), ca: self.ca.clone(), token_file: None }
    }
}

/// Which server, and as whom.
#[derive(Debug, Default, Args)]
pub(crate) struct Asking {
    #[command(flatten)]
    target: Target,
    /// Prove who asks with the token in this file; without it with `WEEVIL_TOKEN`, what `weevil login` has kept, or the token
    /// that a server of this machine leaves.
    #[arg(long, value_name = "FILE")]
    token_file: Option<PathBuf>,
}

/// The same, and about which project.
#[derive(Debug, Args)]
pub(crate) struct AskingInside {
    #[command(flatten)]
    asking: Asking,
    /// The project, by its short name. Without it the one of the token, else the only one that is yours, else `default`.
    #[arg(long, value_name = "NAME", env = "WEEVIL_PROJECT")]
    project: Option<String>,
}

impl AskingInside {
    /// For what is asked about no project.
    pub(crate) fn anywhere(self) -> Asking {
        self.asking
    }

    /// # Errors
    /// In words for people.
    pub(crate) fn server(&self) -> Result<Server, String> {
        Ok(self.asking.server()?.in_project(self.project.clone()))
    }
}

impl Asking {
    /// # Errors
    /// In words for people.
    pub(crate) fn server(&self) -> Result<Server, String> {
        Wanted { token_file: self.token_file.clone(), ..self.target.wanted() }.server()
    }
}
