//! The jobs of a run, page by page: all of them, those of a node, those that went wrong, those in a state, those that say something.
//!
//! A page costs the same in a run of any size: where few jobs are in the state that is asked for, it ends before it is full.

use std::collections::HashMap;
use std::ops::Range;

use actix_web::{HttpRequest, web};
use serde::Deserialize;
use weevil_api::JobPage;
use weevil_model::{JobId, NodeState, RunId};
use weevil_records::JobRecord;

use super::AppState;
use super::job_look::{LOOKED_AT, Look, Meant, traced};
use super::nodes::Nodes;
use super::page::{Limit, no_mark};
use super::parameters::{query, sought};
use super::walls::Wall;
use crate::refusal::Refusal;

/// Which jobs, and which page of them.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Asked {
    /// Those alone with this in their path, their worker or their error.
    q: Option<String>,
    state: Option<NodeState>,
    node: Option<String>,
    /// Those alone that went wrong at least once.
    #[serde(default)]
    failed: bool,
    after: Option<String>,
    #[serde(default)]
    limit: Limit,
}

/// A list of a run's jobs. Each has an order of its own, and marks that no other has.
enum List {
    /// By path, as the database orders them.
    All,
    /// By age.
    Failed,
    /// Those at the paths of a node.
    Node(String),
}

impl List {
    /// What stands in front of a mark: a path may begin with anything.
    fn prefix(&self, run: RunId) -> String {
        match self {
            Self::All => format!("p.{run}."),
            Self::Failed => format!("f.{run}."),
            Self::Node(node) => format!("n.{run}.{node}."),
        }
    }

    fn mark(&self, run: RunId, place: &str) -> String {
        self.prefix(run) + place
    }

    /// What a mark of this list says; one of another list, or of another run, is no mark here.
    fn place<'m>(&self, run: RunId, after: Option<&'m str>) -> Result<Option<&'m str>, Refusal> {
        after.map(|mark| mark.strip_prefix(self.prefix(run).as_str()).ok_or_else(no_mark)).transpose()
    }
}

impl Asked {
    fn list(&self) -> List {
        match &self.node {
            Some(node) => List::Node(node.clone()),
            None if self.failed => List::Failed,
            None => List::All,
        }
    }

    /// How many jobs to look at: one more than a page has tells that it is not the last.
    fn most(&self) -> u32 {
        let is_all = self.q.is_none() && self.state.is_none() && (self.node.is_none() || !self.failed);
        if is_all { self.limit.and_one() } else { LOOKED_AT }
    }
}

pub(super) async fn list(
    wall: Wall,
    app: web::Data<AppState>,
    request: HttpRequest,
    run: web::Path<String>,
) -> Result<web::Json<JobPage>, Refusal> {
    let asked: Asked = query(&request)?;
    let (list, sought) = (asked.list(), sought(asked.q.as_deref())?);
    let head = wall.run(&run).await?;
    let run = head.id;
    let place = list.place(run, asked.after.as_deref())?;
    let look = match &list {
        List::All => all(&app, head.id, place, asked.most()).await?,
        List::Failed => failed(&app, head.id, place, asked.most()).await?,
        List::Node(node) => {
            let nodes = Nodes::of(&app, &request, head).await?;
            of_node(&app, &nodes, node, place, asked.most()).await?
        }
    };
    let meant = Meant { sought, state: asked.state, failed: asked.failed };
    let (jobs, next) = look.page(&app, &meant, asked.limit.most()).await?;
    let jobs = traced(&app, jobs).await?;
    Ok(web::Json(JobPage { jobs, next: next.map(|place| list.mark(run, &place)) }))
}

async fn all(app: &AppState, run: RunId, after: Option<&str>, most: u32) -> Result<Look, Refusal> {
    Ok(Look::of(app.common.store.jobs(run, after, most).await?, most, |job| job.path.clone()))
}

async fn failed(app: &AppState, run: RunId, after: Option<&str>, most: u32) -> Result<Look, Refusal> {
    let after: Option<JobId> = after.map(str::parse).transpose().map_err(|_| no_mark())?;
    Ok(Look::of(app.common.store.troubled_jobs(run, after, most).await?, most, |job| job.id.to_string()))
}

/// A place is how many of the node's paths lie before it.
async fn of_node(
    app: &AppState,
    nodes: &Nodes,
    node: &str,
    after: Option<&str>,
    most: u32,
) -> Result<Look, Refusal> {
    let begin: u32 = after.map_or(Ok(0), str::parse).map_err(|_| no_mark())?;
    let index = nodes.find(node)?;
    let end = begin.saturating_add(most);
    let (paths, count) = nodes.job_paths(index, Range { start: begin, end });
    let mut found: HashMap<String, JobRecord> = HashMap::new();
    for job in app.common.store.jobs_at(nodes.head.id, &paths).await? {
        found.insert(job.path.clone(), job);
    }
    let placed = (begin + 1..).zip(paths);
    let jobs = placed.filter_map(|(place, path)| Some((place.to_string(), found.remove(&path)?))).collect();
    Ok(Look { jobs, behind: (end < count).then(|| end.to_string()) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_is_good_for_its_own_list_alone() {
        let lists = [List::All, List::Failed, List::Node("a".into()), List::Node("b".into())];
        let [run, another] = [1, 2].map(|number| RunId::from_number(number).unwrap());
        for (own, list) in lists.iter().enumerate() {
            let mark = list.mark(run, "7.x");
            for (at, other) in lists.iter().enumerate() {
                assert_eq!(other.place(run, Some(&mark)).is_ok(), own == at, "{mark}");
            }
            assert_eq!(list.place(run, Some(&mark)).unwrap(), Some("7.x"));
            assert!(list.place(another, Some(&mark)).is_err());
            assert_eq!(list.place(run, None).unwrap(), None);
            assert!(list.place(run, Some("7.x")).is_err());
        }
    }
}
