//! What is drawn of a graph, put in order and in place: items, links between them, and points through which long links lead.

use super::adjacency::Adjacency;
use super::fold::Items;
use super::graph::Graph;
use super::links::{Link, links, starts};
use super::order::reduce;
use super::place::{LAYER_GAP, height, left_of, place};
use super::slots::Slots;

/// A picture of any size; `picture.rs` cuts it to what somebody is shown.
#[derive(Debug, Clone)]
pub(super) struct Scene {
    pub items: Items,
    pub links: Vec<Link>,
    /// For each item its first link; one more than there are items.
    pub links_of: Vec<u32>,
    /// The items column after column, each from top to bottom.
    pub order: Vec<u32>,
    /// For each item, then for each point, the y of its middle in pixels.
    pub middles: Vec<u32>,
    /// For each link its first point; one more than there are links.
    pub points: Vec<u32>,
    /// Pixels of all of it.
    pub width: u32,
    pub height: u32,
}

impl Scene {
    pub(super) fn new(graph: &Graph, items: Items) -> Self {
        let links = links(graph.out(), &items);
        let mut slots = Slots::new(&items, &links);
        reduce(&mut slots);
        let of = |item| {
            let members = items.members.of(item);
            height(graph.node(members[0]).kind, members.len())
        };
        let heights: Vec<u32> = (0..items.len()).map(of).collect();
        let (middles, height) = place(&slots, &heights);
        Self {
            links_of: starts(&links, items.len()),
            order: in_order(&slots.columns, items.len()),
            width: left_of(slots.columns.lists()).saturating_sub(LAYER_GAP),
            points: slots.points,
            items,
            links,
            middles,
            height,
        }
    }

    /// The points of a link, from left to right: the middle of each column that it crosses.
    pub(super) fn points(&self, link: usize) -> &[u32] {
        &self.middles[self.points[link] as usize..self.points[link + 1] as usize]
    }

    /// The links that lead from an item, by their numbers.
    pub(super) fn links_from(&self, item: u32) -> std::ops::Range<usize> {
        self.links_of[item as usize] as usize..self.links_of[item as usize + 1] as usize
    }
}

fn in_order(columns: &Adjacency, items: u32) -> Vec<u32> {
    columns.pairs().map(|(_, slot)| slot).filter(|slot| *slot < items).collect()
}
