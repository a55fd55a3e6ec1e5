//! Comparators and proofs.

use weevil_model::Value::{self, Number};
use weevil_referee::{Bounds, Mistake, Proof, Why, prove, same};

use crate::common::{SMALL, encoded, list, module};

/// Gives room one after the other.
const EXPORTS: &str = r#"(memory (export "memory") 1) (global $next (mut i32) (i32.const 16))
    (func (export "alloc") (param i32) (result i32)
        (global.get $next) (global.set $next (i32.add (global.get $next) (local.get 0))))"#;

fn pair(entry: &str, body: &str) -> Vec<u8> {
    module(&format!(
        r#"{EXPORTS} (func (export "{entry}") (param $a i32) (param $al i32) (param $b i32) (param $bl i32) (result i32) {body})"#
    ))
}

/// Whole numbers below 24 that are the same modulo 3: a byte each.
const MODULO_3: &str = "(i32.eq (i32.rem_u (i32.load8_u (local.get $a)) (i32.const 3)) (i32.rem_u (i32.load8_u (local.get $b)) (i32.const 3)))";

#[test]
fn a_comparator_says_what_is_the_same() {
    let module = pair("weevil_agree", MODULO_3);
    for (one, other, expected) in [(1.0, 4.0, true), (1.0, 5.0, false), (0.0, 21.0, true), (7.0, 7.0, true)] {
        let found = same(&module, &encoded(&Number(one)), &encoded(&Number(other)), &Bounds::RULING);
        assert_eq!(found, Ok(expected), "{one} {other}");
    }
    let lengths = pair("weevil_agree", "(i32.eq (local.get $al) (local.get $bl))");
    for (one, other, expected) in [("a", "b", true), ("a", "bc", false)] {
        let text = |of: &str| encoded(&Value::String(of.into()));
        assert_eq!(same(&lengths, &text(one), &text(other), &Bounds::RULING), Ok(expected));
    }
}

#[test]
fn a_proof_has_three_words() {
    // Right is a result that is one more than the only argument; 23 it does not know.
    let module = pair(
        "weevil_proof",
        "(if (result i32) (i32.eq (i32.load8_u (local.get $b)) (i32.const 23)) (then (i32.const 2))
             (else (i32.eq (i32.load8_u (local.get $b)) (i32.add (i32.load8_u offset=1 (local.get $a)) (i32.const 1)))))",
    );
    for (input, result, expected) in
        [(4.0, 5.0, Proof::Right), (4.0, 6.0, Proof::Wrong), (4.0, 23.0, Proof::CannotSay)]
    {
        let found = prove(&module, &list(&[Number(input)]), &encoded(&Number(result)), &Bounds::RULING);
        assert_eq!(found, Ok(expected), "{input} {result}");
    }
}

#[test]
fn a_module_that_says_nothing_is_told_apart() {
    let one = encoded(&Number(1.0));
    for (body, agree, proof) in [
        ("(i32.const 2)", Some("weevil_agree returned 2; 1 is the same, 0 is not"), None),
        (
            "(i32.const 3)",
            Some("weevil_agree returned 3"),
            Some("weevil_proof returned 3; 1 is right, 0 wrong, 2 cannot say"),
        ),
        ("(i32.const -1)", Some("weevil_agree returned -1"), Some("weevil_proof returned -1")),
        ("unreachable", Some("the module trapped: "), Some("the module trapped: ")),
        ("(loop (br 0)) (i32.const 1)", Some("it used up its 3000000 units of fuel"), Some("it used up")),
        (
            "(memory.grow (i32.const 100))",
            Some("it needs more than the 4194304 bytes"),
            Some("it needs more"),
        ),
        ("(call $deep) (i32.const 1)", Some("calls are nested too deeply"), Some("calls are nested")),
    ] {
        let of = |entry: &str| pair(entry, &format!("{body}) (func $deep (call $deep)"));
        let words = |found: Option<Why>| found.map(|why| why.to_string());
        for (expected, found) in [
            (agree, words(same(&of("weevil_agree"), &one, &one, &SMALL).err())),
            (proof, words(prove(&of("weevil_proof"), &one, &one, &SMALL).err())),
        ] {
            let holds = match (expected, &found) {
                (Some(expected), Some(found)) => found.starts_with(expected),
                (None, None) => true,
                _ => false,
            };
            assert!(holds, "{body}: {expected:?} is expected, found {found:?}");
        }
    }
}

#[test]
fn the_second_value_needs_room_as_well() {
    let fields = |second: &str| {
        format!(
            r#"(memory (export "memory") 1) (global $calls (mut i32) (i32.const 0))
            (func (export "alloc") (param i32) (result i32)
                (global.set $calls (i32.add (global.get $calls) (i32.const 1)))
                (if (result i32) (i32.eq (global.get $calls) (i32.const 1)) (then (i32.const 16)) (else {second})))
            (func (export "weevil_agree") (param i32 i32 i32 i32) (result i32) (i32.const 1))"#
        )
    };
    let one = encoded(&Number(1.0));
    for (second, told) in [
        ("(i32.const 65536)", "alloc: 1 bytes at 65536 are not within the 65536 bytes of the memory"),
        ("(i32.const 0)", "alloc(1) answered 0"),
    ] {
        let found = same(&module(&fields(second)), &one, &one, &SMALL).unwrap_err().to_string();
        assert!(found.starts_with(told), "{found}");
    }
}

#[test]
fn a_module_with_a_mistake_is_not_asked() {
    let one = encoded(&Number(1.0));
    let found = same(&pair("weevil_proof", "(i32.const 1)"), &one, &one, &SMALL);
    let expected = Mistake {
        message: "it exports no function `weevil_agree`".into(),
        help: "export `weevil_agree` as (i32, i32, i32, i32) -> i32".into(),
    };
    assert_eq!(found, Err(Why::Interface(expected)));
}
