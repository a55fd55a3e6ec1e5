//! Values against the types that the document promises, while a run computes.

use weevil_api::RunError;
use weevil_e2e::{Browser, Files, TestServer, job_workflow, pool_workflow};
use weevil_model::RunState;

/// How a run of these files fails in a real browser.
fn failure(server: &TestServer, files: &Files) -> RunError {
    let view = server.api().await_end(&server.api().run(files));
    assert_eq!(view.summary.state, RunState::Failed, "{:?}", view.result);
    view.error.expect("a failed run says why")
}

#[test]
fn a_value_of_another_type_fails_the_attempt_with_both_types_named() {
    let server = TestServer::start(&[]);
    let browser = Browser::start();
    let _tab = browser.open(&server.url("/?autostart&slots=2"));
    for (returns, found) in [
        ("'7'", "String"),
        ("[7]", "Array"),
        ("new Float64Array([7])", "Float64Array"),
        ("({})", "Object"),
        ("true", "Boolean"),
        ("null", "null"),
        ("undefined", "undefined"),
    ] {
        let code = format!("function weevil_main() {{ return {returns} }}");
        let error = failure(&server, &job_workflow(&code, r#"retries="0""#));
        assert_eq!((error.node.as_str(), error.attempts.len()), ("only", 1), "{returns}");
        let attempt = &error.attempts[0];
        assert_eq!(attempt.kind, "returnType", "{returns}");
        let (expected, found) = ("Number".to_owned(), found.to_owned());
        assert!([expected, found].iter().all(|word| attempt.message.contains(word)), "{}", attempt.message);
    }
}

#[test]
fn an_element_of_another_type_fails_its_pool_with_both_types_named() {
    let server = TestServer::start(&[]);
    let browser = Browser::start();
    let _tab = browser.open(&server.url("/?autostart&slots=2"));
    let same = "function weevil_main(n) { return n }";
    let sum = "function weevil_main(all) { return all.length }";
    let error = failure(&server, &pool_workflow(r#"[1, "two", 3]"#, same, sum));
    let told = format!("{} {:?}", error.node, error.attempts);
    assert!(["pool", "Number", "String", "1"].iter().all(|word| told.contains(word)), "{told}");
}
