//! The tokens that are for one project alone, looked after by its admins. Never makes one: everybody makes their own.

use actix_web::{HttpRequest, HttpResponse, web};
use weevil_access::audit::{Action, AuditEntry};
use weevil_api::{ProjectToken, ProjectTokenPage};
use weevil_model::{Right, TokenId};

use super::AppState;
use super::asker::Asker;
use super::own_page::OwnPage;
use super::page::{Page, id_behind};
use super::parameters::query;
use super::projects::find;
use super::tokens::view_in;
use crate::refusal::Refusal;

pub(super) async fn list(
    app: web::Data<AppState>,
    asker: Asker,
    request: HttpRequest,
    slug: web::Path<String>,
) -> Result<web::Json<ProjectTokenPage>, Refusal> {
    let Page { after, limit } = query(&request)?;
    let after: Option<TokenId> = id_behind(after.as_deref())?;
    let project = find(&app, &asker.caller, &slug, Right::ProjectManage).await?;
    let mut found = app.access.store.project_tokens(project.id, after, limit.and_one()).await?;
    let next = limit.cut(&mut found, |(token, _)| token.id.to_string());
    let view = |(token, owner): &(_, weevil_access::store::Account)| ProjectToken {
        token: view_in(token, Some(project.slug.clone())),
        account: owner.id.to_string(),
        owner: owner.name.clone(),
    };
    Ok(web::Json(ProjectTokenPage { tokens: found.iter().map(view).collect(), next }))
}

pub(super) async fn revoke(
    _own: OwnPage,
    app: web::Data<AppState>,
    asker: Asker,
    path: web::Path<(String, String)>,
) -> Result<HttpResponse, Refusal> {
    let (slug, token) = path.into_inner();
    let project = find(&app, &asker.caller, &slug, Right::ProjectManage).await?;
    let token: TokenId = token.parse()?;
    let entry = asker.entry(Action::TokenRevoked, Some(token.to_string()));
    let entry = AuditEntry { project: Some(project.id), ..entry };
    let revoked = app.access.store.revoke_project_token(token, project.id, &entry).await;
    app.written(revoked)?.map_err(|_| Refusal::NoSuchToken(token))?;
    app.access.people.changed();
    Ok(HttpResponse::NoContent().finish())
}
