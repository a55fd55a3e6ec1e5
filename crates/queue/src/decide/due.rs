//! What happens to a job whose moment has come (ADR 0016). Leases are not jobs' but attempts': see `decide::expire`.

use crate::job::Delivery;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Due {
    /// The delay is over: `decide::wait` says where the job waits now.
    Wake,
    /// Nobody took what is wanted within the longest wait: `decide::copies` says whether the job ends.
    Overdue,
}

/// Nobody takes anything from a paused queue: what is ready there goes on waiting.
pub fn due(delivery: Delivery, queue_paused: bool) -> Option<Due> {
    match delivery {
        Delivery::Delayed => Some(Due::Wake),
        Delivery::Ready if !queue_paused => Some(Due::Overdue),
        Delivery::Ready | Delivery::Leased | Delivery::Held | Delivery::Answered | Delivery::Ended => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_state_has_its_moment_and_a_pause_stops_only_the_wait_for_a_worker() {
        for (delivery, while_open, while_paused) in [
            (Delivery::Ready, Some(Due::Overdue), None),
            (Delivery::Leased, None, None),
            (Delivery::Ended, None, None),
            (Delivery::Delayed, Some(Due::Wake), Some(Due::Wake)),
            (Delivery::Held, None, None),
            (Delivery::Answered, None, None),
        ] {
            assert_eq!(
                (due(delivery, false), due(delivery, true)),
                (while_open, while_paused),
                "{delivery:?}"
            );
        }
    }
}
