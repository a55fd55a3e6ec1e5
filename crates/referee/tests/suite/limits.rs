//! Each count of a module that the server bounds, at its bound and beyond; and bytes that are no module.

use weevil_model::Value;
use weevil_referee::{Bounds, MAX_MODULE_BYTES, Why};

use crate::common::{SMALL, module, said};

const ROOM: Bounds = Bounds { fuel: 100_000_000, ..SMALL };

fn refused(fields: &str) -> Option<(&'static str, usize, usize)> {
    match said(&module(fields), &[], &ROOM) {
        Err(Why::TooComplex { what, found, max }) => Some((what, found, max)),
        Ok(Value::Undefined) => None,
        other => panic!("{other:?}"),
    }
}

const MAIN: &str = r#"(func (export "weevil_main"))"#;

#[test]
fn what_a_module_declares_is_counted() {
    let many = |text: &str, times: usize| format!("{} {MAIN}", text.repeat(times));
    for (at, beyond, what) in [
        (many("(func)", 99_999), many("(func)", 100_000), "functions"),
        (many("(global i32 (i32.const 0))", 10_000), many("(global i32 (i32.const 0))", 10_001), "globals"),
        (
            format!("(func (local {})) {MAIN}", "i64 ".repeat(1_024)),
            format!("(func (local {})) {MAIN}", "i64 ".repeat(1_025)),
            "local variables in a function",
        ),
        (
            format!("(global i32 (i32.const 1) {}) {MAIN}", "(i32.const 1) i32.add ".repeat(31)),
            format!("(global i32 (i32.const 1) {}) {MAIN}", "(i32.const 1) i32.add ".repeat(32)),
            "operators in a constant expression",
        ),
        (
            format!("(func {} {}) {MAIN}", "block ".repeat(999), "end ".repeat(999)),
            format!("(func {} {}) {MAIN}", "block ".repeat(1_000), "end ".repeat(1_000)),
            "blocks inside of blocks",
        ),
        (
            format!("(func $f) (elem func {}) {MAIN}", "$f ".repeat(100_000)),
            format!("(func $f) (elem func {}) {MAIN}", "$f ".repeat(100_001)),
            "elements of tables",
        ),
    ] {
        assert_eq!(refused(&at), None, "{what}");
        let found = refused(&beyond).unwrap();
        assert_eq!((found.0, found.1), (what, found.2 + 1));
    }
}

#[test]
fn a_constant_expression_is_counted_wherever_it_stands() {
    let deep = format!("(i32.const 0) {}", "(i32.const 0) i32.add ".repeat(40));
    for fields in [
        format!(r#"(memory 1) (data (offset {deep}) "x")"#),
        format!("(table 1 funcref) (func $f) (elem (offset {deep}) func $f)"),
        format!("(table 1 funcref) (func $f) (elem (table 0) (offset {deep}) funcref (ref.func $f))"),
    ] {
        let found = refused(&format!("{fields} {MAIN}"));
        assert_eq!(found.map(|found| found.0), Some("operators in a constant expression"), "{fields}");
    }
    for fields in [
        r#"(memory 1) (data "passive") (data (memory 0) (i32.const 1) "x")"#,
        "(func $f) (elem declare func $f)",
        "(func $f) (elem funcref (ref.func $f) (ref.null func))",
        "(table 3 funcref) (table 3 externref) (elem (table 1) (i32.const 0) externref (ref.null extern))",
        "(table 3 funcref) (func $f) (elem (i32.const 0) $f $f) (elem (table 0) (i32.const 2) func $f)",
    ] {
        assert_eq!(refused(&format!("{fields} {MAIN}")), None, "{fields}");
    }
}

#[test]
fn branches_that_carry_many_values_are_counted() {
    let branches = |values: usize, many: usize| {
        let (types, zeros) = ("i32 ".repeat(values), "(i32.const 0) ".repeat(values));
        let body = format!(
            "(block (result {types}) {zeros} {}) {}",
            "(br_if 0 (i32.const 0)) ".repeat(many),
            "drop ".repeat(values)
        );
        format!("(func {body}) {MAIN}")
    };
    assert_eq!(refused(&branches(1, 20_000)), None);
    assert_eq!(refused(&branches(1_000, 1_900)), None);
    assert_eq!(refused(&branches(1_000, 2_000)).unwrap().0, "values carried by branches");
    let parameters = "i32 ".repeat(1_000);
    let looped = format!(
        "(func {} (loop (param {parameters}) {} {})) {MAIN}",
        "(i32.const 0) ".repeat(1_000),
        "(br_if 0 (i32.const 0)) ".repeat(2_000),
        "drop ".repeat(1_000)
    );
    assert_eq!(refused(&looped).unwrap().0, "values carried by branches");
}

#[test]
fn what_uploads_refuse_is_no_module() {
    let sound = module(MAIN);
    let text = |fields: &str| module(&format!("{fields} {MAIN}"));
    for (bytes, what) in [
        (vec![], "nothing"),
        (b"(module)".to_vec(), "the text format"),
        (b"\0asm\x0d\0\x01\0".to_vec(), "a component"),
        (sound[..sound.len() - 1].to_vec(), "a cut module"),
        ([&sound[..], &[0xff, 0x01, 0x00]].concat(), "an unknown section"),
        (text("(memory 1 1 shared)"), "a shared memory"),
        (text("(memory i64 1)"), "a memory of 64 bits"),
        (text("(memory 1) (memory 1)"), "two memories"),
        (text("(func (drop (i32x4.relaxed_trunc_f32x4_s (v128.const i64x2 0 0))))"), "relaxed SIMD"),
        (text("(tag (param i32))"), "exceptions"),
        (text("(type (struct))"), "garbage collection"),
        (text("(func (param (ref func)))"), "typed references"),
        (
            text("(func (drop (i64.add128 (i64.const 0) (i64.const 0) (i64.const 0) (i64.const 0))) drop)"),
            "wide arithmetic",
        ),
        (text("(func (result i32))"), "a function of the wrong type that nobody calls"),
    ] {
        let found = said(&bytes, &[], &ROOM);
        assert!(matches!(found, Err(Why::NotModule(_))), "{what}: {found:?}");
    }
    let large = vec![0; MAX_MODULE_BYTES + 1];
    let expected = Why::ModuleTooLarge { found: MAX_MODULE_BYTES + 1, max: MAX_MODULE_BYTES };
    assert_eq!(said(&large, &[], &ROOM), Err(expected));
}

#[test]
fn a_module_that_was_damaged_anywhere_ends() {
    let whole = module(
        r#"(memory (export "memory") 1) (table 2 funcref) (global i32 (i32.const 3)) (data (i32.const 0) "abc")
        (func $f (param i32) (result i32) (block (result i32) (br_if 0 (i32.const 1) (local.get 0)))) (elem (i32.const 0) $f)
        (func (export "weevil_main") (result f64) (f64.convert_i32_s (call $f (i32.const 5))))"#,
    );
    for at in 0..whole.len() {
        for byte in [0x00, 0x01, 0x0b, 0x40, 0x7f, 0x80, 0xfd, 0xff] {
            let mut damaged = whole.clone();
            damaged[at] = byte;
            let found = said(&damaged, &[], &SMALL);
            assert!(!matches!(found, Err(Why::Engine(_))), "{byte:x} at {at}: {found:?}");
        }
    }
}
