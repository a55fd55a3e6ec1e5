//! Stored workflows: kept without a run, listed by name, run again by their hash.

use serde_json::{Value, json};
use weevil_api::{GraphStack, GraphView, NamedWorkflowView, WorkflowKept, WorkflowPage, WorkflowView};
use weevil_e2e::{Answer, FakeWorker, Files, Form, TestServer, job_workflow, number, shipped, zipped};
use weevil_model::ContentHash;

const WORKFLOWS: &str = "/api/v1/workflows";
const RUNS: &str = "/api/v1/runs";

fn keep(server: &TestServer, name: &str, files: &Files) -> WorkflowKept {
    server.api().submit(WORKFLOWS, &Form::of(files).text("name", name)).created()
}

/// Names, each with the hashes of its versions.
fn listed(server: &TestServer) -> Vec<(String, Vec<String>)> {
    let named = server.api().json::<WorkflowPage>(WORKFLOWS).workflows;
    let versions = |named: &NamedWorkflowView| named.versions.iter().map(|v| v.workflow.clone()).collect();
    named.iter().map(|named| (named.name.clone(), versions(named))).collect()
}

#[test]
fn a_kept_workflow_is_listed_shown_and_run_again() {
    let mut server = TestServer::start(&[]);
    let first = keep(&server, "mine", &job_workflow("function weevil_main() { return 1 }", ""));
    let second = keep(&server, "mine", &job_workflow("function weevil_main() { return 2 }", ""));
    let third = keep(&server, "add", &shipped("add"));
    assert_eq!(keep(&server, "mine", &job_workflow("function weevil_main() { return 1 }", "")), first);
    let expected = [
        ("add".to_owned(), vec![third.workflow.clone()]),
        ("mine".to_owned(), vec![second.workflow, first.workflow.clone()]),
    ];
    assert_eq!(listed(&server), expected, "the newest first, each once");
    assert_eq!(server.api().runs(), vec![], "nothing runs");
    server.kill();
    server.restart();
    assert_eq!(listed(&server), expected);

    let shown: WorkflowView = server.api().json(&format!("{WORKFLOWS}/{}", third.workflow));
    assert_eq!((shown.name.as_str(), shown.final_node.as_deref()), ("add", Some("val4")));
    let code = shipped("add").into_iter().find(|file| file.0 == "Add.js").expect("Add.js").1;
    let file = shown.files.iter().find(|file| file.path == "Add.js").expect("its file");
    assert_eq!((file.bytes, &file.hash), (code.len() as u64, &ContentHash::of(&code).to_string()));

    for again in [
        server.api().submit(RUNS, &Form::default().text("workflow", &first.workflow)),
        server.api().post(&format!("{RUNS}?workflow={}&name=other", first.workflow), "", &[], &[]),
    ] {
        let created: weevil_api::RunCreated = again.created();
        assert_eq!(created.workflow, first.workflow);
        let mut worker = FakeWorker::join(&server.address, 1);
        let job = worker.job();
        worker.report(vec![(job.key, number(1.0))]);
        assert_eq!(server.api().await_end(&created.run).result, Some(1.into()));
    }
    let runs = server.api().runs();
    assert_eq!(runs.iter().map(|run| run.name.as_str()).collect::<Vec<_>>(), ["other", "mine"]);
    assert_eq!(listed(&server), expected, "the name of a run is no name of its workflow");
}

#[test]
fn what_cannot_be_kept_or_found_is_told_so() {
    let server = TestServer::start(&[]);
    let nowhere = "0".repeat(64);
    let add = || Form::of(&shipped("add"));
    let keep = |form: Form| server.api().submit(WORKFLOWS, &form);
    let run = |form: Form| server.api().submit(RUNS, &form);
    let get = |path: &str| {
        let response = server.api().get(path);
        let status = response.status().as_u16();
        Answer { status, text: response.into_body().read_to_string().expect("a body") }
    };
    for (answer, status, code, words) in [
        (get(&format!("{WORKFLOWS}/{nowhere}")), 404, "noSuchWorkflow", nowhere.as_str()),
        (get(&format!("{WORKFLOWS}/xyz")), 400, "badId", "xyz"),
        (run(Form::default().text("workflow", &nowhere)), 404, "noSuchWorkflow", "/api/v1/workflows"),
        (run(Form::default().text("workflow", "xyz")), 400, "badId", "xyz"),
        (run(add().text("workflow", &nowhere)), 400, "badUpload", "beside"),
        (keep(add().text("set", "val1=1")), 400, "badUpload", "belongs to a run"),
        (keep(add().text("reuse", "always")), 400, "badUpload", "belongs to a run"),
        (keep(Form::of(&job_workflow("nothing", ""))), 422, "badWorkflow", "1 error"),
        (keep(Form::default()), 422, "badBundle", "workflow.xml"),
        (
            keep(Form::default().file("file", "a.zip", &zipped("", &job_workflow("nothing", "")))),
            422,
            "badWorkflow",
            "1 error",
        ),
    ] {
        let (found, error) = answer.refusal();
        assert_eq!((found, error.code.as_str()), (status, code), "{}", error.detail);
        assert!(error.detail.contains(words), "{words}: {}", error.detail);
    }
    assert_eq!(listed(&server), []);
}

/// Thirty values, and a job that takes all of them.
fn many_values() -> Files {
    let all = |form: &dyn Fn(usize) -> String| (0..30).map(form).collect::<String>();
    let values = all(&|n| format!("<value id=\"v{n}\" value=\"{n}\" returntype=\"Number\"/>"));
    let ports = all(&|n| format!("<parameter id=\"p{n}\" paramtype=\"Number\"/>"));
    let edges = all(&|n| format!("<edge source=\"v{n}\" dest=\"sum\" paramdest=\"p{n}\"/>"));
    let document = format!(
        "<workflow><nodes>{values}<job id=\"sum\" src=\"Sum\" returntype=\"Number\"><parameters>{ports}</parameters></job>\
         </nodes><edges>{edges}</edges><finalnode id=\"sum\"/></workflow>"
    );
    let code = "function weevil_main(...all) { return all.reduce((sum, one) => sum + one) }";
    [("workflow.xml", document.as_str()), ("Sum.js", code)]
        .map(|(path, text)| (path.to_owned(), text.as_bytes().to_vec()))
        .into_iter()
        .collect()
}

#[test]
fn a_stored_workflow_has_a_picture() {
    let server = TestServer::start(&[]);
    let kept = keep(&server, "many", &many_values());
    let path = format!("{WORKFLOWS}/{}/graph", kept.workflow);
    let answer = server.owner().get(&path);
    assert_eq!(answer.header("cache-control"), Some("private, max-age=31536000, immutable"));
    let tag = answer.header("etag").expect("a tag").to_owned();
    assert_eq!(server.owner().with("If-None-Match", &tag).get(&path).status, 304);
    let view: GraphView = serde_json::from_slice(&answer.body).expect("a picture");
    let items: Vec<_> = view.items.iter().map(|item| (item.id.as_str(), item.count, item.is_final)).collect();
    assert_eq!(items, [("v0", 30, false), ("sum", 1, true)]);
    assert_eq!(json!(view.edges), json!([{ "from": 0, "to": 1, "count": 30 }]));
    let (mut members, mut after) = (Vec::new(), String::new());
    loop {
        let page: GraphStack = server.api().json(&format!("{path}?group=v7&limit=20{after}"));
        assert_eq!(page.count, 30);
        members.extend(page.members.into_iter().map(|member| member.id));
        let Some(next) = page.next else { break };
        after = format!("&after={next}");
    }
    assert_eq!(members, (0..30).map(|n| format!("v{n}")).collect::<Vec<_>>());
    let layers: Value = server.api().json(&format!("{path}?layers"));
    assert_eq!(
        (&layers["counts"], &layers["itemOf"][29], &layers["layerOf"][30]),
        (&json!([30, 1]), &json!(0), &json!(1))
    );
    let near: GraphView = server.api().json(&format!("{path}?near=sum"));
    assert_eq!((near.items.len(), near.edges.len(), near.cut), (31, 30, None), "node by node");
}

#[test]
fn a_picture_that_cannot_be_is_refused_in_words() {
    let server = TestServer::start(&[]);
    let kept = keep(&server, "many", &many_values());
    let nowhere = "0".repeat(64);
    for (workflow, search, status, words) in [
        (&kept.workflow, "?near=summ", 400, "did you mean `sum`?"),
        (&kept.workflow, "?near=elsewhere", 400, "there are v0, v1, v2, v3, v4 and 26 more"),
        (&kept.workflow, "?group=sum", 400, "`sum` is in no stack"),
        (&kept.workflow, "?group=v7&after=sum", 400, "not in the one that `after` is in"),
        (&kept.workflow, "?after=gone", 400, "no node `gone`"),
        (&kept.workflow, "?near=sum&hops=17", 400, "0 to 16 are allowed"),
        (&kept.workflow, "?colour=red", 400, "there are layers, group, near, hops, after, limit"),
        (&nowhere, "", 404, "there is no workflow"),
    ] {
        let Answer { status: found, text } =
            server.api().answer(&format!("{WORKFLOWS}/{workflow}/graph{search}"));
        assert!(found == status && text.contains(words), "{search}: {found} {text}");
    }
}
