//! One clock from two: the fine one of the browser, and the wall's for the time in which the machine slept.
//!
//! Reads neither. `performance.now()` stands still while a laptop is closed on most systems; leases do not.

/// Smaller differences are somebody setting the clock.
const LEAST_SLEEP_MS: f64 = 2_000.0;

/// Milliseconds that only grow, and go on while the machine sleeps.
#[derive(Debug, Default)]
pub(crate) struct Clock {
    /// The fine clock and the wall's, as they were read last.
    last: Option<(f64, f64)>,
    slept_ms: f64,
}

impl Clock {
    /// `fine` only grows; `wall` may be set.
    pub(crate) fn read(&mut self, fine: f64, wall: f64) -> f64 {
        if let Some((fine_before, wall_before)) = self.last {
            let unseen = (wall - wall_before) - (fine - fine_before);
            if unseen >= LEAST_SLEEP_MS {
                self.slept_ms += unseen;
            }
        }
        self.last = Some((fine, wall));
        fine + self.slept_ms
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sleep_counts_and_a_clock_that_is_put_right_does_not() {
        for (fine, wall, read) in [
            (100.0, 5_100.0, 100.0),
            (100.0, 6_900.0, 100.0),
            (100.0, 185_100.0, 180_100.0),
            (180_000.0, 185_000.0, 180_000.0),
            (100.0, -9e9, 100.0),
        ] {
            let mut clock = Clock::default();
            assert!(clock.read(0.0, 5_000.0).abs() < 1e-9);
            assert!((clock.read(fine, wall) - read).abs() < 1e-9, "{fine} {wall}");
            assert!((clock.read(fine + 50.0, wall + 50.0) - read - 50.0).abs() < 1e-9, "it goes on");
        }
    }
}
