//! What the page is shown beside the state: sums and moments. No rule asks them.

use weevil_protocol::page::WorkState;

use crate::meter::Meter;

#[derive(Debug)]
pub(super) struct Figures {
    pub meter: Meter,
    pub done: u32,
    pub failed: u32,
    /// The code that jobs were handed out of last.
    pub current: Option<u32>,
    pub started_at: f64,
    /// From the start to the first job handed to a slot, milliseconds.
    pub first_job_ms: Option<f64>,
    /// What the page was told last, and when.
    pub told: (Option<WorkState>, f64),
}

impl Figures {
    pub(super) fn new() -> Self {
        Self {
            meter: Meter::default(),
            done: 0,
            failed: 0,
            current: None,
            started_at: 0.0,
            first_job_ms: None,
            told: (None, f64::NEG_INFINITY),
        }
    }
}
