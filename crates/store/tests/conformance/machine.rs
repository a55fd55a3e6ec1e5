//! Judged jobs under a random sequence of everything that may happen to them: answers, lies, errors, lost and given-back copies, devices that
//! leave and return, closings, marks. After each step what the store believes is compared with a plain model, which counts anew from all
//! answers and shares no code with the rules.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::sync::Arc;

use weevil_model::witness::{Mark, Rank};
use weevil_model::{JobId, NodeState};
use weevil_queue::{AttemptEnd, AttemptKey, Batch, Claimed, Outcomes, Release, Report};
use weevil_records::{AnswerFacts, AnswerFate, JobFacts, LotFacts};

use crate::bed::{Bed, submission, worker};
use crate::databases::{Kind, on_each_database};
use crate::judged::{error, value};
use crate::lots::{KNOWN, right, wrong};
use crate::refused::five;

const ELEMENTS: u32 = 5;
const STEPS: usize = 60;
/// Five are known, the others new; one of each kind lies, both the same.
const DEVICES: usize = 8;
const LIARS: [i64; 2] = [4, 7];
/// Longer than a device may be away.
const LONG_MS: i64 = 301_000;
/// Points by which a check ends.
const LEAD: u32 = 6;
/// With as many points ahead nothing more is asked for, however small the lot.
const ENOUGH: u32 = 9;

/// Chance that is the same for the same seed.
struct Dice(u64);

impl Dice {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        (self.0 >> 33) as usize % end
    }

    fn device(&mut self) -> i64 {
        1 + i64::try_from(self.below(DEVICES)).unwrap()
    }
}

struct Machine {
    bed: Bed,
    dice: Dice,
    /// Copies that are out, each with its device.
    held: Vec<(i64, Claimed)>,
    /// Who has answered which job, and no later input.
    answered: BTreeSet<(i64, JobId)>,
    story: Vec<String>,
}

impl Machine {
    async fn of(kind: Kind, seed: u64, policy: &str) -> Self {
        let mut bed = five(kind).await;
        bed.come(&[(6, 0), (7, 0), (8, 0)]);
        bed.agree_often().await;
        bed.run = bed.add_run().await;
        bed.pool(ELEMENTS, policy).await;
        let (held, answered) = (Vec::new(), BTreeSet::new());
        Self { bed, dice: Dice(seed), held, answered, story: Vec::new() }
    }

    async fn step(&mut self) {
        self.bed.now = self.bed.now.plus_ms(1);
        match self.dice.below(16) {
            0..=5 => self.take().await,
            6..=10 => self.report().await,
            11 => self.give_back().await,
            12 | 13 => {
                self.story.push("close".to_owned());
                let outcomes = self.bed.close().await;
                self.hear(&outcomes);
            }
            14 => self.go_and_return().await,
            _ => self.mark().await,
        }
        self.compare().await;
    }

    async fn take(&mut self) {
        let (by, wants) = (self.dice.device(), 1 + u32::try_from(self.dice.below(3)).unwrap());
        for job in self.bed.claim(&[(by, wants)]).await {
            let path = job.path.clone();
            self.story.push(format!("{by} takes {path}"));
            let others = self.held.iter().filter(|(_, held)| held.key.job == job.key.job).count();
            assert_eq!(others, 0, "two answers are under way: {:#?}", self.story);
            let is_new = !self.answered.contains(&(by, job.key.job));
            assert!(is_new, "{path} is not for {by}: {:#?}", self.story);
            self.held.push((by, job));
        }
    }

    async fn report(&mut self) {
        if self.held.is_empty() {
            return;
        }
        let at = self.dice.below(self.held.len());
        let (by, job) = self.held.swap_remove(at);
        let lies = LIARS.contains(&by) && self.dice.below(3) > 0;
        let report = match self.dice.below(12) {
            0 => error("thrown"),
            1 => error("crashed"),
            _ if lies => value(wrong(&job.path)),
            _ => value(right(&job.path)),
        };
        self.story.push(format!("{by} says {report:?} of {}", job.path));
        let says = !matches!(&report, Report::Error(failure) if failure.kind == "crashed");
        let chance = [u8::try_from(self.dice.below(256)).unwrap(); 32];
        let batch = Batch { complete: vec![submission(job.key, report)], chance, ..Batch::default() };
        let outcomes = self.bed.apply(batch).await;
        if says {
            self.answered.insert((by, job.key.job));
        }
        self.hear(&outcomes);
    }

    async fn give_back(&mut self) {
        if self.held.is_empty() {
            return;
        }
        let at = self.dice.below(self.held.len());
        let (by, job) = self.held.swap_remove(at);
        let end = [AttemptEnd::Lost, AttemptEnd::Yielded, AttemptEnd::Expired][self.dice.below(3)];
        self.story.push(format!("{by} {end:?} {}", job.path));
        let outcomes = self.bed.release(Release { key: job.key, end }).await;
        self.hear(&outcomes);
    }

    /// It is away for long, and what it holds is lost.
    async fn go_and_return(&mut self) {
        let by = self.dice.device();
        self.story.push(format!("{by} goes"));
        let (lost, stays): (Vec<_>, Vec<_>) = self.held.drain(..).partition(|(holder, _)| *holder == by);
        self.held = stays;
        let end = AttemptEnd::Lost;
        let release = lost.iter().map(|(_, job)| Release { key: job.key, end }).collect();
        let party = self.bed.company.parties.of(worker(by)).unwrap();
        Arc::make_mut(&mut self.bed.company).leave(worker(by));
        let outcomes = self.bed.apply(Batch { release, ..Batch::default() }).await;
        self.hear(&outcomes);
        self.bed.now = self.bed.now.plus_ms(LONG_MS);
        let outcomes = self.bed.apply(Batch { look: true, ..Batch::default() }).await;
        self.held.retain(|(_, job)| outcomes.returned.iter().all(|returned| returned.key != job.key));
        self.hear(&outcomes);
        self.bed.come(&[(by, if by <= 5 { KNOWN } else { 0 })]);
        let parties = &mut Arc::make_mut(&mut self.bed.company).parties;
        parties.learn(&party.record.map(|record| (by, record)).into_iter().collect::<Vec<_>>());
    }

    async fn mark(&mut self) {
        let (by, mark) = (self.dice.device(), [Mark::Trusted, Mark::Distrusted][self.dice.below(2)]);
        self.story.push(format!("{by} is {mark:?}"));
        self.bed.mark(by, mark).await;
    }

    fn hear(&mut self, outcomes: &Outcomes) {
        let revoked: HashSet<AttemptKey> = outcomes.revoked.iter().map(|(_, key)| *key).collect();
        self.held.retain(|(_, job)| !revoked.contains(&job.key));
        Arc::make_mut(&mut self.bed.company).parties.learn(&outcomes.records);
    }

    async fn compare(&self) {
        let jobs = self.bed.store.by_path(self.bed.run).await.unwrap();
        let lots = self.bed.store.lot_facts(self.bed.run, None, 999).await.unwrap();
        for facts in self.bed.store.job_facts(&jobs).await.unwrap() {
            let (job, _) = self.bed.store.attempts(facts.id).await.unwrap().unwrap();
            let found = Plain { facts: &facts, lots: &lots }.fits(job.state);
            assert_eq!(found, Ok(()), "{facts:#?} {lots:#?} {:#?}", self.story);
        }
    }

    /// Three who never lie come, and all that is left is computed.
    async fn end(&mut self) {
        for round in 0.. {
            assert!(round < 50, "it does not end: {:#?}", self.story);
            for by in 11..=16 {
                self.bed.come(&[(by, KNOWN)]);
                self.bed.compute(by, right).await;
            }
            self.bed.now = self.bed.now.plus_ms(LONG_MS);
            let outcomes = self.bed.apply(Batch { look: true, ..Batch::default() }).await;
            self.hear(&outcomes);
            self.bed.close().await;
            self.compare().await;
            if self.bed.states().await.iter().all(|(state, _)| state.is_terminal()) {
                return;
            }
        }
    }
}

/// What a job is, as anybody may count it.
struct Plain<'a> {
    facts: &'a JobFacts,
    lots: &'a [LotFacts],
}

/// What an answer says.
fn said(answer: &AnswerFacts) -> String {
    answer.digest.map_or_else(|| format!("{:?}", answer.error), |digest| digest.to_string())
}

impl Plain<'_> {
    fn fits(&self, state: NodeState) -> Result<(), &'static str> {
        let is_believed = matches!(state, NodeState::Finished | NodeState::Failed);
        match (is_believed, self.believed()) {
            (true, Some(believed)) => self.stands(&believed),
            (true, None) if state == NodeState::Failed => Ok(()),
            (true, None) => Err("it is believed, and no answer agrees"),
            (false, Some(_)) => Err("an answer agrees, and it goes on"),
            (false, None) => self.is_open(state),
        }
    }

    /// What those say that agreed.
    fn believed(&self) -> Option<String> {
        let agreed = self.facts.answers.iter().filter(|answer| answer.fate == Some(AnswerFate::Agreed));
        let all: BTreeSet<String> = agreed.map(said).collect();
        assert!(all.len() < 2, "two values agree");
        all.into_iter().next()
    }

    /// Points of each value, of the answers that count or did.
    fn points(&self) -> BTreeMap<String, u32> {
        let mut points = BTreeMap::new();
        for answer in &self.facts.answers {
            if !matches!(answer.fate, Some(AnswerFate::Void | AnswerFate::Stale)) {
                *points.entry(said(answer)).or_default() += answer.points;
            }
        }
        points
    }

    fn lead(&self, value: &str) -> u32 {
        let points = self.points();
        let others = points.iter().filter(|(other, _)| *other != value).map(|(_, points)| *points).max();
        points.get(value).copied().unwrap_or_default().saturating_sub(others.unwrap_or_default())
    }

    /// By somebody who was trusted, by a lot that was accepted where nobody says otherwise, or by enough who agree. Of what a void
    /// answer once weighed nothing is left to be counted.
    fn stands(&self, value: &str) -> Result<(), &'static str> {
        let is_theirs =
            |answer: &&AnswerFacts| answer.fate == Some(AnswerFate::Agreed) && said(answer) == value;
        let theirs: Vec<&AnswerFacts> = self.facts.answers.iter().filter(is_theirs).collect();
        let is_trusted = |answer: &&AnswerFacts| answer.rank == Rank::Trusted && answer.points > 0;
        let in_lot =
            |answer: &&AnswerFacts| self.lot(answer).is_some_and(|lot| lot.is_accepted == Some(true));
        let is_alone = self.points().len() == 1;
        let is_left = self.facts.answers.iter().any(|answer| answer.fate == Some(AnswerFate::Void));
        let stands = theirs.iter().any(is_trusted) || is_alone && theirs.iter().any(in_lot);
        if stands || is_left || self.lead(value) >= LEAD { Ok(()) } else { Err("it stands on nothing") }
    }

    fn lot(&self, answer: &AnswerFacts) -> Option<&LotFacts> {
        self.lots.iter().find(|lot| Some(lot.id) == answer.lot)
    }

    fn is_open(&self, state: NodeState) -> Result<(), &'static str> {
        let counts = |answer: &&AnswerFacts| answer.fate.is_none() && answer.points > 0;
        let counting: Vec<&AnswerFacts> = self.facts.answers.iter().filter(counts).collect();
        if counting.iter().any(|answer| answer.rank == Rank::Trusted) {
            return Err("somebody who is trusted has said it");
        }
        let established = counting.iter().find(|answer| answer.rank == Rank::Established);
        let waits =
            established.is_some_and(|answer| self.lot(answer).is_some_and(|lot| lot.is_accepted.is_none()));
        if state == NodeState::Answered && self.facts.answers.is_empty() {
            return Err("it is answered by nobody");
        }
        let is_ahead =
            counting.iter().any(|answer| answer.error.is_none() && self.lead(&said(answer)) >= ENOUGH);
        if is_ahead && !waits { Err("enough agree, and it goes on") } else { Ok(()) }
    }
}

async fn whatever_happens_each_job_is_believed_on_its_basis_or_open(kind: Kind) {
    let seeds = if kind == Kind::Sqlite { 0..5 } else { 0..1 };
    for (seed, policy) in
        seeds.flat_map(|seed| ["credible(0.01)", "credible(0.001)"].map(|policy| (seed, policy)))
    {
        let mut machine = Machine::of(kind, seed, policy).await;
        for _ in 0..STEPS {
            machine.step().await;
        }
        machine.end().await;
    }
}

on_each_database! {
    whatever_happens_each_job_is_believed_on_its_basis_or_open,
}
