//! docs/wasm-abi.md, row by row, as `web/src/volunteer/job/wasm.test.ts` has it for browsers.

use weevil_model::{TypedArrayKind, Value};
use weevil_referee::Why;

use crate::common::{FROM_16, SMALL, encoded, module, of_values, said, words};

use Value::{Array, Boolean, Null, Number, Object, Undefined};

/// `(at << 32) | length` of the parameters.
const ECHO: &str =
    "(i64.or (i64.shl (i64.extend_i32_u (local.get 0)) (i64.const 32)) (i64.extend_i32_u (local.get 1)))";

fn text(of: &str) -> Value {
    Value::String(of.into())
}

fn same(of: &str) -> Vec<u8> {
    module(&format!(r#"(func (export "weevil_main") (param {of}) (result {of}) (local.get 0))"#))
}

#[test]
fn numbers_go_in_as_the_modules_types_and_come_back() {
    for (of, input, output) in [
        ("f64", 0.1, 0.1),
        ("f64", -0.0, -0.0),
        ("f64", f64::INFINITY, f64::INFINITY),
        ("f64", f64::NAN, f64::NAN),
        ("f32", 0.5, 0.5),
        ("f32", 0.1, 0.100_000_001_490_116_12),
        ("f32", 1e300, f64::INFINITY),
        ("f32", f64::NAN, f64::NAN),
        ("i32", -1.0, -1.0),
        ("i32", -0.0, 0.0),
        ("i32", 2_147_483_648.0, -2_147_483_648.0),
        ("i32", 4_294_967_295.0, -1.0),
        ("i32", -2_147_483_648.0, -2_147_483_648.0),
        ("i64", -1.0, -1.0),
        ("i64", -0.0, 0.0),
        ("i64", 9_007_199_254_740_991.0, 9_007_199_254_740_991.0),
        ("i64", -9_007_199_254_740_991.0, -9_007_199_254_740_991.0),
    ] {
        let Ok(Number(found)) = said(&same(of), &[Number(input)], &SMALL) else { panic!("{of} {input}") };
        assert!(
            found.to_bits() == output.to_bits() || found.is_nan() && output.is_nan(),
            "{of} {input}: {found}"
        );
    }
}

#[test]
fn a_number_that_the_type_cannot_hold_is_refused() {
    for (of, input, told) in [
        ("i32", Number(0.5), "argument 1 is 0.5; the module takes a whole number of 32 bits"),
        ("i32", Number(4_294_967_296.0), "a whole number of 32 bits"),
        ("i32", Number(-2_147_483_649.0), "a whole number of 32 bits"),
        ("i32", Number(f64::NAN), "argument 1 is NaN; the module takes a whole number of 32 bits"),
        ("i64", Number(9_007_199_254_740_992.0), "a whole number up to 2^53 - 1"),
        ("i64", Number(f64::NEG_INFINITY), "a whole number up to 2^53 - 1"),
        ("f64", text("1"), "argument 1 is String; the module takes a Number"),
        ("f64", Null, "argument 1 is null"),
        ("f32", Boolean(true), "argument 1 is Boolean"),
        ("f64", Undefined, "argument 1 is undefined"),
        ("f64", Array(vec![Number(1.0)]), "argument 1 is Array"),
    ] {
        let found = words(&same(of), std::slice::from_ref(&input));
        assert!(found.contains(told), "{of} {input:?}: {found}");
    }
}

#[test]
fn parameters_and_results_are_as_many_as_the_module_has() {
    let difference =
        r#"(func (export "weevil_main") (param f64 f64) (result f64) (f64.sub (local.get 0) (local.get 1)))"#;
    let large = |number: &str| format!(r#"(func (export "weevil_main") (result i64) (i64.const {number}))"#);
    for (fields, arguments, found) in [
        (difference, &[5.0, 3.0][..], "Number(2.0)"),
        (difference, &[5.0, 3.0, 9.0], "Number(2.0)"),
        (difference, &[5.0], "argument 2 is undefined; the module takes a Number"),
        (r#"(func (export "weevil_main"))"#, &[], "Undefined"),
        (&large("9007199254740991"), &[], "Number(9007199254740991.0)"),
        (&large("-9007199254740991"), &[], "Number(-9007199254740991.0)"),
        (
            &large("1152921504606846976"),
            &[],
            "weevil_main returned 1152921504606846976, which a Number cannot hold exactly",
        ),
        (&large("-9223372036854775808"), &[], "weevil_main returned -9223372036854775808, which"),
    ] {
        let arguments: Vec<_> = arguments.iter().map(|number| Number(*number)).collect();
        let words = words(&module(fields), &arguments);
        assert!(words.starts_with(found), "{fields}: {words}");
    }
}

#[test]
fn any_value_goes_through_as_bytes() {
    let floats = Value::Typed(TypedArrayKind::Float64, 0.5_f64.to_le_bytes().to_vec());
    let object = Object(vec![("a".into(), Array(vec![Number(1.0), text("ü"), Undefined]))]);
    for values in [vec![], vec![object, floats], vec![text(&"x".repeat(500))], vec![Number(-0.0), Null]] {
        assert_eq!(said(&of_values(ECHO), &values, &SMALL), Ok(Array(values)));
    }
}

#[test]
fn a_result_is_exactly_one_value_in_its_canonical_form() {
    let at_64 = |bytes: &str| {
        let length = bytes.len() / 3;
        let main = format!(
            r#"(func (export "weevil_main") (param i32 i32) (result i64) (i64.const {}))"#,
            (64_u64 << 32) + length as u64
        );
        module(&format!(r#"{FROM_16} (data (i32.const 64) "{bytes}") {main}"#))
    };
    for (bytes, found) in [
        ("\\f9\\3c\\00", "Number(1.0)"),
        ("\\fa\\3f\\80\\00\\00", "Number(1.0)"),
        ("\\18\\01", "Number(1.0)"),
        ("\\fb\\ff\\f8\\00\\00\\00\\00\\00\\01", "Number(NaN)"),
        ("\\f7", "Undefined"),
        ("\\f6\\f6", "the result is not a value: "),
        ("\\18", "the result is not a value: "),
        ("\\9f\\ff", "the result is not a value: "),
        ("\\c1\\00", "the result is not a value: "),
        ("\\ff", "the result is not a value: "),
    ] {
        let words = words(&at_64(bytes), &[]);
        assert!(words.starts_with(found), "{bytes}: {words}");
    }
    let one = |bytes| match weevil_referee::run(&at_64(bytes), &encoded(&Array(vec![])), &SMALL) {
        weevil_referee::Outcome::Value(form, digest) => (form, digest),
        weevil_referee::Outcome::CannotSay(why) => panic!("{why}"),
    };
    assert_eq!(one("\\f9\\3c\\00"), one("\\01"), "equal values have equal digests");
}

#[test]
fn pointers_out_of_the_memory_are_refused() {
    let at = |alloc: &str, result: &str| {
        let exports = format!(
            r#"(memory (export "memory") 1) (func (export "alloc") (param i32) (result i32) (i32.const {alloc}))"#
        );
        words(
            &module(&format!(
                r#"{exports} (func (export "weevil_main") (param i32 i32) (result i64) {result})"#
            )),
            &[Number(1.0)],
        )
    };
    let packed = |at: u64, length: u64| format!("(i64.const {})", ((at << 32) | length).cast_signed());
    for (alloc, result, told) in [
        ("0", ECHO, "alloc(2) answered 0: the module has no memory for its input"),
        ("65535", ECHO, "alloc: 2 bytes at 65535 are not within the 65536 bytes of the memory"),
        ("-8", ECHO, "alloc: 2 bytes at 4294967288 are not within"),
        ("-1", ECHO, "alloc: 2 bytes at 4294967295 are not within"),
        ("65534", ECHO, "Array([Number(1.0)])"),
        ("16", &packed(65_536, 1), "weevil_main: 1 bytes at 65536 are not within the 65536 bytes"),
        ("16", &packed(65_535, 1), "Number(0.0)"),
        ("16", "(i64.const -1)", "weevil_main: 4294967295 bytes at 4294967295 are not within"),
        ("16", &packed(0, 65_537), "weevil_main: 65537 bytes at 0 are not within"),
        ("16", &packed(16, 1001), "the result has 1001 bytes; at most 1000 are allowed"),
        ("16", &packed(0xffff_ffff, 0), "Undefined"),
        ("16", "(i64.const 0)", "Undefined"),
        ("16", "unreachable", "the module trapped: "),
    ] {
        let found = at(alloc, result);
        assert!(found.starts_with(told), "{alloc} {result}: {found}");
    }
}

#[test]
fn a_result_is_read_from_the_memory_as_it_has_grown() {
    // Grows by a page, writes 7 at its end and answers that byte.
    let body = "(drop (memory.grow (i32.const 1))) (i32.store8 (i32.const 131071) (i32.const 7)) (i64.const 562945658454017)";
    assert_eq!(said(&of_values(body), &[], &SMALL), Ok(Number(7.0)));
}

#[test]
fn each_job_has_an_instance_of_its_own() {
    let counts = module(
        r#"(global $many (mut i32) (i32.const 0)) (func $start (global.set $many (i32.const 5))) (start $start)
           (func (export "weevil_main") (result i32)
               (global.set $many (i32.add (global.get $many) (i32.const 1))) (global.get $many))"#,
    );
    for _ in 0..3 {
        assert_eq!(said(&counts, &[], &SMALL), Ok(Number(6.0)));
    }
}

#[test]
fn the_three_imports_do_nothing_but_end_a_job_that_logs_beyond_its_memory() {
    let with = |memory: &str, start: &str, body: &str| {
        module(&format!(
            r#"(import "weevil" "progress" (func $progress (param f64))) (import "weevil" "flops" (func $flops (param f64)))
               (import "weevil" "log" (func $log (param i32 i32))) {memory}
               (func $start {start}) (start $start) (func (export "weevil_main") {body})"#
        ))
    };
    let memory = r#"(memory (export "memory") 1)"#;
    let beyond = "(call $log (i32.const 65534) (i32.const 4))";
    for (memory, start, body, told) in [
        (memory, "", "(call $progress (f64.const nan)) (call $flops (f64.const -1))", "Undefined"),
        (memory, "", "(call $log (i32.const 65532) (i32.const 4))", "Undefined"),
        (memory, "", beyond, "weevil.log: 4 bytes at 65534 are not within the 65536 bytes of the memory"),
        (
            memory,
            "",
            "(call $log (i32.const -1) (i32.const -1))",
            "weevil.log: 4294967295 bytes at 4294967295",
        ),
        (memory, beyond, "", "Undefined"),
        ("(memory 1)", "", beyond, "Undefined"),
    ] {
        let found = words(&with(memory, start, body), &[]);
        assert!(found.starts_with(told), "{memory} {start} {body}: {found}");
    }
}

#[test]
fn traps_have_their_names() {
    for (body, told) in [
        ("unreachable", "wasm `unreachable` instruction executed"),
        ("(drop (i32.div_u (i32.const 1) (i32.const 0)))", "integer divide by zero"),
        ("(drop (i32.trunc_f64_s (f64.const nan)))", "invalid conversion to integer"),
        ("(drop (i32.load (i32.const 65536)))", "out of bounds memory access"),
        ("(memory.fill (i32.const 65535) (i32.const 0) (i32.const 2))", "out of bounds memory access"),
        ("(call_indirect (i32.const 9))", "undefined element"),
    ] {
        let fields = format!(r#"(memory 1) (table 1 funcref) (func (export "weevil_main") {body})"#);
        let found = said(&module(&fields), &[], &SMALL);
        assert!(matches!(&found, Err(Why::Trap(words)) if words.contains(told)), "{body}: {found:?}");
    }
}
