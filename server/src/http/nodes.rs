//! The nodes of runs: listed, found, shown with what comes in and goes out, and the states of all of them as octets.
//!
//! What a node is its plan says; how it stands, the board does while the run goes on, and the store afterwards.

use std::cmp::Ordering;
use std::ops::Range;
use std::sync::Arc;

use actix_web::{HttpRequest, HttpResponse, web};
use serde::Deserialize;
use weevil_api::{NodeDetail, NodePage, NodeRow};
use weevil_model::trust::Policy;
use weevil_model::{NodeKind, NodeState};
use weevil_records::{NodeStates, Progress, RunHead};
use weevil_workflow::{JobSpec, NodeIndex, Plan, PlanNode};

use super::page::{Limit, no_mark};
use super::parameters::query;
use super::sort::sort_among;
use super::walls::Wall;
use super::{AppState, etag, node_view, runs, views};
use crate::refusal::Refusal;

/// Characters of what is looked for.
const MAX_SOUGHT_CHARS: usize = 200;

/// A run as its nodes are looked at.
pub(super) struct Nodes {
    pub head: RunHead,
    pub plan: Arc<Plan>,
    states: Arc<NodeStates>,
    /// From which answers on values are believed, where nobody says so.
    usual: Policy,
}

impl Nodes {
    pub(super) async fn of(app: &AppState, request: &HttpRequest, head: RunHead) -> Result<Self, Refusal> {
        let live = app.common.board.plan(head.id);
        let plan = match live {
            Some(plan) => plan,
            None => app.past.plans.plan(app, app.peer(request), head.workflow).await?,
        };
        let states = node_states(app, &head).await?;
        Ok(Self { head, plan, states, usual: app.common.trust })
    }

    /// Where the jobs of a node are, in an order that stays: those whose places in it are asked for, and how many there are in all.
    pub(super) fn job_paths(&self, index: NodeIndex, asked: Range<u32>) -> (Vec<String>, u32) {
        let elements = self.states.pool(index.index()).map_or(0, |pool| pool.total);
        node_view::all_job_paths(self.plan.node(index), elements, asked)
    }

    pub(super) fn find(&self, id: &str) -> Result<NodeIndex, Refusal> {
        self.plan.find(id).ok_or_else(|| Refusal::NoSuchNode(id.to_owned()))
    }

    /// From which answers on the values of this work are believed.
    pub(super) fn policy(&self, spec: &JobSpec) -> Policy {
        self.head.trust.or(spec.trust).unwrap_or(self.usual)
    }

    /// How each node stands, in document order; one of which nothing is kept has only begun.
    pub(super) fn states(&self) -> Vec<NodeState> {
        let places = 0..self.plan.nodes().len();
        places.map(|place| self.states.state(place).unwrap_or(NodeState::Started)).collect()
    }

    /// The jobs below a node, where it is a pool.
    pub(super) fn jobs(&self, place: usize) -> Option<Progress> {
        self.states.pool(place)
    }

    pub(super) fn row(&self, place: usize, node: &PlanNode) -> NodeRow {
        NodeRow {
            id: node.id.to_string(),
            place: u32::try_from(place).unwrap_or(u32::MAX),
            kind: node.kind(),
            state: self.states.state(place),
            jobs: self.states.pool(place).map(views::progress),
        }
    }
}

/// How the nodes of a run stand, or stood at its end.
async fn node_states(app: &AppState, head: &RunHead) -> Result<Arc<NodeStates>, Refusal> {
    let live = app.common.board.run(head.id).map(|live| live.borrow().clone());
    if let Some(run) = live.filter(|run| !run.has_ended()) {
        return Ok(run.states.clone());
    }
    if let Some(states) = app.common.store.node_states(head.id).await? {
        return Ok(Arc::new(states));
    }
    let nodes = &runs::shown(app, head.id).await?.facts.nodes;
    let states: Vec<NodeState> = nodes.iter().map(|node| node.state).collect();
    let pools = nodes.iter().zip(0..).filter_map(|(node, place)| Some((place, node.jobs?)));
    Ok(Arc::new(NodeStates::new(&states, pools.collect())))
}

/// Which nodes, and which page of them.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Asked {
    q: Option<String>,
    state: Option<NodeState>,
    kind: Option<NodeKind>,
    sort: Option<String>,
    /// The mark of the last node of the page before.
    after: Option<String>,
    #[serde(default)]
    limit: Limit,
}

/// By place in the document, or by id.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Sort {
    by_id: bool,
    reversed: bool,
}

const SORTS: [(&str, Sort); 4] = [
    ("place", Sort { by_id: false, reversed: false }),
    ("-place", Sort { by_id: false, reversed: true }),
    ("id", Sort { by_id: true, reversed: false }),
    ("-id", Sort { by_id: true, reversed: true }),
];

impl Sort {
    fn compare(self, plan: &Plan, one: usize, other: usize) -> Ordering {
        let id = |place: usize| &plan.nodes()[place].id;
        let order = if self.by_id { id(one).cmp(id(other)) } else { one.cmp(&other) };
        if self.reversed { order.reverse() } else { order }
    }

    /// Behind which node a page begins.
    fn behind(self, plan: &Plan, mark: &str) -> Result<usize, Refusal> {
        let (order, id) = mark.split_once('.').ok_or_else(no_mark)?;
        if sort_among(Some(order), &SORTS).ok() != Some(self) {
            return Err(no_mark());
        }
        Ok(plan.find(id).ok_or_else(no_mark)?.index())
    }

    fn mark(self, node: &PlanNode) -> String {
        let word = SORTS.iter().find(|(_, sort)| *sort == self).map_or("", |(word, _)| *word);
        format!("{word}.{}", node.id)
    }
}

impl Asked {
    fn check(&self) -> Result<(), Refusal> {
        let sought = self.q.as_deref().unwrap_or_default().chars().count();
        if sought > MAX_SOUGHT_CHARS {
            let told = format!("`q` has {sought} characters; {MAX_SOUGHT_CHARS} are allowed");
            return Err(Refusal::BadQuery(told));
        }
        Ok(())
    }
}

pub(super) async fn list(
    wall: Wall,
    app: web::Data<AppState>,
    request: HttpRequest,
    run: web::Path<String>,
) -> Result<web::Json<NodePage>, Refusal> {
    let asked: Asked = query(&request)?;
    asked.check()?;
    let nodes = Nodes::of(&app, &request, wall.run(&run).await?).await?;
    let sort = sort_among(asked.sort.as_deref(), &SORTS)?;
    let behind = asked.after.as_deref().map(|mark| sort.behind(&nodes.plan, mark)).transpose()?;
    let sought = asked.q.unwrap_or_default().to_lowercase();
    let mut found: Vec<usize> = Vec::new();
    for (place, node) in nodes.plan.nodes().iter().enumerate() {
        let fits = asked.kind.is_none_or(|kind| node.kind() == kind)
            && asked.state.is_none_or(|state| nodes.states.state(place) == Some(state))
            && (sought.is_empty() || node.id.to_lowercase().contains(&sought));
        found.extend(fits.then_some(place));
    }
    let count = u32::try_from(found.len()).unwrap_or(u32::MAX);
    let order = |one: usize, other: usize| sort.compare(&nodes.plan, one, other);
    found.retain(|place| behind.is_none_or(|behind| order(*place, behind).is_gt()));
    found.sort_unstable_by(|one, other| order(*one, *other));
    let all = nodes.plan.nodes();
    let next = asked.limit.cut(&mut found, |place| sort.mark(&all[*place]));
    let rows = found.into_iter().map(|place| nodes.row(place, &all[place])).collect();
    Ok(web::Json(NodePage { nodes: rows, count, next }))
}

pub(super) async fn show(
    wall: Wall,
    app: web::Data<AppState>,
    request: HttpRequest,
    place: web::Path<(String, String)>,
) -> Result<web::Json<NodeDetail>, Refusal> {
    let (run, node) = place.into_inner();
    let nodes = Nodes::of(&app, &request, wall.run(&run).await?).await?;
    let index = nodes.find(&node)?;
    let jobs = app.common.store.jobs_at(nodes.head.id, &node_view::job_paths(nodes.plan.node(index))).await?;
    Ok(web::Json(node_view::detail(&nodes, index, &jobs)))
}

/// An octet for each node.
pub(super) async fn states(
    wall: Wall,
    app: web::Data<AppState>,
    request: HttpRequest,
    run: web::Path<String>,
) -> Result<HttpResponse, Refusal> {
    let head = wall.run(&run).await?;
    etag::unless_known(runs::end_tag(&head), &request, async || {
        let states = node_states(&app, &head).await?;
        Ok(HttpResponse::Ok().content_type("application/octet-stream").body(states.codes().to_vec()))
    })
    .await
}
