//! What is wrong with a module, before anything runs: all mistakes, each with its cure.

use weevil_referee::{Mistake, Why, check_agree, check_proof};

use crate::common::{SMALL, module, said};

const MEMORY: &str = r#"(memory (export "memory") 1)"#;
const ALLOC: &str = r#"(func (export "alloc") (param i32) (result i32) i32.const 0)"#;

fn entry(name: &str, signature: &str) -> String {
    format!(r#"(func (export "{name}") {signature} unreachable)"#)
}

fn words(found: Result<(), Vec<Mistake>>) -> Vec<String> {
    found.err().unwrap_or_default().iter().map(ToString::to_string).collect()
}

#[test]
fn a_comparator_or_a_proof_is_checked_whole() {
    let right = "(param i32 i32 i32 i32) (result i32)";
    for (fields, told) in [
        (format!("{MEMORY} {ALLOC} {}", entry("E", right)), &[][..]),
        (
            format!("{MEMORY} {ALLOC} {}", entry("other", right)),
            &["it exports no function `E`; export `E` as (i32, i32, i32, i32) -> i32"],
        ),
        (
            format!("{MEMORY} {ALLOC} {}", entry("E", "(param i32 i32) (result i64)")),
            &["`E` is (i32, i32) -> i64; export `E` as (i32, i32, i32, i32) -> i32"],
        ),
        (
            format!("{ALLOC} {}", entry("E", right)),
            &["it exports no memory `memory`; export its memory as `memory`"],
        ),
        (
            format!(r#"(import "weevil" "flops" (func (param f64))) {MEMORY} {ALLOC} {}"#, entry("E", right)),
            &[
                "it imports `weevil.flops`; such a module imports nothing: two values go in, a number comes out",
            ],
        ),
        (
            format!(r#"(import "env" "f" (func)) {MEMORY} (global (export "alloc") i32 (i32.const 0))"#),
            &[
                "it imports `env.f`",
                "it exports no function `E`",
                "it exports no function `alloc`; export `alloc` as (i32) -> i32",
            ],
        ),
        ("(func (result i32))".to_owned(), &["not a module that browsers take: "]),
    ] {
        for (name, check) in [("weevil_agree", check_agree as fn(&[u8]) -> _), ("weevil_proof", check_proof)]
        {
            let bytes = module(&fields.replace("\"E\"", &format!("\"{name}\"")));
            let found = words(check(&bytes));
            let holds = found
                .iter()
                .zip(told)
                .all(|(found, told)| found.starts_with(&told.replace("`E`", &format!("`{name}`"))));
            assert!(holds && found.len() == told.len(), "{name} {fields}: {found:?}");
        }
    }
    assert!(words(check_agree(b"(module)"))[0].contains("build it for wasm32"));
}

#[test]
fn a_jobs_module_has_the_jobs_interface() {
    let main = |signature: &str| entry("weevil_main", signature);
    for (fields, told) in [
        (r#"(func (export "main"))"#.to_owned(), "it exports no function `weevil_main`; export"),
        (
            r#"(global (export "weevil_main") i32 (i32.const 0))"#.to_owned(),
            "it exports no function `weevil_main`",
        ),
        (
            format!(r#"(import "env" "printf" (func)) {}"#, main("")),
            "it imports `env.printf`; workers provide weevil.progress",
        ),
        (format!(r#"(import "weevil" "now" (func)) {}"#, main("")), "it imports `weevil.now`"),
        (format!(r#"(import "weevil" "log" (func (param i64))) {}"#, main("")), "it imports `weevil.log`"),
        (format!(r#"(import "weevil" "log" (memory 1)) {}"#, main("")), "it imports `weevil.log`"),
        (main("(result i32 i32)"), "`weevil_main` is () -> (i32, i32); take i32"),
        (main("(param v128)"), "`weevil_main` is (v128) -> ()"),
        (main("(result externref)"), "`weevil_main` is () -> externref"),
        (
            format!("{MEMORY} {ALLOC} {}", main("")),
            "`weevil_main` is () -> (); export `weevil_main` as (i32, i32) -> i64",
        ),
        (format!("{ALLOC} {}", main("(param i32 i32) (result i64)")), "it exports no memory `memory`"),
        (
            format!(
                r#"{MEMORY} (global (export "alloc") i32 (i32.const 0)) {}"#,
                main("(param i32 i32) (result i64)")
            ),
            "it exports no function `alloc`; export `alloc` as (i32) -> i32",
        ),
    ] {
        let found = said(&module(&fields), &[], &SMALL);
        let is_told = matches!(&found, Err(why @ Why::Interface(_)) if why.to_string().starts_with(told));
        assert!(is_told, "{fields}: {found:?}");
    }
}
