//! Lines of their own for what not every worker may have: copies of judged jobs beside first copies of the same class of needs.
//!
//! A class of needs leads the index of ready jobs; the lane stands in front of it, so each line is found by itself, however long the
//! others are.

use weevil_model::Needs;
use weevil_model::witness::Witness;

/// Lines that copies are spread over, by the first witness: what a worker has answered itself is in one of them.
const COPY_LINES: i64 = 3;
/// Where the lane stands in a class.
const SHIFT: u32 = 32;

/// A line of ready jobs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Lane(i64);

impl Lane {
    /// Jobs that nobody has answered yet, and all that nobody judges.
    pub const FIRST: Self = Self(0);

    /// The least class of a line of copies.
    pub const FIRST_COPIES: i64 = 1 << SHIFT;

    /// Copies of jobs that this witness was the first to answer.
    pub fn of_copies(first: &Witness) -> Self {
        let name = first.device.or(first.network).unwrap_or_default();
        Self(1 + name.rem_euclid(COPY_LINES))
    }

    /// Somebody has answered its jobs.
    pub const fn has_answers(self) -> bool {
        self.0 > 0
    }

    /// The class of jobs with these needs in it.
    pub const fn class(self, needs: Needs) -> i64 {
        self.0 << SHIFT | needs.class()
    }

    /// What a class stands for; `None` for a number that is not one.
    pub fn of_class(class: i64) -> Option<(Self, Needs)> {
        let lane = class >> SHIFT;
        let needs = Needs::of_class(class & ((1 << SHIFT) - 1))?;
        (0..=COPY_LINES).contains(&lane).then_some((Self(lane), needs))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use weevil_model::Capabilities;
    use weevil_model::witness::Engine;

    #[test]
    fn a_class_says_which_line_and_which_needs() {
        let first = |device, network| Witness { device, network, account: None, engine: Engine::Other };
        let needs = Needs { capabilities: Capabilities(5), memory_mb: 1 << 31 };
        for (lane, number, has_answers) in [
            (Lane::FIRST, 0, false),
            (Lane::of_copies(&first(Some(6), Some(1))), 1, true),
            (Lane::of_copies(&first(Some(7), None)), 2, true),
            (Lane::of_copies(&first(None, Some(8))), 3, true),
            (Lane::of_copies(&first(None, None)), 1, true),
        ] {
            assert_eq!((lane.0, lane.has_answers()), (number, has_answers));
            assert_eq!(Lane::of_class(lane.class(needs)), Some((lane, needs)));
        }
        assert_eq!(Lane::FIRST.class(needs), needs.class(), "what nobody judges is where it was");
        for wrong in [-1, 4 << SHIFT, i64::MAX, 40 << 16] {
            assert_eq!(Lane::of_class(wrong), None, "{wrong}");
        }
    }
}
