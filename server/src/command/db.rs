//! `weevil db`: what an operator does with the database beside the server.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use weevil_cli::Exit;
use weevil_cli::inert::say_line;
use weevil_store::{Audit, Broken};

use super::serve::{Parsed, chosen, database};
use crate::config::DATABASE;
use crate::modes::keep_to_the_owner;

#[derive(Debug, Args)]
pub(super) struct Db {
    #[command(subcommand)]
    command: DbCommand,
}

#[derive(Debug, Subcommand)]
enum DbCommand {
    /// Copy the database while the server runs: exit 0 the copy is whole and on the disk, 2 there is none.
    Backup(Backup),
    /// Count what a healthy database never has: exit 0 there is nothing of it, 1 there is, 2 cannot read. A server may be
    /// at work meanwhile.
    Check(Check),
}

#[derive(Debug, Args)]
struct Backup {
    /// The server's data folder.
    #[arg(long, value_name = "DIR", default_value = "data", env = "WEEVIL_DATA")]
    data: PathBuf,
    /// The file to write. A file that is there is never replaced.
    dest: PathBuf,
}

#[derive(Debug, Args)]
struct Check {
    /// The server's data folder.
    #[arg(long, value_name = "DIR", default_value = "data", env = "WEEVIL_DATA")]
    data: PathBuf,
    /// The server's database, where it is not in the data folder.
    #[arg(long, value_name = "URL", env = "WEEVIL_DATABASE", hide_env_values = true)]
    #[arg(value_parser = database())]
    database: Option<Parsed>,
}

impl Db {
    pub(super) fn execute(self) -> Exit {
        match self.command {
            DbCommand::Backup(backup) => backup.execute(),
            DbCommand::Check(check) => check.execute().unwrap_or_else(Exit::CouldNot),
        }
    }
}

impl Check {
    fn execute(self) -> Result<Exit, String> {
        let database = chosen(self.database, &self.data).map_err(|error| format!("--database: {error}"))?;
        let audit = actix::System::new().block_on(weevil_store::audit(&database));
        let Audit { jobs, open, attempts, broken } = audit.map_err(|error| error.to_string())?;
        for Broken { rule, rows } in &broken {
            say_line(&format!("broken in {rows} rows: {rule}"));
        }
        let broken_rules = broken.len();
        say_line(&format!(
            "{jobs} jobs, {open} of them open, {attempts} attempts: {broken_rules} broken rules"
        ));
        Ok(if broken.is_empty() { Exit::Done } else { Exit::ProblemsFound })
    }
}

impl Backup {
    fn execute(self) -> Exit {
        keep_to_the_owner();
        let Self { data, dest } = self;
        let database = data.join(DATABASE);
        match actix::System::new().block_on(weevil_store::backup(&database, &dest)) {
            Ok(bytes) => {
                say_line(&format!("{bytes} bytes in {}", dest.display()));
                Exit::Done
            }
            Err(error) => Exit::CouldNot(error.to_string()),
        }
    }
}
