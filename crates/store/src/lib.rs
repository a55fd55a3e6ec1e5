//! The traits of `weevil-records` and of `weevil-access` over SQLite and over MySQL or MariaDB: the only SQL in the project.
//!
//! Carries out what the rules of `weevil-queue` decide, one transaction per batch and one statement per kind of
//! change. Never decides anything about jobs itself, never reads a clock.

mod access;
mod audit;
mod audited_work;
mod columns;
mod database;
mod db;
mod driver;
mod fault;
mod files;
mod idioms;
mod json;
mod lookback;
mod migrations;
mod mysql;
mod parts;
mod paused;
mod pieces;
mod sql;
mod sqlite;
mod trust_audit;
mod tx;
mod usage_audit;
mod verify;
mod waits;
mod words;
mod workers;

// What all parts of this crate say statements with.
use columns::Columns;
use fault::Fault;
use idioms::both;
use sql::{Arg, Sql};
use tx::Tx;

pub use audit::{Audit, Broken, audit};
pub use audited_work::AuditedWork;
pub use database::{Database, DatabaseError, Ends, Server, Stores, open};
pub use db::{Db, MySqlStore, SqliteStore};
pub use sqlite::{BackupError, backup};
pub use verify::verify_audit;
