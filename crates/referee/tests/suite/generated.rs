//! Modules made by `wasm-smith`: each says the same twice, and none takes the engine with it.

use weevil_model::Value;
use weevil_referee::{Outcome, Why, run};

use crate::common::list;
use crate::smith::{BOUNDS, SEEDS, generated};

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
