//! `weevil check` as a person and an editor use it: exit codes, lines, JSON, colours.

use std::path::Path;
use std::process::{Command, Output};

use serde_json::{Value, json};
use tempfile::TempDir;
use weevil_e2e::{Files, default_binary, files, job_workflow, shipped, zipped};

/// Runs the command in a folder that holds these files below `flow`.
fn check(files: &Files, args: &[&str]) -> Output {
    let folder = TempDir::new().expect("a folder");
    let flow = folder.path().join("flow");
    std::fs::create_dir(&flow).expect("a folder can be made");
    for (path, bytes) in files {
        std::fs::write(flow.join(path), bytes).expect("a file can be written");
    }
    check_in(folder.path(), args)
}

fn check_in(folder: &Path, args: &[&str]) -> Output {
    let mut command = Command::new(default_binary());
    command.current_dir(folder).env_remove("NO_COLOR").arg("check").args(args);
    command.output().expect("the binary runs")
}

fn printed(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn sound() -> Files {
    job_workflow("function weevil_main() { return 1 }", "")
}

fn with_error() -> Files {
    job_workflow("function weevil_main(a) { return a }", "")
}

/// A second node that leads nowhere.
fn with_warning() -> Files {
    let document = r#"<workflow><nodes><job id="only" src="Code" returntype="Number"/>
<value id="late" value="1" returntype="Number"/></nodes><finalnode id="only"/></workflow>"#;
    files(&[("workflow.xml", document), ("Code.js", "function weevil_main() { return 1 }")])
}

const ERROR: &str = "flow/workflow.xml:1:38: error[W0171]: `weevil_main(a)` in Code.js:1, but `only` has no ports\n    \
                     help: add a port `a` to the node, or give the parameter a default\n1 error\n";
const WARNING: &str = "flow/workflow.xml:2:2: warning[W0162]: `late` does not lead to the final node `only`: its value \
                       is not used\n    help: delete the node, or lead it to the final node\n1 warning\n";

#[test]
fn text_and_exit_codes() {
    let broken = files(&[("Code.js", "")]);
    let twice = files(&[("a.xml", "<workflow/>"), ("b.xml", "<workflow/>")]);
    let in_code = job_workflow("\nfunction weevil_main( {", "");
    for (what, files, args, code, words) in [
        ("sound", sound(), &["flow"][..], 0, "no problems\n"),
        ("its document", sound(), &["flow/workflow.xml"], 0, "no problems\n"),
        ("an error", with_error(), &["flow"], 1, ERROR),
        ("its document", with_error(), &["./flow/workflow.xml"], 1, ERROR),
        ("a warning", with_warning(), &["flow"], 0, WARNING),
        ("denied", with_warning(), &["flow", "--deny", "warnings"], 1, WARNING),
        ("nothing denied", sound(), &["flow", "--deny", "warnings"], 0, "no problems\n"),
        ("in the code", in_code, &["flow"], 1, "flow/Code.js:2:24: error[W0170]: not JavaScript: "),
        ("no such place", sound(), &["elsewhere"], 2, ""),
        ("no document", broken, &["flow"], 2, ""),
        ("two documents", twice, &["flow"], 2, ""),
        ("no XML", sound(), &["flow/Code.js"], 2, ""),
    ] {
        let output = check(&files, args);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{what}: {} {errors}", printed(&output));
        assert!(printed(&output).starts_with(words), "{what}: {}", printed(&output));
        assert_eq!(errors.is_empty(), code < 2, "{what}: {errors}");
    }
}

#[test]
fn colours_and_lines_are_for_people() {
    let plain = check(&with_error(), &["flow"]);
    assert!(!printed(&plain).contains('^') && !printed(&plain).contains('\x1b'), "{}", printed(&plain));
    let shown = printed(&check(&with_error(), &["flow", "--color", "always"]));
    assert!(shown.contains("\x1b[1;31merror[W0171]\x1b[0m"), "{shown}");
    let line = shown.lines().position(|line| line.contains(r#"src="Code""#)).expect("the line is shown");
    assert!(shown.lines().nth(line + 1).is_some_and(|carets| carets.contains("^^^^")), "{shown}");
}

#[test]
fn json_has_every_field() {
    let output = check(&with_error(), &["flow", "--format", "json"]);
    let found: Value = serde_json::from_str(&printed(&output)).expect("JSON");
    let expected = json!({
        "errors": 1,
        "warnings": 0,
        "diagnostics": [{
            "code": "W0171",
            "severity": "error",
            "file": "flow/workflow.xml",
            "line": 1,
            "column": 38,
            "endLine": 1,
            "endColumn": 42,
            "message": "`weevil_main(a)` in Code.js:1, but `only` has no ports",
            "help": "add a port `a` to the node, or give the parameter a default",
        }],
    });
    assert_eq!((output.status.code(), found), (Some(1), expected));
}

#[test]
fn the_shipped_workflows_are_clean() {
    for name in ["add", "flops", "pi"] {
        let output = check(&shipped(name), &["flow", "--deny", "warnings"]);
        assert_eq!((output.status.code(), printed(&output)), (Some(0), "no problems\n".to_owned()), "{name}");
    }
}

#[test]
fn a_zip_is_checked_like_its_folder() {
    let folder = TempDir::new().expect("a folder");
    let write = |name: &str, bytes: &[u8]| std::fs::write(folder.path().join(name), bytes).expect("written");
    write("sound.zip", &zipped("", &sound()));
    write("error.ZIP", &zipped("flow/", &with_error()));
    write("cut.zip", &zipped("", &sound())[..100]);
    write("escape.zip", &zipped("../", &sound()));
    write("text.zip", b"no zip");
    for (name, code, out, err) in [
        ("sound.zip", 0, "no problems\n".to_owned(), ""),
        ("./error.ZIP", 1, ERROR.replace("flow/", "error.ZIP/"), ""),
        ("cut.zip", 2, String::new(), "weevil: cannot read cut.zip: "),
        ("escape.zip", 2, String::new(), "weevil: cannot read escape.zip: "),
        ("text.zip", 2, String::new(), "weevil: cannot read text.zip: "),
    ] {
        let output = check_in(folder.path(), &[name]);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!((output.status.code(), printed(&output)), (Some(code), out), "{name}: {errors}");
        assert!(errors.starts_with(err), "{name}: {errors}");
    }
}

#[test]
fn the_schema_is_printed_whole() {
    let output = check_in(Path::new("."), &["--print-schema"]);
    let schema = printed(&output);
    assert_eq!(output.status.code(), Some(0));
    assert!(schema.starts_with("<?xml") && schema.trim_end().ends_with("</xs:schema>"), "{schema}");
    assert_eq!(check_in(Path::new("."), &["--print-schema", "flow"]).status.code(), Some(2));
    assert_eq!(check_in(Path::new("."), &[]).status.code(), Some(2));
}
