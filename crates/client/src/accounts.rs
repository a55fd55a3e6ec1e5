//! A function for each operation about accounts.
//!
//! Spells no path: the table of `weevil-api` does.

use std::fmt::Display;

use weevil_api::routes::{Operation, search};
use weevil_api::{AccountPage, AccountView, InviteAsked, LinkMade, RoleAsked};
use weevil_model::limits::MAX_PAGE;

use crate::Server;

/// Which accounts: those that fit all that is named.
#[derive(Debug, Clone, Copy, Default)]
pub struct AccountFilter<'a> {
    /// As the API spells it.
    pub state: Option<&'a str>,
    /// The very name.
    pub name: Option<&'a str>,
}

/// What is done to an account, and to the ways into it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AccountDeed {
    Disable,
    Enable,
}

/// Accounts; each function answers in words for people where it is refused.
impl Server {
    /// A page of them, those behind what `after` names.
    ///
    /// # Errors
    /// In words for people.
    pub fn accounts(&self, filter: AccountFilter<'_>, after: Option<&str>) -> Result<AccountPage, String> {
        let AccountFilter { state, name } = filter;
        let [state, name, after] =
            [&state, &name, &after].map(|text| text.as_ref().map(|text| text as &dyn Display));
        let search =
            search(&[("state", state), ("name", name), ("after", after), ("limit", Some(&MAX_PAGE))]);
        self.get(&(Operation::ListAccounts.path(&[]) + &search))
    }

    /// # Errors
    /// In words for people.
    pub fn invite(&self, asked: &InviteAsked) -> Result<LinkMade, String> {
        self.post_json(&Operation::MakeInvite.path(&[]), asked)
    }

    /// # Errors
    /// In words for people: there is no such account, or it is the last one that administers the server.
    pub fn change_account(&self, account: &str, deed: AccountDeed) -> Result<AccountView, String> {
        let operation = match deed {
            AccountDeed::Disable => Operation::DisableAccount,
            AccountDeed::Enable => Operation::EnableAccount,
        };
        self.post_nothing(&operation.path(&[&account]))
    }

    /// # Errors
    /// In words for people: there is no such account, or it is the last one that administers the server.
    pub fn set_admin(&self, account: &str, admin: bool) -> Result<AccountView, String> {
        self.put_json(&Operation::SetAdmin.path(&[&account]), &RoleAsked { admin })
    }

    /// # Errors
    /// In words for people: there is no such account, or it is the last one that administers the server.
    pub fn remove_account(&self, account: &str) -> Result<(), String> {
        self.delete(&Operation::RemoveAccount.path(&[&account])).map_err(|refused| refused.message)
    }
}
