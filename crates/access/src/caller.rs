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

    /// The project that is meant where none is named: the one of the token, else the only one that somebody belongs to, else the
    /// first of all for those who belong to it or may everything. `None` where that does not tell.
    pub fn home(&self) -> Option<ProjectId> {
        if let Self::Token(TokenCaller { project: Some(project), .. }) = self {
            return Some(*project);
        }
        let Some(person) = self.person() else {
            return matches!(self, Self::Local).then_some(ProjectId::DEFAULT);
        };
        match person.memberships.as_slice() {
            [(only, _)] => Some(*only),
            _ if person.admin || person.role_in(ProjectId::DEFAULT).is_some() => Some(ProjectId::DEFAULT),
            _ => None,
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn where_no_project_is_named_one_is_meant() {
        let number = |number| ProjectId::from_number(number).unwrap();
        let person = |admin, projects: &[i64]| {
            let account = AccountId::from_number(1).unwrap();
            let memberships = projects.iter().map(|project| (number(*project), Role::Viewer)).collect();
            Arc::new(Person { account, admin, memberships })
        };
        let session = |admin, projects: &[i64]| {
            let session = SessionId::from_number(1).unwrap();
            Caller::Session(SessionCaller { person: person(admin, projects), session, fresh: true })
        };
        let token = |admin, projects: &[i64], project: Option<i64>| {
            let scopes = Arc::new(Scopes::of_words(["runs:read"]).unwrap());
            let (token, project) = (TokenId::from_number(1).unwrap(), project.map(number));
            Caller::Token(TokenCaller { owner: person(admin, projects), token, scopes, project })
        };
        for (caller, expected) in [
            (Caller::Nobody, None),
            (Caller::Local, Some(1)),
            (session(false, &[]), None),
            (session(false, &[3]), Some(3)),
            (session(false, &[2, 3]), None),
            (session(false, &[2, 1]), Some(1)),
            (session(true, &[]), Some(1)),
            (session(true, &[3]), Some(3)),
            (session(true, &[2, 3]), Some(1)),
            (token(false, &[2, 3], None), None),
            (token(false, &[2, 3], Some(3)), Some(3)),
            (token(true, &[2], Some(9)), Some(9)),
            (token(true, &[], None), Some(1)),
        ] {
            assert_eq!(caller.home(), expected.map(number), "{caller:?}");
        }
    }
}
