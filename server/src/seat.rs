//! How many workers the server takes: each holds a seat, whichever protocol it speaks.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use weevil_model::limits::MAX_WORKERS;

/// All seats of one server.
#[derive(Debug, Clone, Default)]
pub(crate) struct Seats(Arc<AtomicUsize>);

impl Seats {
    /// A seat, unless all are taken.
    pub(crate) fn take(&self) -> Option<Seat> {
        let seat = Seat(self.0.clone());
        (self.0.fetch_add(1, Ordering::Relaxed) < MAX_WORKERS).then_some(seat)
    }
}

/// One worker's place; free again when dropped.
#[derive(Debug)]
pub(crate) struct Seat(Arc<AtomicUsize>);

impl Drop for Seat {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_house_takes_nobody_until_somebody_leaves() {
        let seats = Seats::default();
        let mut taken: Vec<Seat> = std::iter::from_fn(|| seats.take()).collect();
        assert_eq!(taken.len(), MAX_WORKERS);
        assert!(seats.take().is_none());
        taken.pop();
        assert!(seats.take().is_some());
    }
}
