//! Where a new job stands in the order.

use weevil_model::Timestamp;

/// One step of priority is worth a day of waiting (Colonies 3.3): strict between days, no starvation.
const PRIORITY_STEP_MS: i64 = 24 * 60 * 60 * 1000;

/// Smaller is earlier. First in, first out within one priority, counted from when a job may start.
pub const fn order_key(starts_at: Timestamp, priority: i32) -> i64 {
    starts_at.0 - priority as i64 * PRIORITY_STEP_MS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn order_is_priority_then_age() {
        let at = |ms, priority| order_key(Timestamp(ms), priority);
        assert!(at(1, 0) < at(2, 0), "older first");
        assert!(at(2, 100) < at(1, 9), "priorities order as numbers");
        assert!(at(0, 0) < at(PRIORITY_STEP_MS + 1, 1), "a day of waiting outweighs a step");
        assert!(at(1, 50_000) < at(1, -50_000));
    }
}
