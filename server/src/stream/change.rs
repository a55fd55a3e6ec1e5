//! What has changed between two looks at a run's nodes, and what is known of all of them. Pure.

use weevil_api::{PoolCounts, Progress};
use weevil_model::NodeState;
use weevil_records::NodeStates;

use crate::http::run_progress;

/// Nodes of one frame.
const MAX_NODES: usize = 1000;
/// Pools of one frame.
const MAX_POOLS: usize = 200;
/// Layers of one frame.
const MAX_LAYERS: usize = 200;

/// How many nodes of a layer are in each state.
pub(super) type Counts = [u32; NodeState::ALL.len()];

/// The nodes that stand otherwise than before. `None`: there are too many, or they cannot be compared.
pub(super) fn nodes(before: Option<&NodeStates>, now: &NodeStates) -> Option<Vec<(u32, u8)>> {
    let codes = now.codes();
    let known = before.map_or(&[][..], NodeStates::codes);
    if before.is_some() && known.len() != codes.len() {
        return None;
    }
    let news = (0_u32..).zip(codes).enumerate().filter(|(at, (_, code))| known.get(*at) != Some(*code));
    few(news.map(|(_, (place, code))| (place, *code)), MAX_NODES)
}

/// The same of pools' jobs.
pub(super) fn pools(before: Option<&NodeStates>, now: &NodeStates) -> Option<Vec<PoolCounts>> {
    let known = before.map_or(&[][..], NodeStates::pools);
    if before.is_some() && known.len() != now.pools().len() {
        return None;
    }
    let news = now.pools().iter().enumerate().filter(|(at, pool)| known.get(*at) != Some(*pool));
    let view = |jobs| -> Progress { run_progress(jobs) };
    few(news.map(|(_, (place, jobs))| PoolCounts::new(*place, view(*jobs))), MAX_POOLS)
}

/// The same of layers' counts.
pub(super) fn layers(before: Option<&[Counts]>, now: &[Counts]) -> Option<Vec<(u32, Vec<u32>)>> {
    let known = before.unwrap_or_default();
    let news = (0_u32..).zip(now).enumerate().filter(|(at, (_, counts))| known.get(*at) != Some(*counts));
    few(news.map(|(_, (layer, counts))| (layer, counts.to_vec())), MAX_LAYERS)
}

/// Adds up the states of nodes by their layer.
pub(super) fn count(layer_of: &[u32], states: &NodeStates) -> Vec<Counts> {
    let mut counts = vec![Counts::default(); layer_of.iter().max().map_or(0, |last| *last as usize + 1)];
    for (layer, code) in layer_of.iter().zip(states.codes()) {
        if let Some(count) =
            counts.get_mut(*layer as usize).and_then(|counts| counts.get_mut(usize::from(*code)))
        {
            *count += 1;
        }
    }
    counts
}

/// All of them, where there are not too many.
fn few<T>(all: impl Iterator<Item = T>, most: usize) -> Option<Vec<T>> {
    let first: Vec<T> = all.take(most + 1).collect();
    (first.len() <= most).then_some(first)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use weevil_records as records;

    use super::*;

    fn states(codes: &[u8]) -> NodeStates {
        let states: Vec<_> = codes.iter().map(|code| NodeState::of_code(*code).unwrap()).collect();
        let jobs = |done| records::Progress { done: u32::from(done), ..records::Progress::default() };
        let pools = (0_u32..)
            .zip(codes)
            .filter(|(place, _)| place % 2 == 1)
            .map(|(place, code)| (place, jobs(*code)));
        NodeStates::new(&states, pools.collect())
    }

    #[test]
    fn only_what_differs_is_told() {
        let layer_of = [0, 0, 1];
        for (before, now, changed, pool, layer) in [
            (Some(vec![0, 0, 0]), vec![0, 0, 0], Some(vec![]), vec![], vec![]),
            (Some(vec![0, 0, 0]), vec![0, 4, 0], Some(vec![(1, 4)]), vec![1], vec![0]),
            (Some(vec![0, 4, 0]), vec![4, 0, 0], Some(vec![(0, 4), (1, 0)]), vec![1], vec![]),
            (Some(vec![0, 0, 0]), vec![0, 0, 6], Some(vec![(2, 6)]), vec![], vec![1]),
            (None, vec![0, 1, 2], Some(vec![(0, 0), (1, 1), (2, 2)]), vec![1], vec![0, 1]),
            (Some(vec![]), vec![0, 0, 0], None, vec![], vec![0, 1]),
        ] {
            let (before, now) = (before.map(|codes| states(&codes)), states(&now));
            assert_eq!(nodes(before.as_ref(), &now), changed, "{before:?} {now:?}");
            let told: Vec<u32> =
                pools(before.as_ref(), &now).unwrap_or_default().iter().map(|pool| pool.0).collect();
            assert_eq!(told, pool, "{before:?} {now:?}");
            let known = before
                .as_ref()
                .filter(|before| !before.codes().is_empty())
                .map(|known| count(&layer_of, known));
            let told = layers(known.as_deref(), &count(&layer_of, &now)).unwrap();
            assert_eq!(told.iter().map(|layer| layer.0).collect::<Vec<_>>(), layer, "{before:?} {now:?}");
        }
    }

    #[test]
    fn a_frame_has_a_bounded_number_of_each() {
        for (many, fit) in [(MAX_NODES, true), (MAX_NODES + 1, false)] {
            assert_eq!(nodes(None, &states(&vec![4; many])).is_some(), fit, "{many} nodes");
        }
        for (many, fit) in [(MAX_POOLS, true), (MAX_POOLS + 1, false)] {
            assert_eq!(pools(None, &states(&vec![4; 2 * many])).is_some(), fit, "{many} pools");
        }
        for (many, fit) in [(MAX_LAYERS, true), (MAX_LAYERS + 1, false)] {
            assert_eq!(layers(None, &vec![Counts::default(); many]).is_some(), fit, "{many} layers");
        }
    }

    proptest! {
        #[test]
        fn changes_on_top_of_what_was_known_are_what_is(
            looks in prop::collection::vec(prop::collection::vec(0..9_u8, 30), 1..9),
        ) {
            let layer_of: Vec<u32> = (0..30).map(|place| place / 4).collect();
            let (mut codes, mut counts, mut before) = (vec![0; 30], vec![Counts::default(); 8], None);
            for look in looks {
                let now = states(&look);
                for (place, code) in nodes(before.as_ref(), &now).unwrap() {
                    codes[place as usize] = code;
                }
                let known = before.as_ref().map(|before| count(&layer_of, before));
                for (layer, told) in layers(known.as_deref(), &count(&layer_of, &now)).unwrap() {
                    counts[layer as usize] = told.try_into().unwrap();
                }
                prop_assert_eq!(&codes, &look);
                prop_assert_eq!(&counts, &count(&layer_of, &now));
                before = Some(now);
            }
        }
    }
}
