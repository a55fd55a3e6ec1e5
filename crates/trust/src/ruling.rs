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
mod tests {
    use proptest::prelude::*;
    use weevil_model::trust::{AssumedShare, Policy};

    use super::Basis::{Agreed, Proved, Trusted};
    use super::Ruling::{Accepted, Disputed, Waits, Wants};
    use super::Taker::{Anybody, Established};
    use super::*;
    use crate::groups::tests::answers;

    fn decide(policy: &str, text: &str, devices: u32, fleet: OpenFleet) -> (Ruling, Vec<usize>) {
        let plan;
        let standard = match policy.parse().unwrap() {
            Policy::None => panic!("nobody judges {text}"),
            Policy::Quorum(votes) => Standard::Quorum(votes),
            Policy::Credible(error) => {
                plan = Plan::new(error, AssumedShare::default()).unwrap();
                Standard::Credible(&plan)
            }
        };
        let answers = answers(text);
        let groups = Groups::of(&answers, |_, _| false);
        let case = Case { standard, answers: &answers, groups: &groups, fleet, devices };
        let Decision { ruling, refuted } = rule(&case);
        (ruling, refuted)
    }

    const fn accepted(answer: usize, basis: Basis) -> Ruling {
        Accepted { answer, basis }
    }

    const fn waits(answer: usize, passed: bool) -> Ruling {
        Waits { answer, passed }
    }

    #[test]
    fn a_quorum_is_so_many_that_agree_and_more_than_any_others() {
        for (policy, text, ruling, refuted) in [
            ("quorum(2)", "n1", Wants(Anybody), &[][..]),
            ("quorum(2)", "n1 n1", accepted(0, Agreed), &[]),
            ("quorum(2)", "n1 n2", Wants(Anybody), &[]),
            ("quorum(2)", "n1 n2 n2", accepted(1, Agreed), &[0]),
            ("quorum(2)", "n1 e2 n1", accepted(0, Agreed), &[1]),
            ("quorum(3)", "n1 n2 n1", Wants(Anybody), &[]),
            ("quorum(3)", "n1 n2 n2 n1 n1", accepted(0, Agreed), &[1, 2]),
            ("quorum(2)", "n1 t2", accepted(1, Trusted), &[0]),
            ("quorum(7)", "t1", accepted(0, Trusted), &[]),
            ("quorum(2)", "x1 n2", Wants(Anybody), &[]),
            ("quorum(2)", "na na na", Wants(Anybody), &[]),
            ("quorum(2)", "na na na na", accepted(0, Agreed), &[]),
            ("quorum(2)", "na na na na n1", Wants(Anybody), &[]),
            ("quorum(2)", "na na na n1 n1 n1", Wants(Anybody), &[]),
            ("quorum(2)", "na na na n1 n1 n1 n1", accepted(3, Agreed), &[0, 1, 2]),
            ("quorum(2)", "ta", accepted(0, Trusted), &[]),
        ] {
            let found = decide(policy, text, 1, OpenFleet(false));
            assert_eq!(found, (ruling, refuted.to_vec()), "{policy} {text}");
        }
        let fifteen = "n1 n2 n3 n4 n5 n6 n7 n8 n9 n0 na nb nc nd ne";
        let decided = |text: &str| decide("quorum(2)", text, 1, OpenFleet(false)).0;
        assert_eq!(decided(fifteen), Wants(Anybody));
        assert_eq!(decided(&format!("{fifteen} nf")), Disputed);
        assert_eq!(decided(&format!("x7 {fifteen}")), Wants(Anybody), "void ones are no answers");
    }

    #[test]
    fn an_answer_in_a_lot_waits_unless_it_is_checked() {
        for (text, devices, ruling, refuted) in [
            ("n1", 1, Wants(Established), &[][..]),
            ("e1", 1, waits(0, false), &[]),
            ("n1 e1", 1, waits(1, false), &[]),
            ("n1 e2", 1, Wants(Established), &[]),
            ("n1 e2 e2", 1, waits(1, true), &[0]),
            ("e1", 2, Wants(Established), &[]),
            ("e1 e1", 2, waits(0, true), &[]),
            ("e1 e2", 2, Wants(Established), &[]),
            ("e1 e2 e1", 2, Wants(Established), &[]),
            ("e1 e2 e1 e1", 2, waits(0, true), &[1]),
            ("e1 e2 e2 e2", 2, waits(1, true), &[0]),
            ("e1 t1", 2, accepted(1, Trusted), &[]),
            ("e1 t2", 2, accepted(1, Trusted), &[0]),
            ("e1", 3, Wants(Established), &[]),
            ("e1 e1", 3, Wants(Established), &[]),
            ("e1 e1 e1", 3, waits(0, true), &[]),
            ("e1 e1 e2 e1 e1", 3, waits(0, true), &[2]),
            ("x1 e2", 1, waits(1, false), &[]),
            ("x1 e2", 2, Wants(Established), &[]),
            ("x1 e2 e2", 2, waits(1, true), &[]),
            ("ea", 1, Wants(Established), &[]),
            ("ea ea ea", 1, Wants(Established), &[]),
            ("ea ea ea ea", 1, accepted(0, Agreed), &[]),
            ("ea e1 e1 e1", 1, waits(1, true), &[0]),
            ("e1 ea ea ea", 2, Wants(Established), &[]),
            ("o1 o1 e1", 3, waits(2, true), &[]),
            ("o1 e1 e1", 3, waits(1, true), &[]),
            ("o1 e1", 3, Wants(Established), &[]),
            ("n1 n1 e1", 3, Wants(Established), &[]),
            ("o1 e2 e1 e1", 3, Wants(Established), &[]),
            ("o1 o1 e2", 3, Wants(Established), &[]),
            ("oa oa ea ea", 3, Wants(Established), &[]),
        ] {
            let found = decide("credible(0.001)", text, devices, OpenFleet(false));
            assert_eq!(found, (ruling, refuted.to_vec()), "{text} {devices}");
        }
    }

    #[test]
    fn what_is_proved_is_enough_whoever_gives_it() {
        for (policy, text, answer, refuted) in [
            ("quorum(7)", "p1", 0, &[][..]),
            ("credible(0.0001)", "p1", 0, &[]),
            ("credible(0.001)", "n2 e2 p1", 2, &[0, 1]),
            ("credible(0.001)", "e1 e2 p1", 2, &[1]),
            ("quorum(2)", "t2 p1", 1, &[0]),
            ("quorum(2)", "na na na p1", 3, &[0, 1, 2]),
        ] {
            let found = decide(policy, text, 1, OpenFleet(false));
            assert_eq!(found, (accepted(answer, Proved), refuted.to_vec()), "{policy} {text}");
        }
    }

    #[test]
    fn newcomers_answer_for_a_fleet_that_opens() {
        for (policy, text, ruling) in [
            ("credible(0.001)", "o1", Wants(Anybody)),
            ("credible(0.001)", "o1 o1", Wants(Anybody)),
            ("credible(0.001)", "o1 o1 o1", accepted(0, Agreed)),
            ("credible(0.001)", "o1 o2 o1 o1", Wants(Anybody)),
            ("credible(0.0001)", "o1 o1 o1", Wants(Anybody)),
            ("credible(0.0001)", "o1 o1 o1 o1", accepted(0, Agreed)),
            ("credible(0.01)", "o1 o1 o1", accepted(0, Agreed)),
            ("credible(0.001)", "oa oa oa oa oa", Wants(Anybody)),
            ("credible(0.001)", "oa oa oa oa oa oa", accepted(0, Agreed)),
            ("credible(0.001)", "o1 e1", waits(1, false)),
            ("credible(0.001)", "o1 t2", accepted(1, Trusted)),
        ] {
            let (found, _) = decide(policy, text, 1, OpenFleet(true));
            assert_eq!(found, ruling, "{policy} {text}");
            let later = if ruling == Wants(Anybody) { Wants(Established) } else { ruling };
            let (found, _) = decide(policy, text, 1, OpenFleet(false));
            assert_eq!(found, later, "{policy} {text}, once the fleet opens no more");
        }
    }

    /// The same by the places of other answers.
    fn moved(ruling: Ruling, to: impl Fn(usize) -> usize) -> Ruling {
        match ruling {
            Accepted { answer, basis } => Accepted { answer: to(answer), basis },
            Waits { answer, passed } => Waits { answer: to(answer), passed },
            other => other,
        }
    }

    proptest! {
        /// What was refuted or is void counts for nothing, whoever gave it.
        #[test]
        fn void_answers_decide_as_if_they_were_not_there(
            words in prop::collection::vec("[noetpx][12a]", 1..10),
            policy in prop::sample::select(vec!["quorum(2)", "quorum(3)", "credible(0.01)", "credible(0.001)"]),
            devices in 1..4_u32,
            opens: bool,
        ) {
            let counting: Vec<usize> = (0..words.len()).filter(|place| !words[*place].starts_with('x')).collect();
            let left: Vec<&str> = counting.iter().map(|place| words[*place].as_str()).collect();
            let fleet = OpenFleet(opens);
            let (ruling, refuted) = decide(policy, &words.join(" "), devices, fleet);
            let (alone, refuted_alone) = decide(policy, &left.join(" "), devices, fleet);
            prop_assert_eq!(ruling, moved(alone, |place| counting[place]));
            prop_assert_eq!(refuted, refuted_alone.into_iter().map(|place| counting[place]).collect::<Vec<_>>());
        }

        /// However many say so: what one device or one network could say alone is no agreement of two.
        #[test]
        fn nothing_is_believed_of_one_stranger(
            word in "[noe][1a]",
            policy in prop::sample::select(vec!["quorum(2)", "quorum(7)", "credible(0.1)", "credible(0.001)"]),
            devices in 2..4_u32,
            opens: bool,
        ) {
            let (ruling, _) = decide(policy, &word, devices, OpenFleet(opens));
            prop_assert!(matches!(ruling, Wants(_)), "{:?}", ruling);
        }
    }
}
