//! Stored results in the place of work: equal jobs are not computed again, unless their code draws or looks at a clock.

use weevil_api::RunView;
use weevil_e2e::{FakeWorker, Files, Form, TestServer, files, number, shipped};
use weevil_model::RunState;

/// Two jobs behind each other: the first gives what `code` says, the second takes it.
fn chain(code: &str) -> Files {
    let document = r#"<workflow><nodes>
        <value id="from" value="3" returntype="Number"/>
        <job id="first" src="First" returntype="Number">
            <parameters><parameter id="n" paramtype="Number"/></parameters></job>
        <job id="second" src="Second" returntype="Number">
            <parameters><parameter id="n" paramtype="Number"/></parameters></job></nodes>
        <edges><edge id="a" source="from" dest="first"/><edge id="b" source="first" dest="second"/></edges>
        <finalnode id="second"/></workflow>"#;
    files(&[
        ("workflow.xml", document),
        ("First.js", code),
        ("Second.js", "function weevil_main(n) { return n + 1 }"),
    ])
}

/// Runs it with a worker that answers 10, 11, .. to whatever it is given, as often as the run asks. Answers the end.
fn run(server: &TestServer, form: &Form, jobs: u32) -> RunView {
    let created = server.api().run_form(form);
    let mut worker = (jobs > 0).then(|| FakeWorker::join(&server.address, 1));
    for answer in 0..jobs {
        let worker = worker.as_mut().expect("there are jobs");
        let job = worker.job();
        worker.report(vec![(job.key, number(f64::from(10 + answer)))]);
    }
    let view = server.api().await_end(&created.run);
    assert_eq!(view.summary.state, RunState::Finished, "{:?}", view.error);
    view
}

fn counts(view: &RunView) -> (u32, u32) {
    (view.stats.jobs, view.stats.reused)
}

const STEADY: &str = "function weevil_main(n) { return Math.sqrt(n) }";
const DRAWS: &str = "function weevil_main(n) { return n * Math.random() }";

#[test]
fn a_second_run_takes_the_results_of_the_first() {
    let mut server = TestServer::start(&[]);
    let form = |reuse: &str| Form::of(&chain(STEADY)).text("reuse", reuse);
    assert_eq!(counts(&run(&server, &form("repeatable"), 2)), (2, 0), "there is nothing to take yet");
    server.kill();
    server.restart();
    for reuse in ["repeatable", "always"] {
        let again = run(&server, &form(reuse), 0);
        assert_eq!((counts(&again), again.result), ((0, 2), Some(11.into())), "{reuse}: nobody is connected");
    }
    assert_eq!(counts(&run(&server, &form("never"), 2)), (2, 0));
    assert_eq!(counts(&run(&server, &Form::of(&chain(STEADY)), 2)), (2, 0), "nothing is taken unasked");
    let other_input = run(&server, &form("repeatable").text("set", "from=4"), 1);
    assert_eq!((counts(&other_input), other_input.result), ((1, 1), Some(11.into())), "the second is equal");
}

#[test]
fn code_that_draws_or_looks_at_a_clock_is_computed_unless_all_is_asked_for() {
    for code in [DRAWS, "function weevil_main(n) { return Date.now() }"] {
        let server = TestServer::start(&[]);
        let form = |reuse: &str| Form::of(&chain(code)).text("reuse", reuse);
        assert_eq!(counts(&run(&server, &form("repeatable"), 2)), (2, 0));
        assert_eq!(counts(&run(&server, &form("repeatable"), 1)), (1, 1), "{code}: the second job is steady");
        assert_eq!(counts(&run(&server, &form("always"), 0)), (0, 2), "{code}");
    }
}

#[test]
fn equal_jobs_of_other_workflows_count() {
    let server = TestServer::start(&[]);
    assert_eq!(counts(&run(&server, &Form::of(&chain(STEADY)), 2)), (2, 0));
    let mut renamed = chain(STEADY);
    for (path, bytes) in &mut renamed {
        if path == "workflow.xml" {
            let text = String::from_utf8_lossy(bytes).replace("\"first\"", "\"one\"");
            *bytes = text.into_bytes();
        }
    }
    assert_eq!(counts(&run(&server, &Form::of(&renamed).text("reuse", "repeatable"), 0)), (0, 2));
    let add = Form::of(&shipped("add")).text("reuse", "repeatable");
    assert_eq!(counts(&run(&server, &add, 2)), (2, 0), "other code");
}
