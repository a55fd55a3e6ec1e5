//! The modules that ship with the project, with the bounds of a job, and the results that their READMEs tell of.
//!
//! `cargo xtask setup` builds them.

use std::path::Path;

use weevil_model::{Encoded, TypedArrayKind, Value};
use weevil_referee::{Bounds, Outcome, Proof, Why, prove, run};

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
fn the_example_of_a_proof_knows_primes() {
    let check = file("examples/factors/Check.wasm");
    let numbers = |all: &[f64]| all.iter().copied().map(Value::Number).collect::<Vec<_>>();
    for (number, factors, expected) in [
        (50_788_156_505_521.0, &[1_679_131.0, 30_246_691.0][..], Proof::Right),
        (25_283_261_297_898.0, &[2.0, 3.0, 3.0, 632_087.0, 2_222_203.0], Proof::Right),
        (9_007_199_254_740_881.0, &[9_007_199_254_740_881.0], Proof::Right),
        (1.0, &[], Proof::Right),
        (50_788_156_505_521.0, &[30_246_691.0, 1_679_131.0], Proof::Wrong),
        (50_788_156_505_521.0, &[50_788_156_505_521.0], Proof::Wrong),
        (50_788_156_505_521.0, &[1.0, 1_679_131.0, 30_246_691.0], Proof::Wrong),
        (50_788_156_505_521.0, &[1_679_131.0], Proof::Wrong),
        (3_215_031_751.0, &[3_215_031_751.0], Proof::Wrong),
        (6.0, &[2.0, 3.5], Proof::Wrong),
        (6.0, &[-2.0, -3.0], Proof::Wrong),
        (0.0, &[], Proof::Wrong),
    ] {
        let input = list(&[Value::Number(number)]);
        let found = prove(&check, &input, &list(&numbers(factors)), &Bounds::RULING);
        assert_eq!(found, Ok(expected), "{number} {factors:?}");
    }
    for value in [Value::Null, Value::String("x".repeat(8_000_000)), Value::Array(numbers(&[0.0; 9]))] {
        let said = Encoded::of(&value).unwrap();
        let found = prove(&check, &list(&[Value::Number(6.0)]), &said, &Bounds::RULING);
        assert_eq!(found, Ok(Proof::Wrong), "whatever a stranger sends");
    }
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
