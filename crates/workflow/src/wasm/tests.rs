//! Modules and what is said of them.

use super::{Call, Mistake, read};

const MEMORY: &str = r#"(memory (export "memory") 1)"#;
const ALLOC: &str = r#"(func (export "alloc") (param i32) (result i32) i32.const 0)"#;

fn of(fields: &str) -> Result<Call, Vec<Mistake>> {
    read(&wat::parse_str(format!("(module {fields})")).unwrap())
}

fn main_of(signature: &str) -> String {
    format!(r#"(func (export "weevil_main") {signature} unreachable)"#)
}

#[test]
fn a_call_follows_from_what_is_exported() {
    let numbers =
        |parameters: &[&'static str], result| Call::Numbers { parameters: parameters.to_vec(), result };
    for (fields, call) in [
        (main_of(""), numbers(&[], None)),
        (
            main_of("(param i32 i64 f32 f64) (result f64)"),
            numbers(&["i32", "i64", "f32", "f64"], Some("f64")),
        ),
        (main_of("(param i32 i32) (result i64)"), numbers(&["i32", "i32"], Some("i64"))),
        (format!("{MEMORY} {ALLOC} {}", main_of("(param i32 i32) (result i64)")), Call::Values),
    ] {
        assert_eq!(of(&fields), Ok(call), "{fields}");
    }
}

#[test]
fn what_workers_provide_may_be_imported_and_simd_used() {
    let fields = r#"(import "weevil" "progress" (func (param f64)))
        (import "weevil" "flops" (func (param f64)))
        (import "weevil" "log" (func (param i32 i32)))
        (memory (export "memory") 1)
        (func (export "weevil_main") (result i32)
            (i32x4.extract_lane 0 (i32x4.add (v128.const i32x4 1 2 3 4) (v128.const i32x4 1 2 3 4))))"#;
    assert_eq!(of(fields), Ok(Call::Numbers { parameters: vec![], result: Some("i32") }));
}

/// Message and help of each mistake.
fn words(mistakes: &[Mistake]) -> Vec<String> {
    let told = mistakes.iter().map(|mistake| match mistake {
        Mistake::NotModule { message, help } => format!("{message}; {help}"),
        Mistake::Import { found, help } => format!("{found}; {help}"),
        Mistake::NoMain { functions } => functions.join(" "),
        Mistake::Export { message, help } => format!("{message}; {help}"),
    });
    told.collect()
}

#[test]
fn each_mistake_is_told_with_its_cure() {
    let main = main_of("");
    for (fields, told) in [
        (
            format!(r#"(import "env" "printf" (func)) {main}"#),
            "the function `env.printf`; workers provide weevil.progress, weevil.flops, weevil.log and nothing else",
        ),
        (
            format!(r#"(import "env" "memory" (memory 1)) {main}"#),
            "the memory `env.memory`; workers provide weevil.progress, weevil.flops, weevil.log and nothing else; define the memory",
        ),
        (format!(r#"(import "wasi_snapshot_preview1" "fd_write" (func)) {main}"#), "without WASI"),
        (
            format!(r#"(import "weevil" "progress" (func (param f32))) {main}"#),
            "`weevil.progress` as (f32) -> (); declare it as (f64) -> ()",
        ),
        (format!(r#"(import "weevil" "now" (func)) {main}"#), "the function `weevil.now`"),
        (
            format!(r#"(import "weevil" "log" (func (param i32 i32))) {main}"#),
            "exports no `memory`; export its memory as `memory`",
        ),
        (main_of("(result i32 i32)"), "`weevil_main` is () -> (i32, i32); take i32"),
        (main_of("(param v128)"), "`weevil_main` is (v128) -> ()"),
        (main_of("(param externref)"), "`weevil_main` is (externref) -> ()"),
        (
            format!("{MEMORY} {ALLOC} {main}"),
            "`weevil_main` is () -> (), in a module that exports `alloc`; make it (i32, i32) -> i64",
        ),
        (
            format!("{ALLOC} {}", main_of("(param i32 i32) (result i64)")),
            "it exports `alloc`, but no `memory`",
        ),
        (
            format!(r#"{MEMORY} (global (export "alloc") i32 (i32.const 0)) {main}"#),
            "`alloc` is no function, in a module that exports `alloc`; make it (i32) -> i32",
        ),
    ] {
        let mistakes = of(&fields).unwrap_err();
        assert!(words(&mistakes).concat().contains(told), "{told:?} is expected in {mistakes:?}");
        assert_eq!(mistakes.len(), 1, "{mistakes:?}");
    }
}

#[test]
fn all_mistakes_are_told_at_once() {
    let fields = r#"(import "env" "a" (func)) (import "env" "b" (global i32)) (func (export "main"))"#;
    let mistakes = of(fields).unwrap_err();
    let told = words(&mistakes);
    assert!(told[0].contains("`env.a`") && told[1].contains("the global `env.b`"), "{told:?}");
    assert_eq!(told[2..], ["main"]);
}

#[test]
fn what_browsers_would_not_take_is_no_module() {
    let sound = wat::parse_str(format!("(module {})", main_of(""))).unwrap();
    let relaxed = format!(
        "(module {} (func (param v128) (drop (i32x4.relaxed_trunc_f32x4_s (local.get 0)))))",
        main_of("")
    );
    for (bytes, told) in [
        (&b""[..], "does not begin as one"),
        (b"function weevil_main() {}", "does not begin as one"),
        (b" \n(module)", "text format"),
        (b"\0asm", "unexpected end"),
        (b"\0asm\x0d\0\x01\0", "component"),
        (&sound[..sound.len() - 1], "unexpected end"),
        (&wat::parse_str(relaxed).unwrap(), "relaxed"),
        (&wat::parse_str("(module (memory 1 1 shared))").unwrap(), "threads"),
    ] {
        let mistakes = read(bytes).unwrap_err();
        assert!(matches!(mistakes[..], [Mistake::NotModule { .. }]), "{mistakes:?}");
        assert!(words(&mistakes)[0].contains(told), "{told:?} is expected in {mistakes:?}");
    }
}

#[test]
fn damaged_modules_never_panic() {
    let fields = format!("{MEMORY} {ALLOC} {}", main_of("(param i32 i32) (result i64)"));
    let sound = wat::parse_str(format!("(module {fields})")).unwrap();
    for at in 0..sound.len() {
        for with in [0, 1, 0x7f, 0x80, 0xff] {
            let mut damaged = sound.clone();
            damaged[at] = with;
            let _anything = read(&damaged);
        }
        let _short = read(&sound[..at]);
    }
}
