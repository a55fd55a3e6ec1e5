//! A function for each operation about who asks: letting a program in, who it is, tokens.
//!
//! Spells no path: the table of `weevil-api` does.

use std::fmt::Display;

use weevil_api::routes::{Operation, search};
use weevil_api::{LoginAnswered, LoginAsked, LoginBegun, LoginPoll, Me, TokenAsked, TokenList, TokenMade};
use weevil_model::limits::MAX_PAGE;

use crate::{Refused, Server};

/// Who asks.
impl Server {
    /// Who this client is to the server.
    ///
    /// # Errors
    /// The server's words; nobody is signed in, or the token is refused.
    pub fn me(&self) -> Result<Me, Refused> {
        self.look(&Operation::ShowMe.path(&[]))
    }

    /// Begins to be let in from a browser.
    ///
    /// # Errors
    /// In words for people: too many programs of this place wait.
    pub fn begin_login(&self, name: &str) -> Result<LoginBegun, String> {
        self.post_json(&Operation::BeginLogin.path(&[]), &LoginAsked { name: name.to_owned() })
    }

    /// Whether it is let in.
    ///
    /// # Errors
    /// In words for people: what was approved could not be made.
    pub fn ask_login(&self, login: &str) -> Result<LoginAnswered, String> {
        self.post_json(&Operation::AskLogin.path(&[]), &LoginPoll { login: login.to_owned() })
    }
}

/// Tokens, of whoever asks or of an account.
impl Server {
    /// # Errors
    /// In words for people.
    pub fn make_token(&self, asked: &TokenAsked) -> Result<TokenMade, String> {
        self.post_json(&Operation::MakeToken.path(&[]), asked)
    }

    /// A page of them, those behind what `after` names.
    ///
    /// # Errors
    /// In words for people.
    pub fn tokens(&self, account: Option<&dyn Display>, after: Option<&str>) -> Result<TokenList, String> {
        let path = match account {
            Some(account) => Operation::AccountTokens.path(&[account]),
            None => Operation::ListTokens.path(&[]),
        };
        let (after, most) = (after.as_ref().map(|after| after as _), MAX_PAGE);
        self.get(&(path + &search(&[("after", after), ("limit", Some(&most))])))
    }

    /// # Errors
    /// In words for people: there is no such token.
    pub fn revoke_token(&self, account: Option<&dyn Display>, token: &dyn Display) -> Result<(), Refused> {
        let path = match account {
            Some(account) => Operation::RevokeAccountToken.path(&[account, token]),
            None => Operation::RevokeToken.path(&[token]),
        };
        self.delete(&path)
    }
}
