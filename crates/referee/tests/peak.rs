//! What a module takes of the server's memory, counted at the allocator.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use dhat::{Alloc, HeapStats, Profiler};
use weevil_model::{Encoded, Value};
use weevil_referee::{Bounds, Outcome, run};

#[global_allocator]
static COUNTED: Alloc = Alloc;

const MIB: usize = 1024 * 1024;
const BOUNDS: Bounds = Bounds { fuel: 300_000_000, memory_bytes: 64 * MIB, result_bytes: MIB };

/// The most bytes that a call holds at a time.
fn peak(module: &[u8]) -> (usize, Outcome) {
    let arguments = Encoded::of(&Value::Array(vec![])).unwrap();
    let _counting = Profiler::builder().testing().build();
    let outcome = run(module, &arguments, &BOUNDS);
    (HeapStats::get().max_bytes, outcome)
}

fn main_of(fields: &str, body: &str) -> Vec<u8> {
    wat::parse_str(format!(r#"(module {fields} (func (export "weevil_main") {body}))"#)).unwrap()
}

/// One test, because there is one allocator.
#[test]
fn the_server_grows_by_at_most_its_bound() {
    // A memory that moves is counted once.
    let memory = BOUNDS.memory_bytes + MIB;
    let grow = "(loop (drop (memory.grow (i32.const 1))) (br 0))";
    let values = |many: usize| ("i32 ".repeat(many), "(i32.const 0) ".repeat(many), "drop ".repeat(many));
    let (types, zeros, drops) = values(64);
    let wide =
        format!("(block (result {types}) {zeros} {}) {drops}", "(br_if 0 (local.get 0)) ".repeat(31_000));
    let wide = format!("(func (param i32) {wide})");
    for (what, module, most) in [
        ("a memory page by page", main_of("(memory 1)", grow), memory),
        ("a memory at once", main_of("(memory 1024)", ""), memory),
        ("a memory beyond", main_of("(memory 1025)", ""), MIB),
        ("tables", main_of("(table 500000 funcref) (table 500000 externref)", ""), 10 * MIB),
        ("functions", main_of(&"(func)".repeat(99_999), ""), 32 * MIB),
        ("globals", main_of(&"(global i32 (i32.const 0))".repeat(10_000), ""), 8 * MIB),
        ("elements", main_of(&format!("(func $f) (elem func {})", "$f ".repeat(100_000)), ""), 16 * MIB),
        ("branches", main_of(&wide, "(call 0 (i32.const 0))"), 96 * MIB),
        (
            "code",
            main_of(
                &format!(
                    "(memory 1) (func (param i32) {})",
                    "(drop (i32.add (local.get 0) (i32.load (local.get 0))))".repeat(100_000)
                ),
                "(call 0 (i32.const 0))",
            ),
            96 * MIB,
        ),
        ("recursion", main_of("(func $f (call $f))", "(call $f)"), 16 * MIB),
        (
            "blocks",
            main_of(&format!("(func {} {})", "block ".repeat(999), "end ".repeat(999)).repeat(500), ""),
            32 * MIB,
        ),
    ] {
        let (found, outcome) = peak(&module);
        println!(
            "{what}: {} KiB of {} KiB for {} bytes, {outcome:?}",
            found / 1024,
            most / 1024,
            module.len()
        );
        assert!(found <= most, "{what}: {found} of {most} bytes, {outcome:?}");
    }
}
