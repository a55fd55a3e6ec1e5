//! A run goes on after SIGKILL at every named moment, to the same result, and nothing that was answered runs again.

use std::collections::HashSet;
use std::sync::{Arc, Mutex};
use std::thread;

use weevil_e2e::{DatabaseKind, FakeWorker, Files, TestServer, files};
use weevil_failpoint::Point;
use weevil_model::{Encoded, RunState, Value};
use weevil_protocol::api::{RunSummary, RunView};
use weevil_protocol::frame::{
    Assignment, AttemptKey, AttemptResult, ClientFrame, Outcome, ServerFrame, Verdict,
};

/// A pool inside a diamond: `top` goes to `left` and, as an array, through the pool; both meet in `bottom`.
const DOCUMENT: &str = r#"<workflow><nodes>
    <value id="top" value="[1, 2, 3, 4, 5, 6]" returntype="Array"/>
    <job id="left" src="Sum" returntype="Number">
        <parameters><parameter id="all" paramtype="Array"/></parameters></job>
    <pool id="right" returntype="Number"><parameters><parameter id="all" paramtype="Array"/></parameters>
        <processor id="each" src="One" returntype="Number">
            <parameters><parameter id="one" paramtype="Number"/></parameters></processor>
        <reducer id="sum" src="Sum" returntype="Number">
            <parameters><parameter id="all" paramtype="Array"/></parameters></reducer></pool>
    <job id="bottom" src="Add" returntype="Number"><parameters>
        <parameter id="a" paramtype="Number"/><parameter id="b" paramtype="Number"/></parameters></job>
    </nodes><edges>
    <edge id="e1" source="top" dest="left"/><edge id="e2" source="top" dest="right"/>
    <edge id="e3" source="left" dest="bottom" paramdest="a"/>
    <edge id="e4" source="right" dest="bottom" paramdest="b"/>
    </edges><finalnode id="bottom"/></workflow>"#;
/// 21 on the left; on the right each element plus one, 27 in all.
const RESULT: i32 = 48;

fn workflow() -> Files {
    files(&[
        ("workflow.xml", DOCUMENT),
        ("One.js", "function weevil_main(one) { return one + 1 }"),
        ("Sum.js", "function weevil_main(all) { return all.reduce((a, b) => a + b, 0) }"),
        ("Add.js", "function weevil_main(a, b) { return a + b }"),
    ])
}

/// What the workers of one test have seen, over all lives of the server.
#[derive(Default)]
struct Ledger {
    accepted: HashSet<i64>,
    handed_again: Vec<i64>,
}

impl Ledger {
    fn handed(&mut self, jobs: &[Assignment]) {
        let again = jobs.iter().map(|job| job.key.job).filter(|job| self.accepted.contains(job));
        self.handed_again.extend(again);
    }

    fn answered(&mut self, verdicts: &[(AttemptKey, Verdict)]) {
        let accepted = verdicts.iter().filter(|verdict| verdict.1 == Verdict::Accepted);
        self.accepted.extend(accepted.map(|verdict| verdict.0.job));
    }
}

type SharedLedger = Arc<Mutex<Ledger>>;

/// Computes what the workflow's code would, until the connection ends.
fn work(address: &str, ledger: &SharedLedger) {
    let (address, ledger) = (address.to_owned(), ledger.clone());
    thread::spawn(move || {
        let Some(mut worker) = FakeWorker::try_join(&address, 4) else { return };
        while let Some(frame) = worker.frame() {
            let mut ledger = ledger.lock().expect("nobody panics");
            match frame {
                ServerFrame::Assign { jobs, .. } => {
                    ledger.handed(&jobs);
                    let results = jobs.iter().map(computed).collect();
                    worker.try_send(&ClientFrame::Results { results, capacity: 4 });
                }
                ServerFrame::Verdicts(verdicts) => ledger.answered(&verdicts),
                _ => {}
            }
        }
    });
}

/// One number is an element and grows by one; everything else is added up.
fn computed(job: &Assignment) -> AttemptResult {
    let input = Encoded::checked(&job.input).and_then(|input| input.value()).expect("inputs are values");
    let sum = match &input {
        Value::Array(arguments) if matches!(arguments[..], [Value::Number(_)]) => total(&input) + 1.0,
        other => total(other),
    };
    let outcome = Outcome::Value(Encoded::of(&Value::Number(sum)).expect("small").as_bytes().to_vec().into());
    AttemptResult { key: job.key, outcome, slot: 0, compute_us: 1, flops: 0.0 }
}

fn total(value: &Value) -> f64 {
    match value {
        Value::Number(number) => *number,
        Value::Array(items) => items.iter().map(total).sum(),
        other => panic!("no number: {other:?}"),
    }
}

/// The one run of the server, answered or not when it was made.
fn only_run(server: &TestServer) -> Option<String> {
    let runs: Vec<RunSummary> = server.api().json("/api/v1/runs");
    assert!(runs.len() <= 1);
    runs.into_iter().next().map(|run| run.id)
}

/// At which of its visits a point is deadly: once where a run passes it once.
const fn visits(point: Point) -> &'static [u32] {
    match point {
        Point::BatchGathered
        | Point::ResultsWritten
        | Point::JobsWritten
        | Point::LeasesWritten
        | Point::BatchCommitted
        | Point::ExecutorsTold => &[1, 2, 3, 5],
        Point::RunStored
        | Point::PoolReducing
        | Point::RunEnding
        | Point::RunEnded
        | Point::Restarting
        | Point::RunResumed => &[1],
    }
}

/// Brings the server to its death at a point, with a run under way.
fn crash(server: &mut TestServer, point: Point, nth: u32, ledger: &SharedLedger) {
    if matches!(point, Point::Restarting | Point::RunResumed) {
        server.api().run(&workflow());
        server.kill();
        assert!(!server.restart_to_die(point, nth), "{point:?}: dies before it listens");
    } else {
        server.kill();
        // The first look for ended leases is a batch too, and may come before the server listens.
        if server.restart_to_die(point, nth) {
            server.api().upload_at_risk(&workflow());
            work(&server.address, ledger);
        }
    }
    server.await_death();
}

fn finish(server: &TestServer, ledger: &SharedLedger) -> RunView {
    let run = only_run(server).unwrap_or_else(|| server.api().run(&workflow()));
    work(&server.address, ledger);
    server.api().await_end(&run)
}

#[test]
fn every_run_goes_on_after_a_crash_at_any_moment() {
    goes_on(DatabaseKind::Sqlite);
}

#[test]
fn every_run_goes_on_after_a_crash_at_any_moment_on_mariadb() {
    goes_on(DatabaseKind::MariaDb);
}

fn goes_on(database: DatabaseKind) {
    for point in Point::ALL {
        for nth in visits(*point) {
            let ledger = SharedLedger::default();
            let mut server = database.server();
            crash(&mut server, *point, *nth, &ledger);
            server.restart();
            let view = finish(&server, &ledger);
            let what = format!("{database:?} {point:?} {nth}");
            assert_eq!(
                (view.summary.state, view.result),
                (RunState::Finished, Some(RESULT.into())),
                "{what}"
            );
            assert_eq!(view.stats.jobs, 9, "{what}: six processors, the reducer, left and bottom, each once");
            let ledger = ledger.lock().expect("nobody panics");
            assert!(ledger.handed_again.is_empty(), "{what}: what was answered is not handed out again");
        }
    }
}
