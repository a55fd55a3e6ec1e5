//! The order of each column from top to bottom: barycentres, swept to the right and back, and the best order that was seen.
//!
//! Begins with the document's order and never ends with more crossings than that has.

use super::adjacency::Adjacency;
use super::slots::Slots;

/// How often all columns are put in order: right, left, right, left. Each is linear in slots and lines, but for the sorting of a
/// column.
const SWEEPS: usize = 4;

/// Puts the slots of each column in an order with few crossings of lines.
pub(super) fn reduce(slots: &mut Slots) {
    let mut columns = slots.columns.clone();
    let mut fewest = crossings(&columns, &slots.right);
    for sweep in 0..SWEEPS {
        if fewest == 0 {
            return;
        }
        let neighbours = if sweep % 2 == 0 { &slots.left } else { &slots.right };
        columns = swept(&columns, neighbours, sweep % 2 == 0);
        let found = crossings(&columns, &slots.right);
        if found < fewest {
            fewest = found;
            slots.columns = columns.clone();
        }
    }
}

/// The place of each slot in its column.
pub(super) fn places(columns: &Adjacency, slots: u32) -> Vec<u32> {
    let mut places = vec![0; slots as usize];
    for (_, column) in columns.iter() {
        for (place, slot) in (0..).zip(column) {
            places[*slot as usize] = place;
        }
    }
    places
}

/// Each column after the one that it is put in order by.
fn swept(columns: &Adjacency, neighbours: &Adjacency, rightwards: bool) -> Adjacency {
    let count = columns.lists();
    let mut places = places(columns, neighbours.lists());
    let mut sorted: Vec<(u32, u32)> = Vec::with_capacity(neighbours.lists() as usize);
    for turn in 1..count {
        let (column, by) = if rightwards { (turn, turn - 1) } else { (count - 1 - turn, count - turn) };
        let slots = columns.of(column);
        let scale = (columns.of(by).len(), slots.len());
        let mut keyed: Vec<_> = slots
            .iter()
            .map(|slot| (barycentre(*slot, neighbours, &places, scale), places[*slot as usize], *slot))
            .collect();
        keyed.sort_unstable();
        for (place, (_, _, slot)) in (0..).zip(&keyed) {
            places[*slot as usize] = place;
        }
        sorted.extend(keyed.into_iter().map(|(_, _, slot)| (column, slot)));
    }
    let first = if rightwards { 0 } else { count.saturating_sub(1) };
    sorted.extend(columns.of(first).iter().map(|slot| (first, *slot)));
    Adjacency::new(count as usize, sorted.iter().copied())
}

/// The mean place of a slot's neighbours, in parts of 65,536; its own place where it has none, as far down in the neighbours'
/// column as in its own. `scale`: the slots of that column and of its own.
fn barycentre(slot: u32, neighbours: &Adjacency, places: &[u32], scale: (usize, usize)) -> u64 {
    const PARTS: u64 = 1 << 16;
    let of = neighbours.of(slot);
    if of.is_empty() {
        return u64::from(places[slot as usize]) * PARTS * scale.0 as u64 / scale.1 as u64;
    }
    let sum: u64 = of.iter().map(|neighbour| u64::from(places[*neighbour as usize])).sum();
    sum * PARTS / of.len() as u64
}

/// How often lines between neighbouring columns cross. Linear in slots, and in lines but for the logarithm of a column's length.
pub(super) fn crossings(columns: &Adjacency, right: &Adjacency) -> u64 {
    let places = places(columns, right.lists());
    let mut sum = 0;
    let mut ends = Vec::new();
    for column in 1..columns.lists() {
        let mut drawn = Drawn::new(columns.of(column).len());
        for slot in columns.of(column - 1) {
            ends.clear();
            ends.extend(right.of(*slot).iter().map(|target| places[*target as usize] as usize));
            sum += ends.iter().map(|end| drawn.below(*end)).sum::<u64>();
            for end in &ends {
                drawn.add(*end);
            }
        }
    }
    sum
}

/// How many lines end at which place: a Fenwick tree.
struct Drawn {
    sums: Vec<u32>,
    all: u32,
}

impl Drawn {
    fn new(places: usize) -> Self {
        Self { sums: vec![0; places + 1], all: 0 }
    }

    fn add(&mut self, place: usize) {
        let mut at = place + 1;
        while at < self.sums.len() {
            self.sums[at] += 1;
            at += at & at.wrapping_neg();
        }
        self.all += 1;
    }

    /// Lines that end farther down.
    fn below(&self, place: usize) -> u64 {
        let (mut at, mut above) = (place + 1, 0);
        while at > 0 {
            above += self.sums[at];
            at &= at - 1;
        }
        u64::from(self.all - above)
    }
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;
    use weevil_model::NodeKind;

    use super::super::fold::fold;
    use super::super::graph::{Graph, GraphNode};
    use super::super::layers::layers;
    use super::super::links::links;
    use super::*;

    /// In document order. Each node has code of its own, so nothing folds.
    fn slots(nodes: u32, edges: &[(usize, usize)]) -> Slots {
        let node = |code| GraphNode { kind: NodeKind::Job, code: Some(code) };
        let graph = Graph::new((0..nodes).map(node).collect(), edges.iter().copied(), None);
        let items = fold(&graph, &layers(&graph));
        Slots::new(&items, &links(graph.out(), &items))
    }

    /// Each pair of segments compared.
    fn pairs_that_cross(slots: &Slots) -> usize {
        let places = places(&slots.columns, slots.right.lists());
        let place = |slot: u32| places[slot as usize];
        let between = |left: u32| {
            let from = slots.columns.of(left).iter();
            from.flat_map(|from| slots.right.of(*from).iter().map(|to| (place(*from), place(*to))))
        };
        let crosses = |one: (u32, u32), other: (u32, u32)| one.0 < other.0 && one.1 > other.1;
        let columns = 0..slots.columns.lists();
        let counts = columns.map(|left| {
            between(left).map(|one| between(left).filter(|other| crosses(one, *other)).count()).sum::<usize>()
        });
        counts.sum()
    }

    /// The numbers of slots in each column, sorted.
    fn contents(slots: &Slots) -> Vec<(u32, u32)> {
        let mut pairs: Vec<_> = slots.columns.pairs().collect();
        pairs.sort_unstable();
        pairs
    }

    #[test]
    fn what_need_not_cross_does_not() {
        for (name, nodes, edges, naive) in [
            ("nothing", 0, &[][..], 0),
            ("a cross", 4, &[(0, 3), (1, 2)], 1),
            ("two crosses", 6, &[(0, 3), (1, 2), (2, 5), (3, 4)], 2),
            ("a fan that comes late in the document", 6, &[(0, 5), (1, 4), (2, 3)], 3),
            ("a long edge over a chain", 6, &[(0, 3), (1, 2), (2, 3), (3, 5), (1, 5), (0, 4), (4, 5)], 3),
        ] {
            let mut slots = slots(nodes, edges);
            assert_eq!(pairs_that_cross(&slots), naive, "{name}");
            reduce(&mut slots);
            assert_eq!(pairs_that_cross(&slots), 0, "{name}");
        }
    }

    proptest! {
        #[test]
        fn crossings_are_counted_and_never_more_than_the_documents(
            nodes in 1_u32..40,
            edges in vec((0_usize..40, 0_usize..40), 0..120),
        ) {
            let naive = slots(nodes, &edges);
            let mut reduced = naive.clone();
            reduce(&mut reduced);
            for slots in [&naive, &reduced] {
                prop_assert_eq!(crossings(&slots.columns, &slots.right), pairs_that_cross(slots) as u64);
            }
            prop_assert!(pairs_that_cross(&reduced) <= pairs_that_cross(&naive));
            prop_assert_eq!(contents(&reduced), contents(&naive));
        }
    }
}
