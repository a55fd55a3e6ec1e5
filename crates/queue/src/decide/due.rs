//! What happens to a job whose moment has come (ADR 0016).

use crate::job::Delivery;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Due {
    /// The lease has run out: `decide::expire` says what becomes of the job.
    Expire,
    /// The delay is over: `decide::wait` says where the job waits now.
    Wake,
    /// Nobody took it within its longest wait: it ends.
    Overdue,
}

/// Nobody takes anything from a paused queue: what is ready there goes on waiting.
pub fn due(delivery: Delivery, queue_paused: bool) -> Option<Due> {
    match delivery {
        Delivery::Leased => Some(Due::Expire),
        Delivery::Delayed => Some(Due::Wake),
        Delivery::Ready if !queue_paused => Some(Due::Overdue),
        Delivery::Ready | Delivery::Held | Delivery::Ended => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_state_has_its_moment_and_a_pause_stops_only_the_wait_for_a_worker() {
        for (delivery, while_open, while_paused) in [
            (Delivery::Ready, Some(Due::Overdue), None),
            (Delivery::Leased, Some(Due::Expire), Some(Due::Expire)),
            (Delivery::Ended, None, None),
            (Delivery::Delayed, Some(Due::Wake), Some(Due::Wake)),
            (Delivery::Held, None, None),
        ] {
            assert_eq!(
                (due(delivery, false), due(delivery, true)),
                (while_open, while_paused),
                "{delivery:?}"
            );
        }
    }
}
