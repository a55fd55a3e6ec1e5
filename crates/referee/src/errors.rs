//! Why nothing can be said of a job or a pair of answers, and what is wrong with a module, in words for people.
//!
//! Never says that an answer is wrong: what the server cannot compute is no fault of a volunteer.

use std::fmt;

use wasmi::TrapCode;
use wasmi::errors::ErrorKind;
use weevil_model::EncodedError;

use crate::bounds::{Bounds, Limiter};

/// Why the server has no answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Why {
    #[error("the module has {found} bytes; at most {max} are allowed")]
    ModuleTooLarge { found: usize, max: usize },
    #[error("not a module that browsers take: {0}")]
    NotModule(String),
    #[error("the module has {found} {what}; the server computes modules of at most {max}")]
    TooComplex { what: &'static str, found: usize, max: usize },
    /// Imports or exports are not those of docs/wasm-abi.md.
    #[error("{0}")]
    Interface(Mistake),
    #[error("the arguments are no list: {0}")]
    NoArguments(EncodedError),
    /// The browser's message.
    #[error("argument {position} is {found}; {expected}")]
    Argument { position: usize, found: String, expected: &'static str },
    #[error("the module trapped: {0}")]
    Trap(String),
    #[error("calls are nested too deeply, or take more of the stack than the server lends")]
    TooDeep,
    #[error("it used up its {0} units of fuel")]
    OutOfFuel(u64),
    #[error("it needs more than the {0} bytes of memory that the server lends")]
    OutOfMemory(usize),
    #[error("alloc({0}) answered 0: the module has no memory for its input")]
    NoRoom(usize),
    #[error("{who}: {length} bytes at {at} are not within the {memory} bytes of the memory")]
    OutsideMemory { who: &'static str, at: u32, length: u32, memory: usize },
    #[error("weevil_main returned {0}, which a Number cannot hold exactly")]
    NotExact(i64),
    #[error("the result has {found} bytes; at most {max} are allowed")]
    ResultTooLarge { found: usize, max: usize },
    #[error("the result is not a value: {0}")]
    NotAValue(EncodedError),
    /// The word of a comparator or a proof.
    #[error("{who} returned {found}; {expected}")]
    NoVerdict { who: &'static str, found: i32, expected: &'static str },
    /// The engine's own words, or its panic.
    #[error("the server's engine does not compute it: {0}")]
    Engine(String),
}

/// What is wrong with a module, and the cure.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mistake {
    pub message: String,
    pub help: String,
}

impl fmt::Display for Mistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}; {}", self.message, self.help)
    }
}

/// What an error of the engine says, where the module was read or ran.
pub(crate) fn why(error: &wasmi::Error, bounds: &Bounds, limiter: &Limiter) -> Why {
    if limiter.was_denied() {
        return Why::OutOfMemory(bounds.memory_bytes);
    }
    match error.as_trap_code() {
        Some(TrapCode::OutOfFuel) => return Why::OutOfFuel(bounds.fuel),
        Some(TrapCode::StackOverflow) => return Why::TooDeep,
        Some(TrapCode::OutOfSystemMemory) => return Why::OutOfMemory(bounds.memory_bytes),
        Some(trap) => return Why::Trap(trap.to_string()),
        None => {}
    }
    match error.kind() {
        ErrorKind::Host(_) => error
            .downcast_ref::<Stopped>()
            .map_or_else(|| Why::Engine(error.to_string()), |Stopped(why)| why.clone()),
        // What was declared does not fit: a segment outside of its memory or table, or a memory beyond what a browser gives.
        ErrorKind::Instantiation(_) | ErrorKind::Memory(_) | ErrorKind::Table(_) => {
            Why::Trap(error.to_string())
        }
        ErrorKind::Wasm(_) | ErrorKind::Read(_) => Why::NotModule(error.to_string()),
        _ => Why::Engine(error.to_string()),
    }
}

/// A reason on its way out through the engine.
#[derive(Debug)]
pub(crate) struct Stopped(pub(crate) Why);

impl fmt::Display for Stopped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl wasmi::errors::HostError for Stopped {}
