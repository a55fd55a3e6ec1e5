//! Values in each form that is asked for: of nodes, jobs and runs; whole and cut.

use serde_json::{Value as Json, json};
use weevil_api::NodeValue;
use weevil_api::routes::Operation;
use weevil_e2e::{Api, FakeWorker, Form, TestServer, number, pool_workflow, shipped};
use weevil_model::{Encoded, NodeKind, RunState, Value};
use weevil_protocol::frame::Outcome;

const CBOR: &str = "application/cbor";
const CSV: &str = "text/csv";
const JSON: &str = "application/json";

/// Status, the header of values that were cut, and the body.
struct Told {
    status: u16,
    bytes: Option<String>,
    kind: String,
    body: Vec<u8>,
}

impl Told {
    fn code(&self) -> String {
        let problem: Json = serde_json::from_slice(&self.body).expect("a problem");
        problem["code"].as_str().expect("a code").to_owned()
    }
}

fn ask(api: &Api, path: &str, accept: &str) -> Told {
    let response = api.get_with(path, &[("accept", accept)]);
    let header = |name: &str| response.headers().get(name).map(|it| it.to_str().expect("text").to_owned());
    let (bytes, kind) = (header("x-weevil-bytes"), header("content-type").unwrap_or_default());
    let status = response.status().as_u16();
    if status == 200 {
        assert_eq!(header("vary").as_deref(), Some("accept"), "{path} {accept}");
    }
    let body = response.into_body().into_with_config().limit(u64::MAX).read_to_vec().expect("a body");
    Told { status, bytes, kind, body }
}

pub(super) fn encoded(view: Json) -> Encoded {
    Encoded::of(&Value::from_view(view).expect("a view")).expect("a value")
}

/// Puts in a job, and answers it with this value.
pub(super) fn job_with(server: &TestServer, view: Json) -> String {
    let job =
        server.api().put_job(&json!({ "source": "function weevil_main() {}", "input": [44, "=13"] })).job;
    let mut worker = FakeWorker::join(&server.address, 1);
    let key = worker.job().key;
    worker.report(vec![(key, Outcome::Value(encoded(view).as_bytes().to_vec().into()))]);
    server.api().await_job(&job);
    job
}

#[test]
fn a_value_comes_in_the_form_that_is_asked_for() {
    let server = TestServer::start(&[]);
    let api = server.api();
    let view = json!([{ "x": 1, "t": "=1" }, { "x": { "$number": "-0" }, "t": "a\"b" }]);
    let job = job_with(&server, view.clone());
    let (path, input) = (Operation::JobResult.path(&[&job]), Operation::JobInput.path(&[&job]));
    let (value, table) = (encoded(view.clone()), "\"x\",\"t\"\r\n1,\"'=1\"\r\n-0,\"a\"\"b\"\r\n");
    let arguments = encoded(json!([44, "=13"]));
    for (path, accept, kind, body) in [
        (&path, CBOR, CBOR, value.as_bytes()),
        (&path, CSV, "text/csv; charset=utf-8; header=present", table.as_bytes()),
        (&path, "text/*;q=0.5, text/html", "text/csv; charset=utf-8; header=present", table.as_bytes()),
        (&input, "*/*", CBOR, arguments.as_bytes()),
        (&input, "application/*", CBOR, arguments.as_bytes()),
        (&input, CSV, "text/csv; charset=utf-8; header=present", b"value\r\n44\r\n\"'=13\"\r\n"),
    ] {
        let told = ask(&api, path, accept);
        assert_eq!(
            (told.status, told.kind.as_str(), told.body.as_slice()),
            (200, kind, body),
            "{path} {accept}"
        );
        assert_eq!(told.bytes, None, "{accept}");
    }
    for (path, field, expected) in [(&path, "result", view), (&input, "input", json!([44, "=13"]))] {
        let told = ask(&api, path, JSON);
        let answer: Json = serde_json::from_slice(&told.body).expect("JSON");
        assert_eq!(answer[field], expected, "{path}");
    }
    let refused = ask(&api, &path, "text/html, image/*");
    assert_eq!((refused.status, refused.code().as_str()), (406, "notAcceptable"));
    for form in [JSON, CBOR, CSV] {
        assert!(String::from_utf8_lossy(&refused.body).contains(form), "{form}");
    }
}

#[test]
fn what_was_cut_says_how_many_bytes_there_are() {
    let server = TestServer::start(&[]);
    let api = server.api();
    let rows: Vec<u32> = (10..50_010).collect();
    let job = job_with(&server, json!(rows));
    let (path, value) = (Operation::JobResult.path(&[&job]), encoded(json!(rows)));
    let all = value.as_bytes().len();
    let table: String = ["value".to_owned()]
        .into_iter()
        .chain(rows.iter().map(u32::to_string))
        .map(|row| row + "\r\n")
        .collect();
    assert!(all > 100_000 && table.len() > 300_000, "in pieces");
    let lines = |bytes: usize| table[..bytes].rfind("\r\n").map_or(0, |end| end + 2);
    for (accept, max, body, bytes) in [
        (CBOR, "", value.as_bytes(), None),
        (CBOR, "?max=0", &[][..], Some(all)),
        (CBOR, "?max=70000", &value.as_bytes()[..70_000], Some(all)),
        (CBOR, "?max=4294967295", value.as_bytes(), None),
        (CSV, "", table.as_bytes(), None),
        (CSV, "?max=100002", &table.as_bytes()[..lines(100_002)], Some(table.len())),
        (CSV, "?max=16777216", table.as_bytes(), None),
        (
            JSON,
            "?max=9",
            &format!(r#"{{"job":"{job}","state":"FINISHED","errors":[]}}"#).into_bytes(),
            Some(all),
        ),
    ] {
        let told = ask(&api, &format!("{path}{max}"), accept);
        assert_eq!((told.status, told.bytes), (200, bytes.map(|bytes| bytes.to_string())), "{accept} {max}");
        assert!(told.body == body, "{accept} {max}: {} bytes", told.body.len());
    }
    let whole = ask(&api, &path, JSON);
    let usual = ask(&api, &path, "*/*");
    assert!(whole.body == usual.body && whole.body.len() > 250_000, "the usual form is JSON");
    let refused = ask(&api, &format!("{path}?max=many"), JSON);
    assert_eq!((refused.status, refused.code().as_str()), (400, "badQuery"));
}

#[test]
fn a_value_that_is_not_there_or_no_table_is_refused_in_words() {
    let server = TestServer::start(&[]);
    let api = server.api();
    let job = job_with(&server, json!({ "a": 1 }));
    let refused = ask(&api, &Operation::JobResult.path(&[&job]), CSV);
    assert_eq!((refused.status, refused.code().as_str()), (406, "notAcceptable"));
    assert!(String::from_utf8_lossy(&refused.body).contains("an object is no table"));
    let run = api.run(&shipped("add"));
    for accept in [CBOR, CSV] {
        let refused = ask(&api, &Operation::RunResult.path(&[&run]), accept);
        assert_eq!((refused.status, refused.code().as_str()), (404, "noValue"), "{accept}");
    }
}

/// As JSON, and as the bytes where there is a value.
fn node(api: &Api, run: &str, node: &str) -> NodeValue {
    let path = Operation::NodeValue.path(&[&run, &node]);
    let told = ask(api, &path, JSON);
    let found: NodeValue = serde_json::from_slice(&told.body)
        .unwrap_or_else(|error| panic!("{node}: {error}: {}", String::from_utf8_lossy(&told.body)));
    let bytes = ask(api, &path, CBOR);
    match &found.value {
        Some(view) => assert_eq!(bytes.body, encoded(view.clone()).as_bytes(), "{node}"),
        None => assert_eq!((bytes.status, bytes.code().as_str()), (404, "noValue"), "{node}"),
    }
    found
}

#[test]
fn each_kind_of_node_has_its_value() {
    let server = TestServer::start(&[]);
    let api = server.api();
    let files = pool_workflow("[1, 2, 3]", "function weevil_main(n) {}", "function weevil_main(all) {}");
    let run = api.run_form(&Form::of(&files)).run;
    let kinds = [
        ("input", NodeKind::Value, Some(json!([1, 2, 3])), Some(json!([1, 2, 3]))),
        ("pool", NodeKind::Pool, None, Some(json!([10, 20, 30]))),
        ("each", NodeKind::Processor, None, Some(json!([10, 20, 30]))),
        ("sum", NodeKind::Reducer, None, Some(json!(60))),
    ];
    for (id, kind, first, _) in &kinds {
        let found = node(&api, &run, id);
        let missing = serde_json::to_value(found.missing).expect("a word");
        let expected = if first.is_some() { Json::Null } else { json!("notYet") };
        assert_eq!((found.kind, found.value, missing), (*kind, first.clone(), expected), "{id}");
    }
    let mut worker = FakeWorker::join(&server.address, 1);
    for _ in 0..3 {
        let job = worker.job();
        let element = f64::from(job.input.as_slice()[1]);
        worker.report(vec![(job.key, number(element * 10.0))]);
    }
    let sum = worker.job().key;
    worker.report(vec![(sum, number(60.0))]);
    assert_eq!(api.await_end(&run).summary.state, RunState::Finished);
    for (id, kind, _, last) in kinds {
        let found = node(&api, &run, id);
        assert_eq!((found.kind, found.value, found.missing), (kind, last, None), "{id}");
        assert_eq!(found.job.is_some(), id == "sum", "{id}");
    }
    let refused = ask(&api, &Operation::NodeValue.path(&[&run, &"all"]), JSON);
    assert_eq!((refused.status, refused.code().as_str()), (404, "noSuchNode"));
}

#[test]
fn a_node_has_what_its_run_was_given() {
    let server = TestServer::start(&[]);
    let api = server.api();
    let run = api.run_form(&Form::of(&shipped("add")).text("set", "val1=12")).run;
    assert_eq!(node(&api, &run, "val1").value, Some(json!(12)));
    assert_eq!(node(&api, &run, "val2").value, Some(json!(13)));
    let mut worker = FakeWorker::join(&server.address, 1);
    let key = worker.job().key;
    worker.report(vec![(key, number(25.0))]);
    // The next one is handed out: this one has its value.
    let _next = worker.job();
    let found = node(&api, &run, "val3");
    assert_eq!((found.kind, found.value, found.missing), (NodeKind::Job, Some(json!(25)), None));
    api.cancel(&run);
    let never = node(&api, &run, "val4");
    assert_eq!(serde_json::to_value(never.missing).expect("a word"), json!("notThere"));
}
