//! A profile as it grows. Keeps what comes within its bounds; what it looks like is said in `facts.rs`.

use weevil_model::Timestamp;

use super::bins::Bin;
use super::computed::{Computed, Spread};
use super::grid::{Grid, Index, MAX_SHARES, Span, bounded};
use super::lanes::Lanes;
use super::series::Series;

/// What a run computed, over time: at most 512 bins of 48 bytes, and 256 numbers of 8 bytes for each of at most 256 slots.
/// That is 0.6 MB, and at most twice as much with what its vectors keep ahead.
///
/// The same attempts make the same [`facts`](Self::facts), in whatever order they come: a profile that is filled anew from
/// the rows of a run is the one that grew with it, where no bin stands still at its bound.
#[derive(Debug, Clone)]
pub struct Profile {
    pub(super) grid: Grid,
    pub(super) bins: Series<Bin>,
    pub(super) lanes: Lanes,
    /// The first hand-out and the last result.
    pub(super) ends: Option<(Timestamp, Timestamp)>,
}

impl Default for Profile {
    fn default() -> Self {
        Self { grid: Grid::FINEST, bins: Series::default(), lanes: Lanes::default(), ends: None }
    }
}

impl Profile {
    /// An attempt has ended its job with a value.
    pub fn worked(&mut self, computed: &Computed) {
        let spread = Spread::of(computed);
        let span = computed.span();
        self.reach(span);
        let (first, last) = self.grid.reach(span);
        for index in first..=last {
            self.bins.add(
                index,
                Bin {
                    flops: spread.part(self.grid, index),
                    busy_us: self.grid.part(span, index).length_us(),
                    jobs: u32::from(index == last),
                    errors: 0,
                },
            );
        }
        self.lanes.add(computed, self.grid.coarser());
        self.note_ends(bounded(computed.handed_out), bounded(computed.reported));
    }

    /// An attempt has ended at this moment without a value. What it cost nobody knows.
    pub fn failed(&mut self, at: Timestamp) {
        let at_us = bounded(at).0.saturating_mul(1000);
        let span = Span { from_us: at_us, to_us: at_us };
        self.reach(span);
        let (_, index) = self.grid.reach(span);
        self.bins.add(index, Bin { errors: 1, ..Bin::default() });
    }

    fn note_ends(&mut self, began: Timestamp, ended: Timestamp) {
        let (first, last) = self.ends.unwrap_or((began, ended));
        self.ends = Some((first.min(began), last.max(ended)));
    }

    /// Makes the bins wide enough for this span as well.
    fn reach(&mut self, span: Span) {
        while !self.holds(span) {
            self.grid = self.grid.coarser();
            self.bins.coarsen();
            self.lanes.coarsen();
        }
    }

    /// Would all of it be within the bounds of lanes? Then there are not too many bins either.
    fn holds(&self, span: Span) -> bool {
        let (mut first, mut last) = self.grid.reach(span);
        if let Some((from, to)) = self.bins.reach() {
            (first, last) = (first.min(from), last.max(to));
        }
        let pairs = pair(last).saturating_sub(pair(first));
        usize::try_from(pairs).is_ok_and(|pairs| pairs < MAX_SHARES)
    }
}

/// The place on the grid of lanes.
pub(super) fn pair(bin: Index) -> Index {
    bin.div_euclid(2)
}
