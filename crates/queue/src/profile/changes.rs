//! What has changed between two looks at a profile: for a stream that sends only that.

use weevil_model::Timestamp;

use super::facts::{BinFacts, ProfileFacts};

/// What is new since a look before.
#[derive(Debug, Clone, PartialEq)]
pub struct Changes {
    /// These are all bins, and what was shown before is void: nothing was, or bins have another width.
    pub whole: bool,
    /// Each with the moment at which it begins, in order.
    pub bins: Vec<(Timestamp, BinFacts)>,
}

impl ProfileFacts {
    /// The bins that differ from those of an earlier look. A bin is named by its beginning, which no earlier attempt moves.
    pub fn changed_since(&self, before: Option<&Self>) -> Changes {
        let before = before.filter(|before| before.width_ms == self.width_ms && !before.bins.is_empty());
        let known = |index: i64| {
            let before = before?;
            let at = usize::try_from(index.saturating_sub(before.first)).ok()?;
            before.bins.get(at)
        };
        let width = i64::try_from(self.width_ms).unwrap_or(i64::MAX);
        let bins = (self.first..).zip(&self.bins);
        let news = bins.filter(|(index, bin)| **bin != known(*index).copied().unwrap_or_default());
        Changes {
            whole: before.is_none(),
            bins: news.map(|(index, bin)| (Timestamp(index.saturating_mul(width)), *bin)).collect(),
        }
    }
}
