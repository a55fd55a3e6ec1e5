//! Modules that would rather not end, or take the server with them.

use weevil_model::Value;
use weevil_referee::{Bounds, Why};

use crate::common::{FROM_16, SMALL, module, of_values, said};

fn why(fields: &str) -> Why {
    said(&module(fields), &[], &SMALL).unwrap_err()
}

fn main(body: &str) -> String {
    format!(r#"(func (export "weevil_main") {body})"#)
}

#[test]
fn endless_work_ends_with_the_fuel() {
    let out_of_fuel = Why::OutOfFuel(SMALL.fuel);
    for fields in [
        main("(loop (br 0))"),
        format!("(func $start (loop (br 0))) (start $start) {}", main("")),
        format!("(func $a (return_call $b)) (func $b (return_call $a)) {}", main("(call $a)")),
        format!("(memory 1) {}", main("(loop (drop (memory.grow (i32.const 0))) (br 0))")),
        format!("(memory 0 1) {}", main("(loop (drop (memory.grow (i32.const 1))) (br 0))")),
        format!(
            "(memory 1) {}",
            main("(loop (memory.fill (i32.const 0) (i32.const 1) (i32.const 65536)) (br 0))")
        ),
        format!(
            "(table 9 funcref) {}",
            main("(loop (drop (table.grow (ref.null func) (i32.const 0))) (br 0))")
        ),
        format!("(func $zeros (local i64 i64 i64 i64)) {}", main("(loop (call $zeros) (br 0))")),
        format!(
            r#"(import "weevil" "progress" (func $told (param f64))) {}"#,
            main("(loop (call $told (f64.const 0)) (br 0))")
        ),
        main("(loop (drop (f64x2.sqrt (v128.const i64x2 1 2))) (br 0))"),
    ] {
        assert_eq!(why(&fields), out_of_fuel, "{fields}");
    }
    for body in ["(loop (br 0)) (i64.const 0)", "(i64.const 0)"] {
        let alloc = r#"(memory (export "memory") 1) (func (export "alloc") (param i32) (result i32) (loop (br 0)) (i32.const 9))"#;
        let fields = format!(r#"{alloc} (func (export "weevil_main") (param i32 i32) (result i64) {body})"#);
        assert_eq!(why(&fields), out_of_fuel, "{fields}");
    }
}

#[test]
fn memory_that_is_not_lent_ends_the_job_and_what_no_browser_gives_is_refused() {
    let out_of_memory = Err(Why::OutOfMemory(SMALL.memory_bytes));
    let grown = |by: u32| format!("(result i32) (memory.grow (i32.const {by}))");
    for (fields, found) in [
        (format!("(memory 1) {}", main(&grown(63))), Ok(Value::Number(1.0))),
        (format!("(memory 1) {}", main(&grown(64))), out_of_memory.clone()),
        (format!("(memory 1) {}", main(&grown(16_383))), out_of_memory.clone()),
        (format!("(memory 1) {}", main(&grown(16_384))), Ok(Value::Number(-1.0))),
        (format!("(memory 1 3) {}", main(&grown(3))), Ok(Value::Number(-1.0))),
        (format!("(memory 65) {}", main("")), out_of_memory.clone()),
        (
            format!(
                "(memory 1) {}",
                main("(loop (br_if 0 (i32.ne (memory.grow (i32.const 1)) (i32.const -1))))")
            ),
            out_of_memory.clone(),
        ),
        (format!("(table 1000001 funcref) {}", main("")), out_of_memory.clone()),
        (format!("(table 9 funcref) (table 999992 externref) {}", main("")), out_of_memory.clone()),
        (
            format!(
                "(table 9 funcref) {}",
                main("(result i32) (table.grow (ref.null func) (i32.const 999992))")
            ),
            out_of_memory,
        ),
        (
            format!(
                "(table 9 funcref) {}",
                main("(result i32) (table.grow (ref.null func) (i32.const 9999992))")
            ),
            Ok(Value::Number(-1.0)),
        ),
    ] {
        assert_eq!(said(&module(&fields), &[], &SMALL), found, "{fields}");
    }
    let beyond = why(&format!("(memory 16385) {}", main("")));
    assert!(matches!(beyond, Why::Trap(_)), "{beyond:?}");
}

#[test]
fn deep_recursion_ends() {
    for fields in [
        format!("(func $deep (call $deep)) {}", main("(call $deep)")),
        format!(
            "(func $deep (local i64 i64 i64 i64) (call $deep) (drop (local.get 0))) {}",
            main("(call $deep)")
        ),
        format!("(func $start (call $start)) (start $start) {}", main("")),
        format!(
            "(type $none (func)) (table funcref (elem $deep)) (func $deep (call_indirect (type $none) (i32.const 0))) {}",
            main("(call $deep)")
        ),
    ] {
        assert_eq!(why(&fields), Why::TooDeep, "{fields}");
    }
}

#[test]
fn a_start_that_does_not_fit_ends_the_job() {
    for fields in [
        format!(r#"(memory 1) (data (i32.const 65536) "x") {}"#, main("")),
        format!("(table 1 funcref) (func $f) (elem (i32.const 1) $f) {}", main("")),
        format!("(func $start unreachable) (start $start) {}", main("")),
    ] {
        assert!(matches!(why(&fields), Why::Trap(_)), "{fields}: {:?}", why(&fields));
    }
}

#[test]
fn alloc_may_not_hide_the_memory_under_the_input() {
    // The address is good, and the memory is still the module's own when the input comes.
    let fields = format!(
        r#"{FROM_16} (func (export "weevil_main") (param i32 i32) (result i64) (memory.fill (i32.const 0) (i32.const 0xff) (i32.const 65536)) (i64.const 0x1000000001))"#
    );
    assert!(matches!(why(&fields), Why::NotAValue(_)));
}

#[test]
fn size_is_paid_for() {
    let little = |fuel| Bounds { fuel, memory_bytes: 256 * 1024 * 1024, ..SMALL };
    let large = module(&format!("(memory 4096) {}", main("")));
    for (fuel, found) in [(4_000_000, Err(Why::OutOfFuel(4_000_000))), (4_300_000, Ok(Value::Undefined))] {
        assert_eq!(said(&large, &[], &little(fuel)), found);
    }
    let small = module(&main(""));
    assert_eq!(said(&small, &[], &little(100)), Err(Why::OutOfFuel(100)));
    assert_eq!(said(&of_values("(i64.const 0)"), &[], &little(0)), Err(Why::OutOfFuel(0)));
}
