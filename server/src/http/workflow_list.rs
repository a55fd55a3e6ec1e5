//! The list of stored workflows, page by page: versions, the newest first, gathered by name.

use actix_web::{HttpRequest, web};
use serde::Deserialize;
use weevil_api::{LastRunView, NamedWorkflowView, WorkflowPage, WorkflowVersionView};
use weevil_model::{ProjectId, Timestamp};
use weevil_records::{LastRun, NamedVersion, VersionMark};

use super::AppState;
use super::page::{Limit, no_mark};
use super::parameters::query;
use super::walls::Wall;
use crate::refusal::Refusal;

/// Which page.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Asked {
    project: Option<String>,
    after: Option<String>,
    #[serde(default)]
    limit: Limit,
}

pub(super) async fn get(
    wall: Wall,
    app: web::Data<AppState>,
    request: HttpRequest,
) -> Result<web::Json<WorkflowPage>, Refusal> {
    let Asked { project, after, limit } = query(&request)?;
    let project = wall.list(project.as_deref()).await?;
    let after = after.map(|text| read(&text).ok_or_else(no_mark)).transpose()?;
    let mut versions = app.common.store.workflows(project, after.as_ref(), limit.and_one()).await?;
    let next = limit.cut(&mut versions, mark);
    Ok(web::Json(WorkflowPage { workflows: by_name(versions), next }))
}

/// Moment, project, hash and name, of which only the last may hold anything.
fn mark(version: &NamedVersion) -> String {
    let NamedVersion { project, name, hash, created_at, .. } = version;
    format!("{}-{}-{hash}-{name}", created_at.0, project.number())
}

fn read(mark: &str) -> Option<VersionMark> {
    let (moment, rest) = mark.split_once('-')?;
    let (project, rest) = rest.split_once('-')?;
    let (hash, name) = rest.split_once('-')?;
    Some(VersionMark {
        created_at: Timestamp(moment.parse().ok()?),
        project: ProjectId::from_number(project.parse().ok()?)?,
        name: name.to_owned(),
        hash: hash.parse().ok()?,
    })
}

/// The name with the newest version first.
fn by_name(versions: Vec<NamedVersion>) -> Vec<NamedWorkflowView> {
    let mut named: Vec<NamedWorkflowView> = Vec::new();
    for NamedVersion { name, hash, created_at, files, bytes, last_run, runs, .. } in versions {
        let version = WorkflowVersionView {
            workflow: hash.to_string(),
            created_at: created_at.0,
            files,
            bytes,
            last_run: last_run.map(last_run_view),
            runs,
        };
        match named.iter_mut().find(|known| known.name == name) {
            Some(known) => known.versions.push(version),
            None => named.push(NamedWorkflowView { name, versions: vec![version] }),
        }
    }
    named
}

fn last_run_view(LastRun { id, state, created_at }: LastRun) -> LastRunView {
    LastRunView { run: id.to_string(), state, created_at: created_at.0 }
}

#[cfg(test)]
mod tests {
    use weevil_model::ContentHash;

    use super::*;

    #[test]
    fn a_mark_is_read_as_it_was_made_whatever_the_name() {
        for name in ["pi", "a-b-c", "", "\u{fc} &=#"] {
            let version = NamedVersion {
                project: ProjectId::DEFAULT,
                name: name.to_owned(),
                hash: ContentHash::of(name.as_bytes()),
                created_at: Timestamp(7),
                files: 1,
                bytes: 2,
                last_run: None,
                runs: 0,
            };
            let expected = VersionMark {
                created_at: Timestamp(7),
                project: version.project,
                name: version.name.clone(),
                hash: version.hash,
            };
            assert_eq!(read(&mark(&version)), Some(expected), "{name}");
        }
        for broken in ["", "7", "7-x", "x-x-x", "7-00-pi", "--"] {
            assert_eq!(read(broken), None, "{broken}");
        }
    }
}
