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

/// Why a job wants a copy that has been answered. Each kind has lines of its own, since not everybody may take what is in them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Copy {
    /// It is one of a quorum.
    Vote,
    /// Somebody who is known is to compute it again.
    Check,
    /// No answer of it counts any more.
    Anew,
}

impl Lane {
    /// Jobs that nobody has answered yet, and all that nobody judges.
    pub const FIRST: Self = Self(0);

    /// The least class of a line of copies.
    pub const FIRST_COPIES: i64 = 1 << SHIFT;

    /// Copies of jobs that this witness was the first to answer.
    pub fn of_copies(first: &Witness, copy: Copy) -> Self {
        let name = first.device.or(first.network).unwrap_or_default();
        Self(1 + copy as i64 * COPY_LINES + name.rem_euclid(COPY_LINES))
    }

    /// Somebody has answered its jobs.
    pub const fn has_answers(self) -> bool {
        self.0 > 0
    }

    /// So that an answer of each of its jobs counts.
    pub const fn is_answered(self) -> bool {
        self.has_answers() && self.0 <= Copy::Anew as i64 * COPY_LINES
    }

    /// What somebody who is known is to compute again.
    pub const fn is_check(self) -> bool {
        self.is_answered() && self.0 > Copy::Check as i64 * COPY_LINES
    }

    /// The class of jobs with these needs in it.
    pub const fn class(self, needs: Needs) -> i64 {
        self.0 << SHIFT | needs.class()
    }

    /// What a class stands for; `None` for a number that is not one.
    pub fn of_class(class: i64) -> Option<(Self, Needs)> {
        let lane = class >> SHIFT;
        let needs = Needs::of_class(class & ((1 << SHIFT) - 1))?;
        (0..=(1 + Copy::Anew as i64) * COPY_LINES).contains(&lane).then_some((Self(lane), needs))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use weevil_model::Capabilities;
    use weevil_model::witness::Engine;

    #[test]
    fn a_class_says_which_line_and_which_needs() {
        let first = |device, network| Witness { device, network, engine: Engine::Other };
        let needs = Needs { capabilities: Capabilities(5), memory_mb: 1 << 31 };
        for (lane, number, has_answers, is_answered, is_check) in [
            (Lane::FIRST, 0, false, false, false),
            (Lane::of_copies(&first(Some(6), Some(1)), Copy::Vote), 1, true, true, false),
            (Lane::of_copies(&first(Some(7), None), Copy::Vote), 2, true, true, false),
            (Lane::of_copies(&first(None, Some(8)), Copy::Vote), 3, true, true, false),
            (Lane::of_copies(&first(None, None), Copy::Vote), 1, true, true, false),
            (Lane::of_copies(&first(Some(6), None), Copy::Check), 4, true, true, true),
            (Lane::of_copies(&first(Some(8), None), Copy::Check), 6, true, true, true),
            (Lane::of_copies(&first(Some(6), None), Copy::Anew), 7, true, false, false),
            (Lane::of_copies(&first(Some(8), None), Copy::Anew), 9, true, false, false),
        ] {
            let told = (lane.0, lane.has_answers(), lane.is_answered(), lane.is_check());
            assert_eq!(told, (number, has_answers, is_answered, is_check));
            assert_eq!(Lane::of_class(lane.class(needs)), Some((lane, needs)));
        }
        assert_eq!(Lane::FIRST.class(needs), needs.class(), "what nobody judges is where it was");
        for wrong in [-1, 10 << SHIFT, i64::MAX, 40 << 16] {
            assert_eq!(Lane::of_class(wrong), None, "{wrong}");
        }
    }
}
