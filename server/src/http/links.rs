//! Links that make an account or set a password, each good once: what one is for, and its use.
//!
//! Unknown, used and expired are the same, and each that is so counts as a failure of its place.

use actix_web::http::StatusCode;
use actix_web::{HttpRequest, HttpResponse, web};
use weevil_access::audit::{Action, Actor, AuditEntry};
use weevil_access::store::{Account, Declined, Link, LinkFor, NewAccount};
use weevil_access::{AccountName, Attempt, Secret, SecretHash, Title};
use weevil_api::{AcceptAsked, LinkUse, LinkView, ResetAsked, SessionAsked};
use weevil_failpoint::{Point, pass};
use weevil_model::AccountId;

use super::asker::Asker;
use super::own_page::OwnPage;
use super::{AppState, json_body, passwords, session_rows};
use crate::access::Begun;
use crate::refusal::Refusal;

/// Lets a place try a link.
pub(super) fn begin<'a>(app: &'a AppState, asker: &Asker) -> Result<Begun<'a>, Refusal> {
    let attempt = Attempt::Link { place: app.budget.number(asker.peer) };
    Ok(app.access.people.throttles.begin(attempt, asker.at)?)
}

/// What was tried is no good link.
pub(super) fn failed(app: &AppState, asker: &Asker, begun: Begun<'_>) -> Refusal {
    begun.fail();
    app.access.sums.count(passwords::failure(asker, None), 0);
    Refusal::BadLink
}

/// A link that is good, and what is stored of its text.
async fn good_link(app: &AppState, asker: &Asker, text: &str) -> Result<(SecretHash, Link), Refusal> {
    let (people, begun) = (&app.access.people, begin(app, asker)?);
    let found = match Secret::parse(text) {
        Ok(secret) => people.store.link(secret.hash(), asker.at).await?.map(|link| (secret.hash(), link)),
        Err(_) => None,
    };
    match found {
        Some(found) => Ok(found),
        None => Err(failed(app, asker, begun)),
    }
}

async fn whose(app: &AppState, account: AccountId) -> Result<Account, Refusal> {
    app.access.people.store.account(account).await?.ok_or(Refusal::BadLink)
}

pub(super) async fn look(
    _own: OwnPage,
    asker: Asker,
    app: web::Data<AppState>,
    request: HttpRequest,
    payload: web::Payload,
) -> Result<web::Json<LinkView>, Refusal> {
    let body: SessionAsked = json_body::read(&app, &request, payload).await?;
    let (_, link) = good_link(&app, &asker, &body.link).await?;
    let (kind, name) = match link.good_for {
        LinkFor::FirstAdmin => (LinkUse::FirstAdmin, None),
        LinkFor::Invite { .. } => (LinkUse::Invite, None),
        LinkFor::Reset { account } => (LinkUse::Reset, Some(whose(&app, account).await?.name)),
    };
    Ok(web::Json(LinkView { kind, name, expires_at: link.expires_at.0 }))
}

pub(super) async fn accept(
    _own: OwnPage,
    asker: Asker,
    app: web::Data<AppState>,
    request: HttpRequest,
    payload: web::Payload,
) -> Result<HttpResponse, Refusal> {
    let body: AcceptAsked = json_body::read(&app, &request, payload).await?;
    let (hash, link) = good_link(&app, &asker, &body.link).await?;
    if matches!(link.good_for, LinkFor::Reset { .. }) {
        return Err(Refusal::BadLink);
    }
    let name: AccountName = body.name.parse().map_err(Refusal::BadName)?;
    let display: Title = body.display.parse().map_err(Refusal::BadName)?;
    let names = vec![name.to_string(), display.to_string()];
    let password = Some(passwords::new_password(&app, &request, names, &body.password).await?);
    let id = app.common.ids.account(asker.at);
    let entry =
        AuditEntry { actor: Actor::Account(id), ..asker.entry(Action::AccountCreated, Some(id.to_string())) };
    let taken = name.to_string();
    let account = NewAccount { id, name, display, admin: false, password };
    let made = app.written(app.access.people.store.accept_link(hash, &account, &entry).await)?;
    let account = made.map_err(|declined| match declined {
        Declined::NameTaken => Refusal::NameTaken(taken),
        _ => Refusal::BadLink,
    })?;
    pass(Point::AccountStored);
    session_rows::open(StatusCode::CREATED, &app, &request, &asker, &account).await
}

pub(super) async fn reset(
    _own: OwnPage,
    asker: Asker,
    app: web::Data<AppState>,
    request: HttpRequest,
    payload: web::Payload,
) -> Result<HttpResponse, Refusal> {
    let body: ResetAsked = json_body::read(&app, &request, payload).await?;
    let (hash, link) = good_link(&app, &asker, &body.link).await?;
    let LinkFor::Reset { account } = link.good_for else { return Err(Refusal::BadLink) };
    let account = whose(&app, account).await?;
    let names = vec![account.name.clone(), account.display.clone()];
    let password = passwords::new_password(&app, &request, names, &body.password).await?;
    let entry = AuditEntry {
        actor: Actor::Account(account.id),
        ..asker.entry(Action::PasswordSet, Some(account.id.to_string()))
    };
    let set = app.written(app.access.people.store.reset_password(hash, &password, &entry).await)?;
    set.map_err(|_| Refusal::BadLink)?;
    app.access.people.changed();
    session_rows::open(StatusCode::OK, &app, &request, &asker, &account).await
}
