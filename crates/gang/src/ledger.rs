//! The jobs of a play, their answers and lots, as a store would keep them. What becomes of a job is in `settle.rs`.

use std::collections::VecDeque;

use weevil_trust::{Answer, Plan};

use crate::dice::Dice;
use crate::figures::Figures;
use crate::fleet::Fleet;
use crate::job::{Given, Job, State, said};
use crate::lots::Lots;
use crate::setting::{Off, Setting};

#[derive(Debug)]
pub(crate) struct Ledger<'s> {
    pub(crate) setting: &'s Setting,
    pub(crate) plan: Plan,
    pub(crate) jobs: Vec<Job>,
    pub(crate) lots: Lots,
    /// Jobs of each node that wait for their first answer, and jobs that want a copy.
    pub(crate) first: Vec<VecDeque<usize>>,
    pub(crate) copies: VecDeque<usize>,
    /// Jobs that each device has answered.
    answered: Vec<Vec<usize>>,
    /// Devices to be refuted, jobs to be looked at, lots to be closed, lots to be delivered: in this order.
    pub(super) refuted: VecDeque<usize>,
    pub(super) touched: VecDeque<usize>,
    pub(super) closing: VecDeque<usize>,
    pub(super) due: VecDeque<usize>,
    pub(crate) figures: Figures,
}

impl<'s> Ledger<'s> {
    pub(crate) fn new(setting: &'s Setting) -> Self {
        let mut first: Vec<VecDeque<usize>> = Vec::new();
        let mut jobs = Vec::new();
        for (node, count) in setting.nodes.iter().enumerate() {
            first.push((jobs.len()..jobs.len() + count).collect());
            jobs.extend((0..*count).map(|_| Job::of(node)));
        }
        Self {
            setting,
            plan: Plan::new(setting.error, setting.assumed).expect("the setting has a plan"),
            jobs,
            lots: Lots::default(),
            first,
            copies: VecDeque::new(),
            answered: Vec::new(),
            refuted: VecDeque::new(),
            touched: VecDeque::new(),
            closing: VecDeque::new(),
            due: VecDeque::new(),
            figures: Figures::default(),
        }
    }

    /// A device answers, with a lie or not.
    pub(crate) fn answer(
        &mut self,
        (job, device): (usize, usize),
        lies: bool,
        fleet: &mut Fleet<'_>,
        dice: &mut Dice,
    ) {
        self.figures.computed += 1;
        self.answered.resize_with(fleet.devices.len(), Vec::new);
        self.answered[device].push(job);
        let one = &mut self.jobs[job];
        one.lie |= lies;
        one.answers.push(Answer {
            witness: Fleet::witness(device),
            rank: fleet.rank(device),
            points: fleet.points(device),
            said: said(lies),
            is_proved: false,
            is_void: false,
        });
        one.given.push(Given { device, passed: false, refuted: false });
        self.touched.push_back(job);
        self.work_off(fleet, dice);
    }

    /// Until nothing follows from anything any more.
    pub(crate) fn work_off(&mut self, fleet: &mut Fleet<'_>, dice: &mut Dice) {
        loop {
            if let Some(device) = self.refuted.pop_front() {
                self.refute(device, fleet);
            } else if let Some(job) = self.touched.pop_front() {
                self.settle(job, fleet, dice);
            } else if let Some(lot) = self.closing.pop_front() {
                self.close(lot, dice);
            } else if let Some(lot) = self.due.pop_front() {
                self.deliver(lot);
            } else {
                break;
            }
        }
    }

    /// Answers of a device that were neither confirmed nor found wrong.
    pub(crate) fn waiting_of(&self, device: usize) -> usize {
        let Some(jobs) = self.answered.get(device) else { return 0 };
        let waits = |job: &&usize| {
            let one = &self.jobs[**job];
            one.given
                .iter()
                .zip(&one.answers)
                .any(|(given, answer)| given.device == device && !given.passed && !answer.is_void)
        };
        jobs.iter().filter(waits).count()
    }

    /// Jobs that are not decided.
    pub(crate) fn open(&self) -> usize {
        self.jobs.iter().filter(|job| !matches!(job.state, State::Accepted(_) | State::Disputed)).count()
    }

    /// No first copy of a node waits.
    pub(crate) fn is_out(&self, node: usize) -> bool {
        match self.setting.off {
            Some(Off::LotsOfNodes) => self.first.iter().all(VecDeque::is_empty),
            _ => self.first[node].is_empty(),
        }
    }

    /// Closes a lot; what is chosen now wants a copy.
    pub(crate) fn close(&mut self, lot: usize, dice: &mut Dice) {
        let stands = |job: &usize| self.jobs[*job].standing.is_some_and(|standing| standing.lot == lot);
        let jobs: Vec<usize> = self.lots.jobs(lot).into_iter().filter(stands).collect();
        let Some((depth, chosen)) = self.lots.close(lot, &self.plan, dice) else { return };
        for job in jobs {
            self.jobs[job].is_chosen |= chosen.contains(&job);
            let one = &mut self.jobs[job];
            let wanted = depth.devices + u32::from(one.is_chosen);
            if wanted > one.devices {
                one.devices = wanted;
                one.standing.iter_mut().for_each(|standing| self.lots.check(standing));
                self.touched.push_back(job);
            }
        }
        self.accept_lot(lot);
    }

    /// What rests on the device alone is wanted anew, also what was accepted with its lots.
    fn refute(&mut self, device: usize, fleet: &mut Fleet<'_>) {
        if fleet.devices[device].record.refuted > 0 {
            return;
        }
        fleet.refute(device);
        let counter = &mut self.figures;
        let count = if fleet.devices[device].has_lied {
            &mut counter.liars_refuted
        } else {
            &mut counter.honest_refuted
        };
        *count += 1;
        self.lots.refuse(device);
        for job in std::mem::take(&mut self.answered[device]) {
            let one = &mut self.jobs[job];
            let stands_on = one.standing.is_some_and(|stands| one.given[stands.answer].device == device);
            for (answer, given) in one.answers.iter_mut().zip(&one.given) {
                answer.is_void |= given.device == device;
            }
            if stands_on && matches!(one.state, State::Accepted(_)) {
                one.state = State::Waiting;
            }
            self.touched.push_back(job);
        }
    }

    /// Counts what is accepted, in the last node.
    pub(crate) fn end(&mut self) -> Figures {
        self.jobs.iter().for_each(|job| self.audit(job));
        let last = self.setting.nodes.len() - 1;
        for job in self.jobs.iter().filter(|job| job.node == last) {
            if let State::Accepted(answer) = job.state {
                let lie = job.answers[answer].said == said(true);
                self.figures.accepted += 1;
                self.figures.wrong += u64::from(lie);
            }
        }
        self.figures
    }

    /// What has to hold of a decided job, whatever happened on the way.
    fn audit(&self, job: &Job) {
        let mut devices: Vec<usize> = job.given.iter().map(|given| given.device).collect();
        devices.sort_unstable();
        assert!(devices.is_sorted_by(|one, other| one < other), "a device answered twice: {job:?}");
        if let (State::Accepted(answer), Some(standing)) = (job.state, job.standing) {
            assert!(!job.answers[answer].is_void, "it was refuted: {job:?}");
            assert!(answer == standing.answer && !standing.is_checking, "its check is open: {job:?}");
            self.lots.audit(standing.lot, &self.plan);
        }
    }

    pub(super) fn wait_for_first(&mut self, job: usize) {
        if self.jobs[job].state != State::First {
            self.jobs[job].state = State::First;
            self.first[self.jobs[job].node].push_front(job);
        }
    }
}
