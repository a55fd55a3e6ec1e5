//! Neighbouring cells of a grid, from the first to the last that holds anything. Knows no time.

use std::collections::VecDeque;

use super::grid::Index;

/// What two neighbours can be joined into.
pub(super) trait Cell: Copy + Default {
    /// Takes in all that the other one holds.
    fn absorb(&mut self, other: Self);
}

impl Cell for u64 {
    fn absorb(&mut self, other: Self) {
        *self = self.saturating_add(other);
    }
}

/// Grows to both sides. Whoever holds it sees to it that its grid is wide enough.
#[derive(Debug, Clone, Default)]
pub(super) struct Series<T> {
    first: Index,
    cells: VecDeque<T>,
}

impl Series<u64> {
    /// Takes from one cell what it holds, at most this.
    pub(super) fn take(&mut self, index: Index, part: u64) {
        let at = usize::try_from(index.saturating_sub(self.first)).ok();
        if let Some(cell) = at.and_then(|at| self.cells.get_mut(at)) {
            *cell = cell.saturating_sub(part);
        }
    }
}

impl<T: Cell> Series<T> {
    /// The first and the last place; `None` while there is nothing.
    pub(super) fn reach(&self) -> Option<(Index, Index)> {
        let cells = Index::try_from(self.cells.len()).ok().filter(|cells| *cells > 0)?;
        Some((self.first, self.first.saturating_add(cells - 1)))
    }

    /// The cells with their places, in order.
    pub(super) fn iter(&self) -> impl Iterator<Item = (Index, &T)> {
        (self.first..).zip(&self.cells)
    }

    /// Adds to one cell. Cells between it and the others are empty.
    pub(super) fn add(&mut self, index: Index, part: T) {
        if self.cells.is_empty() {
            self.first = index;
        }
        while index < self.first {
            self.cells.push_front(T::default());
            self.first -= 1;
        }
        let Ok(at) = usize::try_from(index.saturating_sub(self.first)) else { return };
        if at >= self.cells.len() {
            self.cells.resize(at + 1, T::default());
        }
        if let Some(cell) = self.cells.get_mut(at) {
            cell.absorb(part);
        }
    }

    /// The same on the coarser grid: two cells become one.
    pub(super) fn coarsen(&mut self) {
        let mut coarser = Self::default();
        for (index, cell) in self.iter() {
            coarser.add(index.div_euclid(2), *cell);
        }
        *self = coarser;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_come_in_any_order_and_join_in_pairs() {
        for (added, cells, joined) in [
            (vec![], vec![], vec![]),
            (vec![(3, 1)], vec![(3, 1)], vec![(1, 1)]),
            (vec![(3, 1), (0, 2), (3, 4)], vec![(0, 2), (1, 0), (2, 0), (3, 5)], vec![(0, 2), (1, 5)]),
            (vec![(-1, 1), (0, 2)], vec![(-1, 1), (0, 2)], vec![(-1, 1), (0, 2)]),
            (vec![(-2, u64::MAX), (-1, 7)], vec![(-2, u64::MAX), (-1, 7)], vec![(-1, u64::MAX)]),
        ] {
            let mut series = Series::<u64>::default();
            for (index, part) in &added {
                series.add(*index, *part);
            }
            let all = |series: &Series<u64>| series.iter().map(|(i, n)| (i, *n)).collect::<Vec<_>>();
            assert_eq!(all(&series), cells, "{added:?}");
            let ends = cells.first().zip(cells.last()).map(|(first, last)| (first.0, last.0));
            assert_eq!(series.reach(), ends, "{added:?}");
            series.coarsen();
            assert_eq!(all(&series), joined, "{added:?}");
        }
    }
}
