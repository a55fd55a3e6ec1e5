//! Cases of modules that nodes name: told at the node, for a module has no lines.

use super::{SOUND, Span, unmark};
use crate::common::{JOB, bundle, listed, problems};

/// Code; the fields of `Sum.wasm`, which the job `j` with the ports `a` and `b` names; what is replaced by what in the
/// document; words of the message or the help.
type Case = (&'static str, &'static str, &'static [(&'static str, &'static str)], &'static str);

const AT_SRC: &[(&str, &str)] = &[("src=\"Sum\"", "src=\"§Sum§\"")];
const ADD: &str =
    r#"(func (export "weevil_main") (param f64 f64) (result f64) (f64.add (local.get 0) (local.get 1)))"#;
const VALUES: &str = r#"(memory (export "memory") 1)
    (func (export "alloc") (param i32) (result i32) (i32.const 8))
    (func (export "weevil_main") (param i32 i32) (result i64) (i64.const 0))"#;

pub(crate) const WASM: &[Case] = &[
    ("W0137", r#"(func (export "main"))"#, AT_SRC, "`Sum.wasm` does not export a function `weevil_main`"),
    ("W0137", r#"(func (export "weevil_man"))"#, AT_SRC, "export `weevil_man` as `weevil_main`"),
    (
        "W0171",
        r#"(func (export "weevil_main") (param i32) (result f64) unreachable)"#,
        &[("id=\"b\"", "id=\"§b§\"")],
        "`weevil_main(i32)` in `Sum.wasm`, but the ports of `j` are a, b",
    ),
    (
        "W0171",
        r#"(func (export "weevil_main") (param i32 i64 f32) (result f64) unreachable)"#,
        AT_SRC,
        "add a port for each parameter",
    ),
    ("W0180", "", &[("src=\"Sum\"", "src=\"§Add.js§\"")], "`Add.js` is not a WebAssembly module"),
    (
        "W0181",
        r#"(import "env" "now" (func (result f64)))
        (func (export "weevil_main") (param f64 f64) (result f64) unreachable)"#,
        AT_SRC,
        "`Sum.wasm` imports the function `env.now`, which workers do not provide",
    ),
    (
        "W0182",
        r#"(func (export "weevil_main") (param f64 v128) (result f64) unreachable)"#,
        AT_SRC,
        "`Sum.wasm`: `weevil_main` is (f64, v128) -> f64",
    ),
    (
        "W0183",
        r#"(func (export "weevil_main") (param f64 f64))"#,
        &[("src=\"Sum\" returntype=\"Number\"", "src=\"Sum\" returntype=\"§Number§\"")],
        "write `returntype=\"undefined\"`",
    ),
    (
        "W0183",
        r#"(func (export "weevil_main") (param f64 f64) (result i64) unreachable)"#,
        &[
            ("value=\"1\" returntype=\"Number\"", "value=\"1\" returntype=\"String\""),
            ("id=\"a\" paramtype=\"Number\"", "id=\"a\" paramtype=\"§String§\""),
        ],
        "the port `a` is of type String, but `weevil_main` in `Sum.wasm` takes an f64",
    ),
];

fn document(edits: &[(&str, &str)]) -> String {
    let document = SOUND.replacen("id=\"j\" src=\"Add\"", "id=\"j\" jobtype=\"wasm\" src=\"Sum\"", 1);
    edits.iter().fold(document, |document, (find, replace)| {
        assert!(document.contains(find), "{find}");
        document.replacen(find, replace, 1)
    })
}

fn diagnostics_of(document: &str, fields: &str) -> Vec<weevil_model::Diagnostic> {
    let module = wat::parse_str(format!("(module {fields})")).unwrap();
    problems(&bundle(&[("workflow.xml", document.as_bytes()), ("Add.js", JOB), ("Sum.wasm", &module)]))
}

#[test]
pub(crate) fn each_mistake_is_told_once_at_its_place() {
    for (id, fields, edits, words) in WASM {
        let (span, text) = unmark(&document(edits));
        let found = diagnostics_of(&text, fields);
        let places: Vec<_> = found.iter().map(|d| (d.code, d.file.as_str(), Span::of(d))).collect();
        assert_eq!(places, [(*id, "workflow.xml", span)], "{fields}\n{}", listed(&found));
        let text = format!("{} {}", found[0].message, found[0].help.as_deref().unwrap_or_default());
        assert!(text.contains(words), "{words:?} is expected in {text:?}");
    }
}

#[test]
fn what_fits_is_accepted_without_a_word() {
    let strings: &[(&str, &str)] = &[
        ("value=\"1\" returntype=\"Number\"", "value=\"1\" returntype=\"String\""),
        ("id=\"a\" paramtype=\"Number\"", "id=\"a\" paramtype=\"String\""),
    ];
    for (fields, edits) in [(ADD, &[][..]), (VALUES, &[]), (VALUES, strings)] {
        let found = diagnostics_of(&document(edits), fields);
        assert_eq!(found, [], "{fields}\n{}", listed(&found));
    }
}

#[test]
fn a_module_is_repeatable_and_keeps_its_jobtype() {
    let module = wat::parse_str(format!("(module {ADD})")).unwrap();
    let document = document(&[]);
    let plan = crate::common::plan(&bundle(&[
        ("workflow.xml", document.as_bytes()),
        ("Add.js", JOB),
        ("Sum.wasm", &module),
    ]));
    let job = plan.node(plan.find("j").unwrap());
    let weevil_workflow::NodeBody::Job(spec) = &job.body else { panic!("{job:?}") };
    assert_eq!((spec.job_type.as_str(), &*spec.source, spec.repeatable), ("wasm", "Sum.wasm", true));
}

#[test]
fn a_file_may_be_code_of_two_kinds_and_is_judged_as_each() {
    let other = "<processor id=\"proc\" src=\"Add\"";
    let edits = &[(other, "<processor id=\"proc\" src=\"Sum.wasm\"")];
    let codes: Vec<_> = diagnostics_of(&document(edits), ADD).iter().map(|found| found.code).collect();
    assert_eq!(codes, ["W0138"], "as JavaScript it is no text");
}
