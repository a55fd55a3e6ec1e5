//! What the rules say of a job's answers, and whether that is what its line states.
//!
//! The line tells what became of each answer in the end, not when. So two things are asked of the rules. The answers that agreed have to be
//! enough by themselves, since what was refuted or void counts for nothing. And where no answer is void, they have to lead those that
//! were refuted: of void ones nobody can tell what they counted for at that time.

use weevil_model::Agree;
use weevil_model::trust::{Policy, Votes};

use super::flaw::Flaw;
use super::job::{answers, is_quorum, nth, word};
use super::lines::{AnswerEntry, AnswerFate, JobLine, Role, StatedBasis};
use crate::groups::Groups;
use crate::plan::{MAX_REPEATS, Plan};
use crate::points::OpenFleet;
use crate::ruling::{Basis, Case, Decision, Ruling, Standard, rule};

/// Devices behind an answer that a plan may ask for.
const MAX_DEVICES: u32 = MAX_REPEATS + 1;

/// What a judged job stands on, as its answers that agreed say; `None` where they decide nothing.
pub(super) fn basis(job: &JobLine, plan: Option<&Plan>) -> Option<StatedBasis> {
    let judge = Judge { job, plan };
    judge.basis(judge.decide(is_agreed, judge.devices()).ruling).ok()
}

fn is_agreed(fate: AnswerFate) -> bool {
    fate == AnswerFate::Agreed
}

/// Answers how many devices are behind an answer in a lot; 0 elsewhere.
pub(super) fn check(job: &JobLine, basis: StatedBasis, plan: Option<&Plan>) -> Result<u32, Flaw> {
    let judge = Judge { job, plan };
    if basis == StatedBasis::Proved {
        // That the module says so nobody can see here.
        let is_there = job.answers.iter().any(|answer| answer.fate == AnswerFate::Agreed);
        Flaw::unless(job.proof.is_some(), "the basis", "one of a job without a proof", word(&basis))?;
        return Flaw::unless(is_there, "the basis", "an answer that was proved", "nothing").map(|()| 0);
    }
    let devices = judge.devices();
    let ruling = judge.decide(is_agreed, devices).ruling;
    let found = judge.basis(ruling);
    Flaw::unless(
        found == Ok(basis),
        "the basis",
        word(&basis),
        found.map_or_else(str::to_owned, |it| word(&it)),
    )?;
    judge.opposed(basis, devices)?;
    if basis != StatedBasis::Lot {
        return Ok(0);
    }
    let stands = |devices: &u32| matches!(judge.decide(is_agreed, *devices).ruling, Ruling::Waits { .. });
    Ok((2..=MAX_DEVICES).take_while(stands).last().unwrap_or(1))
}

struct Judge<'a> {
    job: &'a JobLine,
    plan: Option<&'a Plan>,
}

impl Judge<'_> {
    /// How many have to agree at least: in a lot its line says later how many more. An error of an element takes what any error does.
    fn devices(&self) -> u32 {
        let in_lot = |answer: &AnswerEntry| is_agreed(answer.fate) && answer.lot.is_some();
        if self.job.answers.iter().any(in_lot) { 1 } else { self.plan.map_or(1, Plan::alone) }
    }

    fn decide(&self, counts: impl Fn(AnswerFate) -> bool, devices: u32) -> Decision {
        let answers = answers(self.job, counts);
        // Whether values are near, only who has them can tell.
        let fate = |place: usize| self.job.answers[place].fate;
        let is_near = |one, other| {
            self.job.agree != Agree::Exact
                && fate(one) == AnswerFate::Agreed
                && fate(other) == AnswerFate::Agreed
        };
        let groups = Groups::of(&answers, is_near);
        let standard = match (self.job.policy, self.plan) {
            (Policy::Quorum(votes), _) => Standard::Quorum(votes),
            (_, Some(plan)) => Standard::Credible(plan),
            (_, None) => Standard::Quorum(Votes::MOST),
        };
        // Newcomers have points only where the fleet was open.
        rule(&Case { standard, answers: &answers, groups: &groups, fleet: OpenFleet(true), devices })
    }

    /// What the rules say that it stands on.
    fn basis(&self, ruling: Ruling) -> Result<StatedBasis, &'static str> {
        match ruling {
            Ruling::Accepted { answer, basis: Basis::Trusted } => {
                let is_server = self.job.answers[answer].role == Role::Referee;
                Ok(if is_server { StatedBasis::Referee } else { StatedBasis::Trusted })
            }
            Ruling::Accepted { .. } => Ok(StatedBasis::Agreed),
            Ruling::Waits { answer, .. } => {
                let is_in_lot = self.job.answers[answer].lot.is_some();
                Ok(if is_in_lot { StatedBasis::Lot } else { StatedBasis::Agreed })
            }
            Ruling::Wants(_) => Err("answers that decide nothing"),
            Ruling::Disputed => Err("answers that are disputed"),
        }
    }

    /// What was refuted was less than what has agreed, unless a module has refuted it.
    fn opposed(&self, basis: StatedBasis, devices: u32) -> Result<(), Flaw> {
        let job = self.job;
        let is_void = job.answers.iter().any(|answer| answer.fate == AnswerFate::Void);
        if is_void || job.proof.is_some() || matches!(basis, StatedBasis::Trusted | StatedBasis::Referee) {
            return Ok(());
        }
        let decision = self.decide(|fate| fate != AnswerFate::Stale, devices);
        let speaker = match decision.ruling {
            Ruling::Accepted { answer, .. } | Ruling::Waits { answer, .. } => Some(answer),
            Ruling::Wants(_) | Ruling::Disputed => None,
        };
        let speaks = speaker.is_some_and(|answer| job.answers[answer].fate == AnswerFate::Agreed);
        let (expected, found) = ("ahead of what was refuted", "not far enough ahead");
        Flaw::unless(speaks, "what has agreed", expected, found)?;
        if !is_quorum(job.policy, self.plan) {
            return Ok(());
        }
        let refuted = |(place, answer): (usize, &AnswerEntry)| {
            (answer.fate == AnswerFate::Refuted && !decision.refuted.contains(&place)).then_some(place)
        };
        match job.answers.iter().enumerate().find_map(refuted) {
            Some(place) => {
                Err(Flaw::new(nth("the fate", place), "agreed, since it says the same", "refuted"))
            }
            None => Ok(()),
        }
    }
}
