//! The modules that ship with the project, with the bounds of a job, and the results that their READMEs tell of.
//!
//! `cargo xtask setup` builds them.

use std::path::Path;

use weevil_model::{TypedArrayKind, Value};
use weevil_referee::{Bounds, Outcome, Why, run};

use crate::common::{list, said};

fn file(path: &str) -> Vec<u8> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path);
    std::fs::read(&path)
        .unwrap_or_else(|error| panic!("{}: {error}; `cargo xtask examples` builds it", path.display()))
}

#[test]
fn the_example_in_c_sums_to_the_last_bit() {
    let zeta = file("examples/wasm-c/Zeta.wasm");
    // As `expected.json` says of all terms that a volunteer sums.
    let whole = said(&zeta, &[Value::Number(50_000_000.0)], &Bounds::JOB);
    assert_eq!(whole, Ok(Value::Number(1.644_934_046_821_486_8)));
    assert_eq!(said(&zeta, &[Value::Number(2.0)], &Bounds::JOB), Ok(Value::Number(1.25)));
    assert!(matches!(said(&zeta, &[Value::Number(-1.0)], &Bounds::JOB), Err(Why::Trap(_))));
    let too_many =
        said(&zeta, &[Value::Number(2_000_000_000.0)], &Bounds { fuel: 10_000_000, ..Bounds::JOB });
    assert_eq!(too_many, Err(Why::OutOfFuel(10_000_000)));
}

#[test]
fn the_example_in_rust_describes_its_samples() {
    let describe = file("examples/wasm-rust/workflow/Describe.wasm");
    let samples = [2.0_f64, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0].map(f64::to_le_bytes).concat();
    let number = |name: &str, number| (name.to_owned(), Value::Number(number));
    let expected = Value::Object(vec![number("count", 8.0), number("mean", 5.0), number("deviation", 2.0)]);
    let samples = [Value::Typed(TypedArrayKind::Float64, samples)];
    assert_eq!(said(&describe, &samples, &Bounds::JOB), Ok(expected));
    let digests = [(); 2].map(|()| match run(&describe, &list(&samples), &Bounds::JOB) {
        Outcome::Value(_, digest) => digest,
        Outcome::CannotSay(why) => panic!("{why}"),
    });
    assert_eq!(digests[0], digests[1]);
    assert!(matches!(said(&describe, &[Value::Null], &Bounds::JOB), Err(Why::Trap(_))), "its panic");
}

#[test]
fn the_modules_of_the_fuzzers_end() {
    let mut many = 0;
    for entry in
        std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus/wasm")).unwrap()
    {
        let path = entry.unwrap().path();
        let found = said(&std::fs::read(&path).unwrap(), &[], &Bounds::RULING);
        assert!(!matches!(found, Err(Why::Engine(_))), "{}: {found:?}", path.display());
        many += 1;
    }
    assert!(many >= 8, "{many} modules");
}
