//! The routes of a server as rows: for each operation how it is asked, who may ask, and what it answers.
//!
//! Knows no handler: `server/src/http/register.rs` finds one for each row. Pages and their assets have no row, they are
//! what is left.

mod access;
mod markdown;
mod path;
mod row;
mod table;
mod typescript;

pub use access::{Access, Rate};
pub use markdown::routes_markdown;
pub use path::search;
pub use row::{Answer, Body, Class, Content, Method, Named, Parameter, Row};
pub use table::Operation;
pub use typescript::{routes_typescript, volunteer_routes_typescript};
