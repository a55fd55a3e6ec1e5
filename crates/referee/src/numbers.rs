//! Numbers into a module and out of it, as `web/src/volunteer/job/wasm.ts` does it: nothing is bent to fit.
//!
//! Knows no instance.

use wasmi::{F32, F64, Val, ValType};
use weevil_model::{DataType, Encoded, Value};

use crate::errors::Why;

const I32_MIN: f64 = -2_147_483_648.0;
const U32_MAX: f64 = 4_294_967_295.0;
/// `Number.MAX_SAFE_INTEGER`
const MAX_SAFE: i64 = (1 << 53) - 1;

/// One input for each parameter. Further arguments are ignored, as JavaScript ignores them.
pub(crate) fn inputs(arguments: &Encoded, parameters: &[ValType]) -> Result<Vec<Val>, Why> {
    let mut elements = arguments.elements().map_err(Why::NoArguments)?;
    (1..).zip(parameters).map(|(position, of)| input(position, elements.next().as_ref(), *of)).collect()
}

fn input(position: usize, argument: Option<&Encoded>, of: ValType) -> Result<Val, Why> {
    let refuse = |found: String, expected| Err(Why::Argument { position, found, expected });
    let kind = argument.map_or(Ok(DataType::Undefined), Encoded::data_type).map_err(Why::NoArguments)?;
    // Others are not unpacked: they may be large.
    let value = argument.filter(|_| kind == DataType::Number).map(Encoded::value);
    let Some(Ok(Value::Number(number))) = value else {
        return refuse(kind.to_string(), "the module takes a Number");
    };
    match (of, number) {
        (ValType::F64, _) => Ok(Val::F64(F64::from_float(number))),
        (ValType::F32, _) => Ok(Val::F32(F32::from_float(rounded(number)))),
        (ValType::I32, I32_MIN..=U32_MAX) if number.fract() == 0.0 => Ok(Val::I32(low_bits(whole(number)))),
        (ValType::I32, _) => refuse(number.to_string(), "the module takes a whole number of 32 bits"),
        (ValType::I64, _) if number.fract() == 0.0 && number.abs() <= MAX_SAFE as f64 => {
            Ok(Val::I64(whole(number)))
        }
        (ValType::I64, _) => refuse(number.to_string(), "the module takes a whole number up to 2^53 - 1"),
        _ => refuse(number.to_string(), "the module takes no number there"),
    }
}

#[expect(clippy::cast_possible_truncation, reason = "an f32 takes every number, rounded to the nearest")]
const fn rounded(number: f64) -> f32 {
    number as f32
}

#[expect(clippy::cast_possible_truncation, reason = "only whole numbers within the safe range get here")]
const fn whole(number: f64) -> i64 {
    number as i64
}

#[expect(clippy::cast_possible_truncation, reason = "a number above 2^31 - 1 arrives as the same 32 bits")]
const fn low_bits(number: i64) -> i32 {
    number as i32
}

/// Something of the type that the engine may write over.
pub(crate) fn room(result: Option<ValType>) -> Vec<Val> {
    result.map(Val::default_for_ty).into_iter().collect()
}

pub(crate) fn output(results: &[Val]) -> Result<Value, Why> {
    Ok(match results {
        [] => Value::Undefined,
        [Val::I32(number)] => Value::Number((*number).into()),
        [Val::F32(number)] => Value::Number(number.to_float().into()),
        [Val::F64(number)] => Value::Number(number.to_float()),
        [Val::I64(number)] if (-MAX_SAFE..=MAX_SAFE).contains(number) => Value::Number(*number as f64),
        [Val::I64(number)] => return Err(Why::NotExact(*number)),
        _ => return Err(Why::Engine("it returned what is not one number".to_owned())),
    })
}
