//! `weevil project members`: who belongs to a project, as what, and how somebody comes in or leaves.

use clap::Args;
use weevil_api::{MemberView, ProjectInvite};
use weevil_client::{AccountFilter, Server};

use crate::asking::Asking;
use crate::clock::{age, days_until, now};
use crate::inert::{one_line, say_json, say_line};

#[derive(Debug, Args)]
pub(crate) struct Members {
    /// The project's name in addresses.
    project: String,
    /// Make an account with this name or id a member, or give a member another role: viewer, researcher or admin. May be
    /// repeated.
    #[arg(long, value_name = "NAME=ROLE", value_parser = assignment)]
    set: Vec<(String, String)>,
    /// Take the member with this name or id out. May be repeated.
    #[arg(long, value_name = "NAME")]
    remove: Vec<String>,
    /// Print a link by which somebody makes an account that is this there, good once.
    #[arg(long, value_name = "ROLE", conflicts_with_all = ["set", "remove"])]
    invite: Option<String>,
    /// How long the link is good: 1 to 720, a week unless it is given.
    #[arg(long, value_name = "HOURS", requires = "invite")]
    hours: Option<u32>,
    #[command(flatten)]
    asking: Asking,
    /// Print a line of JSON for each member, or the link as one JSON object.
    #[arg(long)]
    json: bool,
}

fn assignment(text: &str) -> Result<(String, String), String> {
    let (name, role) = text.rsplit_once('=').ok_or_else(|| format!("`{text}` is no NAME=ROLE"))?;
    Ok((name.to_owned(), role.to_owned()))
}

impl Members {
    /// Lists them as they are in the end.
    pub(crate) fn execute(self) -> Result<(), String> {
        let server = self.asking.server()?;
        if let Some(role) = &self.invite {
            return self.invite(&server, role);
        }
        let there = self.all(&server)?;
        for (name, role) in &self.set {
            server.set_member(&self.project, &account(&server, &there, name)?, role)?;
        }
        for name in &self.remove {
            server.remove_member(&self.project, &account(&server, &there, name)?)?;
        }
        let now = now();
        for member in self.all(&server)? {
            if self.json { say_json(&member) } else { say_line(&line(&member, now)) }
        }
        Ok(())
    }

    fn all(&self, server: &Server) -> Result<Vec<MemberView>, String> {
        let (mut all, mut after) = (Vec::new(), None);
        loop {
            let page = server.members(&self.project, after.as_deref())?;
            all.extend(page.members);
            if page.next.is_none() {
                return Ok(all);
            }
            after = page.next;
        }
    }

    fn invite(&self, server: &Server, role: &str) -> Result<(), String> {
        let asked = ProjectInvite { role: role.to_owned(), hours: self.hours };
        let made = server.invite_to(&self.project, &asked)?;
        if self.json {
            say_json(&made);
        } else {
            say_line(&format!("good once, for {}:", days_until(made.expires_at, now())));
            say_line(&made.address);
        }
        Ok(())
    }
}

/// The account's id. Only who looks after accounts can find those by name that belong to nothing yet.
fn account(server: &Server, there: &[MemberView], named: &str) -> Result<String, String> {
    if named.starts_with("acc_") {
        return Ok(named.to_owned());
    }
    if let Some(member) = there.iter().find(|member| member.name.eq_ignore_ascii_case(named)) {
        return Ok(member.account.clone());
    }
    let filter = AccountFilter { state: None, name: Some(named) };
    let found = server.accounts(filter, None)?.accounts.into_iter().next();
    found.map(|account| account.id).ok_or_else(|| format!("there is no account `{named}`"))
}

fn line(member: &MemberView, now: i64) -> String {
    let MemberView { account, name, display, role, since } = member;
    one_line(&format!("{account}  {name}  {role}  since {}  {display}", age(*since, now)))
}
