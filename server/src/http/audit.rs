//! The audit over HTTP: page by page, or all that fits as a line of JSON for each row, in pieces.
//!
//! Never changes a row; an export is told of itself.

use std::sync::Arc;

use actix_web::web::{self, Bytes};
use actix_web::{HttpRequest, HttpResponse};
use futures_util::stream::{self, Stream};
use serde::Deserialize;
use weevil_access::ProjectSlug;
use weevil_access::audit::{Action, Actor, AuditRow};
use weevil_access::store::{AccessStore, AuditQuery};
use weevil_api::{AuditPage, AuditRowView};
use weevil_model::{AuditId, ProjectId, Right, StoreError, Timestamp};

use super::AppState;
use super::asker::Asker;
use super::headers::NO_STORE;
use super::page::{Limit, id_behind};
use super::parameters::query;
use super::projects::find;
use crate::refusal::Refusal;

/// Rows that an export reads at a time.
const PIECE: u32 = 200;

/// Which rows, and which page of them. An export has no pages.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Asked {
    actor: Option<String>,
    action: Option<String>,
    project: Option<String>,
    from: Option<i64>,
    to: Option<i64>,
    /// The last row of the page before.
    after: Option<String>,
    #[serde(default)]
    limit: Limit,
}

impl Asked {
    async fn query(&self, app: &AppState) -> Result<AuditQuery, Refusal> {
        let project = match &self.project {
            Some(name) => Some(project(app, name).await?),
            None => None,
        };
        let actor = self.actor.as_deref().map(str::parse::<Actor>).transpose();
        let action = |word: &str| {
            Action::parse(word).ok_or_else(|| {
                let word: String = word.chars().take(40).collect();
                Refusal::BadQuery(format!("the audit knows no action `{word}`; docs/access.md lists them"))
            })
        };
        Ok(AuditQuery {
            actor: actor.map_err(|error| Refusal::BadQuery(error.to_string()))?,
            action: self.action.as_deref().map(action).transpose()?,
            project,
            from: self.from.map(Timestamp),
            to: self.to.map(Timestamp),
        })
    }
}

/// By its id, or by its name in addresses.
async fn project(app: &AppState, name: &str) -> Result<ProjectId, Refusal> {
    if let Ok(id) = name.parse() {
        return Ok(id);
    }
    let unknown = || {
        let name: String = name.chars().take(40).collect();
        Refusal::BadQuery(format!("there is no project `{name}`"))
    };
    let slug: ProjectSlug = name.parse().map_err(|_| unknown())?;
    Ok(app.access.store.project(&slug).await?.ok_or_else(unknown)?.id)
}

pub(super) async fn list(
    app: web::Data<AppState>,
    request: HttpRequest,
) -> Result<web::Json<AuditPage>, Refusal> {
    let asked: Asked = query(&request)?;
    page(&app, &asked, &asked.query(&app).await?).await
}

/// What it tells about one project, for those who look after it.
pub(super) async fn of_project(
    app: web::Data<AppState>,
    request: HttpRequest,
    asker: Asker,
    slug: web::Path<String>,
) -> Result<web::Json<AuditPage>, Refusal> {
    let wanted: Asked = query(&request)?;
    let project = Some(find(&app, &asker.caller, &slug, Right::ProjectManage).await?.id);
    page(&app, &wanted, &AuditQuery { project, ..wanted.query(&app).await? }).await
}

async fn page(app: &AppState, asked: &Asked, rows: &AuditQuery) -> Result<web::Json<AuditPage>, Refusal> {
    let before: Option<AuditId> = id_behind(asked.after.as_deref())?;
    let mut rows = app.access.store.audit_page(rows, before, asked.limit.and_one()).await?;
    let next = asked.limit.cut(&mut rows, |row| row.id.to_string());
    Ok(web::Json(AuditPage { rows: rows.iter().map(view).collect(), next }))
}

/// Whatever is written meanwhile stands before the rows that it walks back along.
pub(super) async fn export(
    app: web::Data<AppState>,
    request: HttpRequest,
    asker: Asker,
) -> Result<HttpResponse, Refusal> {
    let wanted: Asked = query(&request)?;
    let query = wanted.query(&app).await?;
    let entry = asker.entry(Action::AuditExported, None);
    app.written(app.access.store.append_audit(&[entry], asker.at).await)?;
    let reading = Reading { store: app.access.store.clone(), query, before: None };
    Ok(HttpResponse::Ok()
        .content_type("application/x-ndjson")
        .insert_header(NO_STORE)
        .streaming(reading.pieces()))
}

struct Reading {
    store: Arc<dyn AccessStore>,
    query: AuditQuery,
    before: Option<AuditId>,
}

impl Reading {
    /// One that breaks off is an error: a reader must not take it for the whole.
    fn pieces(self) -> impl Stream<Item = Result<Bytes, StoreError>> {
        stream::unfold(Some(self), async |reading| {
            let mut reading = reading?;
            match reading.store.audit_page(&reading.query, reading.before, PIECE).await {
                Ok(rows) => {
                    reading.before = Some(rows.last()?.id);
                    Some((Ok(lines(&rows)), Some(reading)))
                }
                Err(error) => Some((Err(error), None)),
            }
        })
    }
}

fn lines(rows: &[AuditRow]) -> Bytes {
    let mut lines = Vec::new();
    for row in rows {
        // Texts and numbers alone: there is nothing that JSON could not say.
        lines.extend(serde_json::to_vec(&view(row)).unwrap_or_default());
        lines.push(b'\n');
    }
    lines.into()
}

fn view(row: &AuditRow) -> AuditRowView {
    AuditRowView {
        id: row.id.to_string(),
        at: row.at.0,
        actor: row.actor.clone(),
        action: row.action.clone(),
        subject: row.subject.clone(),
        project: row.project.map(|project| project.to_string()),
        place: row.place.clone(),
        outcome: row.outcome.clone(),
        details: row.details.clone(),
        previous: row.previous.to_string(),
        hash: row.hash.to_string(),
    }
}
