//! The reading of one module, and what it answers.

use wasmparser::types::Types;
use wasmparser::{Validator, WasmFeatures};

use super::Question;
use super::interface::Interface;

/// What every browser of the last years runs, and what gives the same result on each: no relaxed SIMD, no threads.
const FEATURES: WasmFeatures =
    WasmFeatures::WASM2.union(WasmFeatures::EXTENDED_CONST).union(WasmFeatures::TAIL_CALL);

/// What every module begins with.
pub(crate) const MAGIC: &[u8] = b"\0asm";

/// A module without mistakes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Call {
    /// Takes these numbers, and returns one or nothing.
    Numbers { parameters: Vec<&'static str>, result: Option<&'static str> },
    /// Takes and returns any value as bytes, in memory that it gives by `alloc`.
    Values,
}

#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Mistake {
    /// Not a module that browsers take.
    NotModule { message: String, help: &'static str },
    /// It asks for something that workers do not provide.
    Import { found: String, help: String },
    /// It exports no function `weevil_main`; these functions are exported instead.
    NoMain { functions: Vec<String> },
    /// What it exports cannot be called.
    Export { message: String, help: String },
}

/// Reads one file; every mistake is told. Linear in its length; bounded in stack whatever it holds.
pub(crate) fn read(bytes: &[u8]) -> Result<Call, Vec<Mistake>> {
    Interface::of(types(bytes)?.as_ref()).judge()
}

/// The same for a module that is asked about two values.
pub(crate) fn read_ruling(bytes: &[u8], question: Question) -> Result<(), Vec<Mistake>> {
    Interface::of(types(bytes)?.as_ref()).check_ruling(question)
}

fn types(bytes: &[u8]) -> Result<Types, Vec<Mistake>> {
    let types = Validator::new_with_features(FEATURES).validate_all(bytes);
    types.map_err(|error| vec![not_module(bytes, &error.to_string())])
}

fn not_module(bytes: &[u8], message: &str) -> Mistake {
    let text = bytes.trim_ascii_start();
    let (message, help) = if bytes.starts_with(MAGIC) {
        (message, "build it for wasm32 without threads, relaxed SIMD and components")
    } else if text.starts_with(b"(module") || text.starts_with(b";;") {
        ("this is the text format", "compile it, for example by `wat2wasm`")
    } else {
        ("it does not begin as one", "name the .wasm file that the compiler made")
    };
    let message = message.to_owned();
    Mistake::NotModule { message, help }
}
