//! What the answers of a batch have come to, for whoever counts along. Decides nothing, and no rule reads it.

use std::collections::BTreeMap;

use weevil_model::AnswerRole;
use weevil_model::witness::Rank;

/// Answers of judged jobs, by what they were asked for and who gave them, and what became of others.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AnswerCounts {
    pub given: BTreeMap<(AnswerRole, Rank), u64>,
    /// Another answer was believed.
    pub refuted: u64,
    pub accepted_lots: u64,
    pub refused_lots: u64,
}

impl AnswerCounts {
    /// An answer has come. `earlier`: how many its job had before.
    pub fn give(&mut self, earlier: usize, rank: Rank) {
        *self.given.entry((AnswerRole::after(earlier), rank)).or_default() += 1;
    }

    pub fn join(&mut self, more: &Self) {
        for (kind, many) in &more.given {
            *self.given.entry(*kind).or_default() += many;
        }
        self.refuted += more.refuted;
        self.accepted_lots += more.accepted_lots;
        self.refused_lots += more.refused_lots;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_of_a_batch_add_up() {
        let mut all = AnswerCounts::default();
        for (earlier, rank) in [(0, Rank::Newcomer), (1, Rank::Trusted)] {
            let mut piece =
                AnswerCounts { refuted: 1, accepted_lots: 2, refused_lots: 3, ..AnswerCounts::default() };
            piece.give(earlier, rank);
            piece.give(1, Rank::Trusted);
            all.join(&piece);
        }
        let given = [((AnswerRole::First, Rank::Newcomer), 1), ((AnswerRole::Check, Rank::Trusted), 3)];
        let expected = AnswerCounts { given: given.into(), refuted: 2, accepted_lots: 4, refused_lots: 6 };
        assert_eq!(all, expected);
    }
}
