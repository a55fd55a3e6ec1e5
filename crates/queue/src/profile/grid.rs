//! The grid that a profile's bins stand on: equal stretches of the calendar's time, whatever the run.
//!
//! Only arithmetic. A bin never begins when its run does: then two bins always join into one of the coarser grid, and the
//! order in which attempts come makes no difference.

use weevil_model::Timestamp;

/// Milliseconds of a bin before any doubling.
pub const FIRST_BIN_MS: u64 = 250;
/// Bins of a profile. When there would be more, all become twice as wide.
pub const MAX_BINS: usize = 512;
/// Busy shares of a lane: each stands for two bins.
pub const MAX_SHARES: usize = MAX_BINS / 2;
/// Lanes of a profile, one for a slot of a worker. What further slots do is in the rest.
pub const MAX_LANES: usize = 256;

/// The last moment that a profile tells apart, in milliseconds: the last one of a date in JavaScript (ECMA-262, 21.4.1.1).
pub(super) const MAX_MOMENT_MS: i64 = 8_640_000_000_000_000;
/// Doublings after which [`MAX_SHARES`] pairs of bins hold every moment from before 1970 to [`MAX_MOMENT_MS`].
pub(super) const MAX_LEVEL: u32 = 36;

/// Microseconds of a bin before any doubling.
const FIRST_BIN_US: i64 = 250_000;

/// A bin's place on the grid; it holds what lies after its beginning, up to and with its end. A result belongs to the bin
/// in which its work was done.
pub(super) type Index = i64;

/// Stretches of one width: of bins, or of the pairs of them that lanes are made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Grid {
    level: u32,
}

/// From one moment to another in microseconds since 1970; both may be the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Span {
    pub from_us: i64,
    pub to_us: i64,
}

impl Grid {
    pub(super) const FINEST: Self = Self { level: 0 };

    /// The grid of which each stretch is two of this one.
    pub(super) const fn coarser(self) -> Self {
        Self { level: self.level + 1 }
    }

    /// The grid with this width, where it is one that a profile can need.
    pub(super) fn of_width_ms(width_ms: u64) -> Option<Self> {
        (0..=MAX_LEVEL).map(|level| Self { level }).find(|grid| grid.width_ms() == width_ms)
    }

    pub(super) const fn width_ms(self) -> u64 {
        FIRST_BIN_MS << self.level
    }

    pub(super) const fn width_us(self) -> i64 {
        FIRST_BIN_US << self.level
    }

    /// The first and the last stretch that a span lies in.
    pub(super) fn reach(self, span: Span) -> (Index, Index) {
        let last = self.holds(span.to_us);
        (self.holds(span.from_us.saturating_add(1)).min(last), last)
    }

    /// The part of a span that lies in a stretch which it reaches.
    pub(super) fn part(self, span: Span, index: Index) -> Span {
        let begin = index.saturating_mul(self.width_us());
        let end = begin.saturating_add(self.width_us());
        Span { from_us: span.from_us.max(begin), to_us: span.to_us.min(end) }
    }

    fn holds(self, moment_us: i64) -> Index {
        moment_us.saturating_sub(1).div_euclid(self.width_us())
    }
}

impl Span {
    /// Microseconds.
    pub(super) fn length_us(self) -> u64 {
        u64::try_from(self.to_us.saturating_sub(self.from_us)).unwrap_or(0)
    }
}

/// A moment as far as a profile tells it apart.
pub(super) fn bounded(moment: Timestamp) -> Timestamp {
    Timestamp(moment.0.clamp(0, MAX_MOMENT_MS))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decide::effort::MAX_COMPUTE_US;

    #[test]
    fn a_stretch_holds_its_end_and_not_its_beginning() {
        for (from_us, to_us, reached) in [
            (0, 250_000, (0, 0)),
            (0, 250_001, (0, 1)),
            (250_000, 250_001, (1, 1)),
            (249_999, 250_000, (0, 0)),
            (250_000, 250_000, (0, 0)),
            (0, 0, (-1, -1)),
            (-1, 1, (-1, 0)),
            (-250_000, 500_000, (-1, 1)),
        ] {
            assert_eq!(Grid::FINEST.reach(Span { from_us, to_us }), reached, "{from_us} {to_us}");
        }
    }

    #[test]
    fn the_coarsest_grid_holds_all_moments() {
        let grid = (0..MAX_LEVEL).fold(Grid::FINEST, |grid, _| grid.coarser());
        let all = Span { from_us: -MAX_COMPUTE_US.cast_signed(), to_us: MAX_MOMENT_MS * 1000 };
        let (first, last) = grid.coarser().reach(all);
        assert!(last - first < i64::try_from(MAX_SHARES).unwrap(), "{first} {last}");
    }

    #[test]
    fn widths_are_doublings_of_the_first() {
        for (width_ms, known) in [(250, true), (500, true), (250 << MAX_LEVEL, true)] {
            assert_eq!(Grid::of_width_ms(width_ms).is_some(), known, "{width_ms}");
        }
        for width_ms in [0, 1, 249, 750, 250 << (MAX_LEVEL + 1), u64::MAX] {
            assert_eq!(Grid::of_width_ms(width_ms), None, "{width_ms}");
        }
    }
}
