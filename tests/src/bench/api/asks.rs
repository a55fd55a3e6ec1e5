//! What is asked for: lists, page after page, and single things, each time another one.

use weevil_api::routes::{Operation, search};
use weevil_model::{JobId, RunId};

use super::seed::{DEPTH, FEW_JOBS, QUEUE, Seeded, WIDTH};

/// The path of the request with this number, by what the answer before has named as next.
type Path = Box<dyn Fn(usize, Option<&str>) -> String + Sync>;

/// Which row a thing counts for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Row {
    /// A page of many.
    List,
    /// One alone.
    Detail,
    Explain,
    Graph,
    Profile,
}

impl Row {
    /// In the order of the rows.
    pub(super) const ALL: [Self; 5] = [Self::List, Self::Detail, Self::Explain, Self::Graph, Self::Profile];
}

/// One kind of thing.
pub(super) struct Ask {
    pub name: &'static str,
    pub row: Row,
    pub path: Path,
}

fn pages(name: &'static str, operation: Operation, queue: Option<&'static str>) -> Ask {
    let path = move |_, next: Option<&str>| {
        let (queue, after) = (queue.as_ref(), next.as_ref());
        let query = [("queue", queue.map(|queue| queue as _)), ("after", after.map(|after| after as _))];
        operation.path(&[]) + &search(&query)
    };
    Ask { name, row: Row::List, path: Box::new(path) }
}

fn each(name: &'static str, row: Row, path: impl Fn(usize) -> String + Sync + 'static) -> Ask {
    Ask { name, row, path: Box::new(move |time, _| path(time)) }
}

/// In the order in which they are asked for.
pub(super) fn asks(seeded: &Seeded) -> Vec<Ask> {
    let (runs, jobs) = (seeded.runs, seeded.jobs);
    let run = move |time| RunId::from_number(runs.at(time)).expect("a run's number");
    let job = move |time| JobId::from_number(jobs.at(time)).expect("a job's number");
    // As many as a run has in a small database.
    let few = || search(&[("limit", Some(&FEW_JOBS))]);
    let of_run = |operation: Operation| move |time| operation.path(&[&run(time)]);
    let graph = seeded.graph.clone();
    let near = move |time: usize| {
        let node = format!("n{}_{}", time % DEPTH, time % WIDTH);
        Operation::ShowGraph.path(&[&graph]) + &search(&[("near", Some(&node))])
    };
    let waiting = seeded.waiting.clone();
    let why = move |time: usize| Operation::ExplainJob.path(&[&waiting[time % waiting.len()]]);
    vec![
        pages("runs", Operation::ListRuns, None),
        each("jobs of a run", Row::List, move |time| Operation::RunJobs.path(&[&run(time)]) + &few()),
        each("nodes of a run", Row::List, of_run(Operation::RunNodes)),
        each("log of a run", Row::List, of_run(Operation::RunLog)),
        each("timeline of a run", Row::List, of_run(Operation::RunTimeline)),
        pages("jobs of a queue", Operation::ListJobs, Some(QUEUE)),
        pages("workflows", Operation::ListWorkflows, None),
        pages("audit", Operation::ListAudit, None),
        each("run", Row::Detail, of_run(Operation::ShowRun)),
        each("job", Row::Detail, move |time| Operation::ShowJob.path(&[&job(time)])),
        each("result", Row::Detail, of_run(Operation::RunResult)),
        each("why a job waits", Row::Explain, why),
        each("part of a graph", Row::Graph, near),
        each("profile of a run", Row::Profile, of_run(Operation::RunProfile)),
    ]
}
