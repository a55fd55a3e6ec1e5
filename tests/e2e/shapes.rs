//! Shapes of workflows, computed by a real browser: what goes where, in which order, and where failures end.

use std::fmt::Write;

use serde_json::{Value, json};
use weevil_api::RunView;
use weevil_e2e::{Browser, Files, TestServer, files, pool_workflow};
use weevil_model::{NodeState, RunState};

/// Runs all of them at once with one tab, and answers how each ended.
fn ends(workflows: &[(&str, Files)]) -> Vec<RunView> {
    let server = TestServer::start(&[]);
    let browser = Browser::start();
    let _tab = browser.open(&server.url("/?autostart&slots=2"));
    let runs: Vec<_> = workflows.iter().map(|(_, files)| server.api().run(files)).collect();
    runs.iter().map(|run| server.api().await_end(run)).collect()
}

/// Source code by file name, with a document around nodes and edges.
fn workflow(nodes: &str, edges: &str, last: &str, sources: &[(&str, &str)]) -> Files {
    let document = format!(
        "<workflow><nodes>{nodes}</nodes><edges>{edges}</edges><finalnode id=\"{last}\"/></workflow>"
    );
    let mut all = files(&[("workflow.xml", &document)]);
    all.extend(files(sources));
    all
}

/// A job node with one Number port for each name.
fn job(id: &str, source: &str, ports: &[String]) -> String {
    let ports = ports.iter().fold(String::new(), |mut text, port| {
        let _ = write!(text, "<parameter id=\"{port}\" paramtype=\"Number\"/>");
        text
    });
    format!("<job id=\"{id}\" src=\"{source}\" returntype=\"Number\"><parameters>{ports}</parameters></job>")
}

fn edge(source: &str, dest: &str, port: &str) -> String {
    format!("<edge id=\"{source}-{dest}-{port}\" source=\"{source}\" dest=\"{dest}\" paramdest=\"{port}\"/>")
}

const SUM: (&str, &str) =
    ("Sum.js", "function weevil_main(...all) { return all.reduce((sum, one) => sum + one, 0) }");

/// `from` goes to twelve jobs that add one, and all of them to the last.
fn twelve(from: &str, more: &str) -> Files {
    let ids: Vec<_> = (0..12).map(|at| format!("n{at}")).collect();
    let mut nodes = from.to_owned() + &job("last", "Sum", &ids);
    let mut edges = more.to_owned();
    for id in &ids {
        nodes += &job(id, "Next", &["n".to_owned()]);
        edges += &edge("from", id, "n");
        edges += &edge(id, "last", id);
    }
    workflow(&nodes, &edges, "last", &[("Next.js", "function weevil_main(n) { return n + 1 }"), SUM])
}

/// A value goes through a pool on the one side and a job on the other; both meet.
fn diamond() -> Files {
    let nodes = r#"<value id="list" value="[1, 2, 3]" returntype="Array"/>
        <pool id="pool" returntype="Number"><parameters><parameter id="all" paramtype="Array"/></parameters>
            <processor id="each" src="Double" returntype="Number">
                <parameters><parameter id="n" paramtype="Number"/></parameters></processor>
            <reducer id="sum" src="Sum" returntype="Number">
                <parameters><parameter id="all" paramtype="Array"/></parameters></reducer></pool>
        <job id="count" src="Count" returntype="Number">
            <parameters><parameter id="all" paramtype="Array"/></parameters></job>"#;
    let nodes = nodes.to_owned() + &job("both", "Both", &["sum".to_owned(), "count".to_owned()]);
    let edges = edge("list", "pool", "all")
        + &edge("list", "count", "all")
        + &edge("pool", "both", "sum")
        + &edge("count", "both", "count");
    let sources = [
        ("Double.js", "function weevil_main(n) { return 2 * n }"),
        ("Sum.js", "function weevil_main(all) { return all.reduce((sum, one) => sum + one, 0) }"),
        ("Count.js", "function weevil_main(all) { return all.length }"),
        ("Both.js", "function weevil_main(sum, count) { return sum * 100 + count }"),
    ];
    workflow(&nodes, &edges, "both", &sources)
}

#[test]
fn every_shape_has_its_result() {
    let same = "function weevil_main(n) { return n }";
    let shown =
        "function weevil_main(all) { return all.length * 1000 + (all[0] === undefined ? 7 : all[0]) }";
    let shapes = [
        ("an empty pool: its reducer gets []", pool_workflow("[]", same, shown), json!(7)),
        ("a pool of one", pool_workflow("[5]", same, shown), json!(1005)),
        ("a pool inside a diamond", diamond(), json!(1203)),
        (
            "a value to many consumers",
            twelve("<value id=\"from\" value=\"2\" returntype=\"Number\"/>", ""),
            json!(36),
        ),
        (
            "a result to twelve nodes",
            twelve(
                &(job("from", "Next", &["n".to_owned()])
                    + "<value id=\"one\" value=\"1\" returntype=\"Number\"/>"),
                &edge("one", "from", "n"),
            ),
            json!(36),
        ),
    ];
    let workflows: Vec<_> = shapes.iter().map(|(name, files, _)| (*name, files.clone())).collect();
    for (view, (name, _, expected)) in ends(&workflows).iter().zip(&shapes) {
        assert_eq!(view.summary.state, RunState::Finished, "{name}: {:?}", view.error);
        assert_eq!(view.result.as_ref(), Some(expected), "{name}");
        let unfinished = view.nodes.iter().find(|node| node.state != NodeState::Finished);
        assert_eq!(unfinished, None, "{name}");
    }
}

#[test]
fn a_failure_inside_a_pool_is_the_runs_with_its_place() {
    let boom = "function weevil_main(n) { if (n === 2) throw new TypeError('two'); return n }";
    let sum = "function weevil_main(all) { return all.length }";
    let in_reducer = "function weevil_main(all) { null.x }";
    let same = "function weevil_main(n) { return n }";
    let failures = [
        ("a processor", pool_workflow("[1, 2, 3]", boom, sum), "input/pool/1/each", "TypeError: two"),
        ("a reducer", pool_workflow("[1, 2, 3]", same, in_reducer), "input/pool/sum", "TypeError"),
    ];
    let workflows: Vec<_> = failures.iter().map(|(name, files, ..)| (*name, files.clone())).collect();
    for (view, (name, _, node, words)) in ends(&workflows).iter().zip(&failures) {
        assert_eq!((view.summary.state, &view.result), (RunState::Failed, &None::<Value>), "{name}");
        let error = view.error.as_ref().expect("a failed run says why");
        assert_eq!(error.node, *node, "{name}");
        assert!(error.attempts[0].message.contains(words), "{name}: {:?}", error.attempts);
        let pool = view.nodes.iter().find(|node| node.id == "pool").expect("the pool is shown");
        assert_eq!(pool.state, NodeState::Failed, "{name}");
    }
}
