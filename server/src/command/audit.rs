//! `weevil audit`: whether what the audit tells is what was written, looked at in the database itself; what it tells is asked from
//! a server by `weevil-cli`.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use weevil_cli::Exit;
use weevil_cli::inert::say_line;

use super::serve::{Parsed, chosen, database};

#[derive(Debug, Args)]
pub(super) struct Audit {
    #[command(subcommand)]
    command: AuditCommand,
}

#[derive(Debug, Subcommand)]
enum AuditCommand {
    /// Find rows of the audit that were changed, taken out or put in: exit 0 there are none, 1 there is one, 2 cannot read.
    /// A server may be at work meanwhile.
    Verify(Verify),
    #[command(flatten)]
    Asking(weevil_cli::AuditCommand),
}

#[derive(Debug, Args)]
struct Verify {
    /// The server's data folder.
    #[arg(long, value_name = "DIR", default_value = "data", env = "WEEVIL_DATA")]
    data: PathBuf,
    /// The server's database, where it is not in the data folder.
    #[arg(long, value_name = "URL", env = "WEEVIL_DATABASE", hide_env_values = true)]
    #[arg(value_parser = database())]
    database: Option<Parsed>,
}

impl Audit {
    pub(super) fn execute(self) -> Exit {
        match self.command {
            AuditCommand::Verify(verify) => verify.execute().unwrap_or_else(Exit::CouldNot),
            AuditCommand::Asking(command) => command.execute(),
        }
    }
}

impl Verify {
    fn execute(self) -> Result<Exit, String> {
        let database = chosen(self.database, &self.data).map_err(|error| format!("--database: {error}"))?;
        let verified = actix::System::new().block_on(weevil_store::verify_audit(&database));
        Ok(match verified.map_err(|error| error.to_string())? {
            Ok(chain) => {
                let (rows, last) = (chain.rows, chain.last);
                say_line(&format!("{rows} rows, each as it was written; the last is {last}"));
                Exit::Done
            }
            Err(tampering) => {
                say_line(&format!("the audit is not what was written: {tampering}"));
                Exit::ProblemsFound
            }
        })
    }
}
