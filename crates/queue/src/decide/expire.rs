//! What the end of a lease does to its job: expiry, a yield, a closed connection.

use crate::job::AttemptEnd;

/// A job handed out this often without an answer hurts its workers: it fails, whatever the reasons were.
pub const MAX_HAND_OUTS: u32 = 100;

/// What becomes of a job whose attempt ended without a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decision {
    /// Back to its old place; `counts` says whether the attempt is used up.
    Requeue {
        counts: bool,
    },
    Fail,
}

/// Volunteers come and go: only silence counts against a job, leaving and giving back do not.
pub fn returned(end: AttemptEnd, handed_out: u32, failures: u32, max_attempts: u32) -> Decision {
    let counts = end == AttemptEnd::Expired;
    if handed_out >= MAX_HAND_OUTS || counts && failures + 1 >= max_attempts {
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
        for (end, handed_out, failures, expected) in [
            (Expired, 1, 0, Decision::Requeue { counts: true }),
            (Expired, 3, 2, Decision::Fail),
            (Lost, 3, 2, Decision::Requeue { counts: false }),
            (Yielded, 99, 2, Decision::Requeue { counts: false }),
            (Lost, 100, 0, Decision::Fail),
        ] {
            assert_eq!(returned(end, handed_out, failures, 3), expected, "{end:?} {handed_out} {failures}");
        }
    }
}
