//! What becomes of a judged job once an answer more is there: believed, waiting in its lot, or compared with one more.
//!
//! Only answers of witnesses that are independent of each other get here; who hands out sees to that. Nothing is believed for
//! what somebody did before.

use weevil_model::trust::Votes;
use weevil_model::witness::Rank;

use crate::groups::{Answer, Group, Groups, Lead};
use crate::plan::Plan;
use crate::points::{OPENING, OpenFleet};

/// Points by which a group leads when a check ends: two established devices that agree.
pub const LEAD: u32 = 6;
/// The same where the answer is an error, which ends a whole run: four established devices.
pub const ERROR_LEAD: u32 = 12;
/// Answers that agree on an error where points do not count.
pub const ERROR_VOTES: u32 = 4;
/// A job with so many answers and no decision is given up.
pub const MAX_ANSWERS: usize = 16;
/// Points of one established device.
const ONE_DEVICE: u32 = 3;

/// What a judged job asks for. A job that nobody judges has none.
#[derive(Debug, Clone, Copy)]
pub enum Standard<'a> {
    /// So many answers that agree.
    Quorum(Votes),
    /// What the plan of a credible policy says.
    Credible(&'a Plan),
}

/// A judged job and all its answers, the newest last.
#[derive(Debug, Clone, Copy)]
pub struct Case<'a> {
    pub standard: Standard<'a>,
    pub answers: &'a [Answer],
    pub groups: &'a Groups,
    /// Whether newcomers may still answer for the fleet.
    pub fleet: OpenFleet,
    /// How many devices have to agree on the answer that stands in a lot, see [`subject`], its own among them: one of an answer
    /// that is not checked.
    pub devices: u32,
}

/// What a believed answer stands on. A later one is no better; the store keeps the word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Basis {
    /// The workflow's own proof.
    Proved,
    /// Somebody whom an admin trusts, or the server itself.
    Trusted,
    /// Devices that agree.
    Agreed,
    /// The lot of its device.
    Lot,
}

/// Who may take the next copy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Taker {
    Anybody,
    /// Established and trusted workers.
    Established,
}

/// What becomes of the job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ruling {
    /// The value of this answer is the job's, or its error is.
    Accepted { answer: usize, basis: Basis },
    /// This answer waits for the end of its device's lot.
    Waits { answer: usize, passed: bool },
    /// Nothing is decided without one more answer.
    Wants(Taker),
    /// So many answers and no decision: the job has failed.
    Disputed,
}

/// A ruling, and the answers that it finds wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decision {
    pub ruling: Ruling,
    /// In the order of the answers.
    pub refuted: Vec<usize>,
}

/// The answer that stands in a lot: the first one that counts of an established device. It joins the device's lot when it
/// becomes this.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Subject {
    pub answer: usize,
    /// An answer before it says something else, so it is checked, whatever chance says.
    pub is_contested: bool,
}

/// Under a credible policy; a quorum knows no lots. `None` while nobody established has answered.
pub fn subject(answers: &[Answer], groups: &Groups) -> Option<Subject> {
    let established = |answer: &Answer| !answer.is_void && answer.rank == Rank::Established;
    let answer = answers.iter().position(established)?;
    let differs = |group: &crate::Group| !group.members.contains(&answer) && group.members[0] < answer;
    Some(Subject { answer, is_contested: groups.all().iter().any(differs) })
}

/// Decides about a job whose newest answer is in.
pub fn rule(case: &Case<'_>) -> Decision {
    if let Some(answer) = case.answers.iter().position(|answer| !answer.is_void && answer.is_proved) {
        return case.proved(answer);
    }
    let trusted = case.answers.iter().position(|answer| !answer.is_void && answer.rank == Rank::Trusted);
    if let Some(answer) = trusted {
        return case.accepted(case.group_of(answer), Basis::Trusted);
    }
    match case.standard {
        Standard::Quorum(votes) => case.quorum(votes),
        Standard::Credible(plan) => case.credible(plan),
    }
}

impl Case<'_> {
    /// So many that agree, and more than any others.
    fn quorum(&self, votes: Votes) -> Decision {
        let lead = self.groups.lead_by_answers();
        let enough = |lead: &Lead| {
            let group = &self.groups.all()[lead.group];
            let (agree, wanted) =
                (group.members.len(), if self.is_error(lead.group) { ERROR_VOTES } else { 1 });
            agree >= usize::from(votes.get()) && lead.by >= wanted
        };
        match lead.filter(enough) {
            Some(lead) => self.accepted(Some(lead.group), Basis::Agreed),
            None => self.one_more(Taker::Anybody),
        }
    }

    fn credible(&self, plan: &Plan) -> Decision {
        let Some(Subject { answer, is_contested }) = subject(self.answers, self.groups) else {
            return self.newcomers(plan);
        };
        let is_error = self.answers[answer].said.is_error();
        let is_unchecked = self.devices <= 1 && !is_contested && !is_error;
        if is_unchecked && self.groups.all().len() == 1 {
            return Decision::of(Ruling::Waits { answer, passed: false });
        }
        let lead = self.leader(LEAD.max(ONE_DEVICE * self.devices)).or_else(|| self.opened(plan));
        let Some(lead) = lead else { return self.one_more(Taker::Established) };
        if self.is_error(lead.group) {
            return self.accepted(Some(lead.group), Basis::Agreed);
        }
        // Where the lot's answer is wrong, the next device's answer is the one that stands in a lot, and has passed.
        let members = &self.groups.all()[lead.group].members;
        let standing = members.iter().copied().find(|place| self.answers[*place].rank == Rank::Established);
        let answer = standing.unwrap_or(members[0]);
        Decision { ruling: Ruling::Waits { answer, passed: true }, refuted: self.groups.others(lead.group) }
    }

    /// Nobody who is known has answered. Newcomers have points only where they were asked while the fleet opened, and these count also
    /// once it does so no more: where all who are there have answered by then, nobody is left to be asked.
    fn newcomers(&self, plan: &Plan) -> Decision {
        match self.leader(of_newcomers(plan)) {
            Some(lead) => self.accepted(Some(lead.group), Basis::Agreed),
            None => self.one_more(if self.fleet.0 { Taker::Anybody } else { Taker::Established }),
        }
    }

    /// What is enough of newcomers alone is enough of them and of those who have become known meanwhile, each of whom then weighs what
    /// a newcomer does: with three devices nobody would be left to be asked.
    fn opened(&self, plan: &Plan) -> Option<Lead> {
        let lead = self.groups.lead_by_points()?;
        let Group { members, points } = &self.groups.all()[lead.group];
        let weighed: u32 = members.iter().map(|place| self.answers[*place].points.min(OPENING)).sum();
        let by = weighed.saturating_sub(points - lead.by);
        (by >= self.wanted(&lead, of_newcomers(plan))).then_some(lead)
    }

    /// The group that leads by so many points, or by those of an error.
    fn leader(&self, wanted: u32) -> Option<Lead> {
        self.groups.lead_by_points().filter(|lead| lead.by >= self.wanted(lead, wanted))
    }

    fn wanted(&self, lead: &Lead, wanted: u32) -> u32 {
        if self.is_error(lead.group) { ERROR_LEAD.max(wanted) } else { wanted }
    }

    /// That value and no other one of its group: what is near it may be wrong.
    fn proved(&self, answer: usize) -> Decision {
        let ruling = Ruling::Accepted { answer, basis: Basis::Proved };
        let refuted = self.group_of(answer).map(|group| self.groups.others(group)).unwrap_or_default();
        Decision { ruling, refuted }
    }

    fn accepted(&self, group: Option<usize>, basis: Basis) -> Decision {
        let speaker = group.and_then(|group| Some((group, self.groups.speaker(group, self.answers)?)));
        match speaker {
            Some((group, answer)) => {
                Decision { ruling: Ruling::Accepted { answer, basis }, refuted: self.groups.others(group) }
            }
            None => self.one_more(Taker::Anybody),
        }
    }

    fn one_more(&self, taker: Taker) -> Decision {
        let count = self.answers.iter().filter(|answer| !answer.is_void).count();
        let undecided = count >= MAX_ANSWERS;
        Decision::of(if undecided { Ruling::Disputed } else { Ruling::Wants(taker) })
    }

    fn is_error(&self, group: usize) -> bool {
        self.answers[self.groups.all()[group].members[0]].said.is_error()
    }

    fn group_of(&self, answer: usize) -> Option<usize> {
        self.groups.all().iter().position(|group| group.members.contains(&answer))
    }
}

/// The lead of newcomers alone: as many as have to agree on a single answer, three at least.
fn of_newcomers(plan: &Plan) -> u32 {
    (OPENING * plan.repeats()).max(LEAD)
}

impl Decision {
    const fn of(ruling: Ruling) -> Self {
        Self { ruling, refuted: Vec::new() }
    }
}

#[cfg(test)]
#[path = "ruling_test.rs"]
mod tests;
