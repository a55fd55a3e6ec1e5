//! The JSON examples of docs/protocol.md, asked of one server in their order: they answer what the page says. An id of
//! the page stands for the one that this server makes; moments, durations and ids of requests are nobody's to
//! foresee.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::Value;
use weevil_api::{Fleet, WorkerView};
use weevil_e2e::{Answer, Api, Block, FakeWorker, Form, Guest, TestServer, blocks, number, shipped};
use weevil_model::JobId;
use weevil_protocol::frame::ClientFrame;
use weevil_protocol::identity::signed_text;

use super::devices::ed25519;

/// The job of the page that one device has answered.
const ANSWERED: &str = "job_38fznmhq20000";

/// The line of a request that says who asks.
const CREDENTIAL: &str = "Authorization: Bearer wvl_..";

/// The beginning of the line that says in which form an answer is taken.
const ACCEPT: &str = "Accept: ";

struct Exchange {
    method: String,
    path: String,
    /// Asked by the server's owner.
    signed: bool,
    /// Forms of the answer that are taken.
    accept: String,
    body: String,
    status: u16,
    answer: Value,
}

fn exchanges() -> Vec<Exchange> {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/protocol.md");
    let page = std::fs::read_to_string(page).expect("the page");
    let examples = blocks(&page).into_iter().filter(|block| block.language == "http");
    examples
        .map(|Block { text, .. }| exchange(&text).unwrap_or_else(|| panic!("no exchange: {text}")))
        .collect()
}

fn exchange(example: &str) -> Option<Exchange> {
    let (request, answer) = example.split_once("\n\n")?;
    let (head, body) = request.split_once('\n').unwrap_or((request, ""));
    let (method, path) = head.split_once(' ')?;
    let credential = body.strip_prefix(CREDENTIAL).map(|rest| rest.trim_start_matches('\n'));
    let (status, answer) = answer.split_once('\n')?;
    let body = credential.unwrap_or(body);
    let accept = body.strip_prefix(ACCEPT);
    Some(Exchange {
        method: method.into(),
        path: path.into(),
        signed: credential.is_some(),
        accept: accept.unwrap_or("*/*").into(),
        body: if accept.is_some() { String::new() } else { body.into() },
        status: status.parse().ok()?,
        answer: serde_json::from_str(answer).ok()?,
    })
}

/// Ids of the page, and what this server has in their place.
#[derive(Default)]
struct Ids(BTreeMap<String, String>);

impl Ids {
    fn put_in(&self, text: &str) -> String {
        self.0.iter().fold(text.to_owned(), |text, (shown, real)| text.replace(shown, real))
    }

    /// Is all that is shown there? More may be: the page shortens large answers.
    fn compare(&mut self, place: &str, shown: &Value, real: &Value) {
        match (shown, real) {
            (Value::Object(shown), Value::Object(real)) => {
                for (name, shown) in shown {
                    let there = real.get(name).unwrap_or_else(|| panic!("no {name} in {real:?}"));
                    self.compare(name, shown, there);
                }
            }
            (Value::Array(shown), Value::Array(real)) => {
                assert_eq!(shown.len(), real.len(), "{place}");
                shown.iter().zip(real).for_each(|(shown, real)| self.compare(place, shown, real));
            }
            (Value::String(shown), Value::String(real)) if is_id(shown) => {
                assert_eq!(self.0.entry(shown.clone()).or_insert_with(|| real.clone()), real, "{place}");
            }
            (Value::String(shown), Value::String(real)) if place == "instance" => {
                assert_eq!(&self.put_in(shown), real);
            }
            (Value::Number(_), Value::Number(_)) if is_time(place) => {}
            (Value::String(_), Value::String(_)) if place == "requestId" => {}
            _ => assert_eq!(shown, real, "{place}"),
        }
    }
}

fn is_id(text: &str) -> bool {
    ["job_", "run_", "wrk_"].iter().any(|prefix| text.starts_with(prefix))
}

fn is_time(field: &str) -> bool {
    ["At", "Until", "Since", "Seen", "Us"].iter().any(|end| field.ends_with(end))
}

/// What has to be there before it is asked for.
fn prepare(server: &TestServer, ids: &mut Ids, path: &str) {
    if path.contains("waitMs") {
        let mut worker = FakeWorker::join(&server.address, 1);
        let key = worker.job().key;
        worker.report(vec![(key, number(57.0))]);
    }
    if path == format!("/api/v1/jobs/{ANSWERED}") {
        answer(server, &ids.0[ANSWERED]);
    }
    if path.starts_with("/api/v1/runs/") && path.ends_with("/explain") {
        server.api().await_fleet(|fleet| fleet.workers.is_empty());
    }
    if path == "/api/v1/queue" {
        server.api().await_queue(|queue| queue.held == 1);
    }
    let run = path.split('/').find(|part| part.starts_with("run_"));
    if let Some(shown) = run.filter(|shown| !ids.0.contains_key(*shown)) {
        let run = server.api().run(&shipped("add"));
        server.api().await_waiting(&run, 1);
        ids.0.insert(shown.to_owned(), run);
    }
    if let Some(shown) =
        path.strip_prefix("/api/v1/workflows/").and_then(|rest| rest.strip_suffix("/graph?near=val5"))
    {
        let form = Form::of(&shipped("add")).bytes();
        let kept: Value = server.api().post("/api/v1/workflows", &Form::content_type(), &[], &form).json();
        ids.0.insert(shown.to_owned(), kept["workflow"].as_str().expect("a hash").to_owned());
    }
    if let Some(shown) = path.strip_prefix("/api/v1/aims/f") {
        let run = server.api().run_form(&Form::of(&shipped("pi")).text("name", "pi"));
        server.api().await_run(&run.run, |view| view.summary.progress.total == 1001);
        ids.0.insert(format!("f{shown}"), run.workflow);
    }
}

/// A device answers this job, whatever else it is given.
fn answer(server: &TestServer, job: &str) {
    let job: JobId = job.parse().expect("the id of a job");
    let mut worker = FakeWorker::join(&server.address, 2);
    let identity = ed25519(&signed_text(&worker.nonce, &server.address));
    worker.send(&ClientFrame::Identity(identity));
    let key = loop {
        let given = worker.jobs().into_iter().find(|given| given.key.job == job.number());
        if let Some(given) = given {
            break given.key;
        }
    };
    worker.report(vec![(key, number(42.0))]);
}

/// The same device, in a tab that wants nothing. The one that has answered may be shown for a moment more.
fn device(server: &TestServer) -> FakeWorker {
    let mut worker = FakeWorker::join_as(&server.address, Guest::default());
    let identity = ed25519(&signed_text(&worker.nonce, &server.address));
    worker.send(&ClientFrame::Identity(identity));
    let is_alone = |fleet: &Fleet| {
        let known: Vec<&WorkerView> = fleet.workers.iter().filter(|worker| worker.device.is_some()).collect();
        matches!(known[..], [only] if only.capacity == Some(0))
    };
    server.api().await_fleet(is_alone);
    worker
}

/// The only worker that has proved its device.
fn known(server: &TestServer) -> String {
    let fleet = server.api().await_fleet(|_| true);
    let known = fleet.workers.iter().find(|worker| worker.device.is_some());
    known.expect("it stays").id.clone()
}

fn ask(api: &Api, (method, accept): (&str, &str), path: &str, body: &str) -> Answer {
    match method {
        "GET" => Answer::of(api.get_with(path, &[("accept", accept)])),
        "POST" => api.post(path, "application/json", &[], body.as_bytes()),
        other => panic!("no example has {other}"),
    }
}

#[test]
fn the_examples_of_the_page_answer_what_it_says() {
    let server = TestServer::start(&[]);
    let mut ids = Ids::default();
    let exchanges = exchanges();
    assert_eq!(exchanges.len(), 50);
    let mut connected = None;
    for Exchange { method, path, signed, accept, body, status, answer } in exchanges {
        prepare(&server, &mut ids, &path);
        if path.starts_with("/api/v1/devices/") {
            connected.get_or_insert_with(|| device(&server));
        }
        if let Some(shown) = path.strip_prefix("/api/v1/workers/").and_then(|rest| rest.split('/').next()) {
            ids.0.entry(shown.to_owned()).or_insert_with(|| known(&server));
        }
        let api = if signed { server.api() } else { Api::new(&server.address) };
        let real = ask(&api, (&method, &accept), &ids.put_in(&path), &ids.put_in(&body));
        assert_eq!(real.status, status, "{method} {path}: {}", real.text);
        ids.compare(&path, &answer, &real.json());
    }
}
