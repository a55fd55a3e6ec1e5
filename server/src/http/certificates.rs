//! Certificates of runs and of jobs that stand alone, and the key that certificates are signed with.
//!
//! Makes no line itself: `weevil_engine::certificates` does, while they are read.

use actix_web::http::header::{ACCESS_CONTROL_ALLOW_ORIGIN, CONTENT_DISPOSITION, ContentType};
use actix_web::{HttpRequest, HttpResponse, web};
use weevil_engine::certificates::{Certificate, Certificates};
use weevil_model::JobId;

use super::standalone::visible_job;
use super::walls::Wall;
use super::{AppState, large, readers};
use crate::refusal::Refusal;

/// JSON Lines (<https://jsonlines.org>).
const JSON_LINES: &str = "application/jsonl";

pub(super) async fn of_run(
    wall: Wall,
    app: web::Data<AppState>,
    request: HttpRequest,
    run: web::Path<String>,
) -> Result<HttpResponse, Refusal> {
    let run = wall.run(&run).await?.id;
    let missing = || Refusal::NoCertificate(run.to_string());
    let turn = large::turn(&app, app.peer(&request)).await?;
    let record = app.common.store.run(run).await?.ok_or_else(missing)?;
    let certificate = certificates(&app).of_run(record).await?.ok_or_else(missing)?;
    Ok(respond(certificate, &run.to_string(), turn))
}

pub(super) async fn of_job(
    wall: Wall,
    app: web::Data<AppState>,
    request: HttpRequest,
    job: web::Path<String>,
) -> Result<HttpResponse, Refusal> {
    let id: JobId = job.parse()?;
    let job = visible_job(&app, &wall, id).await?;
    let missing = || Refusal::NoCertificate(id.to_string());
    let turn = large::turn(&app, app.peer(&request)).await?;
    let certificate = certificates(&app).of_job(&job).await?.ok_or_else(missing)?;
    Ok(respond(certificate, &id.to_string(), turn))
}

/// Public, as the half of the key that it tells.
pub(super) async fn key(app: web::Data<AppState>) -> HttpResponse {
    let key = hex::encode(app.access.people.notary.key());
    HttpResponse::Ok()
        .content_type(ContentType::plaintext())
        .insert_header((ACCESS_CONTROL_ALLOW_ORIGIN, "*"))
        .body(key + "\n")
}

fn certificates(app: &AppState) -> Certificates {
    let notary = app.access.people.notary.clone();
    Certificates { store: app.common.store.clone(), notary, assumed: app.common.assumed }
}

fn respond(certificate: Certificate, of: &str, turn: large::Turn) -> HttpResponse {
    let (reader, body) = readers::body();
    actix_web::rt::spawn(send(certificate, reader, turn));
    HttpResponse::Ok()
        .content_type(JSON_LINES)
        .insert_header((CONTENT_DISPOSITION, format!("attachment; filename=\"{of}.certificate\"")))
        .streaming(body)
}

/// Breaks off where something cannot be read: a certificate without its end holds nowhere.
async fn send(mut certificate: Certificate, reader: readers::Reader, _turn: large::Turn) {
    loop {
        let lines = match certificate.next().await {
            Ok(Some(lines)) => lines,
            Ok(None) => return reader.end().await,
            Err(error) => {
                tracing::error!(%error, "a certificate breaks off");
                return;
            }
        };
        if !reader.hand(lines).await {
            return;
        }
    }
}
