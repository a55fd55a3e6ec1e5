//! Cases of how answers are compared: words, modules that compare or prove, and comparing that comes to nothing.

use super::{Case, SOUND, Span, unmark};
use crate::common::{JOB, bundle, listed, problems};
use weevil_model::{Agree, ContentHash, JobType, Tolerance, Within};
use weevil_workflow::{NodeBody, load};

const JUDGED: &str = "trust=\"quorum(2)\"";

pub(crate) const WORDS: &[Case] = &[
    (
        "W0204",
        &[("<job ", "<job trust=\"quorum(2)\" agree=\"§same§\" ")],
        "`agree` is `same`, which compares nothing",
    ),
    ("W0204", &[("<job ", "<job trust=\"quorum(2)\" agree=\"§near(2)§\" ")], "has a tolerance beyond 0 to 1"),
    (
        "W0204",
        &[("<processor ", "<processor trust=\"quorum(2)\" agree=\"§near(1e-9; 1)§\" ")],
        "has a tolerance that is not a number",
    ),
    (
        "W0204",
        &[("<reducer ", "<reducer trust=\"quorum(2)\" agree=\"§Same.js§\" ")],
        "write `exact`, `near(1e-9)`",
    ),
    ("W0205", &[("<job ", "<job trust=\"quorum(2)\" within=\"§browser§\" ")], "`engine` is expected"),
    ("W0205", &[("<job ", "<job trust=\"quorum(2)\" within=\"§engin§\" ")], "did you mean `engine`?"),
    (
        "W0206",
        &[("<job ", "<job trust=\"quorum(2)\" within=\"§engine§\" agree=\"near(1e-9)\" ")],
        "the tolerance lets every engine answer",
    ),
    ("W0114", &[("<pool ", "<pool §agree§=\"exact\" ")], "its attributes are `id`, `returntype`"),
    ("W0136", &[("<job ", "<job trust=\"quorum(2)\" agree=\"§Same.wasm§\" ")], "correct `agree`"),
    (
        "W0136",
        &[("<job ", "<job trust=\"quorum(2)\" proof=\"§Check§\" ")],
        "looked for `Check`, `Check.wasm`",
    ),
];

/// The codes of what is below.
pub(crate) const CODES: [&str; 3] = ["W0207", "W0208", "W0209"];

const COMPARES: &str = r#"(memory (export "memory") 1)
    (func (export "alloc") (param i32) (result i32) (i32.const 8))
    (func (export "weevil_agree") (param i32 i32 i32 i32) (result i32) (i32.const 1))"#;
const PROVES: &str = r#"(memory (export "memory") 1)
    (func (export "alloc") (param i32) (result i32) (i32.const 8))
    (func (export "weevil_proof") (param i32 i32 i32 i32) (result i32) (i32.const 2))"#;

/// Attributes of the processor, which runs `Add.js`, with what must be underlined; the fields of `Rule.wasm`; words of the message or
/// the help.
type RulingCase = (&'static str, &'static str, &'static str);

const MODULES: &[RulingCase] = &[
    ("agree=\"§Rule.wasm§\"", PROVES, "`Rule.wasm`: it exports no function `weevil_agree`"),
    ("agree=\"§Rule.wasm§\"", PROVES, "export `weevil_agree` as (i32, i32, i32, i32) -> i32"),
    ("proof=\"§Rule§\"", COMPARES, "it exports no function `weevil_proof`"),
    (
        "proof=\"§Rule.wasm§\"",
        r#"(memory (export "memory") 1) (func (export "alloc") (param i32) (result i32) (i32.const 8))
        (func (export "weevil_proof") (param i32 i32) (result i32) (i32.const 1))"#,
        "`weevil_proof` is (i32, i32) -> i32",
    ),
    (
        "agree=\"§Rule.wasm§\"",
        r#"(memory (export "memory") 1)
        (func (export "weevil_agree") (param i32 i32 i32 i32) (result i32) (i32.const 1))"#,
        "export `alloc` as (i32) -> i32",
    ),
    (
        "agree=\"§Rule.wasm§\"",
        r#"(func (export "alloc") (param i32) (result i32) (i32.const 8))
        (func (export "weevil_agree") (param i32 i32 i32 i32) (result i32) (i32.const 1))"#,
        "it exports no memory `memory`",
    ),
    (
        "agree=\"§Rule.wasm§\"",
        r#"(import "weevil" "log" (func (param i32 i32))) (memory (export "memory") 1)
        (func (export "alloc") (param i32) (result i32) (i32.const 8))
        (func (export "weevil_agree") (param i32 i32 i32 i32) (result i32) (i32.const 1))"#,
        "it imports the function `weevil.log`",
    ),
];

fn document(attributes: &str) -> String {
    SOUND.replacen("<processor ", &format!("<processor {attributes} "), 1)
}

fn with_module<T>(document: &str, fields: &str, look: impl FnOnce(&weevil_workflow::Bundle) -> T) -> T {
    let module = wat::parse_str(format!("(module {fields})")).unwrap();
    look(&bundle(&[("workflow.xml", document.as_bytes()), ("Add.js", JOB), ("Rule.wasm", &module)]))
}

#[test]
pub(crate) fn a_module_that_cannot_be_asked_is_told_where_it_is_named() {
    for (attributes, fields, words) in MODULES {
        let (span, document) = unmark(&document(&format!("{JUDGED} {attributes}")));
        let found = with_module(&document, fields, problems);
        let places: Vec<_> = found.iter().map(|found| (found.code, Span::of(found))).collect();
        assert_eq!(places, [("W0207", span)], "{fields}\n{}", listed(&found));
        let text = format!("{} {}", found[0].message, found[0].help.as_deref().unwrap_or_default());
        assert!(text.contains(words), "{words:?} is expected in {text:?}");
    }
    let (span, document) = unmark(&document(&format!("{JUDGED} proof=\"§Add.js§\"")));
    let found = problems(&bundle(&[("workflow.xml", document.as_bytes()), ("Add.js", JOB)]));
    let places: Vec<_> = found.iter().map(|found| (found.code, Span::of(found))).collect();
    assert_eq!(places, [("W0180", span)], "{}", listed(&found));
}

#[test]
fn all_mistakes_of_a_module_are_told_once_however_many_nodes_name_it() {
    let twice = document(&format!("{JUDGED} agree=\"Rule.wasm\"")).replacen(
        "<reducer ",
        &format!("<reducer {JUDGED} agree=\"Rule.wasm\" "),
        1,
    );
    let found = with_module(&twice, r#"(import "env" "f" (func))"#, problems);
    let codes: Vec<_> = found.iter().map(|found| found.code).collect();
    assert_eq!(codes, ["W0207"; 4], "{}", listed(&found));
}

#[test]
fn comparing_that_comes_to_nothing_is_told() {
    for (attributes, words) in [
        (
            "§agree§=\"near(1e-9)\"",
            "`proc` has no `trust`: `agree` changes nothing unless the run or the server",
        ),
        ("trust=\"none\" §agree§=\"exact\"", "`trust` of `proc` is `none`: no answers are compared"),
        ("trust=\"none\" §within§=\"engine\"", "or leave `within` out"),
        ("trust=\"none\" §proof§=\"Rule.wasm\"", "`proof` changes nothing"),
    ] {
        let (span, document) = unmark(&document(attributes));
        let found = with_module(&document, PROVES, problems);
        let places: Vec<_> = found.iter().map(|found| (found.code, Span::of(found))).collect();
        assert_eq!(places, [("W0209", span)], "{attributes}\n{}", listed(&found));
        let text = format!("{} {}", found[0].message, found[0].help.as_deref().unwrap_or_default());
        assert!(text.contains(words), "{words:?} is expected in {text:?}");
    }
    let workflow = document("agree=\"near(1e-9)\"").replacen("<workflow", &format!("<workflow {JUDGED}"), 1);
    assert_eq!(with_module(&workflow, COMPARES, problems), [], "what the workflow says, its processor takes");
}

#[test]
fn a_gpu_job_is_compared_with_a_tolerance() {
    for (attributes, told) in [
        (JUDGED, true),
        ("trust=\"quorum(2)\" agree=\"exact\"", true),
        ("trust=\"quorum(2)\" within=\"engine\"", true),
        ("trust=\"quorum(2)\" agree=\"near(1e-6)\"", false),
        ("trust=\"quorum(2)\" agree=\"Rule.wasm\"", false),
        ("trust=\"none\"", false),
        ("", false),
    ] {
        let (span, document) = unmark(&document(&format!("{attributes} jobtype=\"§webcl§\"")));
        let found = with_module(&document, COMPARES, problems);
        let places: Vec<_> = found.iter().map(|found| (found.code, Span::of(found))).collect();
        let expected: &[_] = if told { &[("W0208", span)] } else { &[] };
        assert_eq!(places, expected, "{attributes}\n{}", listed(&found));
    }
    let (_, proved) = unmark(&document(&format!("{JUDGED} proof=\"Rule\" jobtype=\"§webcl§\"")));
    assert_eq!(with_module(&proved, PROVES, problems), []);
}

#[test]
fn the_plan_says_how_answers_are_compared() {
    let module = |fields: &str| ContentHash::of(&wat::parse_str(format!("(module {fields})")).unwrap());
    let near = Agree::Near(Tolerance { relative: 1e-9, absolute: 0.5 });
    for (attributes, fields, agree, within, proof) in [
        ("", COMPARES, Agree::Exact, None, None),
        ("agree=\" near(1e-9, 0.5)\n\"", COMPARES, near, None, None),
        (
            "agree=\"Rule.wasm\" within=\" engine \"",
            COMPARES,
            Agree::Module(module(COMPARES)),
            Some(Within::Engine),
            None,
        ),
        ("proof=\"Rule\"", PROVES, Agree::Exact, None, Some(module(PROVES))),
    ] {
        let document = document(&format!("{JUDGED} {attributes}"));
        let plan = with_module(&document, fields, load).unwrap().plan;
        let pool = plan.node(plan.find("p").unwrap());
        let NodeBody::Pool { processor, reducer } = &pool.body else { panic!("{pool:?}") };
        assert_eq!(
            (processor.agree, processor.within, processor.proof),
            (agree, within, proof),
            "{attributes}"
        );
        assert_eq!((reducer.agree, reducer.within, reducer.proof), (Agree::Exact, None, None));
        assert_eq!(processor.job_type, JobType::JavaScript);
    }
}
