//! Who asks. Every front door brings its own proof of it and ends in a [`Caller`].
//!
//! Never says what a caller may do: `may.rs` does.

use std::sync::Arc;

use weevil_model::{AccountId, ProjectId, Role, SessionId, TokenId};

use crate::Scopes;
use crate::audit::Actor;

/// Whoever a request comes from, as far as it has proved it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Caller {
    /// It has said nothing of itself.
    Nobody,
    /// It knows what only the owner of the server's process can read, or was let in by somebody who does.
    Local,
    /// Somebody who is signed in.
    Session(SessionCaller),
    /// A program with a token of somebody.
    Token(TokenCaller),
}

/// What is known of an account at the moment somebody asks in its name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Person {
    pub account: AccountId,
    /// Whether it administers the server.
    pub admin: bool,
    /// What it is in which project, each once.
    pub memberships: Vec<(ProjectId, Role)>,
}

/// Both halves of a session of an account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionCaller {
    pub person: Arc<Person>,
    pub session: SessionId,
    /// Whether somebody proved in it a short while ago who they are.
    pub fresh: bool,
}

/// A token that is neither expired nor revoked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TokenCaller {
    pub owner: Arc<Person>,
    pub token: TokenId,
    pub scopes: Arc<Scopes>,
    /// `None`: all projects of its owner.
    pub project: Option<ProjectId>,
}

impl Person {
    /// What it is in a project.
    pub fn role_in(&self, project: ProjectId) -> Option<Role> {
        self.memberships.iter().find(|(known, _)| *known == project).map(|(_, role)| *role)
    }

    /// The most that it is in any project.
    pub fn highest_role(&self) -> Option<Role> {
        self.memberships.iter().map(|(_, role)| *role).max()
    }
}

impl Caller {
    /// The account in whose name somebody asks.
    pub fn person(&self) -> Option<&Person> {
        match self {
            Self::Nobody | Self::Local => None,
            Self::Session(session) => Some(&session.person),
            Self::Token(token) => Some(&token.owner),
        }
    }

    /// Who did it, for the audit.
    pub fn actor(&self) -> Actor {
        match self {
            Self::Nobody => Actor::Nobody,
            Self::Local => Actor::Local,
            Self::Session(session) => Actor::Account(session.person.account),
            Self::Token(token) => Actor::Token(token.token),
        }
    }

    /// Whether it proved who it is recently enough for what matters most. A token proves nothing anew.
    pub const fn is_fresh(&self) -> bool {
        match self {
            Self::Nobody | Self::Token(_) => false,
            Self::Local => true,
            Self::Session(session) => session.fresh,
        }
    }
}
