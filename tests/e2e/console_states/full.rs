//! Runs in every state, jobs that wait, workflows of two versions and a worker that holds something.

use serde_json::json;
use weevil_api::WorkflowKept;
use weevil_api::routes::Operation;
use weevil_e2e::{
    Browser, FakeWorker, Files, Form, TestServer, job_workflow, layered, number, shipped, thrown,
};

use super::place::{Place, look, look_at_each, place};
use crate::looks::LOADED;

/// Pages that ask the server for nothing, and those that show the newest runs, which every page knows from the stream.
const AT_ONCE: [&str; 3] = ["settings", "runs", "runs-none-fits"];

/// Its worker says nothing more while pages are looked at, however long that takes.
const LONG_LEASES: [&str; 2] = ["--lease-seconds", "3600"];

/// A server that has something to show on every page, for as long as the worker is there.
pub(super) struct Full {
    pub server: TestServer,
    pub places: Vec<Place>,
    _worker: FakeWorker,
}

#[test]
fn every_page_full() {
    let full = Full::made();
    let browser = Browser::start();
    let page = full.server.console(&browser, "");
    look_at_each(&page, "full", &full.places);
    let docs = browser.open(&full.server.url("/docs/"));
    docs.eval(LOADED);
    look(&docs, "docs-full");
}

impl Full {
    pub(super) fn made() -> Self {
        let server = TestServer::start(&LONG_LEASES);
        let mut worker = FakeWorker::join(&server.address, 1);
        let mut places = of_lists();
        places.extend(of_workflows(&server));
        places.extend(of_runs(&server, &mut worker));
        places.extend(of_jobs(&server));
        Self { server, places, _worker: worker }
    }

    /// Places that show nothing until the server has answered.
    pub(super) fn asking(&self) -> impl Iterator<Item = &Place> {
        self.places.iter().filter(|place| !AT_ONCE.contains(&place.name))
    }
}

fn of_lists() -> Vec<Place> {
    vec![
        place("overview", "#/", "#overview-page:has(#attention li):has(#chart-errors canvas)"),
        place("runs", "#/runs", "#runs [data-state=FAILED]"),
        place("runs-none-fits", "#/runs?q=nobody", ".empty"),
        place("workflows", "#/workflows", "[data-workflow]"),
        place("queue", "#/queue", "#queue-page .figures"),
        place("queue-jobs", "#/queues/default", "[data-job]"),
        place("workers", "#/workers", "[data-worker]"),
        place("settings", "#/settings", "#letters"),
    ]
}

/// Keeps a version of a workflow without running it.
pub(crate) fn keep(server: &TestServer, name: &str, files: &Files) -> String {
    let form = Form::of(files).text("name", name);
    let kept: WorkflowKept = server.api().submit(&Operation::KeepWorkflow.path(&[]), &form).created();
    kept.workflow
}

fn of_workflows(server: &TestServer) -> Vec<Place> {
    let old = keep(server, "add", &shipped("add"));
    let mut files = shipped("add");
    let code = files.iter_mut().find(|(path, _)| path == "Add.js").expect("the workflow's code");
    code.1.extend_from_slice(b"\n// Another version.\n");
    let new = keep(server, "add", &files);
    vec![
        place("versions", "#/workflows/add", "[data-version]"),
        place("version", &format!("#/workflows/add/{new}"), ".graph-figure"),
        place("editor", &format!("#/workflows/add/{new}/edit"), "#checked[data-state=sound]"),
        place("diff", &format!("#/diff/{old}/{new}"), "#diff-page:has(#graph-diff p) table.diff"),
    ]
}

fn of_runs(server: &TestServer, worker: &mut FakeWorker) -> Vec<Place> {
    let api = server.api();
    let finished = api.run(&shipped("add"));
    for value in [57.0, 157.0] {
        let job = worker.job();
        worker.report(vec![(job.key, number(value))]);
    }
    api.await_end(&finished);
    let failed = api.run(&job_workflow("function weevil_main() { null.x }", r#"retries="0""#));
    let job = worker.job();
    worker.report(vec![(job.key, thrown("Cannot read properties of null"))]);
    api.await_end(&failed);
    let cancelled = api.run(&shipped("pi"));
    api.cancel(&cancelled);
    let going = api.run(&layered(4, 6, 2));
    api.post(&Operation::PauseRun.path(&[&going]), "", &[], &[]);
    let [finished, failed, cancelled, going] =
        [finished, failed, cancelled, going].map(|run| format!("#/runs/{run}"));
    vec![
        place("run-finished", &format!("{finished}/overview"), "#result"),
        place("run-failed", &format!("{failed}/overview"), "#error"),
        place("run-cancelled", &format!("{cancelled}/overview"), "#cancelled"),
        place("run-going", &format!("{going}/overview"), "[data-node]"),
        place("run-graph", &going, ".graph-figure"),
        place("run-graph-node", &format!("{going}/graph?node=n1_0"), "#node .facts"),
        place("run-graph-table", &format!("{going}/graph?view=table"), "#graph-rows .row"),
        place("run-node", &format!("{going}/node?node=n1_0"), "#node .facts"),
        place("run-nodes", &format!("{going}/nodes"), "#all-nodes [data-node]"),
        place("run-jobs", &format!("{going}/jobs"), "[data-job]"),
        place("run-timeline", &format!("{failed}/timeline"), "canvas.timeline"),
        place(
            "run-timeline-table",
            &format!("{finished}/timeline?as=table"),
            "#timeline-attempts [data-job]",
        ),
        place("run-about", &format!("{going}/about"), ".facts"),
    ]
}

fn of_jobs(server: &TestServer) -> Vec<Place> {
    let api = server.api();
    let alone = json!({ "source": "function weevil_main() { return 1 }", "key": "alone", "attempts": 2 });
    let alone = api.put_job(&alone).job;
    let fleet = api.await_fleet(|fleet| !fleet.workers.is_empty());
    let worker = &fleet.workers[0].id;
    vec![
        place("job", &format!("#/jobs/{alone}"), "#job-page[data-state]"),
        place("worker", &format!("#/workers/{worker}"), "#handed [data-job]"),
    ]
}
