//! Letting a program in from a browser (after RFC 8628): it begins and asks, somebody who is signed in looks and decides.
//!
//! The token is made when the program asks for what was approved: no secret waits in memory for it, and no token is left that nobody
//! holds (ADR 0052).

use actix_web::{HttpRequest, HttpResponse, web};
use weevil_access::audit::Action;
use weevil_access::limits::{DEVICE_LOGIN_ASK_MS, DEVICE_LOGIN_MS};
use weevil_access::{LoginAnswer, LoginSecret, Title, UserCode};
use weevil_api::{
    LoginAnswered, LoginAsked, LoginBegun, LoginDecision, LoginPoll, LoginState, LoginView, TokenMade,
};

use super::asker::Asker;
use super::console_address::console_address;
use super::headers::NO_STORE;
use super::own_page::OwnPage;
use super::tokens::{Wish, store};
use super::{AppState, json_body};
use crate::access::Approval;
use crate::refusal::Refusal;
use crate::seeds;

pub(super) async fn begin(
    _own: OwnPage,
    asker: Asker,
    app: web::Data<AppState>,
    request: HttpRequest,
    payload: web::Payload,
) -> Result<HttpResponse, Refusal> {
    let LoginAsked { name } = json_body::read(&app, &request, payload).await?;
    let name: Title = name.parse().map_err(Refusal::BadName)?;
    let secret = LoginSecret::of_bytes(seeds::secret()?);
    let code = UserCode::of_bytes(seeds::code()?);
    if !app.access.logins.begin(&secret, code, name, asker.peer.to_string(), asker.at) {
        return Err(Refusal::SlowDown);
    }
    let begun = LoginBegun {
        login: secret.reveal(),
        code: code.to_string(),
        address: console_address(&app, &request, &format!("/login/{code}")),
        expires_at: asker.at.plus_ms(DEVICE_LOGIN_MS).0,
        ask_ms: DEVICE_LOGIN_ASK_MS,
    };
    Ok(HttpResponse::Created().insert_header(NO_STORE).json(begun))
}

pub(super) async fn ask(
    _own: OwnPage,
    asker: Asker,
    app: web::Data<AppState>,
    request: HttpRequest,
    payload: web::Payload,
) -> Result<HttpResponse, Refusal> {
    let LoginPoll { login } = json_body::read(&app, &request, payload).await?;
    let answer =
        LoginSecret::parse(&login).map_or(LoginAnswer::Over, |it| app.access.logins.ask(&it, asker.at));
    let (state, token) = match answer {
        LoginAnswer::Waiting => (LoginState::Waiting, None),
        LoginAnswer::TooSoon => (LoginState::TooSoon, None),
        LoginAnswer::Over => (LoginState::Over, None),
        LoginAnswer::Approved(approval) => {
            (LoginState::Approved, Some(fetch(&app, *approval, &asker).await?))
        }
    };
    Ok(HttpResponse::Ok().insert_header(NO_STORE).json(LoginAnswered { state, token }))
}

/// The token of what was approved: the audit says that whoever approved it made it, and when.
async fn fetch(app: &AppState, approval: Approval, asker: &Asker) -> Result<TokenMade, Refusal> {
    let Approval { token, mut entry } = approval;
    entry.at = asker.at;
    store(app, token, &entry).await
}

pub(super) async fn show(
    asker: Asker,
    app: web::Data<AppState>,
    code: web::Path<String>,
) -> Result<web::Json<LoginView>, Refusal> {
    let code = parse(&code)?;
    asker.session()?;
    let seen = app.access.logins.look(code, asker.at).ok_or(Refusal::NoSuchLogin)?;
    Ok(web::Json(LoginView { name: seen.name.to_string(), place: seen.place, since: seen.since.0 }))
}

pub(super) async fn decide(
    _own: OwnPage,
    asker: Asker,
    app: web::Data<AppState>,
    (code, request): (web::Path<String>, HttpRequest),
    payload: web::Payload,
) -> Result<HttpResponse, Refusal> {
    let owner = asker.session()?.person.account;
    let code = parse(&code)?;
    let LoginDecision { approve, scopes, project, days } = json_body::read(&app, &request, payload).await?;
    let seen = app.access.logins.look(code, asker.at).ok_or(Refusal::NoSuchLogin)?;
    let approval = if approve {
        let wish = Wish { scopes: &scopes, project: project.as_deref(), days };
        let token = wish.token(&app, owner, &seen.name, asker.at).await?;
        Some(Box::new(Approval { token, entry: asker.entry(Action::TokenCreated, None) }))
    } else {
        None
    };
    if !app.access.logins.decide(code, approval, asker.at) {
        return Err(Refusal::NoSuchLogin);
    }
    Ok(HttpResponse::NoContent().finish())
}

fn parse(code: &str) -> Result<UserCode, Refusal> {
    code.parse().map_err(|_| Refusal::NoSuchLogin)
}
