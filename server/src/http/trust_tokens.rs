//! Tokens that make a worker trusted: for who may mark devices, and shown by the worker itself.
//!
//! A worker that shows another one is refused in words: none is trusted less than it thinks.

use actix_web::{HttpRequest, web};
use weevil_access::audit::{Action, AuditEntry, AuditOutcome};
use weevil_access::may;
use weevil_engine::feeder::Request;
use weevil_model::witness::{Mark, device_name, device_number};
use weevil_model::{ContentHash, Face, Right, WorkerId};

use super::AppState;
use super::gate::{face, is_here, project_of};
use crate::access::{Asking, BadToken, Proof, Proved};
use crate::refusal::Refusal;

/// Where the workers of a connection, or of a request, show their tokens.
#[derive(Clone)]
pub(crate) struct TokenDesk {
    app: web::Data<AppState>,
    here: bool,
    face: Face,
    place: String,
}

impl TokenDesk {
    pub(crate) fn of(app: &web::Data<AppState>, request: &HttpRequest) -> Self {
        let (here, face) = (is_here(request), face(request));
        Self { app: app.clone(), here, face, place: app.peer(request).to_string() }
    }

    /// Notes who has made this worker trusted, for as long as it is connected.
    ///
    /// # Errors
    /// Nobody here knows the token, it is over, or it is made for something else.
    pub(crate) async fn trust_worker(&self, token: &str, worker: WorkerId) -> Result<(), Refusal> {
        let entry = self.prove(token, Action::WorkerTrusted, worker.to_string()).await?;
        let (access, at) = (&self.app.access, entry.at);
        self.app.written(access.store.append_audit(&[entry], at).await)
    }

    /// Marks this device as trusted, as the one who has made the token.
    ///
    /// # Errors
    /// As `trust_worker`.
    pub(crate) async fn trust_device(&self, token: &str, device: ContentHash) -> Result<(), Refusal> {
        let number = device_number(device);
        let entry = self.prove(token, Action::DeviceTrusted, device_name(number)).await?;
        let marked = self.app.access.store.mark_device(number, Mark::Trusted, &entry).await;
        self.app.written(marked)?;
        self.app.common.feeder.ask(Request::Marked(number));
        Ok(())
    }

    /// What the audit is told of a token that is right.
    async fn prove(&self, token: &str, action: Action, subject: String) -> Result<AuditEntry, Refusal> {
        let now = self.app.common.clock.now();
        let asking = Asking { here: self.here, face: self.face, now };
        let Proved { caller, .. } = Proof::Token(token.as_bytes()).prove(&self.app.access, asking).await?;
        let right = Right::DevicesTrust;
        may(&caller, right, project_of(right)).map_err(|_| Refusal::BadToken(BadToken::TrustsNobody))?;
        Ok(AuditEntry {
            at: now,
            actor: caller.actor(),
            action,
            subject: Some(subject),
            project: None,
            place: Some(self.place.clone()),
            outcome: AuditOutcome::Done,
            details: None,
        })
    }
}
