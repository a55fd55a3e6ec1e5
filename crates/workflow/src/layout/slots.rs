//! What takes part in the order of a column: its items, and points through which links lead that cross it.
//!
//! Points are what long links would cost: a link has one for each column that it crosses. How far a link may lead and still have
//! them follows from a bound on all of them, so memory stays linear in the items.

use super::adjacency::{Adjacency, number};
use super::fold::Items;
use super::links::Link;

/// A link that leads farther, in columns, has no points: it is drawn straight.
pub const MAX_ROUTED_SPAN: u32 = 16;
/// Points at most for each item, on average. Where links would have more, the longest of them have none.
pub const POINTS_PER_ITEM: usize = 4;

/// Slots of all columns. The first ones are the items, by their numbers; behind them the points, link after link.
#[derive(Debug, Clone)]
pub(super) struct Slots {
    /// For each column its slots, in the order from top to bottom.
    pub columns: Adjacency,
    /// For each slot those of the column to its left that segments lead from.
    pub left: Adjacency,
    /// For each slot those of the column to its right that segments lead to.
    pub right: Adjacency,
    pub items: u32,
    /// For each link its first point; one more than there are links.
    pub points: Vec<u32>,
}

impl Slots {
    /// In document order: an item where its first node stands, a point where the source of its link does.
    pub(super) fn new(items: &Items, links: &[Link]) -> Self {
        let longest = routed_span(items, links);
        let count = items.len();
        let (mut points, mut segments) = (vec![count], Vec::new());
        // Column, place in the document, and the slot.
        let mut slots: Vec<_> =
            (0..count).map(|item| (items.columns[item as usize], items.first(item), item)).collect();
        for link in links {
            let mut next = number(slots.len());
            if let Some(span) = link.span(&items.columns).filter(|span| *span <= longest) {
                let (from, document) = (items.columns[link.from as usize], items.first(link.from));
                let mut before = link.from;
                for column in from + 1..from + span {
                    slots.push((column, document, next));
                    segments.push((before, next));
                    before = next;
                    next += 1;
                }
                segments.push((before, link.to));
            }
            points.push(next);
        }
        let (columns, total) = (columns(items), slots.len());
        slots.sort_unstable();
        Self {
            columns: Adjacency::new(columns, slots.iter().map(|(column, _, slot)| (*column, *slot))),
            left: Adjacency::new(total, segments.iter().map(|(from, to)| (*to, *from))),
            right: Adjacency::new(total, segments.iter().copied()),
            items: count,
            points,
        }
    }
}

/// How many columns there are.
fn columns(items: &Items) -> usize {
    items.columns.last().map_or(0, |last| *last as usize + 1)
}

/// The longest span at which all links that are no longer have points within the bounds.
fn routed_span(items: &Items, links: &[Link]) -> u32 {
    let mut of_span = [0_usize; MAX_ROUTED_SPAN as usize + 1];
    for span in links.iter().filter_map(|link| link.span(&items.columns)) {
        if let Some(count) = of_span.get_mut(span as usize) {
            *count += 1;
        }
    }
    let (mut left, mut longest) = (items.columns.len() * POINTS_PER_ITEM, 1);
    for span in 2..=MAX_ROUTED_SPAN {
        let points = of_span[span as usize] * (span as usize - 1);
        if points > left {
            break;
        }
        left -= points;
        longest = span;
    }
    longest
}
