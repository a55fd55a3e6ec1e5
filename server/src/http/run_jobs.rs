//! The jobs of a run, page by page: all of them, those of a node, those that went wrong, those in a state, those that say something.
//!
//! A page costs the same in a run of any size: where few jobs are in the state that is asked for, it ends before it is full.

use std::collections::HashMap;
use std::ops::Range;

use actix_web::{HttpRequest, web};
use serde::Deserialize;
use weevil_api::{JobPage, JobView};
use weevil_model::{JobId, NodeState, RunId};
use weevil_records::{JobRecord, JobTrace};

use super::AppState;
use super::jobs::{view, worker};
use super::nodes::Nodes;
use super::page::{Limit, no_mark};
use super::parameters::{query, sought};
use super::walls::Wall;
use crate::refusal::Refusal;

/// Jobs that are looked at for one page where not all of them are meant.
const LOOKED_AT: u32 = 2_000;

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

/// Jobs in the order of a list, each with its mark, and the mark behind which the look goes on.
struct Look {
    jobs: Vec<(String, JobRecord)>,
    behind: Option<String>,
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

    fn is_meant(&self, job: &JobRecord) -> bool {
        self.state.is_none_or(|state| job.state == state) && (!self.failed || has_failed(job))
    }

    /// How many jobs to look at: one more than a page has tells that it is not the last.
    fn most(&self) -> u32 {
        let is_all = self.q.is_none() && self.state.is_none() && (self.node.is_none() || !self.failed);
        if is_all { self.limit.and_one() } else { LOOKED_AT }
    }
}

/// As the index of such jobs has it.
fn has_failed(job: &JobRecord) -> bool {
    job.failures > 0 || job.state == NodeState::Failed
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
    let mut look = match &list {
        List::All => all(&app, head.id, place, asked.most()).await?,
        List::Failed => failed(&app, head.id, place, asked.most()).await?,
        List::Node(node) => {
            let nodes = Nodes::of(&app, &request, head).await?;
            of_node(&app, &nodes, node, place, asked.most()).await?
        }
    };
    look.jobs.retain(|(_, job)| asked.is_meant(job));
    if let Some(sought) = sought {
        let traces = traces(&app, look.jobs.iter().map(|(_, job)| job.id)).await?;
        look.jobs.retain(|(_, job)| says(job, traces.get(&job.id), &sought));
    }
    let (jobs, next) = cut(look, asked.limit.most());
    let traces = traces(&app, jobs.iter().map(|job| job.id)).await?;
    let jobs = jobs.into_iter().map(|job| with_trace(job, &traces)).collect();
    Ok(web::Json(JobPage { jobs, next: next.map(|place| list.mark(run, &place)) }))
}

/// The jobs of a page, and the place behind which the next one begins; `None` where there is nothing more.
fn cut(look: Look, most: usize) -> (Vec<JobRecord>, Option<String>) {
    let Look { jobs, behind } = look;
    let (mut page, mut last) = (Vec::new(), None);
    for (place, job) in jobs {
        if page.len() == most {
            return (page, last);
        }
        last = Some(place);
        page.push(job);
    }
    (page, behind)
}

/// Where as many were found as were looked for, there may be more behind the last.
fn look(jobs: Vec<JobRecord>, most: u32, place: fn(&JobRecord) -> String) -> Look {
    let jobs: Vec<(String, JobRecord)> = jobs.into_iter().map(|job| (place(&job), job)).collect();
    let is_full = jobs.len() >= most as usize;
    Look { behind: jobs.last().filter(|_| is_full).map(|(place, _)| place.clone()), jobs }
}

async fn all(app: &AppState, run: RunId, after: Option<&str>, most: u32) -> Result<Look, Refusal> {
    Ok(look(app.common.store.jobs(run, after, most).await?, most, |job| job.path.clone()))
}

async fn failed(app: &AppState, run: RunId, after: Option<&str>, most: u32) -> Result<Look, Refusal> {
    let after: Option<JobId> = after.map(str::parse).transpose().map_err(|_| no_mark())?;
    Ok(look(app.common.store.troubled_jobs(run, after, most).await?, most, |job| job.id.to_string()))
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

/// Whether a text, in small letters, is in what is told of a job: its path, its worker, its error.
fn says(job: &JobRecord, trace: Option<&JobTrace>, sought: &str) -> bool {
    let has = |told: &str| told.to_lowercase().contains(sought);
    let is_told = |trace: &JobTrace| has(&worker(trace.worker)) || trace.error.as_deref().is_some_and(has);
    has(&job.path) || trace.is_some_and(is_told)
}

async fn traces(
    app: &AppState,
    jobs: impl Iterator<Item = JobId>,
) -> Result<HashMap<JobId, JobTrace>, Refusal> {
    let ids: Vec<JobId> = jobs.collect();
    let traces = app.common.store.job_traces(&ids).await?;
    Ok(traces.into_iter().map(|trace| (trace.job, trace)).collect())
}

fn with_trace(job: JobRecord, traces: &HashMap<JobId, JobTrace>) -> JobView {
    let trace = traces.get(&job.id);
    let (of, error) = (trace.map(|trace| worker(trace.worker)), trace.and_then(|trace| trace.error.clone()));
    JobView { worker: of, error, ..view(job) }
}

#[cfg(test)]
mod tests {
    use weevil_model::trust::Policy;
    use weevil_model::{ContentHash, Needs, ProjectId, Timestamp, WorkerId};
    use weevil_queue::Origin;

    use super::*;

    fn job(number: i64, state: NodeState) -> JobRecord {
        JobRecord {
            id: JobId::from_number(number).unwrap(),
            project: ProjectId::DEFAULT,
            origin: Origin::Queue("q".into()),
            path: number.to_string(),
            code: ContentHash::of(b""),
            state,
            waiting: None,
            needs: Needs::JAVASCRIPT,
            reused: None,
            handed_out: 0,
            failures: 0,
            max_attempts: 1,
            trust: Policy::None,
            is_doubted: false,
            enqueued_at: Timestamp(0),
            ended_at: None,
        }
    }

    #[test]
    fn a_page_ends_where_it_is_full_or_where_the_look_has_ended() {
        for (jobs, behind, most, expected, next) in [
            (&[0, 2][..], None, 9, &[0, 2][..], None),
            (&[0, 2], Some("2"), 9, &[0, 2], Some("2")),
            (&[0, 2], Some("3"), 2, &[0, 2], Some("3")),
            (&[0, 2, 3], None, 2, &[0, 2], Some("2")),
            (&[], Some("1"), 1, &[], Some("1")),
            (&[], None, 1, &[], None),
        ] {
            let placed = jobs.iter().map(|at| (at.to_string(), job(*at, NodeState::Failed))).collect();
            let look = Look { jobs: placed, behind: behind.map(str::to_owned) };
            let (page, told) = cut(look, most);
            let page: Vec<i64> = page.iter().map(|job| job.id.number()).collect();
            assert_eq!((&page[..], told.as_deref()), (expected, next), "{jobs:?} {behind:?} {most}");
        }
    }

    #[test]
    fn a_text_is_looked_for_in_path_worker_and_error() {
        let whose = WorkerId::from_number(7).unwrap();
        let one = JobRecord { path: "pool/3/Each".into(), ..job(1, NodeState::Failed) };
        let trace = JobTrace { job: one.id, worker: whose, error: Some("Out of bounds".into()) };
        let id = whose.to_string();
        for (sought, known, alone) in [
            ("each", true, true),
            (&*id, true, false),
            ("of bounds", true, false),
            ("wrk_8", false, false),
            ("%", false, false),
        ] {
            assert_eq!(
                (says(&one, Some(&trace), sought), says(&one, None, sought)),
                (known, alone),
                "{sought}"
            );
        }
    }

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
