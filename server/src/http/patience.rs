//! How long a question for a result may wait for an end: `waitMs`, within the bounds of the server and of the asker's place.
//!
//! Never says what the end is: whoever asked looks afterwards.

use std::time::Duration;

use actix_web::HttpRequest;
use serde::Deserialize;
use weevil_peer::Row;

use super::{AppState, parameters};
use crate::refusal::Refusal;

/// Milliseconds that one request for a result waits at most.
const MAX_WAIT_MS: u64 = 60_000;

/// What the address of the question says of it.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Patience {
    wait_ms: Option<u64>,
}

impl Patience {
    pub(super) fn of(request: &HttpRequest) -> Result<Self, Refusal> {
        parameters::query(request)
    }

    /// Does it wait at all?
    pub(super) const fn waits(&self) -> bool {
        self.wait_ms.is_some()
    }

    /// Waits for the end, as long as it may. A place that has too many questions waiting is answered at once.
    pub(super) async fn wait(&self, app: &AppState, request: &HttpRequest, end: impl Future) {
        let Some(wait_ms) = self.wait_ms else { return };
        let Ok(_waits) = app.budget.take(app.peer(request), Row::Waits, 1) else { return };
        let wait = Duration::from_millis(wait_ms.min(MAX_WAIT_MS));
        let _over = tokio::time::timeout(wait, end).await;
    }
}
