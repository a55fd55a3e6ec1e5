//! Which policy holds for a job, what stored results it may take, and what is refused as a policy.

use std::process::{Command, Output};

use serde_json::json;
use weevil_api::JobHistory;
use weevil_api::routes::Operation;
use weevil_e2e::{
    FakeWorker, Files, Form, TestServer, default_binary, files, job_workflow, number, pool_workflow, shipped,
};
use weevil_model::RunState;

use super::scene::{BEHIND_A_PROXY, CODE, jobs, next, report, volunteer};

/// A workflow of one job; each may say a policy.
fn workflow(whole: &str, job: &str) -> Files {
    let says = |policy: &str| if policy.is_empty() { String::new() } else { format!("trust=\"{policy}\"") };
    let document = format!(
        r#"<workflow {}><nodes><job id="only" src="Code" returntype="Number" {}/></nodes><edges/>
        <finalnode id="only"/></workflow>"#,
        says(whole),
        says(job)
    );
    files(&[("workflow.xml", &document), ("Code.js", CODE)])
}

/// The path of each job below its node, and its policy.
fn policies(server: &TestServer, run: &str) -> Vec<(String, Option<String>)> {
    jobs(server, run, 1).into_iter().map(|job| (job.path, job.trust)).collect()
}

/// What a server says, then workflow, element and run, and what holds for the job.
const ROWS: &[(&str, &str, &str, &str, Option<&str>)] = &[
    ("none", "", "", "", None),
    ("none", "quorum(3)", "", "", Some("quorum(3)")),
    ("none", "quorum(3)", "quorum(4)", "", Some("quorum(4)")),
    ("none", "quorum(3)", "none", "", None),
    ("none", "", "quorum(4)", "", Some("quorum(4)")),
    ("none", "", "", "quorum(5)", Some("quorum(5)")),
    ("none", "quorum(3)", "quorum(4)", "quorum(5)", Some("quorum(5)")),
    ("none", "quorum(3)", "quorum(4)", "none", None),
    ("quorum(2)", "", "", "", Some("quorum(2)")),
    ("quorum(2)", "none", "", "", None),
    ("quorum(2)", "none", "quorum(7)", "", Some("quorum(7)")),
    ("quorum(2)", "", "none", "", None),
    ("quorum(2)", "", "", "none", None),
    ("quorum(2)", "", "", "quorum(6)", Some("quorum(6)")),
];

#[test]
fn the_run_goes_before_the_element_the_workflow_and_the_server() {
    for says in ["none", "quorum(2)"] {
        let server = TestServer::start(&["--trust", says]);
        for (_, whole, job, run, expected) in ROWS.iter().filter(|row| row.0 == says) {
            let form = Form::of(&workflow(whole, job));
            let form = if run.is_empty() { form } else { form.text("trust", run) };
            let id = server.api().run_form(&form).run;
            let found = policies(&server, &id);
            let words = format!("{says}, {whole}, {job}, {run}");
            assert_eq!(found, [("only".to_owned(), expected.map(str::to_owned))], "{words}");
            let started_with = server.api().view(&id).summary.trust;
            assert_eq!(started_with.as_deref(), Some(*run).filter(|run| !run.is_empty()), "{words}");
        }
    }
}

#[test]
fn a_server_that_says_nothing_believes_the_first_value() {
    let server = TestServer::start(&BEHIND_A_PROXY);
    let run = server.api().run(&job_workflow(CODE, ""));
    let mut worker = FakeWorker::join(&server.address, 1);
    let job = worker.job();
    worker.report(vec![(job.key, number(7.0))]);
    assert_eq!(server.api().await_end(&run).result, Some(7.into()));
    assert_eq!(policies(&server, &run), [("only".to_owned(), None)]);
    assert!(server.api().first_job(&run).attempts[0].answer.is_none(), "nobody judges it");
}

#[test]
fn processors_and_reducers_have_policies_of_their_own() {
    let server = TestServer::start(&[]);
    for (input, job, expected) in [("[1]", "each", "quorum(3)"), ("[]", "sum", "quorum(4)")] {
        let mut pool = pool_workflow(
            input,
            "function weevil_main(n) { return n }",
            "function weevil_main(all) { return 0 }",
        );
        for (path, bytes) in &mut pool {
            if path == "workflow.xml" {
                let text =
                    String::from_utf8_lossy(bytes).replace("id=\"each\"", "id=\"each\" trust=\"quorum(3)\"");
                *bytes = text.replace("id=\"sum\"", "id=\"sum\" trust=\"quorum(4)\"").into_bytes();
            }
        }
        let run = server.api().run(&pool);
        let found = policies(&server, &run);
        let own = found.iter().find(|(path, _)| path.contains(job));
        assert_eq!(own.and_then(|(_, policy)| policy.as_deref()), Some(expected), "{job} in {found:?}");
    }
}

#[test]
fn a_job_alone_goes_before_the_server() {
    for (says, asked, expected) in [
        ("none", None, None),
        ("none", Some("quorum(2)"), Some("quorum(2)")),
        ("none", Some("none"), None),
        ("quorum(3)", None, Some("quorum(3)")),
        ("quorum(3)", Some("none"), None),
        ("quorum(3)", Some("quorum(2)"), Some("quorum(2)")),
    ] {
        let server = TestServer::start(&["--trust", says]);
        let kept = server.api().put_job(&json!({ "source": CODE, "trust": asked }));
        let history: JobHistory = server.api().json(&Operation::ShowJob.path(&[&kept.job]));
        assert_eq!(history.job.trust.as_deref(), expected, "{says} {asked:?}");
    }
}

/// Runs the job with this policy, which takes a stored result or is computed by so many who agree. Answers how many it took.
fn run_reusing(server: &TestServer, policy: &str, computed_by: u8) -> u32 {
    let form = Form::of(&job_workflow(CODE, "")).text("reuse", "repeatable").text("trust", policy);
    let run = server.api().run_form(&form).run;
    for number_of in 1..=computed_by {
        let mut worker = volunteer(server, number_of);
        let job = next(&mut worker);
        report(&mut worker, &job, number(7.0));
    }
    let end = server.api().await_end(&run);
    assert_eq!((end.summary.state, end.result), (RunState::Finished, Some(7.into())), "{policy}");
    end.stats.reused
}

#[test]
fn stored_results_are_taken_where_they_were_judged_as_strictly() {
    let server = TestServer::start(&BEHIND_A_PROXY);
    for (policy, computed_by) in [
        ("none", 1),
        ("none", 0),
        ("quorum(2)", 2),
        ("quorum(2)", 0),
        ("none", 0),
        ("quorum(4)", 4),
        ("quorum(3)", 0),
        ("quorum(5)", 5),
    ] {
        assert_eq!(run_reusing(&server, policy, computed_by), u32::from(computed_by == 0), "{policy}");
    }
}

/// What is no policy, and words of the refusal.
const WRONG: [(&str, &str); 5] = [
    ("", "is no policy"),
    ("Quorum(2)", "is no policy"),
    ("quorum(1)", "one answer agrees with itself"),
    ("quorum(8)", "too many answers"),
    ("credible(0)", "rules out that all of them lie"),
];

#[test]
fn what_is_no_policy_is_refused_in_words() {
    let server = TestServer::start(&[]);
    let api = server.api();
    let runs = Operation::CreateRun.path(&[]);
    for (policy, words) in WRONG {
        let form = Form::of(&shipped("add")).text("trust", policy);
        let part = api.submit(&runs, &form).refusal();
        assert_eq!((part.0, part.1.code.as_str()), (400, "badUpload"), "{policy}");
        let address = format!("{runs}?trust={}", policy.replace('(', "%28").replace(')', "%29"));
        let parameter = api.post(&address, "application/xml", &[], b"<workflow/>").refusal();
        assert_eq!((parameter.0, parameter.1.code.as_str()), (400, "badUpload"), "{policy}");
        let job = api
            .post_json(&Operation::SubmitJobs.path(&[]), &json!({ "source": CODE, "trust": policy }))
            .refusal();
        assert_eq!((job.0, job.1.code.as_str()), (422, "badJob"), "{policy}");
        for detail in [part.1.detail, parameter.1.detail, job.1.detail] {
            assert!(detail.contains("`trust`") && detail.contains(words), "{policy}: {detail}");
        }
    }
    let kept =
        api.submit(&Operation::KeepWorkflow.path(&[]), &Form::of(&shipped("add")).text("trust", "quorum(2)"));
    assert_eq!(kept.refusal().1.code, "badUpload", "a policy belongs to a run");
    assert_eq!(api.runs(), vec![]);
}

/// So many liars are assumed that no plan keeps so small a share of errors.
#[test]
fn what_the_server_cannot_keep_is_refused_with_what_it_can() {
    const MORE: &str = "the smallest error that can be promised is 0.00082";
    let server = TestServer::start(&["--assumed-liars", "0.4"]);
    let api = server.api();
    let asked = api.submit(
        &Operation::CreateRun.path(&[]),
        &Form::of(&shipped("add")).text("trust", "credible(0.0001)"),
    );
    let own = api.submit(&Operation::CreateRun.path(&[]), &Form::of(&workflow("", "credible(0.0001)")));
    let job = json!({ "source": CODE, "trust": "credible(0.0001)" });
    let alone = api.post_json(&Operation::SubmitJobs.path(&[]), &job);
    for (answer, status, code) in [(asked, 400, "badUpload"), (own, 400, "badUpload"), (alone, 422, "badJob")]
    {
        let (found, refusal) = answer.refusal();
        assert_eq!((found, refusal.code.as_str()), (status, code), "{}", refusal.detail);
        assert!(refusal.detail.contains("`trust`") && refusal.detail.contains(MORE), "{}", refusal.detail);
    }
    assert_eq!(api.runs(), vec![]);
    let kept = Form::of(&shipped("add")).text("trust", "credible(0.001)");
    assert_eq!(api.view(&api.run_form(&kept).run).summary.trust.as_deref(), Some("credible(0.001)"));
}

/// The document says nothing of trust.
#[test]
fn a_run_that_asks_for_trust_is_told_that_its_copies_will_differ() {
    let server = TestServer::start(&[]);
    let clock = pool_workflow(
        "[1]",
        "function weevil_main(n) { return n + Date.now() }",
        "function weevil_main(all) { return all.length }",
    );
    for (policy, told) in [("none", &[][..]), ("quorum(2)", &["W0202"])] {
        let created = server.api().run_form(&Form::of(&clock).text("trust", policy));
        let codes: Vec<&str> = created.warnings.iter().map(|warning| warning.code.as_str()).collect();
        assert_eq!(codes, told, "{policy}");
    }
}

/// What `serve --print-config` says where the variable names this policy.
fn settings(policy: &str) -> Output {
    let mut command = Command::new(default_binary());
    command.args(["serve", "--print-config"]).env("WEEVIL_TRUST", policy);
    command.output().expect("the binary runs")
}

#[test]
fn a_server_with_a_wrong_policy_does_not_start() {
    for (policy, words) in WRONG {
        let started = settings(policy);
        let told = String::from_utf8_lossy(&started.stderr);
        assert_eq!(started.status.code(), Some(2), "{policy}: {told}");
        assert!(told.contains("trust") && told.contains(words), "{policy}: {told}");
    }
    let started = settings("quorum(3)");
    let told = String::from_utf8_lossy(&started.stdout);
    assert!(told.contains("trust = \"quorum(3)\""), "{told}");
}
