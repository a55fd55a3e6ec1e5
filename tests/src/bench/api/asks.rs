//! What is asked for: lists, page after page, and single things, each time another one.

use weevil_api::routes::{Operation, search};
use weevil_model::{JobId, RunId};

use super::seed::{FEW_JOBS, QUEUE, Seeded};

/// The path of the request with this number, by what the answer before has named as next.
type Path = Box<dyn Fn(usize, Option<&str>) -> String + Sync>;

/// One kind of thing.
pub(super) struct Ask {
    pub name: &'static str,
    /// A page of many, or one alone.
    pub list: bool,
    pub path: Path,
}

fn pages(name: &'static str, operation: Operation, queue: Option<&'static str>) -> Ask {
    let path = move |_, next: Option<&str>| {
        let (queue, after) = (queue.as_ref(), next.as_ref());
        let query = [("queue", queue.map(|queue| queue as _)), ("after", after.map(|after| after as _))];
        operation.path(&[]) + &search(&query)
    };
    Ask { name, list: true, path: Box::new(path) }
}

fn each(name: &'static str, list: bool, path: impl Fn(usize) -> String + Sync + 'static) -> Ask {
    Ask { name, list, path: Box::new(move |time, _| path(time)) }
}

/// In the order in which they are asked for.
pub(super) fn asks(seeded: &Seeded) -> Vec<Ask> {
    let (runs, jobs) = (seeded.runs, seeded.jobs);
    let run = move |time| RunId::from_number(runs.at(time)).expect("a run's number");
    let job = move |time| JobId::from_number(jobs.at(time)).expect("a job's number");
    // As many as a run has in a small database.
    let few = || search(&[("limit", Some(&FEW_JOBS))]);
    vec![
        pages("runs", Operation::ListRuns, None),
        each("jobs of a run", true, move |time| Operation::RunJobs.path(&[&run(time)]) + &few()),
        pages("jobs of a queue", Operation::ListJobs, Some(QUEUE)),
        pages("workflows", Operation::ListWorkflows, None),
        pages("audit", Operation::ListAudit, None),
        each("run", false, move |time| Operation::ShowRun.path(&[&run(time)])),
        each("job", false, move |time| Operation::ShowJob.path(&[&job(time)])),
        each("result", false, move |time| Operation::RunResult.path(&[&run(time)])),
    ]
}
