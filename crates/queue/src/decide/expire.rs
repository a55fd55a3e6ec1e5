//! What the end of a lease does to its job: expiry, a yield, a closed connection.

use crate::job::AttemptEnd;

/// What becomes of a job whose attempt ended without a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decision {
    /// Back to its old place; `counts` says whether the attempt is used up.
    Requeue {
        counts: bool,
    },
    Fail,
}

/// Volunteers come and go: only silence counts against a job. Leaving and giving back never do, or one worker that
/// takes and yields could fail everybody's runs.
pub fn returned(end: AttemptEnd, failures: u32, max_attempts: u32) -> Decision {
    let counts = end == AttemptEnd::Expired;
    if counts && failures + 1 >= max_attempts {
        return Decision::Fail;
    }
    Decision::Requeue { counts }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_silence_uses_attempts_up() {
        use AttemptEnd::{Expired, Lost, Yielded};
        for (end, failures, expected) in [
            (Expired, 0, Decision::Requeue { counts: true }),
            (Expired, 2, Decision::Fail),
            (Lost, 2, Decision::Requeue { counts: false }),
            (Yielded, 2, Decision::Requeue { counts: false }),
        ] {
            assert_eq!(returned(end, failures, 3), expected, "{end:?} {failures}");
        }
    }
}
