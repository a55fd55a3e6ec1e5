//! What happens to a job whose moment has come (ADR 0016).

use super::wait::{DELAYED, LEASED, READY};

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
pub fn due(delivery: u8, queue_paused: bool) -> Option<Due> {
    match delivery {
        LEASED => Some(Due::Expire),
        DELAYED => Some(Due::Wake),
        READY if !queue_paused => Some(Due::Overdue),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decide::wait::{ENDED, HELD};

    #[test]
    fn each_state_has_its_moment_and_a_pause_stops_only_the_wait_for_a_worker() {
        for (delivery, while_open, while_paused) in [
            (READY, Some(Due::Overdue), None),
            (LEASED, Some(Due::Expire), Some(Due::Expire)),
            (ENDED, None, None),
            (DELAYED, Some(Due::Wake), Some(Due::Wake)),
            (HELD, None, None),
        ] {
            assert_eq!((due(delivery, false), due(delivery, true)), (while_open, while_paused), "{delivery}");
        }
    }
}
