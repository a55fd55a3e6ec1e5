//! Where everything stands, in whole CSS pixels at zoom 1: x by column, y as near to the neighbours as the order allows.

use weevil_model::NodeKind;

use super::adjacency::Adjacency;
use super::slots::Slots;

/// Width of every item.
pub const ITEM_WIDTH: u32 = 168;
/// Height of a value or a job.
pub const ITEM_HEIGHT: u32 = 44;
/// Height of a stack: a line more, for its counts.
pub const STACK_HEIGHT: u32 = 60;
/// Height of a pool: two lines more, for its processor and its reducer.
pub const POOL_HEIGHT: u32 = 92;
/// From the right side of one column to the left side of the next.
pub const LAYER_GAP: u32 = 96;
/// From the left side of one column to that of the next.
pub const LAYER_STEP: u32 = ITEM_WIDTH + LAYER_GAP;
/// Between two items of a column.
pub const ITEM_GAP: u32 = 20;
/// Between a point and whatever is beside it: lines run closer together than items stand.
pub const POINT_GAP: u32 = 12;

/// How often all columns are moved to their neighbours: right, left, right, left.
const SWEEPS: usize = 4;
/// Parts of a pixel that are reckoned with: whole numbers are the same on every machine.
const PARTS: i64 = 64;

/// Height of an item of this kind.
pub(super) const fn height(kind: NodeKind, nodes: usize) -> u32 {
    match kind {
        _ if nodes > 1 => STACK_HEIGHT,
        NodeKind::Pool => POOL_HEIGHT,
        NodeKind::Value | NodeKind::Job | NodeKind::Processor | NodeKind::Reducer => ITEM_HEIGHT,
    }
}

/// Left side of a column.
pub(super) const fn left_of(column: u32) -> u32 {
    column * LAYER_STEP
}

/// For each slot the y of its middle, in pixels; and the height of all. `heights`: those of the items.
pub(super) fn place(slots: &Slots, heights: &[u32]) -> (Vec<u32>, u32) {
    let offsets = offsets(slots, heights);
    let mut middles = vec![0; offsets.len()];
    for (_, column) in slots.columns.iter() {
        let half = column.last().map_or(0, |last| offsets[*last as usize] / 2);
        for slot in column {
            middles[*slot as usize] = offsets[*slot as usize] - half;
        }
    }
    for sweep in 0..SWEEPS {
        move_all(slots, &offsets, &mut middles, sweep % 2 == 0);
    }
    whole(slots, heights, &offsets, &middles)
}

/// For each slot how far its middle is at least below that of its column's first one, in parts of a pixel.
fn offsets(slots: &Slots, heights: &[u32]) -> Vec<i64> {
    let half = |slot: u32| i64::from(heights.get(slot as usize).copied().unwrap_or(0)) * PARTS / 2;
    let mut offsets = vec![0; slots.left.lists() as usize];
    for (_, column) in slots.columns.iter() {
        for pair in column.windows(2) {
            let (above, below) = (pair[0], pair[1]);
            let items = above < slots.items && below < slots.items;
            let gap = i64::from(if items { ITEM_GAP } else { POINT_GAP }) * PARTS;
            offsets[below as usize] = offsets[above as usize] + half(above) + gap + half(below);
        }
    }
    offsets
}

fn move_all(slots: &Slots, offsets: &[i64], middles: &mut [i64], rightwards: bool) {
    let count = slots.columns.lists();
    let neighbours = if rightwards { &slots.left } else { &slots.right };
    for turn in 0..count {
        let column = if rightwards { turn } else { count - 1 - turn };
        move_column(slots.columns.of(column), neighbours, offsets, middles);
    }
}

/// Slots that are pushed together, and where the first one of their column would stand for them.
struct Block {
    slots: u32,
    sum: i64,
}

impl Block {
    fn mean(&self) -> i64 {
        self.sum.div_euclid(i64::from(self.slots))
    }
}

/// Moves a column's slots to where the squares of the ways to their neighbours' middles are smallest together, without changing
/// their order or coming too close: neighbouring blocks that would overlap are joined at their mean (isotonic regression, Ayer
/// et al. 1955). Linear in slots and lines.
fn move_column(column: &[u32], neighbours: &Adjacency, offsets: &[i64], middles: &mut [i64]) {
    let mut blocks: Vec<Block> = Vec::with_capacity(column.len());
    for slot in column {
        let wanted = mean(neighbours.of(*slot), middles).unwrap_or(middles[*slot as usize]);
        let mut block = Block { slots: 1, sum: wanted - offsets[*slot as usize] };
        while let Some(above) = blocks.pop_if(|above| above.mean() > block.mean()) {
            block = Block { slots: above.slots + block.slots, sum: above.sum + block.sum };
        }
        blocks.push(block);
    }
    let starts = blocks.iter().flat_map(|block| std::iter::repeat_n(block.mean(), block.slots as usize));
    for (slot, start) in column.iter().zip(starts) {
        middles[*slot as usize] = start + offsets[*slot as usize];
    }
}

fn mean(of: &[u32], middles: &[i64]) -> Option<i64> {
    let sum: i64 = of.iter().map(|slot| middles[*slot as usize]).sum();
    sum.checked_div_euclid(i64::try_from(of.len()).ok()?)
}

/// In whole pixels, the topmost side at 0. Rounded before offsets are added, so that no gap becomes smaller.
fn whole(slots: &Slots, heights: &[u32], offsets: &[i64], middles: &[i64]) -> (Vec<u32>, u32) {
    let pixels = |slot: usize| (middles[slot] - offsets[slot]).div_euclid(PARTS) + offsets[slot] / PARTS;
    let half = |slot: usize| i64::from(heights.get(slot).copied().unwrap_or(0) / 2);
    let ends = |(_, column): (u32, &[u32])| {
        let (first, last) = (*column.first()? as usize, *column.last()? as usize);
        Some((pixels(first) - half(first), pixels(last) + half(last)))
    };
    let ends: Vec<(i64, i64)> = slots.columns.iter().filter_map(ends).collect();
    let top = ends.iter().map(|(top, _)| *top).min().unwrap_or(0);
    let bottom = ends.iter().map(|(_, bottom)| *bottom).max().unwrap_or(0);
    // Nothing is above the top, and what is below it fits: `MAX_NODES` pools are 11,200,000 pixels high.
    let below = |y: i64| u32::try_from(y.saturating_sub(top)).unwrap_or(0);
    ((0..middles.len()).map(|slot| below(pixels(slot))).collect(), below(bottom))
}
