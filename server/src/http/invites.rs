//! Links that those who administer the server make for others: an invitation, and a way to set a new password.
//!
//! A link is told once, here, and stored as a hash.

use actix_web::{HttpRequest, HttpResponse, web};
use weevil_access::audit::{Action, AuditEntry};
use weevil_access::store::{Declined, Link, LinkFor, NewLink};
use weevil_access::{LinkKind, ProjectSlug, Secret};
use weevil_api::{InviteAsked, LinkMade, ProjectInvite};
use weevil_model::{AccountId, ProjectId, Right, Role};

use super::asker::Asker;
use super::console_address::console_address;
use super::headers::NO_STORE;
use super::members::role_of;
use super::own_page::OwnPage;
use super::projects::find;
use super::{AppState, json_body};
use crate::refusal::Refusal;
use crate::seeds;

/// While nobody administers the server, the first invitation to do so is the first admin's, and makes earlier ones void.
pub(super) async fn invite(
    _own: OwnPage,
    app: web::Data<AppState>,
    asker: Asker,
    request: HttpRequest,
    payload: web::Payload,
) -> Result<HttpResponse, Refusal> {
    let wanted: InviteAsked = json_body::read(&app, &request, payload).await?;
    let (InviteAsked { admin, hours, .. }, into) = (wanted.clone(), into(&app, &wanted).await?);
    if admin && hours.is_none() && into.is_none() && !app.access.people.store.has_admin().await? {
        // Where somebody else is faster, the next one is an invitation like others.
        return make(&app, &asker, &request, (LinkKind::FirstAdmin, LinkFor::FirstAdmin)).await;
    }
    make(&app, &asker, &request, (LinkKind::Invite { hours }, LinkFor::Invite { admin, into })).await
}

/// The project and the role that who accepts the invitation is to have.
async fn into(app: &AppState, asked: &InviteAsked) -> Result<Option<(ProjectId, Role)>, Refusal> {
    let bad = |words: &str| Refusal::BadBody(words.to_owned());
    let (slug, role) = match (&asked.project, &asked.role) {
        (None, None) => return Ok(None),
        (Some(slug), Some(role)) => (slug, role),
        _ => return Err(bad("`project` and `role` go together")),
    };
    let role = role_of(role)?;
    let slug: ProjectSlug = slug.parse().map_err(|_| bad("there is no such project"))?;
    let project = app.access.people.store.project(&slug).await?;
    let project = project.ok_or_else(|| bad("there is no such project"))?;
    Ok(Some((project.id, role)))
}

/// The way into one project, for those who look after it.
pub(super) async fn into_project(
    _own: OwnPage,
    app: web::Data<AppState>,
    asker: Asker,
    request: HttpRequest,
    (slug, payload): (web::Path<String>, web::Payload),
) -> Result<HttpResponse, Refusal> {
    let project = find(&app, &asker.caller, &slug, Right::ProjectManage).await?;
    let ProjectInvite { role, hours } = json_body::read(&app, &request, payload).await?;
    let good_for = LinkFor::Invite { admin: false, into: Some((project.id, role_of(&role)?)) };
    make(&app, &asker, &request, (LinkKind::Invite { hours }, good_for)).await
}

pub(super) async fn reset(
    _own: OwnPage,
    app: web::Data<AppState>,
    asker: Asker,
    request: HttpRequest,
    account: web::Path<String>,
) -> Result<HttpResponse, Refusal> {
    let account: AccountId = account.parse()?;
    make(&app, &asker, &request, (LinkKind::Reset, LinkFor::Reset { account })).await
}

async fn make(
    app: &AppState,
    asker: &Asker,
    request: &HttpRequest,
    (kind, good_for): (LinkKind, LinkFor),
) -> Result<HttpResponse, Refusal> {
    let expires_at = kind.expires_at(asker.at).map_err(|error| Refusal::BadBody(error.to_string()))?;
    let secret = Secret::of_bytes(kind.secret(), seeds::secret()?);
    let link = Link { made_by: asker.caller.actor(), good_for, made_at: asker.at, expires_at };
    let new = NewLink { hash: secret.hash(), link };
    let made = app.written(app.access.people.store.make_link(&new, &entry(asker, good_for)).await)?;
    made.map_err(|declined| refused(declined, good_for))?;
    let link = secret.reveal().to_owned();
    let address = console_address(app, request, &format!("link={link}"));
    Ok(HttpResponse::Created().insert_header(NO_STORE).json(LinkMade {
        link,
        address,
        expires_at: expires_at.0,
    }))
}

fn refused(declined: Declined, good_for: LinkFor) -> Refusal {
    match (declined, good_for) {
        (Declined::NoSuchAccount, LinkFor::Reset { account }) => Refusal::NoSuchAccount(account),
        (Declined::TooMany { most, .. }, _) => Refusal::TooManyInvites(most),
        (declined, _) => Refusal::BadBody(declined.to_string()),
    }
}

fn entry(asker: &Asker, good_for: LinkFor) -> AuditEntry {
    let (words, subject) = match good_for {
        LinkFor::FirstAdmin => ("firstAdmin", None),
        LinkFor::Invite { admin: true, .. } => ("inviteAdmin", None),
        LinkFor::Invite { admin: false, .. } => ("invite", None),
        LinkFor::Reset { account } => ("reset", Some(account.to_string())),
    };
    let details = Some(format!(r#"{{"for":"{words}"}}"#));
    let project = match good_for {
        LinkFor::Invite { into, .. } => into.map(|(project, _)| project),
        LinkFor::FirstAdmin | LinkFor::Reset { .. } => None,
    };
    AuditEntry { details, project, ..asker.entry(Action::LinkCreated, subject) }
}
