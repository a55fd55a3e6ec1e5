//! A database with many finished runs, jobs in a queue, names of workflows and rows of the audit: a server computes one of each,
//! and the database makes the others from it while the server is down.

use std::path::Path;

use serde_json::json;
use weevil_api::WorkflowKept;
use weevil_api::routes::Operation;
use weevil_e2e::{DatabaseKind, Fleet, Form, Habits, TestServer, layered, pool_workflow};

use crate::bulk::{again, at_once, numbered, series};

pub(super) const QUEUE: &str = "bench";
pub(super) const FEW_JOBS: u64 = 10;
const SEED: u64 = 23;
/// More than the jobs of a run: between the numbers of two runs' jobs.
const STRIDE: i64 = 1000;
/// Names of workflows, in every database.
const NAMES: u64 = 200;
/// From the beginning of one run to that of the next.
const RUN_MS: u64 = 60_000;
/// Layers of a large workflow, and nodes of each.
pub(super) const DEPTH: usize = 100;
pub(super) const WIDTH: usize = 999;
/// More jobs wait than are counted ahead of one, put in by so many at a time; the last of them are asked about.
const WAITING: usize = 11;
const AT_A_TIME: usize = 1_000;
/// Takes requests all over what there is.
const LEAP: usize = 7919;

/// So many runs of so many jobs each; as many jobs in the queue as runs, as many rows of the audit as jobs.
#[derive(Debug, Clone, Copy)]
pub(super) struct Size {
    pub runs: u64,
    pub jobs: u64,
}

pub(super) struct Seeded {
    pub server: TestServer,
    pub runs: Numbers,
    /// One job of each run.
    pub jobs: Numbers,
    /// Jobs that nobody computes.
    pub waiting: Vec<String>,
    /// A large workflow.
    pub graph: String,
}

/// Numbers of records that were made in a row.
#[derive(Debug, Clone, Copy)]
pub(super) struct Numbers {
    first: i64,
    step: i64,
    count: usize,
}

impl Numbers {
    pub(super) fn at(self, time: usize) -> i64 {
        let at = time.wrapping_mul(LEAP) % self.count;
        self.first + self.step * i64::try_from(at).expect("a small number")
    }
}

impl Seeded {
    pub(super) fn of(binary: &Path, kind: DatabaseKind, size: Size) -> Self {
        let mut server = kind.start(binary, &[]);
        compute_one_of_each(&server, size.jobs);
        server.kill();
        let number = |query: &str| server.rows(query).concat().parse::<i64>().expect("a number");
        let (run, job) = (number("select max(id) from runs"), number("select max(id) from jobs"));
        server.sql(&multiplied(&server, kind, size, job));
        // MariaDB takes its statistics anew by itself as tables grow, and some seconds after they have grown at once.
        if matches!(kind, DatabaseKind::MariaDb) {
            server.sql("analyze table jobs, attempts, runs, workflow_names, audit;");
        }
        server.restart();
        let count = usize::try_from(size.runs - 1).expect("not too many");
        let runs = Numbers { first: run + 1, step: 1, count };
        let (waiting, graph) = (wait(&server), keep_large(&server));
        Self { server, runs, jobs: Numbers { first: job + STRIDE + 1, step: STRIDE, count }, waiting, graph }
    }
}

/// The last of those that wait.
fn wait(server: &TestServer) -> Vec<String> {
    let jobs = vec![json!({ "source": "function weevil_main(n) { return n }", "input": [1] }); AT_A_TIME];
    let kept = (0..WAITING).map(|_| server.api().put_jobs(&jobs));
    kept.last().into_iter().flatten().map(|kept| kept.job).collect()
}

fn keep_large(server: &TestServer) -> String {
    let form = Form::of(&layered(DEPTH, WIDTH, SEED)).text("name", "large");
    let kept: WorkflowKept = server.api().submit(&Operation::KeepWorkflow.path(&[]), &form).created();
    kept.workflow
}

fn compute_one_of_each(server: &TestServer, jobs: u64) {
    let api = server.api();
    let _fleet = Fleet::start(&server.address, SEED, &[(1, Habits::at_once(16))]);
    // The reducer is a job, too.
    let input = json!(vec![1; usize::try_from(jobs - 1).expect("few jobs")]).to_string();
    let same = "function weevil_main(n) { return n }";
    let workflow = pool_workflow(&input, same, "function weevil_main(all) { return 1 }");
    let kept = api.submit(&Operation::KeepWorkflow.path(&[]), &Form::of(&workflow).text("name", "bench"));
    assert_eq!(kept.status, 201, "{}", kept.text);
    api.await_end(&api.run(&workflow));
    let job = json!({ "source": same, "input": [1], "queue": QUEUE });
    for job in api.put_jobs(&[job]) {
        api.await_job(&job.job);
    }
}

/// The statements that make the others. Attempts come first, while nothing but their own jobs is there.
fn multiplied(server: &TestServer, kind: DatabaseKind, size: Size, last_job: i64) -> String {
    let Size { runs, jobs } = size;
    let others = series(kind, runs - 1);
    let id = |skipped: u64| format!("{last_job} + (i + {skipped}) * {STRIDE} + t.place");
    // One run behind the other, as one worker computes them.
    let later = |moment: &str| format!("t.{moment} + i * {RUN_MS}");
    let place = |which: &str| {
        format!("(select jobs.*, row_number() over (order by id) as place from jobs where run {which} null)")
    };
    let job_rows = |which: &str, told: &[(&str, &str)]| {
        again(server, "jobs", told, &format!("{others} n cross join {} t", place(which)))
    };
    let attempts = |which: &str, skipped: u64| {
        let from = format!(
            "{others} n cross join (select attempts.*, j.place from attempts join {} j on attempts.job = j.id) t",
            place(which)
        );
        let told =
            [("job", id(skipped)), ("started_at", later("started_at")), ("ended_at", later("ended_at"))];
        again(server, "attempts", &told.each_ref().map(|(column, text)| (*column, text.as_str())), &from)
    };
    let run = again(
        server,
        "runs",
        &[("id", "t.id + i"), ("created_at", &later("created_at")), ("finished_at", &later("finished_at"))],
        &format!("{others} n cross join (select * from runs) t"),
    );
    let audit = again(
        server,
        "audit",
        &[("id", "(select last from audit_ends) + i")],
        &format!("{} n cross join (select * from audit order by id limit 1) t", series(kind, runs * jobs)),
    );
    let text = numbered(kind, "bench", "i");
    // In MariaDB the hash of a name stands for it.
    let columns = [("name", text.as_str()), ("identity", &format!("unhex(sha2({text}, 256))"))];
    let versions = again(
        server,
        "workflow_names",
        &columns,
        &format!("{} n cross join (select * from workflow_names limit 1) t", series(kind, NAMES)),
    );
    let all = [
        attempts("is not", 0),
        attempts("is", runs),
        job_rows("is not", &[("id", &id(0)), ("run", "t.run + i")]),
        job_rows("is", &[("id", &id(runs)), ("path", &numbered(kind, "job", "i"))]),
        run,
        versions,
        audit,
        "update audit_ends set last = (select max(id) from audit);".to_owned(),
    ];
    at_once(kind, &all.concat())
}
