//! What modules say in Chromium has the digest of what the server's own engine says: the shipped ones, the corners of docs/wasm-abi.md,
//! and those that `wasm-smith` makes.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use weevil_api::JobPage;
use weevil_api::routes::Operation;
use weevil_e2e::{Browser, Files, Form, TestServer, files};
use weevil_model::{ContentHash, Encoded, JobId, TypedArrayKind, Value};
use weevil_referee::{Bounds, Outcome, run};

use super::scene::story;
use crate::wasm::ECHO;

#[path = "../../../crates/referee/tests/suite/smith.rs"]
mod smith;

/// At least so many of the generated modules say a value; the others trap, or run for long.
const SAYING: usize = 50;
/// The nodes that modules are fed by, beside `samples`: type and literal.
const FEEDING: [(&str, &str, &str); 5] = [
    ("quarters", "Number", "0.75"),
    ("three", "Number", "3"),
    ("tenth", "Number", "0.1"),
    ("thousand", "Number", "1000"),
    ("list", "Array", "[1, \"\u{fc}\", {\"a\": null}, 0.1]"),
];
const SAMPLES: &str = "function weevil_main() { return Float64Array.of(2, 4, 4, 4, 5, 5, 7, 9) }";

/// What the node of this name feeds.
fn fed(name: &str) -> Value {
    match name {
        "samples" => floats(&[2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0].map(f64::to_le_bytes).concat()),
        "list" => Value::Array(vec![
            Value::Number(1.0),
            Value::String("\u{fc}".into()),
            Value::Object(vec![("a".into(), Value::Null)]),
            Value::Number(0.1),
        ]),
        _ => {
            let (_, _, number) = FEEDING.iter().find(|(node, ..)| *node == name).expect("a node");
            Value::Number(number.parse().expect("a number"))
        }
    }
}

fn floats(bytes: &[u8]) -> Value {
    Value::Typed(TypedArrayKind::Float64, bytes.to_vec())
}

/// A module, what its node returns, and the nodes that it takes something from.
struct Case {
    module: Vec<u8>,
    returns: &'static str,
    takes: &'static [&'static str],
}

impl Case {
    fn of(fields: &str, returns: &'static str, takes: &'static [&'static str]) -> Self {
        let module = wat::parse_str(format!("(module {fields})")).expect("a module");
        Self { module, returns, takes }
    }

    /// One that ships with the project.
    fn shipped(path: &str, returns: &'static str, takes: &'static [&'static str]) -> Self {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path);
        let module = std::fs::read(&path);
        Self { module: module.expect("`cargo xtask examples` builds it"), returns, takes }
    }

    /// The digest of what the server's engine says; `None` where it cannot say.
    fn said(&self, bounds: &Bounds) -> Option<ContentHash> {
        let given = Value::Array(self.takes.iter().map(|name| fed(name)).collect());
        match run(&self.module, &Encoded::of(&given).expect("it is small"), bounds) {
            Outcome::Value(_, digest) => Some(digest),
            Outcome::CannotSay(_) => None,
        }
    }
}

/// Values at the edges of what numbers and bytes can say.
fn corners() -> Vec<Case> {
    let number = |kind: &str, literal: &str| {
        Case::of(
            &format!(r#"(func (export "weevil_main") (result {kind}) ({kind}.const {literal}))"#),
            "Number",
            &[],
        )
    };
    let numbers = [
        ("f64", "nan:0x123"),
        ("f64", "-nan"),
        ("f64", "-0"),
        ("f64", "inf"),
        ("f64", "0x1p-1074"),
        ("f32", "0.1"),
        ("f32", "nan:0x1"),
        ("f32", "-inf"),
        ("i32", "-2147483648"),
        ("i64", "9007199254740991"),
        ("i64", "-9007199254740991"),
    ];
    let through = |kind: &str, takes: &'static [&'static str]| {
        let same = format!(r#"(func (export "weevil_main") (param {kind}) (result {kind}) (local.get 0))"#);
        Case::of(&same, "Number", takes)
    };
    // Heads that are longer than they need be, a half, a NaN with a payload by itself and among floats, and names.
    let bytes = [
        ("Number", "\\f9\\3c\\00"),
        ("Number", "\\18\\01"),
        ("Number", "\\fb\\ff\\f8\\00\\00\\00\\00\\00\\01"),
        ("Number", "\\fa\\3e\\80\\00\\00"),
        ("Array", "\\98\\02\\01\\f6"),
        ("Float64Array", "\\d8\\56\\48\\01\\00\\00\\00\\00\\00\\f8\\ff"),
        ("Object", "\\a2\\61b\\01\\61a\\f5"),
    ];
    let whole = [
        through("f32", &["tenth"]),
        through("f64", &["tenth"]),
        through("i32", &["three"]),
        through("i64", &["thousand"]),
    ];
    numbers
        .into_iter()
        .map(|(kind, literal)| number(kind, literal))
        .chain(whole)
        .chain(bytes.into_iter().map(|(returns, bytes)| packed(returns, bytes)))
        .chain([
            Case::of("(func (export \"weevil_main\"))", "undefined", &[]),
            Case::of(ECHO, "Array", &["list", "tenth"]),
            Case::of(ECHO, "Array", &["samples"]),
        ])
        .collect()
}

/// Answers these bytes.
fn packed(returns: &'static str, bytes: &str) -> Case {
    let module = format!(
        r#"(memory (export "memory") 1) (func (export "alloc") (param i32) (result i32) (i32.const 1024)) (data (i32.const 64) "{bytes}")
        (func (export "weevil_main") (param i32 i32) (result i64) (i64.const {}))"#,
        (64_u64 << 32) + length(bytes)
    );
    Case::of(&module, returns, &[])
}

/// How many bytes a text of escapes and letters stands for.
fn length(bytes: &str) -> u64 {
    (bytes.len() - 2 * bytes.matches('\\').count()) as u64
}

fn cases() -> Vec<(Case, ContentHash)> {
    let shipped = [
        Case::shipped("examples/wasm-c/Zeta.wasm", "Number", &["thousand"]),
        Case::shipped("examples/wasm-rust/workflow/Describe.wasm", "Object", &["samples"]),
    ];
    let told = shipped.into_iter().chain(corners()).map(|case| {
        let said = case.said(&Bounds::JOB).expect("a value");
        (case, said)
    });
    let generated = (0..smith::SEEDS).filter_map(|seed| {
        let case = Case { module: smith::generated(seed), returns: "Number", takes: &["quarters", "three"] };
        let said = case.said(&smith::BOUNDS)?;
        Some((case, said))
    });
    told.chain(generated).collect()
}

/// Each module is a node, judged by what two say; nobody judges what feeds them.
fn workflow(cases: &[(Case, ContentHash)]) -> Files {
    let (mut nodes, mut edges) = (String::new(), String::new());
    for (id, kind, literal) in FEEDING {
        write!(nodes, "<value id=\"{id}\" returntype=\"{kind}\" value='{literal}'/>").expect("it grows");
    }
    nodes.push_str(r#"<job id="samples" src="Samples" returntype="Float64Array" trust="none"/>"#);
    for (at, (case, _)) in cases.iter().enumerate() {
        write!(
            nodes,
            r#"<job id="m{at}" src="M{at}" jobtype="wasm" returntype="{}"><parameters>"#,
            case.returns
        )
        .expect("it grows");
        for (place, source) in case.takes.iter().enumerate() {
            let kind =
                FEEDING.iter().find(|(id, ..)| id == source).map_or("Float64Array", |(_, kind, _)| kind);
            write!(nodes, r#"<parameter id="p{place}" paramtype="{kind}"/>"#).expect("it grows");
            write!(edges, r#"<edge source="{source}" dest="m{at}" paramdest="p{place}"/>"#)
                .expect("it grows");
        }
        nodes.push_str("</parameters></job>");
    }
    let document = format!(
        r#"<workflow trust="quorum(2)"><nodes>{nodes}</nodes><edges>{edges}</edges><finalnode id="m0"/></workflow>"#
    );
    let mut files = files(&[("workflow.xml", &document), ("Samples.js", SAMPLES)]);
    files
        .extend(cases.iter().enumerate().map(|(at, (case, _))| (format!("M{at}.wasm"), case.module.clone())));
    files
}

#[test]
fn modules_say_in_chromium_what_they_say_here() {
    let cases = cases();
    let told = cases.iter().filter(|(case, _)| case.takes == ["quarters", "three"]).count();
    assert!(told >= SAYING, "{told} say a value");
    let server = TestServer::start(&["--referee-percent", "0"]);
    let browser = Browser::start();
    let _tab = browser.open(&server.url("/?autostart&slots=1"));
    let run = server.api().run_form(&Form::of(&workflow(&cases))).run;
    let many = u32::try_from(cases.len()).expect("a few hundred");
    server.api().await_run(&run, |view| {
        assert!(!view.summary.state.is_terminal(), "{:?}", view.error);
        view.summary.progress.answered == many
    });
    let page: JobPage = server.api().json(&format!("{}?limit=1000", Operation::RunJobs.path(&[&run])));
    let said: BTreeMap<String, Option<String>> = page
        .jobs
        .into_iter()
        .filter_map(|job| {
            let id: JobId = job.id.parse().expect("the id of a job");
            let answer = story(&server, id).attempts.into_iter().find_map(|attempt| attempt.answer)?;
            Some((job.path.rsplit('/').next()?.to_owned(), answer.digest))
        })
        .collect();
    for (at, (_, expected)) in cases.iter().enumerate() {
        assert_eq!(said.get(&format!("m{at}")), Some(&Some(expected.to_string())), "m{at}");
    }
}
