//! One SQLite file: one writer with batched transactions, several readers beside it (WAL). What only SQLite does.

mod backup;
mod checkpoint;
mod claim;
mod driver;
mod enqueue;
mod large;
mod open;
mod tx;
mod writer;

pub use backup::{BackupError, backup};
pub(crate) use driver::Sqlite;
