//! Every bound of a call: fuel, memory, tables, stack, result; and who says no while a module runs.
//!
//! Never counts itself: the engine asks before it allocates.

use wasmi::ResourceLimiter;
use wasmi::errors::{MemoryError, TableError};
use wasmi_core::LimiterError;
use weevil_model::limits::MAX_VALUE_BYTES;

/// Bytes of a module. What a workflow may hold of code is as much.
pub const MAX_MODULE_BYTES: usize = 4 * 1024 * 1024;
/// Calls inside of calls.
pub(crate) const MAX_CALL_DEPTH: usize = 10_000;
/// Bytes of the values on the engine's stack, which lies on the heap.
pub(crate) const MAX_STACK_BYTES: usize = 8 * 1024 * 1024;
/// Elements of all tables together.
const MAX_TABLE_ELEMENTS: usize = 1_000_000;
/// Bytes of one of them.
const ELEMENT_BYTES: usize = 8;
/// Tables of a module.
const MAX_TABLES: usize = 100;
/// Bytes to which a memory grows in a browser, 16,384 pages: beyond it `memory.grow` answers -1 there (docs/wasm-abi.md).
const BROWSER_MEMORY_BYTES: usize = 1024 * 1024 * 1024;
/// Elements to which a table grows in a browser (WebAssembly JavaScript Interface, "Implementation-defined limits").
const BROWSER_TABLE_ELEMENTS: usize = 10_000_000;

/// What one call may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bounds {
    /// About one unit for each instruction; reading, starting and translating the module included.
    pub fuel: u64,
    /// Bytes that are allocated for the module's memory. While one moves to where it can grow, the half that it had may be there too.
    pub memory_bytes: usize,
    /// Bytes of the result.
    pub result_bytes: usize,
}

impl Bounds {
    /// For a job that is computed again.
    pub const JOB: Self =
        Self { fuel: 2_000_000_000, memory_bytes: 256 * 1024 * 1024, result_bytes: MAX_VALUE_BYTES };
    /// For a comparator or a proof, which return a number.
    pub const RULING: Self = Self { fuel: 200_000_000, memory_bytes: 64 * 1024 * 1024, result_bytes: 0 };
}

/// Grants memories and tables their growth.
///
/// A browser's memory is larger than what is lent here, and a module that is told -1 may return another value. So growth that a
/// browser would grant and the server does not ends the call; only what a browser refuses is refused as it does.
#[derive(Debug)]
pub(crate) struct Limiter {
    max_bytes: usize,
    /// What is allocated for the memory.
    allocated: usize,
    elements: usize,
    was_denied: bool,
}

impl Limiter {
    pub(crate) const fn new(bounds: &Bounds) -> Self {
        Self { max_bytes: bounds.memory_bytes, allocated: 0, elements: 0, was_denied: false }
    }

    /// Whether the call ended for want of memory.
    pub(crate) const fn was_denied(&self) -> bool {
        self.was_denied
    }

    /// Bytes of what was granted.
    pub(crate) const fn granted(&self) -> usize {
        self.allocated + self.elements * ELEMENT_BYTES
    }

    const fn deny(&mut self) -> Result<bool, LimiterError> {
        self.was_denied = true;
        Err(LimiterError::ResourceLimiterDeniedAllocation)
    }
}

impl ResourceLimiter for Limiter {
    fn memory_growing(&mut self, _: usize, desired: usize, max: Option<usize>) -> Result<bool, LimiterError> {
        if desired > max.map_or(BROWSER_MEMORY_BYTES, |max| max.min(BROWSER_MEMORY_BYTES)) {
            return Ok(false);
        }
        // As the engine's vector grows: at least to twice what it holds.
        let needed = if desired <= self.allocated { self.allocated } else { desired.max(2 * self.allocated) };
        if needed > self.max_bytes {
            return self.deny();
        }
        self.allocated = needed;
        Ok(true)
    }

    fn table_growing(
        &mut self,
        current: usize,
        desired: usize,
        max: Option<usize>,
    ) -> Result<bool, LimiterError> {
        if desired > max.map_or(BROWSER_TABLE_ELEMENTS, |max| max.min(BROWSER_TABLE_ELEMENTS)) {
            return Ok(false);
        }
        let elements = self.elements + desired.saturating_sub(current);
        if elements > MAX_TABLE_ELEMENTS {
            return self.deny();
        }
        self.elements = elements;
        Ok(true)
    }

    fn memory_grow_failed(&mut self, error: &MemoryError) -> Result<(), LimiterError> {
        if matches!(error, MemoryError::OutOfSystemMemory) {
            self.deny()?;
        }
        Ok(())
    }

    fn table_grow_failed(&mut self, error: &TableError) -> Result<(), LimiterError> {
        if matches!(error, TableError::OutOfSystemMemory) {
            self.deny()?;
        }
        Ok(())
    }

    fn instances(&self) -> usize {
        1
    }

    fn tables(&self) -> usize {
        MAX_TABLES
    }

    fn memories(&self) -> usize {
        1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: usize = 65_536;

    #[test]
    fn a_memory_takes_what_is_allocated_for_it() {
        let mib = 16 * PAGE;
        for (steps, max, last) in [
            (&[256 * mib][..], None, Some(true)),
            (&[256 * mib + PAGE], None, None),
            (&[PAGE, 256 * mib], None, Some(true)),
            (&[128 * mib, 129 * mib, 256 * mib], None, Some(true)),
            (&[129 * mib, 130 * mib], None, None),
            (&[PAGE, 1024 * mib], None, None),
            (&[PAGE, 1024 * mib + PAGE], None, Some(false)),
            (&[PAGE, 3 * PAGE], Some(2 * PAGE), Some(false)),
            (&[PAGE, 300 * mib], Some(280 * mib), Some(false)),
            (&[0, PAGE], Some(PAGE), Some(true)),
        ] {
            let mut limiter = Limiter::new(&Bounds::JOB);
            let granted = steps.iter().map(|step| limiter.memory_growing(0, *step, max).ok());
            assert_eq!(granted.last(), Some(last), "{steps:?} {max:?}");
            assert_eq!(limiter.was_denied(), last.is_none(), "{steps:?}");
        }
    }

    #[test]
    fn tables_are_counted_together() {
        let mut limiter = Limiter::new(&Bounds::RULING);
        for (current, desired, max, granted) in [
            (0, 400_000, None, Some(true)),
            (0, 400_000, None, Some(true)),
            (400_000, 600_000, None, Some(true)),
            (600_000, 600_001, Some(600_000), Some(false)),
            (600_000, 10_000_001, None, Some(false)),
            (600_000, 600_001, None, None),
        ] {
            let found = limiter.table_growing(current, desired, max).ok();
            assert_eq!(found, granted, "{current} to {desired} of {max:?}");
        }
    }
}
