//! What others do about strangers, played with the same fleet and the same gang: nothing, voting, adaptive replication.
//!
//! None of them knows independence, lots or rests: two copies go out together, and a device that is outvoted goes on.

use weevil_trust::limits::PASSES;

use crate::dice::Dice;
use crate::figures::Figures;
use crate::fleet::Fleet;
use crate::setting::{Kind, Setting};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rival {
    /// The first answer is believed.
    Nothing,
    /// Two that agree.
    Quorum,
    /// Two that agree; but whoever has agreed so often in a row, ten times at least, is believed alone, except once in as many times
    /// (BOINC, `sched/sched_result.cpp` and the page `AdaptiveReplication`).
    Adaptive,
}

/// Plays all jobs of the setting as one pool.
pub fn play_rival(setting: &Setting, rival: Rival) -> Figures {
    let mut dice = Dice::new(setting.seed);
    let mut table =
        Table { setting, rival, fleet: Fleet::new(setting, &mut dice), dice, figures: Figures::default() };
    for _ in 0..setting.nodes.iter().sum() {
        table.job();
    }
    table.figures
}

struct Table<'s> {
    setting: &'s Setting,
    rival: Rival,
    fleet: Fleet<'s>,
    dice: Dice,
    figures: Figures,
}

impl Table<'_> {
    /// One job from its first answer to its end. The record's passes count how often a device has agreed in a row.
    fn job(&mut self) {
        let mut answers: Vec<(usize, bool)> = Vec::new();
        self.answer(&mut answers);
        let (first, lies) = answers[0];
        let agreed = self.fleet.devices[first].record.passes;
        let alone = match self.rival {
            Rival::Nothing => true,
            Rival::Quorum => false,
            Rival::Adaptive => agreed >= PASSES && !self.dice.happens(1.0 / f64::from(agreed)),
        };
        if alone {
            return self.accept(lies);
        }
        let mut two = None;
        while two.is_none() {
            self.answer(&mut answers);
            two = [true, false]
                .into_iter()
                .find(|lie| answers.iter().filter(|(_, lies)| lies == lie).count() >= 2);
        }
        let believed = two == Some(true);
        for (device, lies) in answers {
            let record = &mut self.fleet.devices[device].record;
            record.passes = if lies == believed { record.passes + 1 } else { 0 };
        }
        self.accept(believed);
    }

    /// The first two go out together, so neither knows of the other; later ones see what was said.
    fn answer(&mut self, answers: &mut Vec<(usize, bool)>) {
        let (place, device) = loop {
            let (place, device) = self.fleet.any(&mut self.dice);
            if self.fleet.leave(place, &mut self.dice).is_none()
                && answers.iter().all(|(other, _)| *other != device)
            {
                break (place, device);
            }
        };
        let is_lied_on = answers.iter().any(|(_, lies)| *lies);
        let is_late = answers.len() >= 2;
        let lies = self.fleet.devices[device].lies
            && if is_lied_on || is_late { is_lied_on } else { self.says_a_lie(device) };
        answers.push((device, lies));
        self.fleet.answered(place);
        self.figures.computed += 1;
    }

    fn says_a_lie(&mut self, device: usize) -> bool {
        let agreed = self.fleet.devices[device].record.passes;
        let sleeps = self.rival == Rival::Adaptive && agreed < PASSES;
        match self.setting.kind {
            Kind::Steady(share) | Kind::Blind(share) => self.dice.happens(share),
            Kind::Sleeper(share) => !sleeps && self.dice.happens(share),
            // There are no lots: these are their first answers once they are believed.
            Kind::Clump(first) => !sleeps && agreed < PASSES + first,
            _ => true,
        }
    }

    fn accept(&mut self, lies: bool) {
        self.figures.accepted += 1;
        self.figures.wrong += u64::from(lies);
    }
}
