//! When the job is at fault, and not who computed it: engines that differ, and code that never says the same twice.

use weevil_model::witness::{Engine, Rank};

use crate::groups::{Answer, Groups};

/// Comparisons in which two engines have to agree before a difference between them counts, or to differ before one is left out.
pub const DIFFERED_TIMES: u32 = 3;
/// Jobs of one code that scatter before their run is paused.
pub const SCATTERED_JOBS: u32 = 3;
/// Answers of one job that are all different.
const SCATTERED_ANSWERS: usize = 3;

/// Two engines whose answers for one code were compared; in either order the same pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct EnginePair(Engine, Engine);

/// How often they agreed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tally {
    pub agreed: u32,
    pub differed: u32,
}

impl EnginePair {
    pub fn new(one: Engine, other: Engine) -> Self {
        if one.as_str() <= other.as_str() { Self(one, other) } else { Self(other, one) }
    }

    pub const fn engines(self) -> [Engine; 2] {
        [self.0, self.1]
    }

    /// Whether the next difference speaks of a device, where they have been compared so often.
    pub fn should_agree(self, tally: Tally) -> bool {
        tally.agreed >= DIFFERED_TIMES && !self.may_leave_out(tally)
    }

    /// Whether one of the two may be left out. Nobody differs from itself by engine.
    pub fn may_leave_out(self, tally: Tally) -> bool {
        let Tally { agreed, differed } = tally;
        self.0 != self.1 && differed >= DIFFERED_TIMES && differed > agreed
    }
}

/// Whether an engine gets no more of a code, and which one it is that it differs from: the one with the most devices that agree among
/// themselves, three times at least and more often than it agreed. `devices` are the established ones of each engine that agreed; where
/// two have as many, neither is left out.
pub fn left_out(
    engine: Engine,
    devices: &[(Engine, u32)],
    tally: impl Fn(EnginePair) -> Tally,
) -> Option<Engine> {
    let most = devices.iter().map(|(_, many)| *many).max()?;
    let mut first = devices.iter().filter(|(_, many)| *many == most).map(|(engine, _)| *engine);
    let leading = first.next().filter(|_| first.next().is_none())?;
    let pair = EnginePair::new(engine, leading);
    pair.may_leave_out(tally(pair)).then_some(leading)
}

/// Whether three known devices say three different things of one job.
pub fn scatters(answers: &[Answer], groups: &Groups) -> bool {
    let known = |place: &usize| answers[*place].rank != Rank::Newcomer;
    groups.all().iter().filter(|group| group.members.iter().any(known)).count() >= SCATTERED_ANSWERS
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::groups::tests::answers;

    const fn tally(agreed: u32, differed: u32) -> Tally {
        Tally { agreed, differed }
    }

    #[test]
    fn a_pair_has_no_order() {
        for (one, other) in [(Engine::Gecko, Engine::Chromium), (Engine::Other, Engine::Other)] {
            assert_eq!(EnginePair::new(one, other), EnginePair::new(other, one));
        }
    }

    #[test]
    fn a_difference_speaks_of_a_device_once_the_engines_have_agreed() {
        let (same, two) =
            (EnginePair::new(Engine::Gecko, Engine::Gecko), EnginePair::new(Engine::Gecko, Engine::Chromium));
        for (pair, counted, should_agree, may_leave_out) in [
            (two, tally(0, 0), false, false),
            (two, tally(2, 9), false, true),
            (two, tally(3, 2), true, false),
            (two, tally(3, 3), true, false),
            (two, tally(3, 4), false, true),
            (two, tally(9, 3), true, false),
            (same, tally(3, 4), true, false),
            (same, tally(2, 9), false, false),
        ] {
            let found = (pair.should_agree(counted), pair.may_leave_out(counted));
            assert_eq!(found, (should_agree, may_leave_out), "{pair:?} {counted:?}");
        }
    }

    #[test]
    fn an_engine_is_left_out_that_differs_from_the_one_with_the_most_devices() {
        use Engine::{Chromium, Gecko};
        for (engine, devices, counted, out) in [
            (Gecko, &[(Chromium, 5), (Gecko, 2)][..], tally(0, 3), true),
            (Gecko, &[(Chromium, 5), (Gecko, 2)], tally(0, 2), false),
            (Gecko, &[(Chromium, 5), (Gecko, 2)], tally(3, 3), false),
            (Gecko, &[(Chromium, 5), (Gecko, 2)], tally(3, 4), true),
            (Chromium, &[(Chromium, 5), (Gecko, 2)], tally(0, 9), false),
            (Gecko, &[(Chromium, 2), (Gecko, 2)], tally(0, 9), false),
            (Gecko, &[], tally(0, 9), false),
        ] {
            let found = left_out(engine, devices, |_| counted);
            assert_eq!(found, out.then_some(Chromium), "{engine:?} {devices:?} {counted:?}");
        }
    }

    #[test]
    fn three_known_devices_that_each_say_something_else_scatter() {
        for (text, expected) in [
            ("e1 e2", false),
            ("e1 e2 n3", false),
            ("e1 e2 e3", true),
            ("e1 e2 e2", false),
            ("e1 n3 e2 e3", true),
            ("e1 x2 e3", false),
        ] {
            let answers = answers(text);
            let groups = Groups::of(&answers, |_, _| false);
            assert_eq!(scatters(&answers, &groups), expected, "{text}");
        }
    }
}
