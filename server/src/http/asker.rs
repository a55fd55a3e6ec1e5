//! Who asks, from where, and when: what a handler needs of it, and the head of an audit's row.
//!
//! The gate has proved it (`gate.rs`); behind an open row nobody has.

use std::future::{Ready, ready};

use actix_web::dev::Payload;
use actix_web::{FromRequest, HttpMessage, HttpRequest, web};
use weevil_access::audit::{Action, AuditEntry, AuditOutcome};
use weevil_access::{Caller, SecretHash, SessionCaller};
use weevil_engine::budget::Peer;
use weevil_model::{Face, ProjectId, Right, Timestamp};

use super::AppState;
use super::gate::face;
use crate::access::{Reach, Reading};
use crate::refusal::Refusal;

/// What the gate has found out, for `Asker`.
#[derive(Debug, Clone)]
pub(super) struct Asked {
    pub caller: Caller,
    pub cookie: Option<SecretHash>,
    /// What the row demands.
    pub right: Option<Right>,
}

/// Made by asking for it as an argument of a handler.
pub(crate) struct Asker {
    pub caller: Caller,
    /// The hash of the cookie of the session in which they ask.
    pub cookie: Option<SecretHash>,
    pub face: Face,
    pub peer: Peer,
    pub at: Timestamp,
}

impl Asker {
    /// What the audit says of something that they have done.
    pub(crate) fn entry(&self, action: Action, subject: Option<String>) -> AuditEntry {
        AuditEntry {
            at: self.at,
            actor: self.caller.actor(),
            action,
            subject,
            project: None,
            place: Some(self.peer.to_string()),
            outcome: AuditOutcome::Done,
            details: None,
        }
    }

    /// The same, about work in this project.
    pub(crate) fn work_entry(
        &self,
        project: ProjectId,
        action: Action,
        subject: Option<String>,
    ) -> AuditEntry {
        AuditEntry { project: Some(project), ..self.entry(action, subject) }
    }

    /// What is theirs to read for as long as they have these rights.
    pub(super) fn reading(self, needs: Vec<(Right, Reach)>) -> Reading {
        let Self { caller, cookie, face, .. } = self;
        Reading { caller, cookie, face, needs }
    }

    /// The session of an account in which they ask.
    ///
    /// # Errors
    /// A token and the owner of the server's machine have none.
    pub(crate) fn session(&self) -> Result<&SessionCaller, Refusal> {
        match &self.caller {
            Caller::Session(session) => Ok(session),
            Caller::Nobody => Err(Refusal::NotSignedIn),
            Caller::Local | Caller::Token(_) => {
                Err(Refusal::NotAllowed("it belongs to somebody who is signed in with a password".to_owned()))
            }
        }
    }
}

impl FromRequest for Asker {
    type Error = Refusal;
    type Future = Ready<Result<Self, Refusal>>;

    fn from_request(request: &HttpRequest, _body: &mut Payload) -> Self::Future {
        let Some(app) = request.app_data::<web::Data<AppState>>() else {
            return ready(Err(Refusal::NotSignedIn));
        };
        let asked = request.extensions().get::<Asked>().cloned();
        let (caller, cookie) = asked.map_or((Caller::Nobody, None), |asked| (asked.caller, asked.cookie));
        let (face, peer, at) = (face(request), app.peer(request), app.common.clock.now());
        ready(Ok(Self { caller, cookie, face, peer, at }))
    }
}
