//! Modules made by `wasm-smith` from fixed seeds. The end-to-end tests have Chromium run them too.

use arbitrary::Unstructured;
use wasm_smith::{Config, Module};
use weevil_model::ContentHash;
use weevil_referee::Bounds;

pub(crate) const SEEDS: u32 = 200;
/// Bytes that a module is made of.
const ENTROPY: usize = 4096;
/// What they may take: most that end need far less.
pub(crate) const BOUNDS: Bounds =
    Bounds { fuel: 200_000, memory_bytes: 16 * 1024 * 1024, result_bytes: 1000 };

/// As browsers are compared with it: NaNs in one form, no relaxed SIMD, nothing that uploads refuse.
fn config(seed: u32) -> Config {
    let result = ["i32", "i64", "f32", "f64"][seed as usize % 4];
    let main =
        format!(r#"(module (func (export "weevil_main") (param f64 i32) (result {result}) unreachable))"#);
    Config {
        exports: Some(wat::parse_str(main).expect("a module")),
        max_imports: 0,
        canonicalize_nans: true,
        // Half of them have no instruction that traps, so that most of these say a value.
        disallow_traps: seed % 8 < 4,
        max_memories: 1,
        max_memory32_bytes: 8 * 1024 * 1024,
        max_table_elements: 1000,
        custom_page_sizes_enabled: false,
        exceptions_enabled: false,
        gc_enabled: false,
        memory64_enabled: false,
        relaxed_simd_enabled: false,
        threads_enabled: false,
        wide_arithmetic_enabled: false,
        custom_descriptors_enabled: false,
        compact_imports_enabled: false,
        ..Config::default()
    }
}

/// Bytes that follow from the seed.
fn entropy(seed: u32) -> Vec<u8> {
    let blocks = (0..u32::try_from(ENTROPY / 32).expect("a small number"))
        .map(|block| *ContentHash::of(&[seed.to_le_bytes(), block.to_le_bytes()].concat()).as_bytes());
    blocks.flatten().collect()
}

pub(crate) fn generated(seed: u32) -> Vec<u8> {
    let module = Module::new(config(seed), &mut Unstructured::new(&entropy(seed)));
    module.expect("there is enough to make one of").to_bytes()
}
