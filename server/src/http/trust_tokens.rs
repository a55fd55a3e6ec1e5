//! Tokens that make a worker trusted: for who may mark devices, and shown by the worker itself.
//!
//! A worker that shows another one is refused in words: none is trusted less than it thinks.

use actix_web::{HttpRequest, web};
use weevil_access::audit::{Action, AuditEntry, AuditOutcome};
use weevil_access::may;
use weevil_model::{Right, WorkerId};

use super::AppState;
use super::gate::{face, is_here, project_of};
use crate::access::{Asking, BadToken, Proof, Proved};
use crate::refusal::Refusal;

/// Notes who has made this worker trusted.
///
/// # Errors
/// Nobody here knows the token, it is over, or it is made for something else.
pub(crate) async fn show(
    app: &web::Data<AppState>,
    request: &HttpRequest,
    token: &str,
    worker: WorkerId,
) -> Result<(), Refusal> {
    let now = app.common.clock.now();
    let asking = Asking { here: is_here(request), face: face(request), now };
    let Proved { caller, .. } = Proof::Token(token.as_bytes()).prove(&app.access, asking).await?;
    let right = Right::DevicesTrust;
    may(&caller, right, project_of(right)).map_err(|_| Refusal::BadToken(BadToken::TrustsNobody))?;
    let entry = AuditEntry {
        at: now,
        actor: caller.actor(),
        action: Action::WorkerTrusted,
        subject: Some(worker.to_string()),
        project: None,
        place: Some(app.peer(request).to_string()),
        outcome: AuditOutcome::Done,
        details: None,
    };
    app.written(app.access.store.append_audit(&[entry], now).await)
}
