//! Document to checked workflow: every rule of the language that needs no execution.
//!
//! The steps go from the single element to the whole graph; each reports what it finds and the next one goes on with
//! what is sound or plainly meant, so that one mistake is told once. Never builds the plan.

mod agree;
mod aim;
mod checked;
mod code;
mod draft;
mod edges;
mod graph;
mod ids;
mod json;
mod kernel_job;
mod kernel_ports;
mod literals;
mod module;
mod near_names;
mod nodes;
mod numbers;
mod pools;
mod ports;
mod repair;
mod schema;
mod sources;
mod steps;
mod structure;
mod trust;
mod typed;

pub(crate) use checked::{Node, Workflow};
pub(crate) use json::{Unfit, read as read_file};
pub(crate) use literals::parse as read_literal;
pub(crate) use module::told as told_of_module;
pub(crate) use schema::{KINDS, Kind};
pub(crate) use steps::check;
