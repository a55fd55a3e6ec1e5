//! A lie that was believed, found out later: what rested on it is computed again, and what followed from that, through pool, reducer, job and pool; and
//! nothing else. A run that had ended says that it is doubted.

use std::collections::BTreeMap;

use weevil_api::routes::Operation;
use weevil_api::{DeviceView, JobPage, JobView, RunView};
use weevil_e2e::{
    Browser, DatabaseKind, FakeWorker, Files, Form, TestServer, files, number, on_each_database,
};
use weevil_failpoint::Point;
use weevil_model::{Encoded, JobId, NodeState, RunState, Value};
use weevil_protocol::frame::{Assignment, AttemptResult, ClientFrame, Outcome, ServerFrame, Verdict};

use super::certificate::Desk;
use super::scene::{BEHIND_A_PROXY, answer, jobs, next, put_judged, report, result, story, volunteer};
use super::trusted::{device, mark, trusted};
use crate::looks::{await_words, look_at_console};

const POLICY: &str = "credible(0.01)";
const LIAR: u8 = 2;
const HONEST: u8 = 9;
/// What the liar adds.
const LIE: f64 = 1000.0;
/// What the node between the pools has besides what it was given, the last for a lie alone.
const BESIDES: [f64; 3] = [10.0, 20.0, 30.0];

on_each_database!(
    exactly_what_changed_is_computed_again,
    a_server_that_dies_on_the_way_takes_it_back_all_the_same
);

/// A pool that adds up, a job that makes an array of its sum, longer for a lie, and a pool that adds that up.
fn documents(input: &str) -> Files {
    let pool = |id: &str| {
        format!(
            r#"<pool id="{id}" returntype="Number"><parameters><parameter id="all" paramtype="Array"/></parameters>
            <processor id="{id}-each" src="Each" returntype="Number"><parameters><parameter id="n" paramtype="Number"/></parameters></processor>
            <reducer id="{id}-sum" src="Sum" returntype="Number"><parameters><parameter id="all" paramtype="Array"/></parameters></reducer></pool>"#
        )
    };
    let document = format!(
        r#"<workflow><nodes><value id="v" src="input" returntype="Array"/>{}
        <job id="spread" src="Spread" returntype="Array"><parameters><parameter id="n" paramtype="Number"/></parameters></job>{}</nodes>
        <edges><edge id="a" source="v" dest="p"/><edge id="b" source="p" dest="spread"/><edge id="c" source="spread" dest="q"/></edges>
        <finalnode id="q"/></workflow>"#,
        pool("p"),
        pool("q")
    );
    files(&[
        ("workflow.xml", &document),
        ("input.json", input),
        ("Each.js", "function weevil_main(n) { return n }"),
        ("Sum.js", "function weevil_main(all) { return all.reduce((sum, n) => sum + n, 0) }"),
        ("Spread.js", "function weevil_main(n) { return n < 1000 ? [n, 10, 20] : [n, 10, 20, 30] }"),
    ])
}

fn workflow(input: &str) -> Form {
    Form::of(&documents(input)).text("trust", POLICY)
}

fn numbers(input: &[u8]) -> Vec<Value> {
    let arguments =
        Encoded::checked(input).expect("inputs are values").elements().expect("inputs are arrays");
    arguments.map(|argument| argument.value().expect("each is one")).collect()
}

/// What the code of the job with this path makes of its input.
fn right(path: &str, input: &[u8]) -> Value {
    match (&numbers(input)[..], path) {
        ([Value::Number(n)], path) if path.ends_with("/spread") => {
            let besides = if *n < LIE { &BESIDES[..2] } else { &BESIDES[..] };
            Value::Array([&[*n][..], besides].concat().into_iter().map(Value::Number).collect())
        }
        ([Value::Number(n)], _) => Value::Number(*n),
        ([Value::Array(all)], _) => {
            let each = |value: &Value| if let Value::Number(number) = value { *number } else { 0.0 };
            Value::Number(all.iter().map(each).sum())
        }
        // One that stands alone, whose liar the server has not heard of.
        ([], _) => Value::Number(7.0),
        (other, _) => panic!("{path} has no such input: {other:?}"),
    }
}

fn outcome(value: &Value) -> Outcome {
    Outcome::Value(Encoded::of(value).expect("small values").as_bytes().to_vec().into())
}

/// A run of which the liar has said the first element, and the honest device all else; what is left is the last reducer.
struct Told {
    run: String,
    /// The job of that element.
    lie: JobView,
}

fn path_of(server: &TestServer, job: &Assignment) -> String {
    story(server, JobId::from_number(job.key.job).expect("an id")).job.path
}

/// Takes so many jobs and says what is right.
fn compute(server: &TestServer, worker: &mut FakeWorker, many: usize) {
    for _ in 0..many {
        let job = next(worker);
        let value = right(&path_of(server, &job), &job.input);
        assert_eq!(report(worker, &job, outcome(&value)), Verdict::Accepted);
    }
}

/// Whether what it has just computed is the sum of the second pool as it ought to be, and was taken. Jobs that add up a lie may be handed
/// out before their run begins anew, and are taken back then.
fn computes_the_end(server: &TestServer, worker: &mut FakeWorker) -> bool {
    worker.capacity = 1;
    worker.tell(Vec::new());
    let job = loop {
        if let ServerFrame::Assign { mut jobs, .. } = worker.frame().expect("the connection stays") {
            break jobs.remove(0);
        }
    };
    worker.capacity = 0;
    let path = path_of(server, &job);
    let value = right(&path, &job.input);
    let result = AttemptResult {
        key: job.key,
        outcome: outcome(&value),
        slot: 0,
        compute_us: 1,
        flops: 0.0,
        log: None,
    };
    worker.send(&ClientFrame::Results { results: vec![result], capacity: 0 });
    let verdict = loop {
        if let ServerFrame::Verdicts(verdicts) = worker.frame().expect("the connection stays") {
            break verdicts[0].1;
        }
    };
    verdict == Verdict::Accepted && path.ends_with("/q-sum") && value == Value::Number(40.0)
}

fn lied(server: &TestServer, liar: &mut FakeWorker, honest: &mut FakeWorker, input: &str) -> Told {
    let run = server.api().run_form(&workflow(input)).run;
    jobs(server, &run, 4);
    let job = next(liar);
    let Value::Number(n) = right("", &job.input) else { panic!("elements are numbers") };
    assert_eq!(report(liar, &job, number(n + LIE)), Verdict::Accepted);
    let lie = story(server, JobId::from_number(job.key.job).expect("an id")).job;
    compute(server, honest, 9);
    Told { run, lie }
}

/// It is nobody any more, says what is right three times, and then something else. Answers whether the server heard it.
fn find_out(server: &TestServer, liar: &mut FakeWorker, honest: &mut FakeWorker, who: &DeviceView) -> bool {
    mark(server, Operation::DistrustDevice, who);
    for said in [7.0, 7.0, 7.0, 1.0] {
        let job = put_judged(server, POLICY, 99);
        answer(liar, job, number(said));
        if said < 7.0 {
            let given = next(honest);
            let last = AttemptResult {
                key: given.key,
                outcome: number(7.0),
                slot: 0,
                compute_us: 1,
                flops: 0.0,
                log: None,
            };
            honest.try_send(&ClientFrame::Results { results: vec![last], capacity: 0 });
            return honest.frame().is_some();
        }
        answer(honest, job, number(7.0));
        assert_eq!(result(server, job), 7);
    }
    false
}

fn handed_out(server: &TestServer, run: &str) -> BTreeMap<String, u32> {
    let page: JobPage = server.api().json(&Operation::RunJobs.path(&[&run]));
    page.jobs.into_iter().map(|job| (job.path, job.handed_out)).collect()
}

/// Liar and honest, both of whom are believed at once, and how people know the liar.
fn scene(server: &TestServer) -> (FakeWorker, FakeWorker, DeviceView) {
    let liar = trusted(server, LIAR);
    let who = device(server, "trusted");
    (liar, trusted(server, HONEST), who)
}

fn exactly_what_changed_is_computed_again(database: DatabaseKind) {
    let mut server = database.server_with(&BEHIND_A_PROXY);
    let (mut liar, mut honest, who) = scene(&server);
    let ended = lied(&server, &mut liar, &mut honest, "[5, 6, 7, 8]");
    compute(&server, &mut honest, 1);
    let wrong = server.api().await_end(&ended.run);
    assert_eq!(wrong.result, Some(1086.into()));
    let Told { run, lie } = lied(&server, &mut liar, &mut honest, "[1, 2, 3, 4]");
    let mut other = volunteer(&server, HONEST);
    let held = next(&mut other);
    other.tell(vec![(held.key, 0.0)]);
    assert!(find_out(&server, &mut liar, &mut honest, &who));
    compute(&server, &mut honest, 5);
    let end = server.api().await_end(&run);
    assert_eq!((end.summary.state, end.result), (RunState::Finished, Some(40.into())));
    assert_eq!(other.frame(), Some(ServerFrame::Revoke(vec![held.key])), "it was to add up a lie");
    let follows =
        |path: &str| ["/p-sum", "/spread", "/0/q-each", "/q-sum"].iter().any(|end| path.ends_with(end));
    for (path, times) in handed_out(&server, &run) {
        let changed = path == lie.path || follows(&path);
        assert_eq!(times, if changed { 2 } else { 1 }, "{path}");
    }
    assert_eq!((end.summary.doubted, story_of(&server, &lie).doubted), (0, false));
    certified(&server, &run);
    let counted = server.api().metrics().get("weevil_jobs_doubted_total");
    assert!((counted - 1.0).abs() < f64::EPSILON, "{counted}");
    doubted(&server, &ended, &mut honest);
    server.audit();
}

/// Without what the second pool had beyond its end.
fn certified(server: &TestServer, run: &str) {
    let page: JobPage = server.api().json(&Operation::RunJobs.path(&[&run]));
    let last = page.jobs.iter().find(|job| job.path.ends_with("/3/q-each")).expect("it was put in");
    assert_eq!(last.state, NodeState::Cancelled);
    let desk = Desk::new(server);
    desk.keep("retraced", &documents("[1, 2, 3, 4]"));
    let (code, words) = desk.verify(&desk.fetch(server, run), &["--workflow", "@retraced"]);
    assert_eq!(code, 0, "{words}");
}

fn story_of(server: &TestServer, job: &JobView) -> JobView {
    story(server, job.id.parse().expect("an id")).job
}

/// What has ended stays so; started again, it takes everything that nobody doubts.
fn doubted(server: &TestServer, Told { run, lie }: &Told, honest: &mut FakeWorker) {
    let view: RunView = server.api().json(&Operation::ShowRun.path(&[run]));
    assert_eq!((view.summary.state, view.summary.doubted), (RunState::Finished, 1));
    assert!(story_of(server, lie).doubted);
    let again = server.api().run_form(&workflow("[5, 6, 7, 8]").text("reuse", "always")).run;
    compute(server, honest, 5);
    let end = server.api().await_end(&again);
    assert_eq!(end.result, Some(56.into()));
    assert_eq!(handed_out(server, &again).values().sum::<u32>(), 5);
}

/// It dies in the transaction that finds the lie, or when the executors of the run have been stopped.
fn a_server_that_dies_on_the_way_takes_it_back_all_the_same(database: DatabaseKind) {
    for point in [Point::DeviceRefuted, Point::RunRetraced] {
        let mut server = database.server_with(&BEHIND_A_PROXY);
        let (mut liar, mut honest, who) = scene(&server);
        let Told { run, lie } = lied(&server, &mut liar, &mut honest, "[1, 2, 3, 4]");
        server.kill();
        assert!(server.restart_to_die(point, 1));
        (liar, honest) = (volunteer(&server, LIAR), volunteer(&server, HONEST));
        find_out(&server, &mut liar, &mut honest, &who);
        server.await_death();
        server.restart();
        honest = volunteer(&server, HONEST);
        while !computes_the_end(&server, &mut honest) {}
        let end = server.api().await_end(&run);
        assert_eq!(end.result, Some(40.into()), "{point:?}");
        for (path, times) in handed_out(&server, &run) {
            let stays = path != lie.path && path.ends_with("/p-each");
            let stays = stays || ["/1/q-each", "/2/q-each"].iter().any(|end| path.ends_with(end));
            assert!(!stays || times == 1, "{point:?} {path} {times}");
        }
        server.audit();
    }
}

#[test]
fn people_see_what_is_doubted() {
    let mut server = TestServer::start(&BEHIND_A_PROXY);
    let (mut liar, mut honest, who) = scene(&server);
    let Told { run, lie } = lied(&server, &mut liar, &mut honest, "[5, 6, 7, 8]");
    compute(&server, &mut honest, 1);
    server.api().await_end(&run);
    find_out(&server, &mut liar, &mut honest, &who);
    let browser = Browser::start();
    let console = server.console(&browser, &format!("#/runs/{run}"));
    await_words(&console, "#run-page .doubts", "1 value of this run is doubted");
    look_at_console(&console, "doubted-run");
    console.eval(&format!("location.hash = '#/jobs/{}'", lie.id));
    await_words(&console, "#job-page .doubts", "Its value is doubted");
    look_at_console(&console, "doubted-job");
    console.eval("location.hash = '#/'");
    await_words(&console, "[data-run]", "1 value doubted");
    server.kill();
}
