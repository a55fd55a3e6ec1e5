//! How many jobs a worker may hold: what it holds grows with what it has delivered (ADR 0030).
//!
//! Only an upper bound beside the worker's own capacity.

/// Jobs that a worker may hold of whom nothing is known.
pub const FIRST: u32 = 16;
/// Slots for which one that has just come may hold a job each, and one more.
const MOST_SLOTS: u32 = 32;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Window(u32);

impl Window {
    /// The window of a worker that has just come.
    pub fn first(slots: u32) -> Self {
        Self(FIRST.max(slots.min(MOST_SLOTS) + 1))
    }

    /// A value of the worker has ended its job.
    pub const fn delivered(&mut self) {
        self.0 = self.0.saturating_add(1);
    }

    /// A lease of the worker has expired.
    pub const fn expired(&mut self) {
        self.0 = FIRST;
    }

    pub const fn jobs(self) -> u32 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_window_begins_with_the_slots_and_grows_with_values() {
        for (slots, values, expired, after, jobs) in [
            (0, 0, false, 0, 16),
            (1, 0, false, 0, 16),
            (15, 0, false, 0, 16),
            (16, 0, false, 0, 17),
            (32, 0, false, 0, 33),
            (u32::MAX, 0, false, 0, 33),
            (1, 100, false, 0, 116),
            (1, 100, true, 0, 16),
            (32, 0, true, 3, 19),
        ] {
            let mut window = Window::first(slots);
            (0..values).for_each(|_| window.delivered());
            if expired {
                window.expired();
            }
            (0..after).for_each(|_| window.delivered());
            assert_eq!(window.jobs(), jobs, "{slots} {values} {expired} {after}");
        }
    }
}
