//! Who asks: the account, what it may do, and its password.

use actix_web::{HttpRequest, HttpResponse, web};
use weevil_access::audit::Action;
use weevil_access::store::{Account, AccountState as State};
use weevil_access::{Caller, may};
use weevil_api::{AccountState, AccountView, CallerKind, Me, MembershipView, PasswordAsked};
use weevil_model::Right;

use super::asker::Asker;
use super::own_page::OwnPage;
use super::{AppState, json_body, passwords, session_rows, tokens};
use crate::refusal::Refusal;

pub(super) async fn show(asker: Asker, app: web::Data<AppState>) -> Result<web::Json<Me>, Refusal> {
    let (kind, session) = match &asker.caller {
        Caller::Nobody => return Err(Refusal::NotSignedIn),
        Caller::Local => (CallerKind::Local, None),
        Caller::Session(session) => (CallerKind::Account, Some(session.session.to_string())),
        Caller::Token(_) => (CallerKind::Token, None),
    };
    let account = match asker.caller.person() {
        Some(person) => {
            app.access.people.store.account(person.account).await?.map(|account| view(&app, &account))
        }
        None => None,
    };
    let token = match &asker.caller {
        Caller::Token(own) => tokens::one(&app, own.owner.account, own.token).await?,
        _ => None,
    };
    let memberships = match asker.caller.person() {
        Some(person) => app.access.people.store.memberships(person.account).await?,
        None => Vec::new(),
    };
    let memberships = memberships.into_iter().map(|member| MembershipView {
        project: member.project.slug,
        name: member.project.name,
        role: member.role.to_string(),
    });
    let rights = Right::ALL.into_iter().filter(|right| may(&asker.caller, *right, None).is_ok());
    Ok(web::Json(Me {
        kind,
        account,
        fresh: asker.caller.is_fresh(),
        session,
        token,
        memberships: memberships.collect(),
        rights: rights.map(|right| right.to_string()).collect(),
    }))
}

/// How an account is shown to who may see it.
pub(super) fn view(app: &AppState, account: &Account) -> AccountView {
    let (state, state_at) = match account.state {
        State::Active => (AccountState::Active, None),
        State::Disabled { at } => (AccountState::Disabled, Some(at.0)),
        State::Removed { at } => (AccountState::Removed, Some(at.0)),
    };
    AccountView {
        id: account.id.to_string(),
        name: account.name.clone(),
        display: account.display.clone(),
        admin: account.admin,
        state,
        created_at: account.created_at.0,
        state_at,
        under_attack: is_attacked(app, &account.name),
    }
}

/// A removed account has no name.
fn is_attacked(app: &AppState, name: &str) -> bool {
    let now = app.common.clock.now();
    name.parse().is_ok_and(|name| app.access.people.throttles.is_attacked(&name, now))
}

pub(super) async fn change_password(
    _own: OwnPage,
    asker: Asker,
    app: web::Data<AppState>,
    request: HttpRequest,
    payload: web::Payload,
) -> Result<HttpResponse, Refusal> {
    let own = asker.session()?;
    let body: PasswordAsked = json_body::read(&app, &request, payload).await?;
    let (store, id) = (&app.access.people.store, own.person.account);
    let account = store.account(id).await?.ok_or(Refusal::NotSignedIn)?;
    let names = vec![account.name, account.display];
    let password = passwords::new_password(&app, &request, names, &body.password).await?;
    let entry = asker.entry(Action::PasswordSet, Some(id.to_string()));
    let set = app.written(store.set_password(id, &password, Some(own.session), &entry).await)?;
    set.map_err(|_| Refusal::NotSignedIn)?;
    app.access.people.changed();
    session_rows::renew(&app, &request, &asker, own.session, None).await
}
