//! What the server counts about itself, and how it looks to a scraper: the `OpenMetrics` text that Prometheus reads.
//!
//! Only adds up. Whoever does something says so here; nothing here asks an actor or decides anything.

mod budgets;
mod now;
mod queue;
mod registry;
mod trust;

pub use now::Scene;
pub use queue::QueueMetrics;
pub use registry::{CONTENT_TYPE, Metrics};
