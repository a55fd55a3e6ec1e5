//! Mistakes as tables: what is underlined, and the words. And what a sound kernel says of itself.

use weevil_model::{KernelBinding, KernelMistake, KernelStep};

use crate::{MAX_KERNEL_BYTES, check_wgsl};

const ADD: &str = "
@group(0) @binding(0) var<storage, read> a: array<u32>;
@group(0) @binding(1) var<storage, read_write> b: array<u32>;
@compute @workgroup_size(64)
fn add(@builtin(global_invocation_id) id: vec3<u32>) { b[id.x] += a[id.x]; }
";

/// The only mistake: its kind, the text it is about, its message.
fn problem(text: &str) -> (KernelStep, String, String) {
    let found = check_wgsl(text).err().unwrap_or_default();
    let [KernelMistake { keeps_from: kind, at, message, .. }] = &found[..] else {
        panic!("{text}: {found:?}")
    };
    (*kind, text[at.clone()].to_owned(), message.clone())
}

#[test]
fn a_kernel_passes() {
    assert!(check_wgsl(ADD).is_ok());
}

/// A binding as a line: number, name, access, element, the text that it is about.
fn bindings(text: &str) -> Vec<String> {
    let outline = check_wgsl(text).unwrap();
    let shown = |KernelBinding { name, number, at, access, element }: KernelBinding| {
        let element = element.map_or_else(|| "none".to_owned(), |element| element.to_string());
        assert!(text[at.clone()].contains(&name), "{name}: {}", &text[at]);
        format!("{number} {name} {access:?} {element}")
    };
    outline.bindings.into_iter().map(shown).collect()
}

#[test]
fn a_kernel_tells_its_bindings_in_the_order_of_their_numbers() {
    for (declared, told) in [
        ("var<storage, read_write> x: array<f32>", "ReadWrite f32"),
        ("var<storage, read> x: array<vec4<i32>>", "Read vec4<i32>"),
        ("var<storage> x: Numbers", "Read u32"),
        ("var<storage, read_write> x: array<atomic<u32>>", "ReadWrite u32"),
        ("var<storage> x: array<f32, 4>", "Read none"),
        ("var<storage> x: array<mat2x2<f32>>", "Read none"),
        ("var<storage> x: f32", "Read none"),
        ("var<uniform> x: i32", "Uniform i32"),
        ("var<uniform> x: vec3<f32>", "Uniform vec3<f32>"),
        ("var<uniform> x: Pair", "Uniform none"),
        ("var<uniform> x: array<vec4<f32>, 2>", "Uniform none"),
    ] {
        let types = "alias Numbers = array<u32>; struct Pair { a: f32, b: f32 }";
        let text = format!("{types}\n@group(0) @binding(7) {declared};\n{ADD}\nvar<private> unbound: f32;");
        let others = ["0 a Read u32".to_owned(), "1 b ReadWrite u32".to_owned()];
        assert_eq!(bindings(&text), [&others[..], &[format!("7 x {told}")]].concat(), "{declared}");
    }
}

#[test]
fn a_kernel_tells_its_entry_points() {
    let text = format!("{ADD}@compute @workgroup_size(8, SIDE) fn other() {{}}\nconst SIDE = 4;");
    let entries = check_wgsl(&text).unwrap().entries;
    let told: Vec<_> =
        entries.iter().map(|entry| (&*entry.name, &text[entry.at.clone()], entry.workgroup)).collect();
    assert_eq!(told, [("add", "add", [64, 1, 1]), ("other", "other", [8, 4, 1])]);
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
        let (kind, place, words) = problem(&ADD.replace(from, to));
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
        let (kind, place, words) = problem(&text);
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
        assert!(check_wgsl(text).is_err(), "{text:.40}");
    }
}
