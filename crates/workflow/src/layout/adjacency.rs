//! Lists of numbers, one for each node of something, in two flat vectors: 4 bytes for each entry and each list.

/// For each of some nodes the numbers that belong to it, in the order in which they were given.
#[derive(Debug, Clone, Default)]
pub(super) struct Adjacency {
    /// Where each list begins; one more than there are lists.
    starts: Vec<u32>,
    entries: Vec<u32>,
}

/// What numbers of a vector are: none is larger than the limits of a graph (`graph.rs`).
pub(super) fn number(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX)
}

impl Adjacency {
    /// So many lists, and pairs of a list's number and an entry. Linear in both.
    pub(super) fn new(lists: usize, pairs: impl Iterator<Item = (u32, u32)> + Clone) -> Self {
        let mut starts = vec![0; lists + 1];
        for (list, _) in pairs.clone() {
            starts[list as usize + 1] += 1;
        }
        for list in 0..lists {
            starts[list + 1] += starts[list];
        }
        let mut next = starts.clone();
        let mut entries = vec![0; starts[lists] as usize];
        for (list, entry) in pairs {
            let at = &mut next[list as usize];
            entries[*at as usize] = entry;
            *at += 1;
        }
        Self { starts, entries }
    }

    pub(super) fn of(&self, list: u32) -> &[u32] {
        let list = list as usize;
        &self.entries[self.starts[list] as usize..self.starts[list + 1] as usize]
    }

    pub(super) fn lists(&self) -> u32 {
        number(self.starts.len().saturating_sub(1))
    }

    /// Every list with its number.
    pub(super) fn iter(&self) -> impl Iterator<Item = (u32, &[u32])> {
        (0..self.lists()).map(|list| (list, self.of(list)))
    }

    /// Every list's number with each of its entries.
    pub(super) fn pairs(&self) -> impl Iterator<Item = (u32, u32)> + Clone {
        (0..self.lists()).flat_map(|list| self.of(list).iter().map(move |entry| (list, *entry)))
    }

    /// The other way round: for each entry the lists that hold it. Entries are numbers of lists.
    pub(super) fn reversed(&self) -> Self {
        Self::new(self.lists() as usize, self.pairs().map(|(list, entry)| (entry, list)))
    }
}
