//! Values that are too large together for the job that takes them: the largest is asked for once more where nobody has judged it, and
//! whoever else had it begins anew.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{JoinHandle, spawn};
use std::time::Duration;

use weevil_api::RunView;
use weevil_e2e::{
    DatabaseKind, FakeWorker, Files, Form, Guest, TestServer, files, number, on_each_database, text,
};
use weevil_model::{Encoded, RunState, Value};
use weevil_protocol::frame::{AttemptResult, ClientFrame, Outcome, ServerFrame};

on_each_database!(the_largest_argument_is_computed_once_more);

const BEHIND_A_PROXY: [&str; 2] = ["--trusted-proxy", "127.0.0.1"];
/// Together they are more than the arguments of a job may have.
const LARGEST: usize = 10_000_000;
const LARGE: usize = 9_000_000;
const SMALL: usize = 3;
/// A busy machine moves them slowly.
const PATIENCE: Duration = Duration::from_mins(10);

/// A job: what it is called, as its code and its value elsewhere are, what it returns, and whose values it takes.
type Node = (&'static str, &'static str, &'static [&'static str]);

/// Two texts, one job that takes both and one that takes the first alone, and the sum of what these say.
const NODES: [Node; 5] = [
    ("First", "String", &[]),
    ("Second", "String", &[]),
    ("Both", "Number", &["First", "Second"]),
    ("Alone", "Number", &["First"]),
    ("Sum", "Number", &["Both", "Alone"]),
];

fn workflow() -> Files {
    let returns = |of: &str| NODES.iter().find(|(id, ..)| *id == of).map_or("", |(_, returns, _)| returns);
    let (mut nodes, mut edges) = (String::new(), String::new());
    for (id, kind, takes) in NODES {
        write!(nodes, r#"<job id="{id}" src="{id}" returntype="{kind}"><parameters>"#).expect("it grows");
        for from in takes {
            write!(nodes, r#"<parameter id="{from}" paramtype="{}"/>"#, returns(from)).expect("it grows");
            write!(edges, r#"<edge source="{from}" dest="{id}" paramdest="{from}"/>"#).expect("it grows");
        }
        nodes.push_str("</parameters></job>");
    }
    let document =
        format!("<workflow><nodes>{nodes}</nodes><edges>{edges}</edges><finalnode id=\"Sum\"/></workflow>");
    let codes = NODES.map(|(id, _, takes)| {
        (format!("{id}.js"), format!("function weevil_main({}) {{ return '{id}' }}", takes.join(", ")))
    });
    let codes = codes.iter().map(|(name, code)| (name.as_str(), code.as_str()));
    files(&[("workflow.xml", document.as_str())].into_iter().chain(codes).collect::<Vec<_>>())
}

/// How often each code was computed.
type Times = Arc<Mutex<BTreeMap<String, usize>>>;

/// Somebody with a key in a network of its own, who computes until the server goes. `first`: bytes of what `First` gives each time.
fn volunteer(server: &TestServer, key: u8, times: &Times, first: fn(usize) -> usize) -> JoinHandle<()> {
    let place = format!("198.51.{key}.7");
    let guest = Guest { capacity: 1, place: Some(&place), ..Guest::default() };
    let mut worker = FakeWorker::join_as(&server.address, guest);
    worker.introduce(key, &server.address);
    worker.wait_for_ever();
    let times = Arc::clone(times);
    spawn(move || {
        while let Some(frame) = worker.frame() {
            let ServerFrame::Assign { jobs, codes } = frame else { continue };
            let mut say = |job: &weevil_protocol::frame::Assignment| {
                let source = codes[job.code as usize].source.trim_end_matches(".js").to_owned();
                let mut times = times.lock().unwrap_or_else(PoisonError::into_inner);
                let nth = times.entry(source.clone()).or_default();
                *nth += 1;
                let outcome = says(&source, &job.input, first(*nth));
                AttemptResult { key: job.key, outcome, slot: 0, compute_us: 1, flops: 0.0, log: None }
            };
            let results = jobs.iter().map(&mut say).collect();
            if !worker.try_send(&ClientFrame::Results { results, capacity: 1 }) {
                return;
            }
        }
    })
}

fn says(source: &str, input: &[u8], first: usize) -> Outcome {
    match source {
        "First" => text(&"x".repeat(first)),
        "Second" => text(&"y".repeat(LARGE)),
        _ => {
            let input = Encoded::checked(input).expect("inputs are values");
            let length = |argument: Encoded| match argument.value() {
                Ok(Value::String(text)) => text.len() as f64,
                Ok(Value::Number(number)) => number,
                other => panic!("no job has {other:?}"),
            };
            number(input.elements().expect("arguments are an array").map(length).sum())
        }
    }
}

/// Runs it with so many volunteers. Answers how it ended, and how often each code was computed.
fn run(
    database: DatabaseKind,
    (policy, volunteers): (&str, u8),
    first: fn(usize) -> usize,
) -> (RunView, BTreeMap<String, usize>) {
    let mut server = database.server_with(&BEHIND_A_PROXY);
    let times = Times::default();
    let all: Vec<_> = (1..=volunteers).map(|key| volunteer(&server, key, &times, first)).collect();
    let run = server.api().run_form(&Form::of(&workflow()).text("trust", policy)).run;
    let view = server.api_with(PATIENCE).await_end(&run);
    server.kill();
    for volunteer in all {
        volunteer.join().expect("a volunteer ends with its server");
    }
    server.restart();
    server.audit();
    let times = times.lock().unwrap_or_else(PoisonError::into_inner).clone();
    (view, times)
}

fn the_largest_argument_is_computed_once_more(database: DatabaseKind) {
    let (view, times) = run(database, ("none", 1), |nth| if nth == 1 { LARGEST } else { SMALL });
    assert_eq!(view.summary.state, RunState::Finished, "{:?}", view.error);
    assert_eq!(view.result, Some((LARGE + 2 * SMALL).into()), "also of whoever took the first alone");
    assert_eq!((times["First"], times["Second"], times["Both"]), (2, 1, 1));
}

#[test]
fn what_stays_too_large_fails_its_run() {
    let (view, times) = run(DatabaseKind::Sqlite, ("none", 1), |_| LARGEST);
    assert_eq!(view.summary.state, RunState::Failed);
    let error = view.error.expect("a failed run says why");
    let kinds: Vec<&str> = error.attempts.iter().map(|attempt| attempt.kind.as_str()).collect();
    assert_eq!((error.node.as_str(), &kinds[..]), ("First", &["inputTooLarge", "inputTooLarge"][..]));
    assert!(error.attempts[0].message.contains("as an argument of First/Both"), "{error:?}");
    assert_eq!((times["First"], times.get("Both")), (2, None));
}

#[test]
fn what_answers_have_agreed_on_stays() {
    let (view, times) = run(DatabaseKind::Sqlite, ("quorum(2)", 2), |_| LARGEST);
    assert_eq!(view.summary.state, RunState::Failed);
    let error = view.error.expect("a failed run says why");
    assert_eq!((error.node.as_str(), error.attempts[0].kind.as_str()), ("First/Both", "inputTooLarge"));
    assert_eq!((times["First"], times.get("Both")), (2, None), "each of the two has computed it once");
}
