//! People in charge have workers be given nothing, for a time or for good, let them go on, and send one away for now. A device's is durable, and told in the
//! audit, before the feeder hears of it; that of a worker without a device goes with its connection.

use actix_web::{HttpRequest, web};
use serde_json::json;
use weevil_access::audit::{Action, AuditEntry};
use weevil_api::{BanAsked, PauseAsked, WorkerView};
use weevil_engine::feeder::{Request, Suspended};
use weevil_model::witness::{device_name, device_number};
use weevil_model::{ContentHash, WorkerId};
use weevil_records::{MAX_SUSPENDED, Suspension, Term};

use super::asker::Asker;
use super::own_page::OwnPage;
use super::workers::{Found, find, gone, held_back};
use super::{AppState, json_body, notes};
use crate::refusal::Refusal;

/// Minutes of a pause: 30 days at most.
const MAX_MINUTES: u32 = 43_200;
/// Those of a pause for which no time is named.
const DEFAULT_MINUTES: u32 = 60;
const MINUTE_MS: i64 = 60_000;

pub(super) async fn pause(
    _own: OwnPage,
    app: web::Data<AppState>,
    asker: Asker,
    request: HttpRequest,
    payload: web::Payload,
) -> Result<web::Json<WorkerView>, Refusal> {
    let PauseAsked { note, minutes } = json_body::read(&app, &request, payload).await?;
    let minutes = minutes.unwrap_or(DEFAULT_MINUTES);
    if !(1..=MAX_MINUTES).contains(&minutes) {
        return Err(Refusal::BadBody(format!("`minutes` is {minutes}; 1 to {MAX_MINUTES} are allowed")));
    }
    let term = Term::Paused { until: asker.at.plus_ms(i64::from(minutes) * MINUTE_MS) };
    let (note, worker) =
        (notes::checked(note)?, Asked::find(&app, request.match_info().query("worker")).await?);
    let details = json!({ "device": worker.device_name(), "minutes": minutes, "note": note });
    let entry = worker.entry(&asker, Action::WorkerPaused, &details);
    suspend(&app, &asker, worker, Suspension { term, note }, &entry).await
}

pub(super) async fn ban(
    _own: OwnPage,
    app: web::Data<AppState>,
    asker: Asker,
    request: HttpRequest,
    payload: web::Payload,
) -> Result<web::Json<WorkerView>, Refusal> {
    let BanAsked { note, once } = json_body::read(&app, &request, payload).await?;
    let (note, worker) =
        (notes::checked(note)?, Asked::find(&app, request.match_info().query("worker")).await?);
    if once {
        return send_away(&app, &asker, worker, &note).await;
    }
    if worker.found.device().is_none() {
        return Err(Refusal::CannotBan(worker.id));
    }
    let details = json!({ "device": worker.device_name(), "note": note });
    let entry = worker.entry(&asker, Action::WorkerBanned, &details);
    let suspension = Suspension { term: Term::Banned { since: asker.at }, note };
    suspend(&app, &asker, worker, suspension, &entry).await
}

/// Durable in the audit alone: what it holds is lost to it with its connection.
async fn send_away(
    app: &AppState,
    asker: &Asker,
    worker: Asked,
    note: &str,
) -> Result<web::Json<WorkerView>, Refusal> {
    if matches!(worker.found, Found::Gone(_)) {
        return Err(Refusal::WorkerLeft(worker.id));
    }
    let details = json!({ "device": worker.device_name(), "note": note });
    let entry = worker.entry(asker, Action::WorkerSentAway, &details);
    app.written(app.access.store.append_audit(std::slice::from_ref(&entry), entry.at).await)?;
    app.common.feeder.ask(Request::SendAway(worker.id));
    Ok(web::Json(gone(&worker.found.record())))
}

pub(super) async fn resume(
    _own: OwnPage,
    app: web::Data<AppState>,
    asker: Asker,
    worker: web::Path<String>,
) -> Result<web::Json<WorkerView>, Refusal> {
    let worker = Asked::find(&app, &worker).await?;
    let details = json!({ "device": worker.device_name() });
    let entry = worker.entry(&asker, Action::WorkerResumed, &details);
    match worker.found.device() {
        Some(device) => {
            app.written(app.access.store.lift_suspension(device, &entry).await)?;
        }
        None => worker.tell_of_lone(&app, &entry).await?,
    }
    app.common.feeder.ask(Request::LetGoOn(worker.who()));
    let view = worker.found.view(asker.at);
    Ok(web::Json(WorkerView { held_back: None, ..view }))
}

/// A worker of which somebody asks something.
struct Asked {
    id: WorkerId,
    found: Found,
}

impl Asked {
    async fn find(app: &AppState, worker: &str) -> Result<Self, Refusal> {
        Ok(Self { id: worker.parse()?, found: find(app, worker).await? })
    }

    fn who(&self) -> Suspended {
        self.found.device().map_or(Suspended::Worker(self.id), Suspended::Device)
    }

    fn device_name(&self) -> Option<String> {
        self.found.device().map(|device: ContentHash| device_name(device_number(device)))
    }

    fn entry(&self, asker: &Asker, action: Action, details: &serde_json::Value) -> AuditEntry {
        AuditEntry { details: Some(details.to_string()), ..asker.entry(action, Some(self.id.to_string())) }
    }

    /// What is done to a worker without a device is durable in the audit alone.
    async fn tell_of_lone(&self, app: &AppState, entry: &AuditEntry) -> Result<(), Refusal> {
        if matches!(self.found, Found::Gone(_)) {
            return Err(Refusal::WorkerLeft(self.id));
        }
        app.written(app.access.store.append_audit(std::slice::from_ref(entry), entry.at).await)
    }
}

async fn suspend(
    app: &AppState,
    asker: &Asker,
    worker: Asked,
    suspension: Suspension,
    entry: &AuditEntry,
) -> Result<web::Json<WorkerView>, Refusal> {
    match worker.found.device() {
        Some(device) => {
            // By this worker people let the device go on, also after a crash.
            let kept = app.common.store.keep_workers(&[worker.found.record()], asker.at).await;
            app.written(kept)?;
            let suspended = app.access.store.suspend_device(device, &suspension, MAX_SUSPENDED, entry).await;
            if !app.written(suspended)? {
                return Err(Refusal::TooManySuspended(MAX_SUSPENDED));
            }
        }
        None => worker.tell_of_lone(app, entry).await?,
    }
    let view = worker.found.view(asker.at);
    let view = WorkerView { held_back: Some(held_back(&suspension)), ..view };
    app.common.feeder.ask(Request::Suspend(worker.who(), suspension));
    Ok(web::Json(view))
}
