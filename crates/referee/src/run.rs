//! A job computed again: a module and its arguments in, the value that every honest worker answers out.
//!
//! What `web/src/volunteer/job/wasm.ts` does, step by step, by docs/wasm-abi.md. A job that fails in a browser has no value here
//! either; the error is nothing that is compared. The type of the result is whatever comes out: who knows the job's `returntype`
//! compares it.

use wasmi::{Module, ValType};
use weevil_model::{ContentHash, Encoded, Value, canonical, digest};

use crate::bounds::Bounds;
use crate::engine;
use crate::errors::Why;
use crate::instance::{Running, guarded};
use crate::module::{Call, MAIN, job};
use crate::numbers::{inputs, output, room};

/// What the server has to say of a job.
#[derive(Debug, Clone, PartialEq)]
pub enum Outcome {
    /// The canonical form, and its digest.
    Value(Encoded, ContentHash),
    CannotSay(Why),
}

/// Computes a job. `arguments` is the list as it went to the workers, since a module sees its bytes.
pub fn run(module: &[u8], arguments: &Encoded, bounds: &Bounds) -> Outcome {
    let form = guarded(|| canonical(&compute(module, arguments, bounds)?).map_err(Why::NotAValue));
    form.map_or_else(Outcome::CannotSay, |form| {
        let digest = digest(&form);
        Outcome::Value(form, digest)
    })
}

fn compute(bytes: &[u8], arguments: &Encoded, bounds: &Bounds) -> Result<Encoded, Why> {
    let (module, fuel) = engine::read(bytes, bounds)?;
    match job(&module).map_err(Why::Interface)? {
        Call::Numbers { parameters, result } => {
            numbers(&module, arguments, (&parameters, result), (fuel, bounds))
        }
        Call::Values => values(&module, arguments, fuel, bounds),
    }
}

fn numbers(
    module: &Module,
    arguments: &Encoded,
    (parameters, result): (&[ValType], Option<ValType>),
    (fuel, bounds): (u64, &Bounds),
) -> Result<Encoded, Why> {
    let inputs = inputs(arguments, parameters)?;
    let mut results = room(result);
    Running::start(module, fuel, bounds)?.call_any(MAIN, &inputs, &mut results)?;
    encoded(&output(&results)?)
}

fn values(module: &Module, arguments: &Encoded, fuel: u64, bounds: &Bounds) -> Result<Encoded, Why> {
    let mut running = Running::start(module, fuel, bounds)?;
    let input = running.place(arguments.as_bytes())?;
    let packed: i64 = running.call(MAIN, input)?;
    let (at, length) = unpacked(packed.cast_unsigned());
    if length == 0 {
        return encoded(&Value::Undefined);
    }
    let result = running.within(MAIN, at, length)?;
    if result.len() > bounds.result_bytes {
        return Err(Why::ResultTooLarge { found: result.len(), max: bounds.result_bytes });
    }
    Encoded::checked(result).map_err(Why::NotAValue)
}

/// Address and length.
fn unpacked(packed: u64) -> (u32, u32) {
    let [.., l0, l1, l2, l3] = packed.to_be_bytes();
    let [a0, a1, a2, a3, ..] = packed.to_be_bytes();
    (u32::from_be_bytes([a0, a1, a2, a3]), u32::from_be_bytes([l0, l1, l2, l3]))
}

fn encoded(value: &Value) -> Result<Encoded, Why> {
    Encoded::of(value).map_err(Why::NotAValue)
}
