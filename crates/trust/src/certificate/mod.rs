//! Certificates: what stands behind a result, as lines that anybody can check without asking anybody.
//!
//! Owns the lines, the chain of their hashes, and the check of all that follows from them. Never signs, and never verifies a signature:
//! whoever has the keys does.

mod chain;
mod check;
#[cfg(test)]
mod check_test;
mod flaw;
mod job;
mod lines;
mod lots;
mod plans;
mod ruled;
mod sum;
mod tally;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
mod word;
mod write;

pub use chain::Chain;
pub use check::{Checker, Sealed, Summary};
pub use flaw::{Broken, Flaw, or_nothing};
pub use lines::{
    AnswerEntry, AnswerFate, Believed, Counts, EndLine, Format, HeadLine, InputEntry, JobLine, Line, LotFate,
    LotLine, MAX_LINE_BYTES, PlanEntry, Role, StatedBasis,
};
pub use word::{Hex, Number, PublicKey, Signature};
pub use write::{LotFacts, Unsigned, Writer};
