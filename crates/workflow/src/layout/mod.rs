//! From a graph to its picture: layers from left to right, many nodes of one kind as a stack, few crossings, places in whole CSS pixels.
//!
//! One input type ([`Graph`]) for plans and for documents that may be broken, one finished [`Layout`] that is asked for parts
//! of it. Decides the same on every machine: whole numbers alone, nothing drawn by chance, no order of a hash map. Never
//! recursive and never quadratic, whatever the graph. Never knows a node's id or state, and never draws: callers do.

mod adjacency;
mod finished;
mod fold;
mod graph;
mod layers;
mod links;
mod near;
mod order;
mod picture;
mod place;
mod scene;
mod slots;

pub use finished::{Layout, Members};
pub use fold::FOLD_ABOVE;
pub use graph::{Graph, GraphNode};
pub use layers::layers;
pub use near::MAX_HOPS;
pub use picture::{Cut, Item, MAX_PICTURE_EDGES, MAX_PICTURE_ITEMS, Picture, PictureEdge};
pub use place::{
    ITEM_GAP, ITEM_HEIGHT, ITEM_WIDTH, LAYER_GAP, LAYER_STEP, POINT_GAP, POOL_HEIGHT, STACK_HEIGHT,
};
pub use slots::{MAX_ROUTED_SPAN, POINTS_PER_ITEM};
