//! Whether so much of the fleet sits in one network that its answers are all checked.

use weevil_model::trust::AssumedShare;

/// What one network holds of the connected fleet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NetworkShare {
    /// Its connected slots, and those of all workers.
    pub slots: u64,
    pub all_slots: u64,
    /// Networks that are connected.
    pub networks: u64,
}

/// It holds more than the assumed share, while enough networks are there for that to mean something.
pub fn is_crowded(share: NetworkShare, assumed: AssumedShare) -> bool {
    let NetworkShare { slots, all_slots, networks } = share;
    let assumed = assumed.as_f64();
    networks as f64 * assumed >= 1.0 && slots as f64 > assumed * all_slots as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_network_is_crowded_above_the_assumed_share_of_enough_networks() {
        for (slots, all_slots, networks, crowded) in [
            (5, 100, 20, false),
            (6, 100, 20, true),
            (6, 100, 19, false),
            (90, 100, 2, false),
            (0, 0, 0, false),
            (1, 1000, 900, false),
            (51, 1000, 900, true),
        ] {
            let share = NetworkShare { slots, all_slots, networks };
            assert_eq!(is_crowded(share, AssumedShare::default()), crowded, "{share:?}");
        }
    }
}
