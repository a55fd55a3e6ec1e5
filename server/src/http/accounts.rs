//! Accounts, looked after by those who administer the server: listed, disabled, enabled, made administrators or no longer, removed.
//!
//! Each change is told in its own transaction, and what was looked up about people before it holds no more.

use actix_web::{HttpRequest, HttpResponse, web};
use serde::Deserialize;
use weevil_access::AccountName;
use weevil_access::audit::{Action, AuditEntry};
use weevil_access::store::{Answer, Declined};
use weevil_api::{AccountPage, AccountState, AccountView, RoleAsked, SessionList, SessionsEnded};
use weevil_model::{AccountId, StoreError};

use super::asker::Asker;
use super::own_page::OwnPage;
use super::page::{Limit, id_behind};
use super::parameters::query;
use super::{AppState, json_body, me, session_rows};
use crate::refusal::Refusal;

/// Which accounts, and which page of them.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Asked {
    state: Option<AccountState>,
    name: Option<String>,
    /// The last account of the page before.
    after: Option<String>,
    #[serde(default)]
    limit: Limit,
}

impl Asked {
    /// Whether disabled ones alone are asked for, or the others.
    fn disabled(&self) -> Result<Option<bool>, Refusal> {
        match self.state {
            None => Ok(None),
            Some(AccountState::Active) => Ok(Some(false)),
            Some(AccountState::Disabled) => Ok(Some(true)),
            Some(AccountState::Removed) => {
                Err(Refusal::BadQuery("of an account that is removed only the id is left".to_owned()))
            }
        }
    }
}

pub(super) async fn list(
    app: web::Data<AppState>,
    request: HttpRequest,
) -> Result<web::Json<AccountPage>, Refusal> {
    let asked: Asked = query(&request)?;
    let (disabled, store) = (asked.disabled()?, &app.access.people.store);
    if let Some(name) = &asked.name {
        // What is no name is nobody's.
        let named = match name.parse::<AccountName>() {
            Ok(name) => store.credentials(&name).await?,
            Err(_) => None,
        };
        let found = named.map(|found| me::view(&app, &found.account));
        let fits = |view: &AccountView| asked.state.is_none_or(|state| state == view.state);
        return Ok(web::Json(AccountPage { accounts: found.into_iter().filter(fits).collect(), next: None }));
    }
    let after: Option<AccountId> = id_behind(asked.after.as_deref())?;
    let mut found = store.accounts(disabled, after, asked.limit.and_one()).await?;
    let next = asked.limit.cut(&mut found, |account| account.id.to_string());
    Ok(web::Json(AccountPage { accounts: found.iter().map(|found| me::view(&app, found)).collect(), next }))
}

pub(super) async fn show(
    app: web::Data<AppState>,
    account: web::Path<String>,
) -> Result<web::Json<AccountView>, Refusal> {
    look(&app, account.parse()?).await
}

/// Also once it is removed.
async fn look(app: &AppState, id: AccountId) -> Result<web::Json<AccountView>, Refusal> {
    let found = app.access.people.store.account(id).await?;
    Ok(web::Json(me::view(app, &found.ok_or(Refusal::NoSuchAccount(id))?)))
}

pub(super) async fn disable(
    _own: OwnPage,
    app: web::Data<AppState>,
    asker: Asker,
    account: web::Path<String>,
) -> Result<web::Json<AccountView>, Refusal> {
    let (id, entry) = change(&asker, &account, Action::AccountDisabled)?;
    changed(&app, id, app.access.people.store.disable_account(id, &entry).await)?;
    look(&app, id).await
}

pub(super) async fn enable(
    _own: OwnPage,
    app: web::Data<AppState>,
    asker: Asker,
    account: web::Path<String>,
) -> Result<web::Json<AccountView>, Refusal> {
    let (id, entry) = change(&asker, &account, Action::AccountEnabled)?;
    changed(&app, id, app.access.people.store.enable_account(id, &entry).await)?;
    look(&app, id).await
}

pub(super) async fn set_admin(
    _own: OwnPage,
    app: web::Data<AppState>,
    asker: Asker,
    request: HttpRequest,
    (account, payload): (web::Path<String>, web::Payload),
) -> Result<web::Json<AccountView>, Refusal> {
    let (id, entry) = change(&asker, &account, Action::AccountRole)?;
    let RoleAsked { admin } = json_body::read(&app, &request, payload).await?;
    let entry = AuditEntry { details: Some(format!(r#"{{"admin":{admin}}}"#)), ..entry };
    changed(&app, id, app.access.people.store.set_admin(id, admin, &entry).await)?;
    look(&app, id).await
}

pub(super) async fn remove(
    _own: OwnPage,
    app: web::Data<AppState>,
    asker: Asker,
    account: web::Path<String>,
) -> Result<HttpResponse, Refusal> {
    let (id, entry) = change(&asker, &account, Action::AccountRemoved)?;
    changed(&app, id, app.access.people.store.remove_account(id, &entry).await)?;
    Ok(HttpResponse::NoContent().finish())
}

pub(super) async fn sessions(
    app: web::Data<AppState>,
    asker: Asker,
    account: web::Path<String>,
) -> Result<web::Json<SessionList>, Refusal> {
    let id: AccountId = account.parse()?;
    look(&app, id).await?;
    session_rows::open_ones(&app, &asker, id).await
}

pub(super) async fn end_sessions(
    _own: OwnPage,
    app: web::Data<AppState>,
    asker: Asker,
    account: web::Path<String>,
) -> Result<web::Json<SessionsEnded>, Refusal> {
    let (id, entry) = change(&asker, &account, Action::SessionsEnded)?;
    look(&app, id).await?;
    let ended = app.written(app.access.people.store.end_sessions(id, None, &entry).await)?;
    app.access.people.changed();
    Ok(web::Json(SessionsEnded { ended }))
}

fn change(asker: &Asker, account: &str, action: Action) -> Result<(AccountId, AuditEntry), Refusal> {
    let id: AccountId = account.parse()?;
    Ok((id, asker.entry(action, Some(id.to_string()))))
}

/// What was looked up before holds no more, at once.
fn changed(app: &AppState, id: AccountId, answer: Result<Answer<()>, StoreError>) -> Result<(), Refusal> {
    app.written(answer)?.map_err(|declined| match declined {
        Declined::LastAdmin => Refusal::LastAdmin,
        _ => Refusal::NoSuchAccount(id),
    })?;
    app.access.people.changed();
    Ok(())
}
