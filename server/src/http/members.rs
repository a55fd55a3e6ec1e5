//! Members of a project over HTTP: listed, given a role, taken out.

use actix_web::{HttpRequest, HttpResponse, web};
use weevil_access::audit::{Action, AuditEntry};
use weevil_access::store::{Declined, Member, Project};
use weevil_api::{MemberAsked, MemberPage, MemberView};
use weevil_model::{AccountId, Right, Role};

use super::asker::Asker;
use super::own_page::OwnPage;
use super::page::{Page, id_behind};
use super::parameters::query;
use super::projects::find;
use super::{AppState, json_body};
use crate::refusal::Refusal;

pub(super) async fn list(
    app: web::Data<AppState>,
    request: HttpRequest,
    asker: Asker,
    slug: web::Path<String>,
) -> Result<web::Json<MemberPage>, Refusal> {
    let Page { after, limit } = query(&request)?;
    let after: Option<AccountId> = id_behind(after.as_deref())?;
    let project = find(&app, &asker.caller, &slug, Right::ProjectRead).await?;
    let mut found = app.access.store.members(project.id, after, limit.and_one()).await?;
    let next = limit.cut(&mut found, |member| member.account.id.to_string());
    Ok(web::Json(MemberPage { members: found.into_iter().map(view).collect(), next }))
}

/// Makes somebody a member, or gives a member another role.
pub(super) async fn set(
    _own: OwnPage,
    app: web::Data<AppState>,
    request: HttpRequest,
    asker: Asker,
    payload: web::Payload,
) -> Result<HttpResponse, Refusal> {
    let MemberAsked { role } = json_body::read(&app, &request, payload).await?;
    let role = role_of(&role)?;
    let (project, account) = managed(&app, &asker, &request).await?;
    let details = format!(r#"{{"role":"{role}"}}"#);
    let entry = AuditEntry { details: Some(details), ..entry(&asker, Action::MemberSet, &project, account) };
    let set = app.access.store.set_member(project.id, account, role, &entry).await;
    app.written(set)?.map_err(|declined| refused(declined, &project, account))?;
    app.access.people.changed();
    Ok(HttpResponse::NoContent().finish())
}

/// The role with this word.
pub(super) fn role_of(word: &str) -> Result<Role, Refusal> {
    let role = Role::parse(word);
    role.ok_or_else(|| Refusal::BadBody("`role` is `viewer`, `researcher` or `admin`".to_owned()))
}

pub(super) async fn remove(
    _own: OwnPage,
    app: web::Data<AppState>,
    request: HttpRequest,
    asker: Asker,
) -> Result<HttpResponse, Refusal> {
    let (project, account) = managed(&app, &asker, &request).await?;
    let entry = entry(&asker, Action::MemberRemoved, &project, account);
    let removed = app.access.store.remove_member(project.id, account, &entry).await;
    app.written(removed)?.map_err(|declined| refused(declined, &project, account))?;
    app.access.people.changed();
    Ok(HttpResponse::NoContent().finish())
}

/// The project, whose people this caller looks after, and the account that are named.
async fn managed(
    app: &AppState,
    asker: &Asker,
    request: &HttpRequest,
) -> Result<(Project, AccountId), Refusal> {
    let named = request.match_info();
    let project = find(app, &asker.caller, named.query("project"), Right::ProjectManage).await?;
    Ok((project, named.query("account").parse()?))
}

fn entry(asker: &Asker, action: Action, project: &Project, account: AccountId) -> AuditEntry {
    AuditEntry { project: Some(project.id), ..asker.entry(action, Some(account.to_string())) }
}

fn refused(declined: Declined, project: &Project, account: AccountId) -> Refusal {
    match declined {
        Declined::NoSuchProject => Refusal::NoSuchProject(project.slug.clone()),
        Declined::NoSuchAccount => Refusal::NoSuchAccount(account),
        other => Refusal::NotAllowed(other.to_string()),
    }
}

fn view(member: Member) -> MemberView {
    MemberView {
        account: member.account.id.to_string(),
        name: member.account.name,
        display: member.account.display,
        role: member.role.as_str().to_owned(),
        since: member.since.0,
    }
}
