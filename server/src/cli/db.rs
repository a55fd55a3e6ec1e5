//! `weevil db`: what an operator does with the database beside the server.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::Outcome;
use crate::config::DATABASE;

#[derive(Debug, Args)]
pub(super) struct Db {
    #[command(subcommand)]
    command: DbCommand,
}

#[derive(Debug, Subcommand)]
enum DbCommand {
    /// Copy the database while the server runs: exit 0 the copy is whole and on the disk, 2 there is none.
    Backup(Backup),
}

#[derive(Debug, Args)]
struct Backup {
    /// The server's data folder.
    #[arg(long, value_name = "DIR", default_value = "data", env = "WEEVIL_DATA")]
    data: PathBuf,
    /// The file to write. A file that is there is never replaced.
    dest: PathBuf,
}

impl Db {
    pub(super) fn execute(self) -> Outcome {
        let DbCommand::Backup(Backup { data, dest }) = self.command;
        let database = data.join(DATABASE);
        match actix::System::new().block_on(weevil_store::backup(&database, &dest)) {
            Ok(bytes) => {
                println!("{bytes} bytes in {}", dest.display());
                Outcome::Done
            }
            Err(error) => Outcome::CouldNot(error.to_string()),
        }
    }
}
