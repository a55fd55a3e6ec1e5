//! How many copies of a job are wanted and how many are out, and where that leaves the job (ADR 0039).
//!
//! A copy is one handing-out that may be under way: an attempt that has not ended. Knows nobody who holds one.

use weevil_model::Timestamp;

use super::wait::Wait;
use crate::job::Delivery;

/// Copies that one job may have out at a time.
pub const MAX_COPIES: u32 = 8;

/// The copies of a job that has not ended.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Copies {
    /// How many more may go out, now or when what the job waits for has come.
    pub wanted: u32,
    /// How many are out: attempts that have not ended.
    pub open: u32,
}

/// Where a job is, with its copies: what its row says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stand {
    pub delivery: Delivery,
    /// When that changes by itself.
    pub due: Option<Timestamp>,
    pub copies: Copies,
}

impl Stand {
    /// A job that has ended: no copy is wanted, none is out.
    pub const ENDED: Self =
        Self { delivery: Delivery::Ended, due: None, copies: Copies { wanted: 0, open: 0 } };

    /// A job whose answer stands in a lot: nothing of it is wanted or out.
    pub const ANSWERED: Self =
        Self { delivery: Delivery::Answered, due: None, copies: Copies { wanted: 0, open: 0 } };

    /// All its copies are out.
    const fn leased(open: u32) -> Self {
        Self { delivery: Delivery::Leased, due: None, copies: Copies { wanted: 0, open } }
    }
}

impl Copies {
    /// Those of a job on its way into the queue that asks for so many: from one to `MAX_COPIES`.
    pub fn asked(many: u32) -> Self {
        Self { wanted: many.clamp(1, MAX_COPIES), open: 0 }
    }

    /// The wanted copies wait in this way: a new job, or one whose moment has come.
    pub const fn waiting(self, wait: Wait) -> Stand {
        Stand { delivery: wait.delivery, due: wait.due, copies: self }
    }

    /// So many of the wanted copies of a ready job go out. While more are wanted it stays ready, and waits as long as before;
    /// a leased job waits for nothing.
    pub const fn handed_out(self, many: u32) -> (Delivery, Self) {
        let (wanted, open) = (self.wanted.saturating_sub(many), self.open + many);
        (if wanted == 0 { Delivery::Leased } else { Delivery::Ready }, Self { wanted, open })
    }

    /// A copy that was out is wanted again. All that are wanted wait as it does.
    pub const fn returned(self, wait: Wait) -> Stand {
        Self { wanted: self.wanted + 1, open: self.open.saturating_sub(1) }.waiting(wait)
    }

    /// The longest wait is over: no more copies are wanted. `None` where none is out, and the job ends.
    pub const fn overdue(self) -> Option<Stand> {
        if self.open == 0 { None } else { Some(Stand::leased(self.open)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const READY: Wait = Wait { delivery: Delivery::Ready, due: None };
    const LATER: Wait = Wait { delivery: Delivery::Delayed, due: Some(Timestamp(9)) };
    const HELD: Wait = Wait { delivery: Delivery::Held, due: None };

    const fn copies(wanted: u32, open: u32) -> Copies {
        Copies { wanted, open }
    }

    const fn stand(wait: Wait, wanted: u32, open: u32) -> Stand {
        copies(wanted, open).waiting(wait)
    }

    const fn leased(open: u32) -> Stand {
        stand(Wait { delivery: Delivery::Leased, due: None }, 0, open)
    }

    #[test]
    fn a_job_wants_at_least_one_copy_and_at_most_so_many() {
        for (many, wanted) in [(0, 1), (1, 1), (3, 3), (MAX_COPIES, MAX_COPIES), (u32::MAX, MAX_COPIES)] {
            assert_eq!(Copies::asked(many).waiting(LATER), stand(LATER, wanted, 0), "{many}");
        }
    }

    #[test]
    fn a_job_is_leased_once_none_of_its_copies_is_wanted() {
        for (before, many, after) in [
            (copies(1, 0), 1, (Delivery::Leased, copies(0, 1))),
            (copies(3, 0), 2, (Delivery::Ready, copies(1, 2))),
            (copies(1, 2), 1, (Delivery::Leased, copies(0, 3))),
            (copies(2, 1), 2, (Delivery::Leased, copies(0, 3))),
        ] {
            assert_eq!(before.handed_out(many), after, "{before:?} {many}");
        }
    }

    #[test]
    fn a_returned_copy_is_wanted_again_and_the_others_wait_with_it() {
        for (before, wait, after) in [
            (copies(0, 1), READY, stand(READY, 1, 0)),
            (copies(0, 1), LATER, stand(LATER, 1, 0)),
            (copies(0, 1), HELD, stand(HELD, 1, 0)),
            (copies(0, 3), READY, stand(READY, 1, 2)),
            (copies(2, 1), LATER, stand(LATER, 3, 0)),
            (copies(1, 2), LATER, stand(LATER, 2, 1)),
        ] {
            assert_eq!(before.returned(wait), after, "{before:?} {wait:?}");
        }
    }

    #[test]
    fn a_longest_wait_ends_a_job_of_which_nothing_is_out() {
        for (before, after) in [
            (copies(1, 0), None),
            (copies(3, 0), None),
            (copies(1, 1), Some(leased(1))),
            (copies(2, 2), Some(leased(2))),
        ] {
            assert_eq!(before.overdue(), after, "{before:?}");
        }
    }
}
