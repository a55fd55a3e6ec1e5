//! The figures of the console: what a first view fetches, how soon pages are there, what a page costs that is watched while a
//! run goes on, how soon it shows what has changed, and what the editor and the command line take beside it.

mod editor;
mod local;
mod paced;
mod paint;
mod readers;
mod views;
mod watched;

pub(crate) use editor::checks;
pub(crate) use local::add;
pub(crate) use paint::paint;
pub(crate) use readers::{readers, readers_of_fleet};
pub(crate) use views::{first_view, many_workers, views};
pub(crate) use watched::{kept, watched};
