//! The run that is disturbed, those who compute it, and what both must be able to say at its end.

use std::collections::HashSet;
use std::sync::{Arc, Mutex};
use std::thread;

use weevil_e2e::{FakeWorker, Files, TestServer, files};
use weevil_model::{Encoded, RunState, Value};
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
/// Six processors, the reducer, `left` and `bottom`.
const JOBS: u32 = 9;

pub(super) fn workflow() -> Files {
    files(&[
        ("workflow.xml", DOCUMENT),
        ("One.js", "function weevil_main(one) { return one + 1 }"),
        ("Sum.js", "function weevil_main(all) { return all.reduce((a, b) => a + b, 0) }"),
        ("Add.js", "function weevil_main(a, b) { return a + b }"),
    ])
}

/// What the workers of one test have seen, over all lives of the server and of its database.
#[derive(Default)]
pub(super) struct Ledger {
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

pub(super) type SharedLedger = Arc<Mutex<Ledger>>;

/// Computes what the workflow's code would, until the connection ends.
pub(super) fn work(address: &str, ledger: &SharedLedger) {
    let (address, ledger) = (address.to_owned(), ledger.clone());
    thread::spawn(move || {
        let Some(mut worker) = FakeWorker::try_join(&address, 4) else { return };
        worker.wait_for_ever();
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
    AttemptResult { key: job.key, outcome, slot: 0, compute_us: 1, flops: 0.0, log: None }
}

fn total(value: &Value) -> f64 {
    match value {
        Value::Number(number) => *number,
        Value::Array(items) => items.iter().map(total).sum(),
        other => panic!("no number: {other:?}"),
    }
}

/// The run ends as if nothing had happened, nothing of it was computed again after it was answered, and nothing in the
/// database is broken.
pub(super) fn ends_well(server: &mut TestServer, run: &str, ledger: &SharedLedger, what: &str) {
    work(&server.address, ledger);
    let view = server.api().await_end(run);
    assert_eq!((view.summary.state, view.result), (RunState::Finished, Some(RESULT.into())), "{what}");
    assert_eq!(view.stats.jobs, JOBS, "{what}: each once");
    let audit = server.audit();
    assert_eq!((audit.jobs, audit.open), (JOBS.into(), 0), "{what}: {audit:?}");
    let ledger = ledger.lock().expect("nobody panics");
    assert!(ledger.handed_again.is_empty(), "{what}: what was answered is not handed out again");
}
