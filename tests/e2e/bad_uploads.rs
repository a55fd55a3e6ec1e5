//! Workflows that are refused: each says where and why, and nothing is kept.

use weevil_e2e::{Files, TestServer, files, job_workflow};

const CODE: &str = "function weevil_main() { return 1 }";

fn document(text: &str) -> Files {
    files(&[("workflow.xml", text), ("Code.js", CODE)])
}

#[test]
fn every_mistake_is_told_with_its_place() {
    let cycle = r#"<workflow><nodes>
<job id="a" src="Code" returntype="Number"><parameters><parameter id="x" paramtype="Number"/></parameters></job>
<job id="b" src="Code" returntype="Number"><parameters><parameter id="x" paramtype="Number"/></parameters></job>
</nodes><edges><edge id="1" source="a" dest="b"/><edge id="2" source="b" dest="a"/></edges><finalnode id="b"/></workflow>"#;
    let missing = "<workflow><nodes>\n<job id=\"a\" src=\"Nowhere\" returntype=\"Number\"/></nodes><finalnode id=\"a\"/></workflow>";
    let server = TestServer::start(&[]);
    for (what, upload, line, words) in [
        ("malformed", document("<workflow>\n<nodes>"), 0, "nodes"),
        ("unknown element", document("<workflow>\n<nodez/></workflow>"), 2, "nodes"),
        ("missing file", document(missing), 2, "Nowhere.js"),
        ("cycle", document(cycle), 0, "a -> b -> a"),
        ("no weevil_main", job_workflow("function main() {}", ""), 1, "weevil_main"),
        (
            "surplus parameter",
            job_workflow("function weevil_main(a) {}", ""),
            1,
            "`weevil_main(a)` in Code.js:1",
        ),
        ("entities", document("<!DOCTYPE x [<!ENTITY a \"b\">]>\n<workflow/>"), 1, ""),
    ] {
        let (status, error) = server.api().refused(&upload, &[]);
        assert_eq!((status, error.code.as_str()), (422, "badWorkflow"), "{what}");
        let found = &error.diagnostics;
        let told = |d: &weevil_api::DiagnosticView| {
            let text = format!("{} {}", d.message, d.help.clone().unwrap_or_default());
            d.file == "workflow.xml"
                && d.code.starts_with('W')
                && text.contains(words)
                && (line == 0 || d.line == line)
        };
        assert!(found.iter().any(told), "{what}: {found:?}");
    }
    let (_, error) = server.api().refused(&job_workflow("\nfunction weevil_main( {", ""), &[]);
    let found = &error.diagnostics[0];
    assert_eq!((found.code.as_str(), found.file.as_str(), found.line), ("W0170", "Code.js", 2));
    assert_eq!(server.api().runs(), vec![]);
}

#[test]
fn what_is_no_workflow_at_all_is_refused_in_words() {
    let server = TestServer::start(&[]);
    let large = vec![b' '; 33 * 1024 * 1024];
    for (upload, expected) in [
        (files(&[("a.js", CODE)]), (422, "badBundle")),
        (files(&[("../workflow.xml", "<workflow/>")]), (422, "badBundle")),
        (files(&[("workflow.xml", "<workflow/>"), ("workflow.xml", "")]), (400, "badUpload")),
        (vec![("workflow.xml".to_owned(), large)], (413, "uploadTooLarge")),
        (vec![], (422, "badBundle")),
    ] {
        let (status, error) = server.api().refused(&upload, &[]);
        assert_eq!((status, error.code.as_str()), expected, "{}", error.detail);
    }
    assert_eq!(server.api().get("/healthz").status(), 200);
}
