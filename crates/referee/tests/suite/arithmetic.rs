//! What all machines have to compute alike: NaNs, and vectors.

use weevil_model::Value::Number;

use crate::common::{SMALL, module, said};

#[test]
fn a_nan_has_one_form_wherever_it_comes_from() {
    for expression in [
        "(i64.reinterpret_f64 (f64.div (f64.const 0) (f64.const 0)))",
        "(i64.reinterpret_f64 (f64.sqrt (f64.const -1)))",
        "(i64.reinterpret_f64 (f64.add (f64.const -nan:0x8000000000001) (f64.const 1)))",
        "(i64.reinterpret_f64 (f64.sub (f64.const inf) (f64.const inf)))",
        "(i64.reinterpret_f64 (f64.promote_f32 (f32.div (f32.const 0) (f32.const 0))))",
        "(i64x2.extract_lane 0 (f64x2.mul (v128.const f64x2 inf 0) (v128.const f64x2 0 0)))",
    ] {
        let body = format!("(i64.shr_u {expression} (i64.const 48))");
        let fields = format!(r#"(func (export "weevil_main") (result i64) {body})"#);
        assert_eq!(said(&module(&fields), &[], &SMALL), Ok(Number(f64::from(0x7ff8))), "{expression}");
    }
}

#[test]
fn what_uploads_take_is_computed() {
    for (fields, found) in [
        ("(i32x4.extract_lane 2 (i32x4.add (v128.const i32x4 1 2 3 4) (v128.const i32x4 1 2 3 4)))", 6.0),
        ("(i32.extend8_s (i32.const 0x80))", -128.0),
        ("(i32.trunc_sat_f64_s (f64.const 1e20))", 2_147_483_647.0),
        ("(return_call $seven)", 7.0),
        ("(i32.add (call $two))", 3.0),
        ("(global.get $sum)", 42.0),
        ("(table.size $refs)", 3.0),
        ("(memory.copy (i32.const 8) (i32.const 0) (i32.const 4)) (i32.load8_u (i32.const 9))", 98.0),
        ("(block (result i32 i32) (i32.const 4) (i32.const 5)) (i32.mul)", 20.0),
    ] {
        let fields = format!(
            r#"(func $seven (result i32) (i32.const 7)) (func $two (result i32 i32) (i32.const 1) (i32.const 2))
               (global $sum i32 (i32.mul (i32.add (i32.const 20) (i32.const 1)) (i32.const 2)))
               (table $refs 3 externref) (memory 1) (data (i32.const 0) "abcd")
               (func (export "weevil_main") (result i32) {fields})"#
        );
        assert_eq!(said(&module(&fields), &[], &SMALL), Ok(Number(found)), "{fields}");
    }
}
