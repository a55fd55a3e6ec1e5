//! The jobs held, their codes, and how many more are wanted. Knows no slot.

use crate::capacity::Prefetch;
use crate::code::Codes;
use crate::job::Jobs;

#[derive(Debug)]
pub(super) struct Work {
    pub jobs: Jobs,
    pub codes: Codes,
    pub prefetch: Prefetch,
    /// A code could not be fetched: nothing more is wanted until then.
    pub hold_until: Option<f64>,
}

impl Work {
    pub(super) fn new() -> Self {
        Self {
            jobs: Jobs::default(),
            codes: Codes::default(),
            prefetch: Prefetch::default(),
            hold_until: None,
        }
    }
}
