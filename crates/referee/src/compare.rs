//! A workflow's comparator: whether two answers of one job say the same (`agree="Same.wasm"`).
//!
//! Never groups answers: what agrees with what is put together in `weevil-trust`.

use weevil_model::Encoded;

use crate::bounds::Bounds;
use crate::engine;
use crate::errors::{Mistake, Why};
use crate::instance::{Running, guarded};
use crate::module::pair;

const AGREE: &str = "weevil_agree";

/// Whether the module says that the two are the same. Both as CBOR, each in memory that it gives by `alloc`.
///
/// # Errors
/// The module says neither yes nor no, or cannot be asked.
pub fn same(module: &[u8], one: &Encoded, other: &Encoded, bounds: &Bounds) -> Result<bool, Why> {
    match ask(module, AGREE, (one, other), bounds)? {
        1 => Ok(true),
        0 => Ok(false),
        found => Err(Why::NoVerdict { who: AGREE, found, expected: "1 is the same, 0 is not" }),
    }
}

/// What is wrong with a module that is to compare, all of it.
pub fn check_agree(module: &[u8]) -> Result<(), Vec<Mistake>> {
    check(module, AGREE)
}

/// The number that a module has for two values.
pub(crate) fn ask(
    module: &[u8],
    entry: &str,
    (one, other): (&Encoded, &Encoded),
    bounds: &Bounds,
) -> Result<i32, Why> {
    guarded(|| {
        let (module, fuel) = engine::read(module, bounds)?;
        if let Some(mistake) = pair(&module, entry).into_iter().next() {
            return Err(Why::Interface(mistake));
        }
        let mut running = Running::start(&module, fuel, bounds)?;
        let (at, length) = running.place(one.as_bytes())?;
        let (other_at, other_length) = running.place(other.as_bytes())?;
        running.call(entry, (at, length, other_at, other_length))
    })
}

/// A module that cannot be read has this one mistake.
pub(crate) fn check(module: &[u8], entry: &str) -> Result<(), Vec<Mistake>> {
    let mistakes = guarded(|| engine::read(module, &Bounds::RULING).map(|(module, _)| pair(&module, entry)));
    let mistakes = mistakes.unwrap_or_else(|why| {
        let help = "build it for wasm32 without threads, relaxed SIMD and components, as small as a comparison needs";
        vec![Mistake { message: why.to_string(), help: help.to_owned() }]
    });
    if mistakes.is_empty() { Ok(()) } else { Err(mistakes) }
}
