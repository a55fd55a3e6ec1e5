//! Mistakes as tables: what is underlined, and the words.

use weevil_model::{KernelMistake, KernelStep};

use crate::{MAX_KERNEL_BYTES, check_wgsl};

const ADD: &str = "
@group(0) @binding(0) var<storage, read> a: array<u32>;
@group(0) @binding(1) var<storage, read_write> b: array<u32>;
@compute @workgroup_size(64)
fn add(@builtin(global_invocation_id) id: vec3<u32>) { b[id.x] += a[id.x]; }
";

/// The only mistake: its kind, the text it is about, its message.
fn told(text: &str) -> (KernelStep, String, String) {
    let found = check_wgsl(text);
    let [KernelMistake { keeps_from: kind, at, message, .. }] = &found[..] else {
        panic!("{text}: {found:?}")
    };
    (*kind, text[at.clone()].to_owned(), message.clone())
}

#[test]
fn a_kernel_passes() {
    assert_eq!(check_wgsl(ADD), []);
}

#[test]
fn what_does_not_compile_is_told_at_its_place() {
    for (from, to, at, message) in [
        ("a[id.x]", "c[id.x]", "c", "no definition in scope for identifier: `c`: unknown identifier"),
        ("u32>;\n@compute", "u32>\n@compute", "@", "expected `;`, found \"@\""),
        ("+= a[id.x]", "+= 1.5", "b[id.x]", "automatic conversions cannot convert"),
        ("b[id.x] +=", "a[id.x] +=", "a[id.x]", "writing to this location is not permitted"),
        ("@compute", "var<private> d: f64;\n@compute", "", "FLOAT64"),
    ] {
        let (kind, place, words) = told(&ADD.replace(from, to));
        assert_eq!((kind, place.contains(at)), (KernelStep::Compiling, true), "{to}: {place:?}");
        assert!(words.contains(message), "{to}: {words}");
    }
}

#[test]
fn what_no_job_could_call_is_told_with_a_cure() {
    for (from, to, at, message) in [
        (
            "@compute @workgroup_size(64)\nfn add(@builtin(global_invocation_id) id: vec3<u32>)",
            "fn add(id: vec3<u32>)",
            "",
            "no kernel",
        ),
        ("(64)", "(16, 32)", "add", "a workgroup of 16 x 32 x 1"),
        ("(64)", "(1, 1, 65)", "add", "a workgroup of 1 x 1 x 65"),
        ("@group(0) @binding(0)", "@group(1) @binding(0)", "var", "`a` is binding 0 of group 1"),
        ("@binding(0)", "@binding(999)", "var", "`a` is binding 999 of group 0"),
        ("fn add", "fn weevil_add", "weevil_", "only the worker's do"),
        ("@compute", "@group(0) @binding(2) var t: texture_2d<f32>;\n@compute", "var t", "`t` is no buffer"),
        ("@compute", "@fragment fn paint() {}\n@compute", "paint", "`paint` draws"),
    ] {
        let text = ADD.replacen(from, to, 1);
        let (kind, place, words) = told(&text);
        assert_eq!(kind, KernelStep::Calling, "{to}: {words}");
        assert!(words.contains(message), "{to}: {words}");
        assert!(place.starts_with(at) || place.contains(at), "{to}: {place:?}");
    }
}

#[test]
fn odd_texts_are_mistakes_and_nothing_worse() {
    let deep = format!("const x = {}1{};", "(".repeat(10_000), ")".repeat(10_000));
    let blocks = format!("fn f() {}{}", "{".repeat(10_000), "}".repeat(10_000));
    let types = format!("alias t = {}u32{};", "array<".repeat(10_000), ", 1>".repeat(10_000));
    let minus = format!("const x = {}1;", "-".repeat(10_000));
    let long = " ".repeat(MAX_KERNEL_BYTES + 1);
    for text in ["", "\0", "fn", "@", "/*", "\u{1F41B}", &deep, &blocks, &types, &minus, &long] {
        assert!(!check_wgsl(text).is_empty(), "{text:.40}");
    }
}
