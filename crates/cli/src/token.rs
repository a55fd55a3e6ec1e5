//! `weevil token`: what programs prove with who they are.

use clap::{Args, Subcommand};
use weevil_api::{TokenAsked, TokenView};
use weevil_model::{AccountId, TokenId};

use crate::Exit;
use crate::asking::{Asking, Target};
use crate::clock::{age, days_until, now};
use crate::inert::{say_json, say_line};

#[derive(Debug, Args)]
pub struct Token {
    #[command(subcommand)]
    which: Which,
}

#[derive(Debug, Subcommand)]
enum Which {
    /// Print the token of a server of your own on this machine, good for as long as it runs.
    Local(Local),
    /// Make a token for an account and print it, once: for the owner of the server's machine. Others make their own in the
    /// console, or run `weevil login`.
    Create(Create),
    /// List an account's tokens: id, how long it is good, when it was used, name, scopes.
    List(List),
    /// Revoke a token.
    Revoke(Revoke),
}

#[derive(Debug, Args)]
struct Local {
    #[command(flatten)]
    target: Target,
}

#[derive(Debug, Args)]
struct Create {
    /// For its owner to know it by.
    name: String,
    /// Id of the account whose token it is.
    #[arg(long, value_name = "ID")]
    account: AccountId,
    /// A right that it is for, such as runs:read. May be repeated.
    #[arg(long, value_name = "RIGHT", required = true)]
    scope: Vec<String>,
    /// The one project that it is for; without it all of the account's.
    #[arg(long, value_name = "NAME")]
    project: Option<String>,
    /// For how long it is good.
    #[arg(long, value_name = "DAYS", default_value_t = 90)]
    days: u32,
    #[command(flatten)]
    asking: Asking,
    /// Print what the server answers: one JSON object.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Args)]
struct List {
    /// Id of the account.
    #[arg(long, value_name = "ID")]
    account: AccountId,
    #[command(flatten)]
    asking: Asking,
    /// Print a line of JSON for each token.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Args)]
struct Revoke {
    /// Id of the token.
    token: TokenId,
    /// Id of the account; without it the token has to be the one that is asked with.
    #[arg(long, value_name = "ID")]
    account: Option<AccountId>,
    #[command(flatten)]
    asking: Asking,
}

impl Token {
    pub(crate) fn execute(self) -> Exit {
        let done = match self.which {
            Which::Local(Local { target }) => target.wanted().local_token().map(|token| say_line(&token)),
            Which::Create(create) => create.execute(),
            Which::List(list) => list.execute(),
            Which::Revoke(revoke) => revoke.execute(),
        };
        done.map_or_else(Exit::CouldNot, |()| Exit::Done)
    }
}

impl Create {
    fn execute(self) -> Result<(), String> {
        let server = self.asking.server()?;
        let owner = Some(self.account.to_string());
        let Self { name, scope: scopes, project, days, .. } = self;
        let asked = TokenAsked { name, scopes, project, days: Some(days), account: owner };
        let made = server.make_token(&asked)?;
        if self.json {
            say_json(&made);
        } else {
            say_line(&made.secret);
        }
        Ok(())
    }
}

impl List {
    fn execute(self) -> Result<(), String> {
        let server = self.asking.server()?;
        let now = now();
        let mut after = None;
        loop {
            let page = server.tokens(Some(&self.account), after.as_deref())?;
            for token in &page.tokens {
                if self.json { say_json(token) } else { say_line(&line(token, now)) }
            }
            if page.next.is_none() {
                return Ok(());
            }
            after = page.next;
        }
    }
}

impl Revoke {
    fn execute(self) -> Result<(), String> {
        let server = self.asking.server()?;
        let owner = self.account.as_ref().map(|owner| owner as _);
        server.revoke_token(owner, &self.token).map_err(|refused| refused.message)?;
        say_line(&format!("{} is revoked", self.token));
        Ok(())
    }
}

/// The id first: it is what `weevil token revoke` takes.
fn line(token: &TokenView, now: i64) -> String {
    let TokenView { id, name, scopes, .. } = token;
    let standing = match token.revoked_at {
        Some(_) => "revoked".to_owned(),
        None if token.expires_at <= now => "expired".to_owned(),
        None => format!("good for {}", days_until(token.expires_at, now)),
    };
    let used = token.used_at.map_or_else(|| "never used".to_owned(), |at| format!("used {}", age(at, now)));
    let project = token.project.as_ref().map(|project| format!("  in {project}")).unwrap_or_default();
    format!("{id}  {standing:>17}  {used:>16}  {name}  {}{project}", scopes.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_says_whether_a_token_is_good() {
        const DAY: i64 = 86_400_000;
        let token = TokenView {
            id: "tok_1".into(),
            name: "laptop".into(),
            scopes: vec!["runs:read".into(), "runs:write".into()],
            project: None,
            created_at: 0,
            expires_at: 90 * DAY,
            used_at: None,
            revoked_at: None,
        };
        for (token, expected) in [
            (token.clone(), "tok_1   good for 80 days        never used  laptop  runs:read runs:write"),
            (TokenView { used_at: Some(9 * DAY), ..token.clone() }, "used 1 d ago  laptop"),
            (TokenView { revoked_at: Some(1), ..token.clone() }, "tok_1            revoked "),
            (TokenView { expires_at: 1, ..token.clone() }, "tok_1            expired "),
            (TokenView { project: Some("default".into()), ..token }, "runs:write  in default"),
        ] {
            let line = line(&token, 10 * DAY);
            assert!(line.contains(expected), "{expected}: {line}");
        }
    }
}
