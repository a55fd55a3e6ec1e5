//! Writing a certificate: one line after the other, each as it stands in the file; no line is kept.
//!
//! Fills in what follows from the lines before. Never judges: what holds is for `check.rs` to say.

use weevil_model::{ContentHash, RunState};

use super::chain::Chain;
use super::lines::{EndLine, HeadLine, JobLine, Line, LotFate, LotLine, StatedBasis};
use super::plans::Plans;
use super::ruled;
use super::sum::Sum;
use super::tally::Tallies;
use super::word::{Number, Signature};

/// A certificate under way. What is kept of each lot is less than 200 bytes.
#[derive(Debug)]
pub struct Writer {
    chain: Chain,
    plans: Plans,
    sum: Sum,
    tallies: Tallies,
}

/// What is known of a lot besides its answers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LotFacts {
    pub lot: Number,
    pub device: Number,
    /// The path of the pool.
    pub node: String,
    /// As they were counted when they came.
    pub answers: u32,
    pub fate: LotFate,
}

/// The last line, which has to be signed.
#[derive(Debug, Clone, PartialEq)]
pub struct Unsigned(EndLine);

impl Writer {
    /// Answers the first line besides, like all of these with its end.
    pub fn begin(head: HeadLine) -> (Self, String) {
        let (chain, sum, tallies) = (Chain::default(), Sum::default(), Tallies::default());
        let mut writer = Self { chain, plans: Plans::new(head.assumed), sum, tallies };
        let text = writer.write(&Line::Head(head));
        (writer, text)
    }

    /// What a judged job stands on, by those of its answers that agreed; `None` where these decide nothing. Its own word does not count.
    pub fn basis(&mut self, job: &JobLine) -> Option<StatedBasis> {
        ruled::basis(job, self.plans.of(job.policy).as_deref())
    }

    /// Jobs come before lots, in the order of the bytes of their paths.
    pub fn job(&mut self, job: JobLine) -> String {
        self.sum.job(&job, self.plans.of(job.policy).as_deref());
        self.tallies.enter(0, &job, 0);
        self.write(&Line::Job(job))
    }

    /// In the order of their numbers.
    pub fn lot(&mut self, facts: LotFacts) -> String {
        let LotFacts { lot, device, node, answers, fate } = facts;
        let tally = self.tallies.take(lot);
        let plan = tally.as_ref().and_then(|tally| self.plans.of(tally.policy));
        let k = plan.as_ref().map_or(0, |plan| plan.depth(answers).chosen);
        let passed = tally.map_or(0, |tally| tally.passed);
        let line = LotLine { lot, device, node, answers, k, passed, fate };
        self.sum.lot(&line, plan.as_deref());
        self.write(&Line::Lot(line))
    }

    /// `result`: the digest of the run's result, where it has finished.
    pub fn end(self, state: RunState, result: Option<ContentHash>) -> Unsigned {
        let (counts, bound, root) = (self.sum.counts, self.sum.bound(), self.chain.root());
        let signature = super::word::Hex([0; 64]);
        Unsigned(EndLine { state, result, counts, bound, root, signature })
    }

    fn write(&mut self, line: &Line) -> String {
        let mut text = line.text();
        self.chain.add(text.as_bytes());
        text.push('\n');
        text
    }
}

impl Unsigned {
    /// What the server's key signs.
    pub fn message(&self) -> Vec<u8> {
        self.0.message()
    }

    /// The last line of the file.
    pub fn signed(self, signature: Signature) -> String {
        Line::End(EndLine { signature, ..self.0 }).text() + "\n"
    }
}
