//! Makes the documentation's HTML from the Markdown of `docs/`, in the order of `docs/SUMMARY.md`, for the build of the
//! server and for `cargo xtask docs`.
//!
//! Never writes a file, and makes no HTML with a script or a style of its own: pages are served under the policy of all pages.

mod address;
mod body;
mod book;
mod frame;
mod outline;
mod summary;

pub use book::{Book, Page, Problem};
