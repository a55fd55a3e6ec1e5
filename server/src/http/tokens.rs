//! Tokens: somebody's own, and those of an account for whoever looks after accounts. A secret is told once, in the answer that
//! made it.

use actix_web::{HttpRequest, HttpResponse, web};
use weevil_access::audit::{Action, AuditEntry};
use weevil_access::store::{Declined, NewToken, Token};
use weevil_access::{Caller, Scopes, Secret, SecretKind, Title, token_expires_at};
use weevil_api::{TokenAsked, TokenList, TokenMade, TokenView};
use weevil_failpoint::{Point, pass};
use weevil_model::{AccountId, ProjectId, Timestamp, TokenId};

use super::asker::Asker;
use super::headers::NO_STORE;
use super::own_page::OwnPage;
use super::page::{Page, id_behind};
use super::parameters::query;
use super::{AppState, json_body, token_projects};
use crate::refusal::Refusal;
use crate::seeds;

pub(super) async fn list(
    app: web::Data<AppState>,
    asker: Asker,
    request: HttpRequest,
) -> Result<web::Json<TokenList>, Refusal> {
    let owner = asker.session()?.person.account;
    tokens_of(&app, owner, &request).await
}

pub(super) async fn of_account(
    app: web::Data<AppState>,
    account: web::Path<String>,
    request: HttpRequest,
) -> Result<web::Json<TokenList>, Refusal> {
    let owner: AccountId = account.parse()?;
    if app.access.people.store.account(owner).await?.is_none() {
        return Err(Refusal::NoSuchAccount(owner));
    }
    tokens_of(&app, owner, &request).await
}

async fn tokens_of(
    app: &AppState,
    owner: AccountId,
    request: &HttpRequest,
) -> Result<web::Json<TokenList>, Refusal> {
    let Page { after, limit } = query(request)?;
    let after: Option<TokenId> = id_behind(after.as_deref())?;
    let store = &app.access.people.store;
    let mut tokens = store.tokens(Some(owner), after, limit.and_one()).await?;
    let next = limit.cut(&mut tokens, |token| token.id.to_string());
    let mut views = Vec::with_capacity(tokens.len());
    for token in &tokens {
        views.push(view(app, token).await?);
    }
    Ok(web::Json(TokenList { tokens: views, next }))
}

pub(super) async fn make(
    _own: OwnPage,
    asker: Asker,
    app: web::Data<AppState>,
    request: HttpRequest,
    payload: web::Payload,
) -> Result<HttpResponse, Refusal> {
    let TokenAsked { name, scopes, project, days, account } =
        json_body::read(&app, &request, payload).await?;
    let owner = owner(&asker, account.as_deref())?;
    let name: Title = name.parse().map_err(Refusal::BadName)?;
    let wish = Wish { scopes: &scopes, project: project.as_deref(), days };
    let token = wish.token(&app, owner, &name, asker.at).await?;
    let made = store(&app, token, &asker.entry(Action::TokenCreated, None)).await?;
    Ok(HttpResponse::Created().insert_header(NO_STORE).json(made))
}

/// Whose token it is to be: one's own. The owner of the server's machine has none, and names somebody.
fn owner(asker: &Asker, named: Option<&str>) -> Result<AccountId, Refusal> {
    match (&asker.caller, named) {
        (Caller::Local, Some(account)) => Ok(account.parse()?),
        (Caller::Local, None) => {
            Err(Refusal::BadBody("`account` is missing: whose token is it to be?".to_owned()))
        }
        (_, None) => Ok(asker.session()?.person.account),
        (_, Some(_)) => Err(Refusal::NotAllowed("everybody makes their own tokens".to_owned())),
    }
}

/// A program can end its own token: that is what it does when it is told to forget it.
pub(super) async fn revoke(
    _own: OwnPage,
    asker: Asker,
    app: web::Data<AppState>,
    token: web::Path<String>,
) -> Result<HttpResponse, Refusal> {
    let token: TokenId = token.parse()?;
    let owner = match &asker.caller {
        Caller::Token(own) if own.token == token => own.owner.account,
        Caller::Token(_) => return Err(Refusal::NoSuchToken(token)),
        _ => asker.session()?.person.account,
    };
    end(&app, token, owner, &asker).await
}

pub(super) async fn revoke_of_account(
    _own: OwnPage,
    asker: Asker,
    app: web::Data<AppState>,
    path: web::Path<(String, String)>,
) -> Result<HttpResponse, Refusal> {
    let (account, token) = path.into_inner();
    end(&app, token.parse()?, account.parse()?, &asker).await
}

async fn end(
    app: &AppState,
    token: TokenId,
    owner: AccountId,
    asker: &Asker,
) -> Result<HttpResponse, Refusal> {
    let entry = asker.entry(Action::TokenRevoked, Some(token.to_string()));
    let revoked = app.access.people.store.revoke_token(token, Some(owner), &entry).await;
    app.written(revoked)?.map_err(|_| Refusal::NoSuchToken(token))?;
    app.access.people.changed();
    Ok(HttpResponse::NoContent().finish())
}

/// What somebody wants a token to be.
pub(super) struct Wish<'a> {
    pub scopes: &'a [String],
    pub project: Option<&'a str>,
    pub days: Option<u32>,
}

impl Wish<'_> {
    /// The token that it comes to. Scopes that its owner does not have are of no use, and no harm.
    pub(super) async fn token(
        &self,
        app: &AppState,
        owner: AccountId,
        name: &Title,
        now: Timestamp,
    ) -> Result<Token, Refusal> {
        let wrong = |why: weevil_access::TokenRequestError| Refusal::BadBody(why.to_string());
        let project: Option<ProjectId> = match self.project {
            Some(slug) => Some(token_projects::number(app, slug, owner).await?),
            None => None,
        };
        Ok(Token {
            id: app.common.ids.token(now),
            name: name.as_str().to_owned(),
            owner,
            scopes: Scopes::of_words(self.scopes.iter().map(String::as_str)).map_err(wrong)?,
            project,
            made_at: now,
            expires_at: token_expires_at(self.days, now).map_err(wrong)?,
            used_at: None,
            revoked_at: None,
        })
    }
}

/// Makes a token and its secret; `entry` is what the audit says of it, but for which one it is.
pub(super) async fn store(app: &AppState, token: Token, entry: &AuditEntry) -> Result<TokenMade, Refusal> {
    app.admit()?;
    let secret = Secret::of_bytes(SecretKind::Token, seeds::secret()?);
    let mut entry = entry.clone();
    entry.subject = Some(token.id.to_string());
    entry.project = token.project;
    let new = NewToken { hash: secret.hash(), token };
    let made = app.written(app.access.people.store.make_token(&new, &entry).await)?;
    made.map_err(|declined| match declined {
        Declined::TooMany { most, .. } => Refusal::TooManyTokens(most),
        _ => Refusal::NoSuchAccount(new.token.owner),
    })?;
    pass(Point::TokenStored);
    Ok(TokenMade { token: view(app, &new.token).await?, secret: secret.reveal().to_owned() })
}

/// One of an account's tokens.
pub(super) async fn one(app: &AppState, owner: AccountId, id: TokenId) -> Result<Option<TokenView>, Refusal> {
    let before = TokenId::from_number(id.number() - 1);
    let found = app.access.people.store.tokens(Some(owner), before, 1).await?;
    match found.first().filter(|token| token.id == id) {
        Some(token) => view(app, token).await.map(Some),
        None => Ok(None),
    }
}

async fn view(app: &AppState, token: &Token) -> Result<TokenView, Refusal> {
    let project = match token.project {
        Some(project) => Some(token_projects::slug(app, project).await?),
        None => None,
    };
    Ok(view_in(token, project))
}

/// How a token for the project of this name, or for all, is shown.
pub(super) fn view_in(token: &Token, project: Option<String>) -> TokenView {
    TokenView {
        id: token.id.to_string(),
        name: token.name.clone(),
        scopes: token.scopes.rights().iter().map(ToString::to_string).collect(),
        project,
        created_at: token.made_at.0,
        expires_at: token.expires_at.0,
        used_at: token.used_at.map(|at| at.0),
        revoked_at: token.revoked_at.map(|at| at.0),
    }
}
