//! Deciding about one job: every decision is one of `weevil-trust`; what follows from it for others is noted in the ledger.

use weevil_model::witness::Rank;
use weevil_trust::{Case, Decision, Groups, OpenFleet, Ruling, Standard, rule, subject};

use crate::dice::Dice;
use crate::fleet::Fleet;
use crate::job::{Job, Standing, State};
use crate::ledger::Ledger;
use crate::lots::Choice;
use crate::setting::Off;

impl Ledger<'_> {
    /// Decides about one job.
    pub(super) fn settle(&mut self, job: usize, fleet: &mut Fleet<'_>, dice: &mut Dice) {
        if matches!(self.jobs[job].state, State::Accepted(_) | State::Disputed) {
            return;
        }
        self.stand(job, dice);
        let one = &self.jobs[job];
        if one.answers.iter().all(|answer| answer.is_void) {
            return self.wait_for_first(job);
        }
        let groups = Groups::of(&one.answers, |_, _| false);
        let Decision { ruling, refuted } = self.decide(one, &groups, fleet.opens());
        self.confirm(job, &groups, ruling, fleet);
        if !refuted.is_empty() {
            for answer in refuted {
                self.jobs[job].answers[answer].is_void = true;
                self.jobs[job].given[answer].refuted = true;
                self.refuted.push_back(self.jobs[job].given[answer].device);
            }
            if !matches!(ruling, Ruling::Accepted { .. }) {
                return self.touched.push_back(job);
            }
        }
        self.carry_out(job, ruling);
    }

    fn decide(&self, job: &Job, groups: &Groups, fleet: OpenFleet) -> Decision {
        let devices = if self.setting.off == Some(Off::Repeats) { job.devices.min(2) } else { job.devices };
        let standard = Standard::Credible(&self.plan);
        rule(&Case { standard, answers: &job.answers, groups, fleet, devices })
    }

    /// Whatever answer stands in a lot now joins one.
    fn stand(&mut self, job: usize, dice: &mut Dice) {
        let one = &self.jobs[job];
        let groups = Groups::of(&one.answers, |_, _| false);
        let found = subject(&one.answers, &groups);
        if found.map(|found| found.answer) == one.standing.map(|standing| standing.answer) {
            return;
        }
        if let Some(before) = self.jobs[job].standing.take() {
            self.lots.leave(before);
        }
        (self.jobs[job].devices, self.jobs[job].is_chosen) = (1, false);
        if let Some(found) = found {
            let device = self.jobs[job].given[found.answer].device;
            let node = if self.setting.off == Some(Off::LotsOfNodes) { 0 } else { self.jobs[job].node };
            let choice = match self.jobs[job].known_choice {
                Some(choice) => Choice::Known(choice),
                None => Choice::Late { is_contested: found.is_contested },
            };
            let (lot, is_chosen) = self.lots.join((device, node), job, choice, dice);
            let is_checking = is_chosen || choice.is_contested();
            self.jobs[job].standing = Some(Standing { answer: found.answer, lot, is_checking });
            self.jobs[job].devices = 1 + u32::from(is_checking);
            self.jobs[job].is_chosen = is_chosen;
            if self.is_out(node) || self.lots.is_full(lot, &self.plan) {
                self.closing.push_back(lot);
            }
        }
    }

    /// Whoever agrees with somebody who is known, or with what is accepted, has one pass more.
    fn confirm(&mut self, job: usize, groups: &Groups, ruling: Ruling, fleet: &mut Fleet<'_>) {
        for group in groups.all() {
            let known = |place: &usize| self.jobs[job].answers[*place].rank != Rank::Newcomer;
            let accepted =
                |place: &usize| matches!(ruling, Ruling::Accepted { answer, .. } if answer == *place);
            if group.members.iter().any(|place| known(place) || accepted(place)) {
                for place in &group.members {
                    let given = &mut self.jobs[job].given[*place];
                    if !std::mem::replace(&mut given.passed, true) {
                        fleet.pass(given.device);
                    }
                }
            }
        }
    }

    fn carry_out(&mut self, job: usize, ruling: Ruling) {
        match ruling {
            Ruling::Accepted { answer, .. } => self.accept(job, answer),
            Ruling::Wants(taker) => {
                if !matches!(self.jobs[job].state, State::Copy(_)) {
                    self.copies.push_back(job);
                }
                self.jobs[job].state = State::Copy(taker);
                // Whoever agreed with it before may be void meanwhile: its lot waits for another one.
                if let Some(standing) = &mut self.jobs[job].standing {
                    self.lots.check(standing);
                }
            }
            Ruling::Waits { .. } => {
                self.jobs[job].state = State::Waiting;
                if let Some(standing) = &mut self.jobs[job].standing {
                    self.lots.pass(standing);
                    let lot = standing.lot;
                    self.accept_lot(lot);
                }
            }
            Ruling::Disputed => self.give_up(job),
        }
    }

    /// Its check says nothing of its lot, which is not held up by it.
    fn give_up(&mut self, job: usize) {
        self.jobs[job].state = State::Disputed;
        self.figures.disputed += 1;
        self.leave_lot(job);
    }

    fn leave_lot(&mut self, job: usize) {
        if let Some(standing) = self.jobs[job].standing.take() {
            self.lots.leave(standing);
            self.accept_lot(standing.lot);
        }
    }

    /// By itself: no lot carries it any more.
    fn accept(&mut self, job: usize, answer: usize) {
        self.jobs[job].accept(answer);
        self.leave_lot(job);
    }

    /// Once nothing is known to be wrong any more that was not worked off.
    pub(super) fn accept_lot(&mut self, lot: usize) {
        self.due.push_back(lot);
    }

    /// All of it, if all of its checks have passed.
    pub(super) fn deliver(&mut self, lot: usize) {
        if self.lots.is_accepted(lot) {
            for job in self.lots.jobs(lot) {
                let one = &mut self.jobs[job];
                if let Some(standing) = one.standing.filter(|standing| standing.lot == lot) {
                    one.accept(standing.answer);
                }
            }
        }
    }
}
