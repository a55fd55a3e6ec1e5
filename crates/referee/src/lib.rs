//! WebAssembly of strangers, computed by the server itself: a job again, a workflow's comparator, a workflow's proof.
//!
//! Bytes in, a value or a reason out. No clock, no chance, no IO, no threads, and nothing is kept from one call to the next.
//! Whatever a module does ends within its fuel and its memory. Nobody is ruled on here: the engine takes what comes out as an
//! answer of the server's own, and asks volunteers where nothing could be said.

mod bounds;
mod compare;
mod engine;
mod errors;
mod instance;
mod instructions;
mod module;
mod numbers;
mod outline;
mod prove;
mod reader;
mod run;
mod sections;

pub use bounds::{Bounds, MAX_MODULE_BYTES};
pub use compare::{check_agree, same};
pub use errors::{Mistake, Why};
pub use prove::{Proof, check_proof, prove};
pub use run::{Outcome, run};
