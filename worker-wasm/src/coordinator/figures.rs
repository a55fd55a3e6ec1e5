//! What the page is shown beside the state: sums and moments. No rule asks them.

use weevil_protocol::frame::{AttemptResult, Outcome};
use weevil_protocol::page::WorkState;

use crate::meter::Meter;

/// An attempt that has ended, and the code that it ran.
#[derive(Debug)]
pub(super) struct Ended {
    pub code: u32,
    pub result: AttemptResult,
}

/// What attempts of one code in one slot come to.
#[derive(Debug)]
pub(super) struct Sums {
    pub slot: u32,
    pub code: u32,
    pub done: u32,
    pub failed: u32,
    pub compute_ms: f64,
    pub flops: f64,
}

#[derive(Debug)]
pub(super) struct Figures {
    pub meter: Meter,
    pub done: u32,
    pub failed: u32,
    /// What has ended since the page was told last, once for each slot and code.
    pub untold: Vec<Sums>,
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
            untold: Vec::new(),
            current: None,
            started_at: 0.0,
            first_job_ms: None,
            told: (None, f64::NEG_INFINITY),
        }
    }

    #[expect(clippy::cast_precision_loss, reason = "microseconds of one attempt are far from 2^53")]
    pub(super) fn count(&mut self, Ended { code, result }: &Ended, now: f64) {
        self.meter.add(now, result.flops);
        let (slot, code, flops) = (result.slot, *code, result.flops);
        let (compute_ms, done) =
            (result.compute_us as f64 / 1_000.0, u32::from(matches!(result.outcome, Outcome::Value(_))));
        let failed = 1 - done;
        (self.done, self.failed) = (self.done + done, self.failed + failed);
        match self.untold.iter_mut().find(|sums| sums.slot == slot && sums.code == code) {
            Some(sums) => sums.add(done, failed, compute_ms, flops),
            None => self.untold.push(Sums { slot, code, done, failed, compute_ms, flops }),
        }
    }
}

impl Sums {
    fn add(&mut self, done: u32, failed: u32, compute_ms: f64, flops: f64) {
        (self.done, self.failed) = (self.done + done, self.failed + failed);
        (self.compute_ms, self.flops) = (self.compute_ms + compute_ms, self.flops + flops);
    }
}
