//! Sessions of accounts: signing in, proving again who one is, signing out, and the list of one's own.

use actix_web::http::StatusCode;
use actix_web::http::header::USER_AGENT;
use actix_web::{HttpRequest, HttpResponse, web};
use weevil_access::audit::{Action, Actor, AuditEntry};
use weevil_access::store::{Account, NewSession, SessionRecord};
use weevil_access::{Attempt, Caller, CookieHalf, KnownBrowser, Session, browser_name};
use weevil_api::{PasswordAsked, SessionList, SessionView, SessionsEnded, SignInAsked};
use weevil_model::{AccountId, SessionId};

use super::asker::Asker;
use super::own_page::OwnPage;
use super::{AppState, halves, json_body, passwords};
use crate::access::Renewed;
use crate::refusal::Refusal;
use crate::seeds;

pub(super) async fn sign_in(
    _own: OwnPage,
    asker: Asker,
    app: web::Data<AppState>,
    request: HttpRequest,
    payload: web::Payload,
) -> Result<HttpResponse, Refusal> {
    let body: SignInAsked = json_body::read(&app, &request, payload).await?;
    let Ok(name) = body.name.parse() else {
        let place = app.budget.number(asker.peer);
        let begun = app.access.people.throttles.begin(Attempt::Link { place }, asker.at)?;
        begun.fail();
        app.access.sums.count(passwords::failure(&asker, None), 0);
        return Err(Refusal::WrongSignIn);
    };
    let account = passwords::prove(&app, &request, &asker, &name, &body.password).await?;
    open(StatusCode::OK, &app, &request, &asker, &account).await
}

/// Opens a session for who has proved to own the account.
pub(super) async fn open(
    status: StatusCode,
    app: &AppState,
    request: &HttpRequest,
    asker: &Asker,
    account: &Account,
) -> Result<HttpResponse, Refusal> {
    let people = &app.access.people;
    let cookie = CookieHalf::of_bytes(seeds::secret()?);
    let (id, session) = (app.common.ids.session(asker.at), Session::opened(asker.face, asker.at));
    let user_agent = request.headers().get(USER_AGENT).and_then(|value| value.to_str().ok());
    let record = SessionRecord {
        id,
        account: account.id,
        session,
        ends_at: asker.at.plus_ms(people.settings.lengths.absolute_ms),
        browser: browser_name(user_agent.unwrap_or_default()),
        place: asker.peer.to_string(),
    };
    let entry = AuditEntry {
        actor: Actor::Account(account.id),
        ..asker.entry(Action::SessionOpened, Some(id.to_string()))
    };
    let opened = people.store.open_session(&NewSession { hash: cookie.hash(), record }, &entry).await;
    app.written(opened)?.map_err(|_| Refusal::AccountDisabled)?;
    people.changed();
    let browser = KnownBrowser { account: account.id, since: asker.at };
    let key = people.key(&cookie);
    halves::answer(status, app, request, &Renewed { cookie, key }, Some(browser))
}

pub(super) async fn prove_again(
    _own: OwnPage,
    asker: Asker,
    app: web::Data<AppState>,
    request: HttpRequest,
    payload: web::Payload,
) -> Result<HttpResponse, Refusal> {
    let session = asker.session()?;
    let body: PasswordAsked = json_body::read(&app, &request, payload).await?;
    let account = app.access.people.store.account(session.person.account).await?;
    let name = account.and_then(|account| account.name.parse().ok()).ok_or(Refusal::NotSignedIn)?;
    let account = passwords::prove(&app, &request, &asker, &name, &body.password).await?;
    if account.id != session.person.account {
        return Err(Refusal::WrongSignIn);
    }
    let entry = asker.entry(Action::SessionProved, Some(session.session.to_string()));
    renew(&app, &request, &asker, session.session, Some(&entry)).await
}

/// New halves for who has proved again to own the account.
pub(super) async fn renew(
    app: &AppState,
    request: &HttpRequest,
    asker: &Asker,
    session: SessionId,
    entry: Option<&AuditEntry>,
) -> Result<HttpResponse, Refusal> {
    let from = asker.cookie.ok_or(Refusal::NotSignedIn)?;
    let renewed = app.access.people.renew(from, session, asker.at, true, entry).await?;
    // Another request has made new halves a moment ago: with those it can be body again.
    let renewed = renewed.ok_or(Refusal::SlowDown)?;
    halves::answer(StatusCode::OK, app, request, &renewed, None)
}

pub(super) async fn close(
    _own: OwnPage,
    asker: Asker,
    app: web::Data<AppState>,
    request: HttpRequest,
) -> Result<HttpResponse, Refusal> {
    match (&asker.caller, asker.cookie, &app.access.local) {
        (Caller::Local, Some(cookie), Some(local)) => {
            local.sessions.end(cookie);
            app.access.people.changed();
        }
        // A token has no session to close.
        (Caller::Local, None, _) => {}
        _ => end_one(&app, &asker, asker.session()?.session).await?,
    }
    halves::forgotten(&app, &request)
}

async fn end_one(app: &AppState, asker: &Asker, session: SessionId) -> Result<(), Refusal> {
    let account = asker.session()?.person.account;
    let entry = asker.entry(Action::SessionEnded, Some(session.to_string()));
    let ended = app.written(app.access.people.store.end_session(account, session, &entry).await)?;
    ended.map_err(|_| Refusal::NoSuchSession(session))?;
    app.access.people.changed();
    Ok(())
}

pub(super) async fn end(
    _own: OwnPage,
    asker: Asker,
    app: web::Data<AppState>,
    session: web::Path<String>,
) -> Result<HttpResponse, Refusal> {
    end_one(&app, &asker, session.parse()?).await?;
    Ok(HttpResponse::NoContent().finish())
}

pub(super) async fn end_others(
    _own: OwnPage,
    asker: Asker,
    app: web::Data<AppState>,
) -> Result<web::Json<SessionsEnded>, Refusal> {
    let own = asker.session()?;
    let account = own.person.account;
    let entry = asker.entry(Action::SessionsEnded, Some(account.to_string()));
    let store = &app.access.people.store;
    let ended = app.written(store.end_sessions(account, Some(own.session), &entry).await)?;
    app.access.people.changed();
    Ok(web::Json(SessionsEnded { ended }))
}

pub(super) async fn list(asker: Asker, app: web::Data<AppState>) -> Result<web::Json<SessionList>, Refusal> {
    open_ones(&app, &asker, asker.session()?.person.account).await
}

/// The sessions of an account that are open, for its owner and for somebody who looks after accounts.
pub(super) async fn open_ones(
    app: &AppState,
    asker: &Asker,
    account: AccountId,
) -> Result<web::Json<SessionList>, Refusal> {
    let current = asker.session().ok().map(|session| session.session);
    let records = app.access.people.store.sessions(account).await?;
    let lengths = app.access.people.settings.lengths;
    let open = records.into_iter().filter(|record| record.session.ends_at(lengths) > asker.at);
    Ok(web::Json(SessionList { sessions: open.map(|record| view(record, current)).collect() }))
}

fn view(record: SessionRecord, current: Option<SessionId>) -> SessionView {
    SessionView {
        id: record.id.to_string(),
        browser: record.browser,
        place: record.place,
        opened_at: record.session.opened_at.0,
        used_at: record.session.used_at.0,
        current: Some(record.id) == current,
    }
}
