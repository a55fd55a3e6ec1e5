//! Jobs by how their ids begin, of runs or not: what a person has typed of one.
//!
//! Reads no more than a page: a beginning that more jobs have is refused, as it tells of nobody.

use weevil_model::limits::MAX_PAGE;
use weevil_model::{IdError, JobId, ProjectId, beginning};
use weevil_records::JobRecord;

use super::AppState;
use crate::refusal::Refusal;

/// Those of a project, or of all, behind one of them; the oldest first.
///
/// # Errors
/// No id begins so, or too many jobs do.
pub(super) async fn find(
    app: &AppState,
    project: Option<ProjectId>,
    begins: &str,
    after: Option<JobId>,
) -> Result<Vec<JobRecord>, Refusal> {
    let unfit = |why: IdError| Refusal::BadQuery(format!("`q` is no beginning of an id: {why}"));
    let (first, last) = beginning::<JobId>(begins).map_err(unfit)?;
    let mut found = app.common.store.jobs_among(first..=last, MAX_PAGE + 1).await?;
    if found.len() > MAX_PAGE as usize {
        let why = format!("more than {MAX_PAGE} jobs begin with `{begins}`; write more of the id");
        return Err(Refusal::BadQuery(why));
    }
    found.retain(|job| {
        project.is_none_or(|project| job.project == project) && after.is_none_or(|after| job.id > after)
    });
    Ok(found)
}
