//! The engine: an interpreter that takes what uploads take, counts fuel, and translates a function when it is first called.
//!
//! One for each call. An engine frees nothing that it has translated, and a function that is translated already would cost less fuel,
//! so that the same job might end at one time and not at another.
//!
//! Functions are validated when the module is read, so a broken one is refused whether or not it is called, as in browsers; they are
//! translated later, because translating is the dearer part and most of a module is never called. Both are paid for with fuel.

use wasmi::{CompilationMode, Config, CustomFuelCosts, Engine, Module, OperatorCost};

use crate::bounds::{Bounds, Limiter, MAX_CALL_DEPTH, MAX_MODULE_BYTES, MAX_STACK_BYTES};
use crate::errors::{Why, why};
use crate::outline;

/// Fuel for a byte that is read and validated,
const VALIDATION_FUEL: u32 = 10;
/// and for one that is translated. Both are about what they take of time, with an instruction as the unit.
const TRANSLATION_FUEL: u32 = 40;
/// Bytes that are copied, or set, for a unit of fuel.
pub(crate) const COPIED_BYTES: u32 = 64;
/// Fuel for a call: as many variables as the outline allows may have to be set to zero.
const CALL_FUEL: u8 = 24;
/// Fuel for growing by nothing, or for asking in vain.
const GROWTH_FUEL: u8 = 24;

/// Reads a module; answers what is left of the fuel.
pub(crate) fn read(bytes: &[u8], bounds: &Bounds) -> Result<(Module, u64), Why> {
    if bytes.len() > MAX_MODULE_BYTES {
        return Err(Why::ModuleTooLarge { found: bytes.len(), max: MAX_MODULE_BYTES });
    }
    outline::check(bytes)?;
    let fuel = bytes.len() as u64 * u64::from(VALIDATION_FUEL);
    let left = bounds.fuel.checked_sub(fuel).ok_or(Why::OutOfFuel(bounds.fuel))?;
    let module = Module::new(&engine(), bytes).map_err(|error| why(&error, bounds, &Limiter::new(bounds)))?;
    Ok((module, left))
}

fn engine() -> Engine {
    let mut config = Config::default();
    take_what_uploads_take(&mut config);
    config
        .consume_fuel(true)
        .fuel_cost(CustomFuelCosts {
            bytes_copied_per_fuel: COPIED_BYTES,
            fuel_per_bytes_translated: TRANSLATION_FUEL,
            fuel_per_bytes_validated: VALIDATION_FUEL,
        })
        .operator_cost(OperatorCost {
            call: CALL_FUEL,
            call_indirect: CALL_FUEL,
            return_call: CALL_FUEL,
            return_call_indirect: CALL_FUEL,
            memory_grow: GROWTH_FUEL,
            table_grow: GROWTH_FUEL,
            ..OperatorCost::default()
        })
        .compilation_mode(CompilationMode::LazyTranslation)
        .ignore_custom_sections(true)
        .set_max_recursion_depth(MAX_CALL_DEPTH)
        .set_max_stack_height(MAX_STACK_BYTES)
        .set_max_cached_stacks(0);
    Engine::new(&config)
}

/// As `crates/workflow/src/wasm/module.rs` says: WebAssembly 2.0, tail calls, extended constant expressions.
fn take_what_uploads_take(config: &mut Config) {
    config
        .wasm_mutable_global(true)
        .wasm_sign_extension(true)
        .wasm_saturating_float_to_int(true)
        .wasm_multi_value(true)
        .wasm_bulk_memory(true)
        .wasm_reference_types(true)
        .wasm_simd(true)
        .wasm_tail_call(true)
        .wasm_extended_const(true)
        .wasm_multi_memory(false)
        .wasm_relaxed_simd(false)
        .wasm_custom_page_sizes(false)
        .wasm_wide_arithmetic(false);
}
