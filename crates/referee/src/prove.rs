//! A workflow's proof: whether a result is right for its input, for work that is easier to check than to do (`proof="Check.wasm"`).
//!
//! Never computes the job.

use weevil_model::Encoded;

use crate::bounds::Bounds;
use crate::compare::{ask, check};
use crate::errors::{Mistake, Why};

const PROOF: &str = "weevil_proof";

/// The module's word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Proof {
    Right,
    Wrong,
    CannotSay,
}

/// Asks the module about a result. `input` is the list of the job's arguments. Both as CBOR, each in memory that it gives by `alloc`.
///
/// # Errors
/// The module returns another number, or cannot be asked.
pub fn prove(module: &[u8], input: &Encoded, result: &Encoded, bounds: &Bounds) -> Result<Proof, Why> {
    match ask(module, PROOF, (input, result), bounds)? {
        1 => Ok(Proof::Right),
        0 => Ok(Proof::Wrong),
        2 => Ok(Proof::CannotSay),
        found => Err(Why::NoVerdict { who: PROOF, found, expected: "1 is right, 0 wrong, 2 cannot say" }),
    }
}

/// What is wrong with a module that is to prove, all of it.
pub fn check_proof(module: &[u8]) -> Result<(), Vec<Mistake>> {
    check(module, PROOF)
}
