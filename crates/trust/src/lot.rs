//! A lot: the answers of one established device for one node of a run, or for one queue, accepted or refused together.
//!
//! Which of them are checked is chosen after they came. A check that somebody else's answer makes necessary counts for nothing
//! here: a gang could otherwise choose what is looked at.

use crate::chance::Chance;
use crate::plan::Plan;

/// The share of answers that are checked as soon as they come, so that a careless liar does not get far.
pub const EARLY_CHECKS: f64 = 0.05;

/// What is counted of a lot.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Lot {
    pub answers: u32,
    /// How many of them chance has chosen, at once or at the closing.
    pub chosen: u32,
    /// Checks that have not ended, chosen or contested.
    pub open_checks: u32,
    pub closed: bool,
}

/// How long a lot stays open at most: settings of the server, milliseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Patience {
    pub absence_ms: i64,
    pub age_ms: i64,
}

/// What becomes of a lot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    /// More answers may join it.
    Open,
    /// Checks are under way.
    Checking,
    /// All of its answers are accepted.
    Accepted,
}

impl Patience {
    /// Whether a lot of any size takes no more answers: its device has been away for so long, `None` while it is here; or it has
    /// been open for so long, milliseconds.
    pub fn is_over(&self, away_ms: Option<i64>, age_ms: i64) -> bool {
        away_ms.is_some_and(|away| away >= self.absence_ms) || age_ms >= self.age_ms
    }
}

impl Lot {
    /// An answer joins. True where chance has chosen it to be checked at once.
    pub fn join(&mut self, is_contested: bool, chance: &mut Chance) -> bool {
        let is_chosen = chance.happens(EARLY_CHECKS);
        self.answers += 1;
        self.chosen += u32::from(is_chosen);
        self.open_checks += u32::from(is_chosen || is_contested);
        is_chosen
    }

    /// Whether it has as many answers as there may be.
    pub fn is_full(&self, plan: &Plan) -> bool {
        self.answers >= plan.lot()
    }

    /// Closes it, and answers which of its answers are chosen besides, by their places among those that chance has not chosen yet.
    /// How many devices each answer needs now says [`Plan::depth`].
    pub fn close(&mut self, plan: &Plan, chance: &mut Chance) -> Vec<usize> {
        self.closed = true;
        let missing = plan.depth(self.answers).chosen.saturating_sub(self.chosen);
        let unchosen = self.answers - self.chosen;
        self.chosen += missing;
        chance.choose(missing as usize, unchosen as usize).into_iter().collect()
    }

    pub const fn fate(&self) -> Fate {
        match (self.closed, self.open_checks) {
            (false, _) => Fate::Open,
            (true, 0) => Fate::Accepted,
            (true, _) => Fate::Checking,
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use weevil_model::trust::{AssumedShare, ErrorShare};

    use super::*;

    const PATIENCE: Patience = Patience { absence_ms: 300_000, age_ms: 3_600_000 };

    fn plan() -> Plan {
        Plan::new(ErrorShare::of_millionths(1000).unwrap(), AssumedShare::default()).unwrap()
    }

    #[test]
    fn a_lot_is_full_with_as_many_answers_as_there_may_be() {
        for (answers, full) in [(0, false), (193, false), (194, true), (195, true)] {
            assert_eq!(Lot { answers, ..Lot::default() }.is_full(&plan()), full, "{answers}");
        }
    }

    #[test]
    fn patience_ends_with_absence_and_with_age() {
        for (away_ms, age_ms, over) in [
            (None, 0, false),
            (Some(299_999), 0, false),
            (Some(300_000), 0, true),
            (None, 3_599_999, false),
            (None, 3_600_000, true),
        ] {
            assert_eq!(PATIENCE.is_over(away_ms, age_ms), over, "{away_ms:?} {age_ms}");
        }
    }

    #[test]
    fn a_closed_lot_is_accepted_once_its_checks_have_ended() {
        for (closed, open_checks, fate) in [
            (false, 0, Fate::Open),
            (false, 1, Fate::Open),
            (true, 1, Fate::Checking),
            (true, 0, Fate::Accepted),
        ] {
            let lot = Lot { answers: 10, chosen: 0, open_checks, closed };
            assert_eq!(lot.fate(), fate, "{lot:?}");
        }
    }

    #[test]
    fn contested_answers_are_checked_and_take_nothing_from_chance() {
        let mut chance = Chance::of_lot([3; 32], 1);
        let mut lot = Lot::default();
        for _ in 0..62 {
            lot.join(true, &mut chance);
        }
        assert_eq!(lot.open_checks, 62);
        let early = lot.chosen;
        let more = lot.close(&plan(), &mut chance);
        assert_eq!(more.len(), (plan().depth(62).chosen - early) as usize);
    }

    /// Plays out what a gang gets accepted of a lot of so many answers of which the first `lies` are lies, and what it was expected to
    /// get at most. Each copy of a lie is computed by one of the gang with chance `share`.
    fn played_out((answers, lies): (u32, u32), share: f64, plan: &Plan) -> (f64, f64) {
        const PLAYS: u32 = 400;
        let depth = plan.depth(answers);
        let mut accepted = 0;
        for play in 0..PLAYS {
            let mut chance = Chance::of_lot([7; 32], i64::from(play));
            let mut lot = Lot { answers, ..Lot::default() };
            let chosen =
                lot.close(plan, &mut chance).into_iter().filter(|place| *place < lies as usize).count();
            let copies = chosen + (lies * (depth.devices - 1)) as usize;
            let covered = (0..copies).all(|_| chance.happens(share));
            accepted += if covered { lies } else { 0 };
        }
        (f64::from(accepted) / f64::from(PLAYS), plan.wrong_in_lot(answers))
    }

    /// A share of 0.4, so that lies get through now and then: what is accepted is bounded for each number of lies, and the bound
    /// counts that the gang does this share of the work alone.
    #[test]
    fn lots_that_are_played_out_stay_below_what_the_plan_expects() {
        let (error, assumed) = (ErrorShare::LARGEST, AssumedShare::LARGEST);
        let (plan, share) = (Plan::new(error, assumed).unwrap(), 0.4);
        let mut seen = 0.0;
        for answers in 1..=40 {
            for lies in
                [1, 2, 3, 5, answers / 2, answers].into_iter().filter(|lies| (1..=answers).contains(lies))
            {
                let (accepted, expected) = played_out((answers, lies), share, &plan);
                // Five times the deviation of the mean of so many plays.
                let luck = 5.0 * f64::from(lies) * (0.25_f64 / 400.0).sqrt();
                assert!(
                    share * accepted <= expected + luck,
                    "{lies} of {answers}: {accepted} for {expected}"
                );
                seen += accepted;
            }
        }
        assert!(seen > 1.0, "some lies get through: {seen}");
    }

    proptest! {
        #[test]
        fn so_many_are_chosen_as_the_plan_says(answers in 0..194_u32, seed: [u8; 32]) {
            let (plan, mut chance) = (plan(), Chance::of_lot(seed, 1));
            let mut lot = Lot::default();
            for _ in 0..answers {
                lot.join(false, &mut chance);
            }
            let (early, unchosen) = (lot.chosen, (lot.answers - lot.chosen) as usize);
            let more = lot.close(&plan, &mut chance);
            prop_assert!(more.iter().all(|place| *place < unchosen));
            prop_assert_eq!(lot.chosen as usize, early as usize + more.len());
            prop_assert_eq!(lot.chosen, plan.depth(answers).chosen.max(early));
        }
    }
}
