//! `weevil user`: what an operator does for an account in the database itself, where nobody can sign in any more; all else is
//! asked from a server by `weevil-cli`.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use weevil_access::audit::{Action, Actor, AuditEntry, AuditOutcome};
use weevil_access::store::{Link, LinkFor, NewLink};
use weevil_access::{AccountName, LinkKind, Secret, SecretKind};
use weevil_cli::Exit;
use weevil_cli::inert::say_line;
use weevil_engine::clock::{Clock, SystemClock};
use weevil_model::Timestamp;
use weevil_store::Database;

use super::serve::{Parsed, chosen, database};
use crate::modes::keep_to_the_owner;
use crate::seeds;

#[derive(Debug, Args)]
pub(super) struct User {
    #[command(subcommand)]
    command: UserCommand,
}

#[derive(Debug, Subcommand)]
enum UserCommand {
    /// Print a link that sets a new password, good once and for a day: exit 0, 2 where there is no such account. A server
    /// may be at work meanwhile.
    Link(ResetLink),
    #[command(flatten)]
    Asking(weevil_cli::UserCommand),
}

#[derive(Debug, Args)]
struct ResetLink {
    /// The account's name.
    name: String,
    /// The server's data folder.
    #[arg(long, value_name = "DIR", default_value = "data", env = "WEEVIL_DATA")]
    data: PathBuf,
    /// The server's database, where it is not in the data folder.
    #[arg(long, value_name = "URL", env = "WEEVIL_DATABASE", hide_env_values = true)]
    #[arg(value_parser = database())]
    database: Option<Parsed>,
}

impl User {
    pub(super) fn execute(self) -> Exit {
        match self.command {
            UserCommand::Link(link) => link.execute().map_or_else(Exit::CouldNot, |()| Exit::Done),
            UserCommand::Asking(command) => command.execute(),
        }
    }
}

impl ResetLink {
    fn execute(self) -> Result<(), String> {
        keep_to_the_owner();
        let database = chosen(self.database, &self.data).map_err(|error| format!("--database: {error}"))?;
        if let Database::Sqlite(file) = &database
            && !file.exists()
        {
            return Err(format!("there is no database in {}", file.display()));
        }
        let name: AccountName = self.name.parse().map_err(|error| format!("{error}"))?;
        let random = seeds::secret().map_err(|error| format!("no random bytes: {error}"))?;
        let secret = Secret::of_bytes(SecretKind::Reset, random);
        let made = make(&database, &name, &secret, SystemClock.now());
        actix::System::new().block_on(made)?;
        say_line(&format!(
            "a new password for {name}, once and within a day, at the address of the console:"
        ));
        say_line(&format!("/console#link={}", secret.reveal()));
        Ok(())
    }
}

/// Keeps the link, and has the audit tell of it.
async fn make(
    database: &Database,
    name: &AccountName,
    secret: &Secret,
    now: Timestamp,
) -> Result<(), String> {
    let store = weevil_store::open(database).await.map_err(|error| error.to_string())?;
    let found = store.credentials(name).await.map_err(|error| error.to_string())?;
    let account = found.ok_or_else(|| format!("there is no account `{name}`"))?.account.id;
    let expires_at = LinkKind::Reset.expires_at(now).map_err(|error| error.to_string())?;
    let good_for = LinkFor::Reset { account };
    let link = Link { made_by: Actor::System, good_for, made_at: now, expires_at };
    let entry = AuditEntry {
        at: now,
        actor: Actor::System,
        action: Action::LinkCreated,
        subject: Some(account.to_string()),
        project: None,
        place: None,
        outcome: AuditOutcome::Done,
        details: None,
    };
    let made = store.make_link(&NewLink { hash: secret.hash(), link }, &entry).await;
    made.map_err(|error| error.to_string())?.map_err(|declined| declined.to_string())
}
