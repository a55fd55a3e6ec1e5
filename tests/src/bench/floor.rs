//! What the store alone can do: lifecycles of jobs in full batches, one after the other, without a server. Beside it a
//! server's rate says the same on a fast and on a slow machine.

use std::time::Instant;

use weevil_e2e::DatabaseKind;
use weevil_model::Capabilities;

use crate::line::Line;
use crate::measure::Figures;

/// Jobs of one batch.
const JOBS: usize = 256;
const BATCHES: usize = 100;

/// For each of these rates the floor right after it, in jobs a second, and the rate over that.
pub(crate) fn beside(kind: DatabaseKind, rates: &[f64]) -> [Figures; 2] {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    let floors: Figures = rates.iter().map(|_| runtime.block_on(floor(kind))).collect();
    let over = rates.iter().zip(&floors).map(|(rate, floor)| rate / floor).collect();
    [floors, over]
}

/// Enqueued, claimed and completed a second, each batch durable before the next.
async fn floor(kind: DatabaseKind) -> f64 {
    let mut line = Line::new(kind).await;
    line.grow(JOBS, Capabilities::JAVASCRIPT).await;
    let mut held = line.claim(JOBS).await;
    let began = Instant::now();
    for _ in 0..BATCHES {
        assert_eq!(held.len(), JOBS, "the line is as long as a claim");
        held = line.turn(&held).await;
    }
    (JOBS * BATCHES) as f64 / began.elapsed().as_secs_f64()
}
