//! What tests of stores run on.

mod each;
mod test_database;

pub(crate) use each::on_each_database;
pub(crate) use test_database::{Kind, TestDatabase};
