//! The value of one node of a run: what it was given, what its job has come to, or the array of a pool's results.
//!
//! Reads the row of one job, however many there are; where nodes stand the stored workflow says. Never asks an executor.

use actix_web::{HttpRequest, HttpResponse, web};
use weevil_api::{NodeValue, ValueMissing};
use weevil_model::{Encoded, NodeKind};
use weevil_records::RunHead;
use weevil_workflow::{NodeBody, Plan, PlanNode};

use super::forms::{Form, Wanted};
use super::large::Found;
use super::stream_json::Answer;
use super::walls::Wall;
use super::{AppState, values};
use crate::refusal::Refusal;

/// Where the value of a node is.
struct Place {
    kind: NodeKind,
    source: Source,
}

enum Source {
    /// In the workflow, or with what the run was given.
    Given(Encoded),
    /// With the job at this path.
    Job(String),
    /// A pool's results are what its reducer, at this path, is given.
    Reduced(String),
}

pub(super) async fn value(
    wall: Wall,
    app: web::Data<AppState>,
    request: HttpRequest,
    path: web::Path<(String, String)>,
) -> Result<HttpResponse, Refusal> {
    let (run, node) = path.into_inner();
    let run = wall.run(&run).await?;
    let wanted = Wanted::of(&request, Form::Json)?;
    let place = find(&app, &request, &run, &node).await?;
    values::answer(&app, &request, wanted, async || look(&app, &run, &node, &place).await).await
}

impl Answer for NodeValue {
    const NAME: &'static str = "value";

    fn with_value(self, value: Option<serde_json::Value>) -> Self {
        Self { value, ..self }
    }
}

/// Asks the workflow, and for a value what the run was given in its place.
async fn find(app: &AppState, request: &HttpRequest, run: &RunHead, node: &str) -> Result<Place, Refusal> {
    let store = &app.common.store;
    let plan = app.past.plans.plan(app, app.peer(request), run.workflow).await?;
    let mut place = place(&plan, node).ok_or_else(|| Refusal::NoSuchNode(node.to_owned()))?;
    if let Source::Given(value) = &mut place.source {
        let given = store.inputs(run.id).await?.into_iter().find(|(id, _)| id == node);
        if let Some((_, replaced)) = given {
            *value = replaced;
        }
    }
    Ok(place)
}

fn place(plan: &Plan, id: &str) -> Option<Place> {
    if let Some(index) = plan.find(id) {
        let node = plan.node(index);
        let source = match &node.body {
            NodeBody::Value(value) => Source::Given(value.clone()),
            NodeBody::Job(_) => Source::Job(node.path.to_string()),
            NodeBody::Pool { reducer, .. } => Source::Reduced(below(node, &reducer.id)),
        };
        return Some(Place { kind: node.kind(), source });
    }
    plan.nodes().iter().find_map(|node| match &node.body {
        NodeBody::Pool { processor, reducer } if &*processor.id == id => {
            Some(Place { kind: NodeKind::Processor, source: Source::Reduced(below(node, &reducer.id)) })
        }
        NodeBody::Pool { reducer, .. } if &*reducer.id == id => {
            Some(Place { kind: NodeKind::Reducer, source: Source::Job(below(node, id)) })
        }
        _ => None,
    })
}

/// The path of a pool's reducer.
fn below(pool: &PlanNode, reducer: &str) -> String {
    format!("{}/{reducer}", pool.path)
}

async fn look(app: &AppState, run: &RunHead, node: &str, place: &Place) -> Result<Found<NodeValue>, Refusal> {
    let store = &app.common.store;
    let (job, value) = match &place.source {
        Source::Given(value) => (None, Some(value.clone())),
        Source::Job(path) => match store.job_at(run.id, path).await? {
            Some(job) => (Some(job), store.value(job).await?),
            None => (None, None),
        },
        Source::Reduced(path) => match store.job_at(run.id, path).await? {
            Some(job) => {
                (None, store.job_values(&[job]).await?.pop().and_then(|values| first(&values.input)))
            }
            None => (None, None),
        },
    };
    let missing = if run.state.is_terminal() { ValueMissing::NotThere } else { ValueMissing::NotYet };
    let answer = NodeValue {
        run: run.id.to_string(),
        node: node.to_owned(),
        kind: place.kind,
        job: job.map(|job| job.to_string()),
        missing: value.is_none().then_some(missing),
        value: None,
    };
    Ok(Found { answer, value })
}

/// The only argument of a reducer.
fn first(arguments: &Encoded) -> Option<Encoded> {
    arguments.elements().ok()?.next()
}
