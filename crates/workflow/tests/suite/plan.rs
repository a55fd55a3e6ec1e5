//! What a plan says about nodes, work and order.

use crate::common::{JOB, bundle, figure, joined, listed, plan};
use weevil_model::trust::Policy;
use weevil_model::{ContentHash, JobType, NodeKind};
use weevil_workflow::{Aim, NodeBody, NodeIndex, Plan, load};

fn job(id: &str, ports: &[&str], attributes: &str) -> String {
    let parameters = joined(ports, |port| format!(r#"<parameter id="{port}" paramtype="Number"/>"#));
    format!(
        r#"<job id="{id}" src="Add" returntype="Number" {attributes}><parameters>{parameters}</parameters></job>"#
    )
}

fn edge(source: &str, dest: &str, port: &str) -> String {
    format!(r#"<edge source="{source}" dest="{dest}" paramdest="{port}"/>"#)
}

fn workflow(nodes: &[String], edges: &[String], last: &str) -> Plan {
    let (nodes, edges) = (nodes.concat(), edges.concat());
    let document = format!(
        "<workflow><edges>{edges}</edges><finalnode id=\"{last}\"/><nodes>{nodes}</nodes></workflow>"
    );
    plan(&bundle(&[("my flow.xml", document.as_bytes()), ("Add.js", JOB)]))
}

#[test]
fn the_aim_is_what_the_root_says_in_one_line() {
    let nodes = job("a", &[], "");
    let of = |attributes: &str| {
        let document =
            format!("<workflow {attributes}><nodes>{nodes}</nodes><finalnode id=\"a\"/></workflow>");
        plan(&bundle(&[("workflow.xml", document.as_bytes()), ("Add.js", JOB)])).aim
    };
    let aim = |project: Option<&str>, question: Option<&str>, link: Option<&str>| {
        let [project, question, link] = [project, question, link].map(|part| part.map(str::to_owned));
        Aim { project, question, link }
    };
    for (attributes, expected) in [
        ("", Aim::default()),
        ("project='&lt;Weevils> &amp; co'", aim(Some("<Weevils> & co"), None, None)),
        (
            "question=' How many\n  象鼻虫&#9;are there? '",
            aim(None, Some("How many 象鼻虫 are there?"), None),
        ),
        ("link=' http://127.0.0.1:8080 '", aim(None, None, Some("http://127.0.0.1:8080"))),
        (
            "link='https://xn--bnk-qla.example/a?b=c&amp;d#e' project='P'",
            aim(Some("P"), None, Some("https://xn--bnk-qla.example/a?b=c&d#e")),
        ),
    ] {
        assert_eq!(of(attributes), expected, "{attributes}");
    }
}

/// Thesis figure 3.14: two parents; the one that comes first in the document supervises.
#[test]
fn the_first_parent_in_the_document_supervises() {
    let nodes = [
        job("task_a", &[], ""),
        job("task_d", &["x", "y", "z"], ""),
        job("task_b", &[], ""),
        job("task_c", &["p"], ""),
    ];
    let edges = [
        edge("task_c", "task_d", "z"),
        edge("task_b", "task_d", "y"),
        edge("task_a", "task_d", "x"),
        edge("task_b", "task_c", "p"),
    ];
    let plan = workflow(&nodes, &edges, "task_d");
    assert_eq!(plan.name, "my flow");
    let paths: Vec<_> = plan.nodes().iter().map(|node| &*node.path).collect();
    assert_eq!(paths, ["task_a", "task_a/task_d", "task_b", "task_b/task_c"]);
    let supervised: Vec<Vec<_>> =
        plan.nodes().iter().map(|node| node.supervised.iter().map(|child| child.index()).collect()).collect();
    assert_eq!(supervised, [vec![1], vec![], vec![3], vec![]]);
    let outgoing: Vec<_> = plan.nodes()[2].outgoing.iter().map(|out| (out.node.index(), out.port)).collect();
    assert_eq!(outgoing, [(1, 1), (3, 0)], "in the order of the edges");
    assert_eq!(plan.starts().map(NodeIndex::index).collect::<Vec<_>>(), [0, 2]);
    assert_eq!(plan.graph().edge_count(), 4);
}

#[test]
fn jobs_carry_code_and_limits() {
    let nodes = [job(
        "one",
        &[],
        r#"jobtype="javascript" priority="-7" timeout="60" retries="0" deterministic="true""#,
    )];
    let plan = workflow(&nodes, &[], "one");
    let node = plan.node(plan.final_node());
    let NodeBody::Job(spec) = &node.body else { panic!("a job is expected") };
    assert_eq!(
        (node.kind(), spec.job_type, spec.code),
        (NodeKind::Job, JobType::JavaScript, ContentHash::of(JOB))
    );
    assert_eq!((spec.priority, spec.timeout_seconds, spec.attempts), (-7, 60, 1));
    assert!(spec.deterministic);
    assert_eq!(plan.codes().collect::<Vec<_>>(), [(spec.code, "Add.js")]);
}

#[test]
fn a_node_is_trusted_as_it_says_else_as_its_workflow_says() {
    let policies = |workflow: &str, element: &str| {
        let document =
            include_str!("../data/figure-6.5.xml").replacen("<workflow", &format!("<workflow {workflow}"), 1);
        let document = ["<job", "<processor", "<reducer"]
            .iter()
            .fold(document, |document, tag| document.replace(tag, &format!("{tag} {element}")));
        let mut found = Vec::new();
        for node in plan(&figure(&document)).nodes() {
            match &node.body {
                NodeBody::Value(_) => {}
                NodeBody::Job(job) => found.push(job.trust),
                NodeBody::Pool { processor, reducer } => found.extend([processor.trust, reducer.trust]),
            }
        }
        assert!(found.len() > 1 && found.iter().all(|policy| *policy == found[0]), "{document}: {found:?}");
        found[0]
    };
    let quorum = |votes: &str| Some(format!("quorum({votes})").parse::<Policy>().unwrap());
    for (workflow, element, expected) in [
        ("", "", None),
        ("trust='quorum(3)'", "", quorum("3")),
        ("", "trust='quorum(2)'", quorum("2")),
        ("trust='quorum(3)'", "trust=' quorum(7) '", quorum("7")),
        ("trust='quorum(3)'", "trust='none'", Some(Policy::None)),
        ("trust='none'", "", Some(Policy::None)),
    ] {
        assert_eq!(policies(workflow, element), expected, "{workflow} {element}");
    }
}

#[test]
fn only_code_that_neither_draws_nor_looks_at_a_clock_is_repeatable() {
    let document =
        format!("<workflow><nodes>{}</nodes><finalnode id=\"one\"/></workflow>", job("one", &[], ""));
    for (code, repeatable) in [
        ("function weevil_main() { return Math.sqrt(2) }", true),
        ("function weevil_main() { return Math.random() }", false),
        ("function weevil_main() { return Date.now() }", false),
        ("eval('function weevil_main() {}')", true),
        ("{} /x/; function weevil_main() {}", false),
    ] {
        let files: &[(&str, &[u8])] = &[("w.xml", document.as_bytes()), ("Add.js", code.as_bytes())];
        let plan = load(&bundle(files)).unwrap().plan;
        let NodeBody::Job(spec) = &plan.nodes()[0].body else { panic!("a job is expected") };
        assert_eq!(spec.repeatable, repeatable, "{code}");
    }
}

/// No cut and no lost character makes the reader panic, and what it refuses it explains.
#[test]
fn broken_documents_are_data() {
    let sound = include_str!("../data/figure-6.5.xml").replace("returntype=\"Array\"", "returntype='Array' ");
    let ends = 0..sound.len();
    let cuts = ends.clone().map(|end| sound[..end].to_owned());
    let losses = ends.clone().map(|at| format!("{}{}", &sound[..at], &sound[at + 1..]));
    let strays = ends
        .flat_map(|at| ["<", "\"", "&", "é"].map(|stray| format!("{}{stray}{}", &sound[..at], &sound[at..])));
    for document in cuts.chain(losses).chain(strays) {
        let bundle = bundle(&[
            ("w.xml", document.as_bytes()),
            ("FLOPS.js", JOB),
            ("FLOPS_SumReduce.js", JOB),
            ("flop_test_sample_size.json", b"[1]"),
        ]);
        if let Err(problems) = load(&bundle) {
            assert!(!problems.is_empty() && problems.len() < 20, "{document}\n{}", listed(&problems));
        }
    }
}
