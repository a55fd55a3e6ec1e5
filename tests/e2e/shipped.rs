//! The shipped workflows, computed by a real browser.

use serde_json::{Value, json};
use weevil_e2e::{Browser, Files, TestServer, shipped};
use weevil_model::RunState;

/// Runs `files` with one tab and answers the result.
fn compute(files: &Files) -> Value {
    let server = TestServer::start(&[]);
    let browser = Browser::start();
    let _tab = browser.open(&server.url("/?autostart&slots=2"));
    let view = server.api().await_end(&server.api().run(files));
    assert_eq!(view.summary.state, RunState::Finished, "{:?}", view.error);
    view.result.expect("a finished run has a result")
}

/// The workflow with `elements` in place of its large input.
pub(crate) fn with_input(name: &str, input: &str, elements: &[u64]) -> Files {
    let mut files = shipped(name);
    let file = files.iter_mut().find(|(path, _)| path == input).expect("the input is a file");
    file.1 = json!(elements).to_string().into_bytes();
    files
}

fn expected(name: &str) -> Value {
    let file = shipped(name).into_iter().find(|(path, _)| path == "expected.json").expect("expected.json");
    serde_json::from_slice::<Value>(&file.1).expect("JSON")["result"].clone()
}

#[test]
fn add_is_157() {
    assert_eq!(compute(&shipped("add")), expected("add"));
}

#[test]
fn flops_sums_what_a_thousand_processors_counted() {
    // The full input differs in size only: the sum follows from the sizes, ten operations each.
    let sizes: Vec<u64> = (1..=1000).collect();
    let total: u64 = sizes.iter().map(|size| size * 10).sum();
    assert_eq!(compute(&with_input("flops", "flop_test_sample_size.json", &sizes)), json!(total));
}

#[test]
fn pi_is_near_and_the_same_every_time() {
    let files = with_input("pi", "samples.json", &[10_000; 1000]);
    let first = compute(&files);
    let error = (first.as_f64().expect("a number") - std::f64::consts::PI).abs();
    // Ten million samples: one standard deviation is 1.64 / sqrt(1e7) = 5.2e-4.
    assert!(error < 2.6e-3, "{first}");
    assert_eq!(compute(&files), first, "the workflow alone decides every random number");
}
