//! What a queue has, and what the answers of a batch, and of a run, have come to, for whoever counts along. Decides nothing, and no rule
//! reads it.

use std::collections::BTreeMap;

use weevil_model::AnswerRole;
use weevil_model::trust::AssumedShare;
use weevil_model::witness::Rank;

/// What has not ended: jobs by where they wait, the copies that are out, and what is judged.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Depth {
    pub ready: u64,
    /// Attempts that have not ended.
    pub leased: u64,
    /// Kept back until a moment.
    pub delayed: u64,
    /// Jobs of paused runs, and of codes that are stopped as far as a claim has met them.
    pub held: u64,
    /// Jobs whose answer waits for the end of its lot.
    pub answered: u64,
    /// Lots that are not decided.
    pub lots: u64,
    /// Engines that get no more of some code, each once for each code.
    pub left_out: u64,
    /// Codes that are stopped, each once for each queue.
    pub stopped: u64,
}

/// Answers of judged jobs, by what they were asked for and who gave them, and what became of others.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AnswerCounts {
    pub given: BTreeMap<(AnswerRole, Rank), u64>,
    /// Those of them that the server gave itself.
    pub by_server: u64,
    /// Values of which a proof has said whether they are right.
    pub by_proof: u64,
    /// Another answer was believed.
    pub refuted: u64,
    pub accepted_lots: u64,
    pub refused_lots: u64,
}

impl AnswerCounts {
    pub fn give(&mut self, role: AnswerRole, rank: Rank) {
        *self.given.entry((role, rank)).or_default() += 1;
    }

    pub fn join(&mut self, more: &Self) {
        for (kind, many) in &more.given {
            *self.given.entry(*kind).or_default() += many;
        }
        self.by_server += more.by_server;
        self.by_proof += more.by_proof;
        self.refuted += more.refuted;
        self.accepted_lots += more.accepted_lots;
        self.refused_lots += more.refused_lots;
    }
}

/// What the jobs of a run were believed on so far.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct RunJudgement {
    /// All that came.
    pub answers: u64,
    /// Those of them that were found wrong.
    pub refuted: u64,
    /// Jobs that were believed on the word of somebody trusted.
    pub trusted: u64,
    /// Jobs that were believed since the workflow's own proof says that they are right.
    pub proved: u64,
    /// Jobs that were believed since devices agree.
    pub agreed: u64,
    /// Jobs that were believed with their lots.
    pub in_lots: u64,
    /// Those of all these whose policy says how many may be wrong.
    pub bounded: u64,
    /// How many of them are expected to be wrong at most, if liars do no more of the work than this.
    pub wrong: f64,
    /// The smallest share that was assumed when one of them was believed.
    pub liars: Option<AssumedShare>,
}

impl RunJudgement {
    /// Jobs that were believed.
    pub const fn accepted(&self) -> u64 {
        self.trusted + self.proved + self.agreed + self.in_lots
    }

    /// The share of wrong values among those that are bounded, at most; `None` where no policy bounds any.
    pub fn bound(&self) -> Option<f64> {
        (self.bounded > 0).then(|| self.wrong / self.bounded as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_of_a_batch_add_up() {
        let mut all = AnswerCounts::default();
        for (earlier, rank) in [(0, Rank::Newcomer), (1, Rank::Trusted)] {
            let mut piece = AnswerCounts {
                by_server: 1,
                by_proof: 4,
                refuted: 1,
                accepted_lots: 2,
                refused_lots: 3,
                ..AnswerCounts::default()
            };
            piece.give(AnswerRole::after(earlier), rank);
            piece.give(AnswerRole::Check, Rank::Trusted);
            all.join(&piece);
        }
        let given = [((AnswerRole::First, Rank::Newcomer), 1), ((AnswerRole::Check, Rank::Trusted), 3)];
        let expected = AnswerCounts {
            given: given.into(),
            by_server: 2,
            by_proof: 8,
            refuted: 2,
            accepted_lots: 4,
            refused_lots: 6,
        };
        assert_eq!(all, expected);
    }
}
