//! `weevil user`, but for `link`: accounts, asked from a server.

use clap::{Args, Subcommand, ValueEnum};
use weevil_api::{AccountState, AccountView, InviteAsked};
use weevil_client::{AccountDeed, AccountFilter, Server};

use crate::Exit;
use crate::asking::Asking;
use crate::clock::{age, days_until, now};
use crate::inert::{one_line, say_json, say_line};

/// What of `weevil user` asks a server.
#[derive(Debug, Subcommand)]
pub enum UserCommand {
    /// Print a link by which somebody makes an account, good once.
    Add(Add),
    /// List accounts, the oldest first: id, name, how it stands, shown name.
    List(List),
    /// Show one account.
    Show(One),
    /// Make somebody administer the server, or no longer.
    Role(Role),
    /// Let nobody sign in to an account: its sessions end, and its tokens are revoked.
    Disable(One),
    /// Let its owner sign in again.
    Enable(One),
    /// Forget an account's name, places and ways to sign in.
    Remove(One),
}

#[derive(Debug, Args)]
pub struct Add {
    /// Who accepts it administers the server.
    #[arg(long)]
    admin: bool,
    /// How long it is good: 1 to 720, a week unless it is given.
    #[arg(long, value_name = "HOURS")]
    hours: Option<u32>,
    /// The project that who accepts it belongs to.
    #[arg(long, value_name = "NAME", requires = "role")]
    project: Option<String>,
    /// The role there: viewer, researcher or admin.
    #[arg(long, value_name = "ROLE", requires = "project")]
    role: Option<String>,
    #[command(flatten)]
    asking: Asking,
    /// Print what the server answers: one JSON object.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Args)]
pub struct List {
    /// Only those that are active, or disabled.
    #[arg(long, value_name = "STATE", value_parser = ["active", "disabled"])]
    state: Option<String>,
    #[command(flatten)]
    asking: Asking,
    /// Print a line of JSON for each account.
    #[arg(long)]
    json: bool,
}

/// One account.
#[derive(Debug, Args)]
pub struct One {
    /// The account's name.
    name: String,
    #[command(flatten)]
    asking: Asking,
    /// Print the account as JSON.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Args)]
pub struct Role {
    #[command(flatten)]
    one: One,
    /// What it is to the server as a whole.
    #[arg(value_name = "ROLE")]
    role: ServerRole,
}

/// What somebody is to the server as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ServerRole {
    ServerAdmin,
    None,
}

impl UserCommand {
    pub fn execute(self) -> Exit {
        let done = match self {
            Self::Add(add) => add.execute(),
            Self::List(list) => list.execute(),
            Self::Show(one) => one.change(|_, account| Ok(account)),
            Self::Role(Role { one, role }) => {
                one.change(|server, account| server.set_admin(&account.id, role == ServerRole::ServerAdmin))
            }
            Self::Disable(one) => one.deed(AccountDeed::Disable),
            Self::Enable(one) => one.deed(AccountDeed::Enable),
            Self::Remove(one) => one.remove(),
        };
        done.map_or_else(Exit::CouldNot, |()| Exit::Done)
    }
}

impl Add {
    fn execute(self) -> Result<(), String> {
        let server = self.asking.server()?;
        let Self { admin, hours, project, role, .. } = self;
        let made = server.invite(&InviteAsked { admin, hours, project, role })?;
        if self.json {
            say_json(&made);
        } else {
            say_line(&format!("good once, for {}:", days_until(made.expires_at, now())));
            say_line(&made.address);
        }
        Ok(())
    }
}

impl List {
    fn execute(self) -> Result<(), String> {
        let (server, now) = (self.asking.server()?, now());
        let filter = AccountFilter { state: self.state.as_deref(), name: None };
        let mut after = None;
        loop {
            let page = server.accounts(filter, after.as_deref())?;
            page.accounts.iter().for_each(|account| say(account, self.json, now));
            if page.next.is_none() {
                return Ok(());
            }
            after = page.next;
        }
    }
}

impl One {
    fn found(&self) -> Result<(Server, AccountView), String> {
        let server = self.asking.server()?;
        let filter = AccountFilter { state: None, name: Some(&self.name) };
        let found = server.accounts(filter, None)?.accounts.into_iter().next();
        let account = found.ok_or_else(|| format!("there is no account `{}`", self.name))?;
        Ok((server, account))
    }

    /// Prints the account as it is then.
    fn change(
        &self,
        change: impl FnOnce(&Server, AccountView) -> Result<AccountView, String>,
    ) -> Result<(), String> {
        let (server, account) = self.found()?;
        say(&change(&server, account)?, self.json, now());
        Ok(())
    }

    fn deed(&self, deed: AccountDeed) -> Result<(), String> {
        self.change(|server, account| server.change_account(&account.id, deed))
    }

    fn remove(&self) -> Result<(), String> {
        let (server, account) = self.found()?;
        server.remove_account(&account.id)?;
        if !self.json {
            say_line(&format!("{} is removed; its id was {}", account.name, account.id));
        }
        Ok(())
    }
}

fn say(account: &AccountView, json: bool, now: i64) {
    if json { say_json(account) } else { say_line(&line(account, now)) }
}

fn line(account: &AccountView, now: i64) -> String {
    let AccountView { id, name, display, .. } = account;
    let since = age(account.state_at.unwrap_or(account.created_at), now);
    let standing = match (account.state, account.admin) {
        (AccountState::Active, true) => "server admin".to_owned(),
        (AccountState::Active, false) => "active".to_owned(),
        (AccountState::Disabled, _) => format!("disabled {since}"),
        (AccountState::Removed, _) => format!("removed {since}"),
    };
    let attack = if account.under_attack { ", under attack" } else { "" };
    one_line(&format!("{id}  {name}  {standing}{attack}  {display}"))
}
