//! The project that a token is for: by its name in addresses outside, by its number inside.

use weevil_access::ProjectSlug;
use weevil_model::{AccountId, ProjectId};

use super::AppState;
use super::walls::by_number;
use crate::refusal::Refusal;

/// The number of a project that an account belongs to. One that it does not belong to is not there for it.
pub(super) async fn number(app: &AppState, slug: &str, owner: AccountId) -> Result<ProjectId, Refusal> {
    let unknown = || Refusal::NoSuchProject(slug.chars().take(40).collect());
    let store = &app.access.people.store;
    let slug: ProjectSlug = slug.parse().map_err(|_| unknown())?;
    let project = store.project(&slug).await?.ok_or_else(unknown)?.id;
    let everywhere = store.account(owner).await?.is_some_and(|account| account.admin);
    let own = store.memberships(owner).await?.iter().any(|it| it.project.id == project);
    if everywhere || own { Ok(project) } else { Err(unknown()) }
}

/// Its name in addresses.
pub(super) async fn slug(app: &AppState, project: ProjectId) -> Result<String, Refusal> {
    Ok(by_number(app, project).await?.map_or_else(|| project.to_string(), |found| found.slug))
}
