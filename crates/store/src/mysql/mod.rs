//! MySQL or MariaDB: one writing connection with batched transactions, several reading ones beside it. What only these do.

mod claim;
mod driver;
mod enqueue;
mod open;
mod retry;
mod tx;
mod writer;

pub(crate) use driver::MySql;
