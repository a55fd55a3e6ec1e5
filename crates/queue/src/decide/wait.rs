//! Where a job waits that nobody holds: among the ready ones, until a moment, or until its run goes on.

use weevil_model::Timestamp;

use crate::job::Delivery;

/// A state to wait in, and when that changes by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wait {
    /// Ready, delayed or held.
    pub delivery: Delivery,
    pub due: Option<Timestamp>,
}

/// What is known of a job that is to wait.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Patience {
    /// Its run is paused.
    pub paused: bool,
    /// Milliseconds it waits for a worker at a stretch; `None`: for ever.
    pub max_wait_ms: Option<u32>,
}

/// A delay comes first: a job of a paused run becomes held when it would become ready.
pub fn wait(patience: Patience, delay_ms: u32, now: Timestamp) -> Wait {
    let after = |ms: u32| now.plus_ms(ms.into());
    if delay_ms > 0 {
        return Wait { delivery: Delivery::Delayed, due: Some(after(delay_ms)) };
    }
    if patience.paused {
        return Wait { delivery: Delivery::Held, due: None };
    }
    Wait { delivery: Delivery::Ready, due: patience.max_wait_ms.map(after) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_delay_comes_before_a_pause_and_a_pause_before_the_longest_wait() {
        for (paused, max_wait_ms, delay_ms, delivery, due) in [
            (false, None, 0, Delivery::Ready, None),
            (false, Some(50), 0, Delivery::Ready, Some(1050)),
            (false, Some(50), 7, Delivery::Delayed, Some(1007)),
            (true, Some(50), 0, Delivery::Held, None),
            (true, None, 7, Delivery::Delayed, Some(1007)),
        ] {
            let found = wait(Patience { paused, max_wait_ms }, delay_ms, Timestamp(1000));
            assert_eq!(
                found,
                Wait { delivery, due: due.map(Timestamp) },
                "{paused} {max_wait_ms:?} {delay_ms}"
            );
        }
    }
}
