//! Modules made by `wasm-smith` from fixed seeds: each says the same twice, and none takes the engine with it.

use arbitrary::Unstructured;
use wasm_smith::{Config, Module};
use weevil_model::{ContentHash, Value};
use weevil_referee::{Bounds, Outcome, Why, run};

use crate::common::{list, module};

const SEEDS: u32 = 200;
/// Bytes that a module is made of.
const ENTROPY: usize = 4096;
const BOUNDS: Bounds = Bounds { fuel: 200_000, memory_bytes: 16 * 1024 * 1024, result_bytes: 1000 };

/// As browsers are compared with it: NaNs in one form, no relaxed SIMD, nothing that uploads refuse.
fn config(seed: u32) -> Config {
    let result = ["i32", "i64", "f32", "f64"][seed as usize % 4];
    let main = format!(r#"(func (export "weevil_main") (param f64 i32) (result {result}) unreachable)"#);
    Config {
        exports: Some(module(&main)),
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
    let blocks = (0..u32::try_from(ENTROPY / 32).unwrap())
        .map(|block| *ContentHash::of(&[seed.to_le_bytes(), block.to_le_bytes()].concat()).as_bytes());
    blocks.flatten().collect()
}

fn generated(seed: u32) -> Vec<u8> {
    Module::new(config(seed), &mut Unstructured::new(&entropy(seed))).unwrap().to_bytes()
}

#[test]
fn a_generated_module_says_the_same_twice() {
    let arguments = list(&[Value::Number(0.75), Value::Number(3.0)]);
    let mut values = 0;
    for seed in 0..SEEDS {
        let module = generated(seed);
        let found = run(&module, &arguments, &BOUNDS);
        assert_eq!(found, run(&module, &arguments, &BOUNDS), "seed {seed}");
        let is_fault =
            matches!(&found, Outcome::CannotSay(Why::Engine(_) | Why::NotModule(_) | Why::Interface(_)));
        assert!(!is_fault, "seed {seed}: {found:?}");
        values += u32::from(matches!(found, Outcome::Value(..)));
    }
    // The others trap, or run out of fuel.
    assert!(values >= SEEDS / 4, "{values} of {SEEDS} said a value");
}
