//! What becomes of projects over HTTP: made, called otherwise, bounded, archived and restored.
//!
//! Each change is told in its own transaction. Never says who belongs to a project: `members.rs` does.

use actix_web::{HttpRequest, HttpResponse, web};
use serde_json::json;
use weevil_access::audit::{Action, AuditEntry};
use weevil_access::limits::MAX_QUOTA;
use weevil_access::store::{Answer, Declined, NewProject, Project};
use weevil_access::{ProjectSlug, Quotas, Title};
use weevil_api::{ProjectAsked, ProjectChange, ProjectView, QuotasAsked};
use weevil_model::{Right, StoreError};

use super::asker::Asker;
use super::own_page::OwnPage;
use super::projects::{find, view};
use super::{AppState, json_body};
use crate::refusal::Refusal;

pub(super) async fn make(
    _own: OwnPage,
    app: web::Data<AppState>,
    asker: Asker,
    request: HttpRequest,
    payload: web::Payload,
) -> Result<HttpResponse, Refusal> {
    let ProjectAsked { slug, name, quotas } = json_body::read(&app, &request, payload).await?;
    let slug: ProjectSlug = slug.parse().map_err(Refusal::BadName)?;
    let name: Title = name.parse().map_err(Refusal::BadName)?;
    let settings = app.access.new_projects;
    let (quotas, jobs_a_minute) = match quotas {
        Some(wanted) => bounds(wanted)?,
        None => (settings.quotas, settings.jobs_a_minute),
    };
    app.admit()?;
    let new = NewProject { slug, name, quotas, jobs_a_minute };
    let details = Some(json!({ "slug": new.slug.as_str() }).to_string());
    let entry = AuditEntry { details, ..asker.entry(Action::ProjectCreated, None) };
    let made = app.written(app.access.store.add_project(&new, &entry).await)?;
    made.map_err(|declined| match declined {
        Declined::TooMany { most, .. } => Refusal::TooManyProjects(most),
        _ => Refusal::NameTaken(new.slug.as_str().to_owned()),
    })?;
    let project = find(&app, &asker.caller, new.slug.as_str(), Right::ProjectsManage).await?;
    Ok(HttpResponse::Created().json(view(project)))
}

pub(super) async fn change(
    _own: OwnPage,
    app: web::Data<AppState>,
    asker: Asker,
    request: HttpRequest,
    (slug, payload): (web::Path<String>, web::Payload),
) -> Result<web::Json<ProjectView>, Refusal> {
    let project = find(&app, &asker.caller, &slug, Right::ProjectManage).await?;
    let ProjectChange { name } = json_body::read(&app, &request, payload).await?;
    let name: Title = name.parse().map_err(Refusal::BadName)?;
    let details = json!({ "name": name.as_str() }).to_string();
    let entry = entry(&asker, Action::ProjectChanged, &project, Some(details));
    changed(&app, &project, app.access.store.change_project(project.id, &name, &entry).await)?;
    Ok(web::Json(view(Project { name: name.as_str().to_owned(), ..project })))
}

pub(super) async fn set_quotas(
    _own: OwnPage,
    app: web::Data<AppState>,
    asker: Asker,
    request: HttpRequest,
    (slug, payload): (web::Path<String>, web::Payload),
) -> Result<web::Json<ProjectView>, Refusal> {
    let project = find(&app, &asker.caller, &slug, Right::ProjectsManage).await?;
    let wanted: QuotasAsked = json_body::read(&app, &request, payload).await?;
    let (quotas, jobs_a_minute) = bounds(wanted)?;
    let entry = entry(&asker, Action::ProjectQuotas, &project, Some(json!(wanted).to_string()));
    let set = app.access.store.set_quotas(project.id, quotas, jobs_a_minute, &entry).await;
    changed(&app, &project, set)?;
    Ok(web::Json(view(Project { quotas, jobs_a_minute, ..project })))
}

/// What it comes to.
///
/// # Errors
/// One is more than every reader of JSON can tell from the next number.
pub(super) fn bounds(asked: QuotasAsked) -> Result<(Quotas, u64), Refusal> {
    let QuotasAsked { open_jobs, open_runs, stored_bytes, jobs_a_minute } = asked;
    let all = [open_jobs, open_runs, stored_bytes, jobs_a_minute];
    if let Some(most) = all.into_iter().find(|most| *most > MAX_QUOTA) {
        return Err(Refusal::BadBody(format!(
            "a quota is {most}; it is at most {MAX_QUOTA}, and 0 is no bound"
        )));
    }
    Ok((Quotas { open_jobs, open_runs, stored_bytes }, jobs_a_minute))
}

pub(super) async fn archive(
    _own: OwnPage,
    app: web::Data<AppState>,
    asker: Asker,
    slug: web::Path<String>,
) -> Result<web::Json<ProjectView>, Refusal> {
    set_archived(&app, &asker, &slug, true).await
}

pub(super) async fn restore(
    _own: OwnPage,
    app: web::Data<AppState>,
    asker: Asker,
    slug: web::Path<String>,
) -> Result<web::Json<ProjectView>, Refusal> {
    set_archived(&app, &asker, &slug, false).await
}

/// Answers the project as it is then: one that was archived before has been so since then.
async fn set_archived(
    app: &AppState,
    asker: &Asker,
    slug: &str,
    archived: bool,
) -> Result<web::Json<ProjectView>, Refusal> {
    let project = find(app, &asker.caller, slug, Right::ProjectsManage).await?;
    let action = if archived { Action::ProjectArchived } else { Action::ProjectRestored };
    let entry = entry(asker, action, &project, None);
    changed(app, &project, app.access.store.archive_project(project.id, archived, &entry).await)?;
    Ok(web::Json(view(find(app, &asker.caller, slug, Right::ProjectsManage).await?)))
}

fn entry(asker: &Asker, action: Action, project: &Project, details: Option<String>) -> AuditEntry {
    let id = project.id;
    AuditEntry { project: Some(id), details, ..asker.entry(action, Some(id.to_string())) }
}

fn changed(app: &AppState, project: &Project, answer: Result<Answer<()>, StoreError>) -> Result<(), Refusal> {
    app.written(answer)?.map_err(|_| Refusal::NoSuchProject(project.slug.clone()))
}
