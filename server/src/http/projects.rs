//! Projects over HTTP: those that somebody may see, and one of them.
//!
//! Never changes one: `project_changes.rs` does.

use actix_web::{HttpRequest, web};
use weevil_access::limits::MAX_PROJECTS;
use weevil_access::store::Project;
use weevil_access::{Caller, Denied, ProjectSlug, Quotas, Usage, may};
use weevil_api::{ProjectPage, ProjectView, QuotasView, UsageView};
use weevil_model::{ProjectId, Right};

use super::AppState;
use super::asker::Asker;
use super::page::{Page, id_behind};
use super::parameters::query;
use crate::refusal::Refusal;

/// Looks at all projects, whose number is bounded, and leaves out those that may not be seen.
pub(super) async fn list(
    app: web::Data<AppState>,
    request: HttpRequest,
    asker: Asker,
) -> Result<web::Json<ProjectPage>, Refusal> {
    let Page { after, limit } = query(&request)?;
    let after: Option<ProjectId> = id_behind(after.as_deref())?;
    let mut found = app.access.store.projects(after, MAX_PROJECTS).await?;
    found.retain(|project| is_seen(&asker.caller, project.id));
    let next = limit.cut(&mut found, |project| project.id.to_string());
    Ok(web::Json(ProjectPage { projects: found.into_iter().map(view).collect(), next }))
}

pub(super) async fn show(
    app: web::Data<AppState>,
    asker: Asker,
    slug: web::Path<String>,
) -> Result<web::Json<ProjectView>, Refusal> {
    let project = find(&app, &asker.caller, &slug, Right::ProjectRead).await?;
    Ok(web::Json(view(project)))
}

pub(super) async fn usage(
    app: web::Data<AppState>,
    asker: Asker,
    slug: web::Path<String>,
) -> Result<web::Json<UsageView>, Refusal> {
    let project = find(&app, &asker.caller, &slug, Right::ProjectRead).await?;
    let Usage { open_jobs, open_runs, stored_bytes } = app.access.store.usage(project.id).await?;
    Ok(web::Json(UsageView { open_jobs, open_runs, stored_bytes }))
}

/// A project in which this caller has this right. One that they may not even see is as if it were not there.
pub(super) async fn find(
    app: &AppState,
    caller: &Caller,
    slug: &str,
    right: Right,
) -> Result<Project, Refusal> {
    let found = match slug.parse::<ProjectSlug>() {
        Ok(slug) => app.access.store.project(&slug).await?,
        Err(_) => None,
    };
    let project = found.filter(|project| is_seen(caller, project.id));
    let project = project.ok_or_else(|| Refusal::NoSuchProject(slug.chars().take(40).collect()))?;
    may(caller, right, Some(project.id))?;
    Ok(project)
}

/// What a token is not made for its owner may see all the same.
pub(super) fn is_seen(caller: &Caller, project: ProjectId) -> bool {
    matches!(may(caller, Right::ProjectRead, Some(project)), Ok(()) | Err(Denied::ScopeMissing(_)))
}

/// How it is shown to everybody who may see it.
pub(super) fn view(project: Project) -> ProjectView {
    let Quotas { open_jobs, open_runs, stored_bytes } = project.quotas;
    ProjectView {
        id: project.id.to_string(),
        slug: project.slug,
        name: project.name,
        created_at: project.created_at.0,
        archived_at: project.archived_at.map(|at| at.0),
        quotas: QuotasView { open_jobs, open_runs, stored_bytes, jobs_a_minute: project.jobs_a_minute },
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use weevil_access::{Person, Scopes, SessionCaller, TokenCaller};
    use weevil_model::{AccountId, Role, SessionId, TokenId};

    use super::*;

    #[test]
    fn a_project_is_seen_by_its_members_and_by_those_who_may_everything() {
        let number = |number| ProjectId::from_number(number).unwrap();
        let person = |admin| {
            let account = AccountId::from_number(1).unwrap();
            Arc::new(Person { account, admin, memberships: vec![(number(2), Role::Viewer)] })
        };
        let session = |admin| {
            let session = SessionId::from_number(1).unwrap();
            Caller::Session(SessionCaller { person: person(admin), session, fresh: false })
        };
        let token = |admin, project| {
            let (token, scopes) =
                (TokenId::from_number(1).unwrap(), Scopes::of_words(["runs:read"]).unwrap());
            Caller::Token(TokenCaller { owner: person(admin), token, scopes: Arc::new(scopes), project })
        };
        for (caller, seen) in [
            (Caller::Nobody, vec![]),
            (Caller::Local, vec![1, 2, 3]),
            (session(false), vec![2]),
            (session(true), vec![1, 2, 3]),
            (token(false, None), vec![2]),
            (token(true, None), vec![1, 2, 3]),
            (token(true, Some(number(3))), vec![3]),
            (token(false, Some(number(3))), vec![]),
        ] {
            let found: Vec<i64> = (1..=3).filter(|project| is_seen(&caller, number(*project))).collect();
            assert_eq!(found, seen, "{caller:?}");
        }
    }
}
