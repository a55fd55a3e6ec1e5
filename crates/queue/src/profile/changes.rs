//! What has changed of a profile since somebody looked: for a stream that sends only that.

use weevil_model::Timestamp;

use super::facts::BinFacts;
use super::gather::Profile;

/// How far somebody has seen a profile. It means nothing to another profile, nor after a restart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Mark(u64);

/// What is new since a mark.
#[derive(Debug, Clone, PartialEq)]
pub struct Changes {
    /// What to ask with the next time.
    pub mark: Mark,
    pub width_ms: u64,
    /// These are all bins, and what was shown before is void: nothing was, or bins have become wider.
    pub whole: bool,
    /// Each with the moment at which it begins, in order.
    pub bins: Vec<(Timestamp, BinFacts)>,
}

impl Profile {
    /// The bins that have changed since. A bin is named by its beginning, which no earlier attempt moves.
    pub fn changed_since(&self, mark: Mark) -> Changes {
        let whole = mark == Mark::default() || mark.0 < self.widened || mark.0 > self.version;
        let news =
            self.bins.iter().filter(|(_, bin)| if whole { bin.changed > 0 } else { bin.changed > mark.0 });
        Changes {
            mark: Mark(self.version),
            width_ms: self.grid.width_ms(),
            whole,
            bins: news.map(|(index, bin)| (self.grid.begin(index), BinFacts::of(bin))).collect(),
        }
    }
}
