//! The lots of a play, by device and node. Which answers are checked is decided by `weevil-trust`.

use std::collections::{BTreeSet, HashMap};

use weevil_trust::{Chance, Depth, Fate, Lot, Plan};

use crate::dice::Dice;
use crate::job::Standing;

#[derive(Debug, Default)]
pub(crate) struct Lots {
    all: Vec<Kept>,
    /// That of each device for each node.
    open: HashMap<(usize, usize), usize>,
}

#[derive(Debug)]
struct Kept {
    lot: Lot,
    device: usize,
    node: usize,
    jobs: Vec<usize>,
    /// Those of them that chance has chosen.
    chosen: BTreeSet<usize>,
    /// All of its checks were chosen before.
    is_known: bool,
}

/// When it is chosen whether an answer is checked.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Choice {
    /// After it came, as the rules have it.
    Late { is_contested: bool },
    /// Before it was given.
    Known(bool),
}

impl Choice {
    pub(crate) const fn is_contested(self) -> bool {
        matches!(self, Self::Late { is_contested: true })
    }
}

impl Lots {
    /// Which lot, and whether chance has chosen the answer to be checked at once.
    pub(crate) fn join(
        &mut self,
        (device, node): (usize, usize),
        job: usize,
        choice: Choice,
        dice: &mut Dice,
    ) -> (usize, bool) {
        let next = self.all.len();
        let number = *self.open.entry((device, node)).or_insert(next);
        if number == next {
            self.all.push(Kept {
                lot: Lot::default(),
                device,
                node,
                jobs: Vec::new(),
                chosen: BTreeSet::new(),
                is_known: false,
            });
        }
        let kept = &mut self.all[number];
        kept.jobs.push(job);
        let mut chance = Chance::of_answer(dice.bytes(), i64::try_from(job).unwrap_or_default());
        match choice {
            Choice::Late { is_contested } => {
                let is_chosen = kept.lot.join(is_contested, &mut chance);
                kept.chosen.extend(is_chosen.then_some(job));
                (number, is_chosen)
            }
            Choice::Known(is_checked) => {
                kept.lot.answers += 1;
                kept.lot.open_checks += u32::from(is_checked);
                kept.is_known = true;
                (number, is_checked)
            }
        }
    }

    /// An answer that stood in a lot does not count any more. An open check ends with it.
    pub(crate) fn leave(&mut self, mut standing: Standing) {
        self.pass(&mut standing);
    }

    /// Its check has ended, if there was one.
    pub(crate) fn pass(&mut self, standing: &mut Standing) {
        let was = std::mem::replace(&mut standing.is_checking, false);
        self.all[standing.lot].lot.open_checks -= u32::from(was);
    }

    /// It is checked from now on.
    pub(crate) fn check(&mut self, standing: &mut Standing) {
        let was = std::mem::replace(&mut standing.is_checking, true);
        self.all[standing.lot].lot.open_checks += u32::from(!was);
    }

    pub(crate) fn is_full(&self, lot: usize, plan: &Plan) -> bool {
        self.all[lot].lot.is_full(plan)
    }

    /// How deep it is looked at, and the jobs that are chosen now, also among those that have left it; `None` where it was closed
    /// before. What was chosen beforehand is all that is chosen.
    pub(crate) fn close(&mut self, lot: usize, plan: &Plan, dice: &mut Dice) -> Option<(Depth, Vec<usize>)> {
        let kept = &mut self.all[lot];
        if kept.lot.closed {
            return None;
        }
        self.open.remove(&(kept.device, kept.node));
        let mut chance = Chance::of_lot(dice.bytes(), i64::try_from(lot).unwrap_or_default());
        let unchosen: Vec<usize> =
            kept.jobs.iter().copied().filter(|job| !kept.chosen.contains(job)).collect();
        let places = kept.lot.close(plan, &mut chance);
        let depth = plan.depth(kept.lot.answers);
        let chosen = if kept.is_known { Vec::new() } else { places };
        let chosen: Vec<usize> = chosen.into_iter().map(|place| unchosen[place]).collect();
        kept.chosen.extend(&chosen);
        Some((depth, chosen))
    }

    pub(crate) fn is_accepted(&self, lot: usize) -> bool {
        self.all[lot].lot.fate() == Fate::Accepted
    }

    pub(crate) fn jobs(&self, lot: usize) -> Vec<usize> {
        self.all[lot].jobs.clone()
    }

    /// Answers in the open lot of a device for a node.
    pub(crate) fn answers(&self, device: usize, node: usize) -> u32 {
        self.open.get(&(device, node)).map_or(0, |lot| self.all[*lot].lot.answers)
    }

    /// The open lots of a device, or of all.
    pub(crate) fn open(&self, device: Option<usize>) -> Vec<usize> {
        let mut open: Vec<usize> = self
            .open
            .iter()
            .filter(|((of, _), _)| device.is_none_or(|device| device == *of))
            .map(|(_, lot)| *lot)
            .collect();
        open.sort_unstable();
        open
    }

    pub(crate) fn node(&self, lot: usize) -> usize {
        self.all[lot].node
    }

    /// What has to hold of a lot whose answers were accepted.
    pub(crate) fn audit(&self, lot: usize, plan: &Plan) {
        let Kept { lot, is_known, .. } = &self.all[lot];
        assert_eq!(lot.fate(), Fate::Accepted, "{lot:?}");
        assert!(*is_known || lot.chosen >= plan.depth(lot.answers).chosen, "too few are checked: {lot:?}");
    }

    /// All of them: device, node, jobs, and those that chance has chosen.
    pub(crate) fn all(&self) -> impl Iterator<Item = (usize, usize, &[usize], &BTreeSet<usize>)> {
        self.all.iter().map(|kept| (kept.device, kept.node, &*kept.jobs, &kept.chosen))
    }

    /// Nothing joins the lots of this device any more.
    pub(crate) fn refuse(&mut self, device: usize) {
        for lot in self.open(Some(device)) {
            self.all[lot].lot.closed = true;
        }
        self.open.retain(|(of, _), _| *of != device);
    }
}
