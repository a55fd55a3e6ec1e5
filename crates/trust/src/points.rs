//! What an answer weighs, by the rank of whoever gives it. Fixed when the job is handed out.

use weevil_model::witness::{Rank, Witness};

/// So many connected workers that can vouch for each other end the opening of a fleet.
pub const OPENING_WITNESSES: usize = 3;

/// Answers of newcomers are only compared.
const NEWCOMER: u32 = 0;
/// Unless there is nobody else yet.
pub(crate) const OPENING: u32 = 2;
const ESTABLISHED: u32 = 3;
const TRUSTED: u32 = 6;

/// Whether newcomers may vouch for each other, for jobs of one class of needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OpenFleet(pub bool);

impl OpenFleet {
    /// A fleet opens while fewer than three established or trusted workers are there that are independent of each other.
    /// `known` are those of them that meet the needs, in any order.
    pub fn of(known: &[Witness]) -> Self {
        Self(Witness::apart(known, OPENING_WITNESSES) < OPENING_WITNESSES)
    }
}

/// What an answer weighs that somebody of this rank gives to a job that is handed out now.
pub const fn points(rank: Rank, fleet: OpenFleet) -> u32 {
    match rank {
        Rank::Newcomer if fleet.0 => OPENING,
        Rank::Newcomer => NEWCOMER,
        Rank::Established => ESTABLISHED,
        Rank::Trusted => TRUSTED,
    }
}

#[cfg(test)]
mod tests {
    use weevil_model::witness::Engine;

    use super::*;

    #[test]
    fn an_answer_weighs_what_its_rank_says() {
        for (rank, open, settled) in
            [(Rank::Newcomer, 2, 0), (Rank::Established, 3, 3), (Rank::Trusted, 6, 6)]
        {
            assert_eq!(points(rank, OpenFleet(true)), open, "{rank:?}");
            assert_eq!(points(rank, OpenFleet(false)), settled, "{rank:?}");
        }
    }

    #[test]
    fn a_fleet_opens_until_three_can_vouch_for_each_other() {
        let one =
            |device, network| Witness { device: Some(device), network: Some(network), engine: Engine::Other };
        for (known, opens) in [
            (vec![], true),
            (vec![one(1, 1), one(2, 2)], true),
            (vec![one(1, 1), one(2, 2), one(3, 3)], false),
            (vec![one(1, 1), one(2, 2), one(3, 2)], true),
            (vec![one(1, 1), one(1, 2), one(1, 3)], true),
            (vec![one(1, 1), one(2, 1), one(3, 2), one(4, 3)], false),
        ] {
            assert_eq!(OpenFleet::of(&known), OpenFleet(opens), "{known:?}");
        }
    }
}
