//! Pictures of graphs: as text for shipped workflows and for shapes, as properties for any graph, and at their bounds.

mod bounds;
mod drawing;
mod pictures;
mod properties;
mod shapes;
